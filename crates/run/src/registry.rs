//! The methods that this program knows: those of `uq_methods`, those of its own, those in other
//! languages, and an oracle for tests.

use std::sync::OnceLock;

use serde_json::Value;
use uq_methods::registry::{Registry, RegistryError};
use uq_methods::{Entry, Method};

use crate::external::External;
use crate::oracle::Oracle;

/// A method outside of this program. It has no defaults, and no other method can contain it.
pub const EXTERNAL: &Entry = &External::ENTRY;

/// Known from the first question on, and the same ever after: workers are this program, too, and
/// must build the same methods.
static REGISTRY: OnceLock<Result<Registry, RegistryError>> = OnceLock::new();

/// Adds methods of a program's own. It comes before every other function here.
///
/// # Errors
/// [`RegistryError::Taken`] for a name that another method has, and [`RegistryError::Late`] where a
/// method was asked for before.
pub fn add(own: &[&'static Entry]) -> Result<(), RegistryError> {
    REGISTRY.set(complete(own)).map_err(|_| RegistryError::Late)?;
    registry().map(|_| ())
}

fn complete(own: &[&'static Entry]) -> Result<Registry, RegistryError> {
    let known = own.iter().try_fold(Registry::default(), |known, entry| known.with(entry))?;
    known.with_whole(EXTERNAL)?.with_whole(&Oracle::ENTRY)
}

fn registry() -> Result<&'static Registry, RegistryError> {
    REGISTRY.get_or_init(|| complete(&[])).as_ref().map_err(Clone::clone)
}

/// The methods in the order of simplicity.
pub fn methods() -> &'static [&'static Entry] {
    registry().map_or(&[], Registry::methods)
}

/// The method of this name.
///
/// # Errors
/// [`RegistryError::Unknown`].
pub fn entry(id: &str) -> Result<&'static Entry, RegistryError> {
    registry()?.entry(id)
}

/// The method of this name with these parameters; `null` stands for none given.
///
/// # Errors
/// [`RegistryError`] for an unknown name, an unknown parameter, or a value out of range.
pub fn build(id: &str, parameters: &Value) -> Result<Box<dyn Method>, RegistryError> {
    registry()?.build(id, parameters)
}
