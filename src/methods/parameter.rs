//! Say which parameter of a method is out of range, and what is expected.

use std::fmt::Display;

use thiserror::Error;

/// A parameter out of its range.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("parameter `{name}` is {value}, expected {expected}")]
pub struct ParameterError {
    /// The parameter's name, as written in a benchmark file.
    pub name: String,
    /// What was given.
    pub value: String,
    /// The range or the choices.
    pub expected: String,
}

impl ParameterError {
    /// The complaint about one value.
    pub fn new(name: &str, value: impl Display, expected: &str) -> Self {
        Self { name: name.into(), value: value.to_string(), expected: expected.into() }
    }

    /// `Ok` when `holds`, else the complaint.
    ///
    /// # Errors
    /// [`ParameterError`] unless `holds`.
    pub fn check(holds: bool, name: &str, value: impl Display, expected: &str) -> Result<(), Self> {
        if holds { Ok(()) } else { Err(Self::new(name, value, expected)) }
    }
}
