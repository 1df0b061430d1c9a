//! The methods that this program knows: those of `uq_methods`, those of its own, those in other
//! languages, and an oracle for tests.

use std::sync::OnceLock;

use serde_json::Value;
use uq_methods::registry::{Registry, RegistryError};
use uq_methods::{Entry, Method};
use uqbench_system::program::fingerprint;

use crate::external::External;
use crate::oracle::Oracle;

/// A method outside of this program. It has no defaults, and no other method can contain it.
pub const EXTERNAL: &Entry = &External::ENTRY;

/// Known from the first question on, and the same ever after: workers are this program, too, and
/// must build the same methods.
static REGISTRY: OnceLock<Result<Registry, RegistryError>> = OnceLock::new();

/// Names of the methods of a program's own.
static OWN: OnceLock<Vec<&'static str>> = OnceLock::new();

/// Adds methods of a program's own. It comes before every other function here.
///
/// # Errors
/// [`RegistryError::Taken`] for a name that another method has, and [`RegistryError::Late`] where a
/// method was asked for before.
pub fn add(own: &[&'static Entry]) -> Result<(), RegistryError> {
    REGISTRY.set(complete(own)).map_err(|_| RegistryError::Late)?;
    OWN.set(own.iter().map(|entry| entry.id).collect()).map_err(|_| RegistryError::Late)?;
    registry().map(|_| ())
}

/// Whether a method is the program's own, or names one among its parameters, as a combinator does.
pub fn is_own(id: &str, parameters: &Value) -> bool {
    let own = OWN.get().map_or(&[][..], Vec::as_slice);
    !own.is_empty() && (own.contains(&id) || names(parameters, own))
}

/// The fingerprint of this program, where the method is its own: no version tells whether its code
/// has changed.
pub fn own_build(id: &str, parameters: &Value) -> Option<String> {
    is_own(id, parameters).then(fingerprint).flatten().map(str::to_owned)
}

fn names(parameters: &Value, own: &[&str]) -> bool {
    match parameters {
        Value::Object(map) => {
            let id = map.get("id").and_then(Value::as_str);
            id.is_some_and(|id| own.contains(&id)) || map.values().any(|value| names(value, own))
        }
        Value::Array(items) => items.iter().any(|value| names(value, own)),
        _ => false,
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_combinator_of_an_own_method_is_the_programs_own() {
        let own = ["nearest"];
        assert!(names(&json!({ "learners": [{ "id": "tree" }, { "id": "nearest" }] }), &own));
        assert!(!names(&json!({ "method": { "id": "tree", "note": "nearest" } }), &own));
        assert!(!is_own("tree", &Value::Null), "this program has none");
    }
}
