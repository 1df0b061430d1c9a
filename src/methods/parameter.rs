//! Say which parameter of a method is out of range, and what is expected.

use std::fmt::Display;

use thiserror::Error;

use crate::math::adam::AdamSettings;

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

impl AdamSettings {
    /// Checks every setting.
    ///
    /// # Errors
    /// [`ParameterError`] for a setting out of its range.
    pub fn check(&self) -> Result<(), ParameterError> {
        let Self { learning_rate, beta1, beta2, epsilon, weight_decay } = *self;
        let positive = |x: f64| x > 0.0 && x <= 1.0;
        let share = |x: f64| (0.0..1.0).contains(&x);
        ParameterError::check(positive(learning_rate), "learning_rate", learning_rate, "a number above 0, up to 1")?;
        ParameterError::check(share(beta1), "beta1", beta1, "a number from 0 to below 1")?;
        ParameterError::check(share(beta2), "beta2", beta2, "a number from 0 to below 1")?;
        ParameterError::check(positive(epsilon), "epsilon", epsilon, "a number above 0, up to 1")?;
        ParameterError::check((0.0..=1.0).contains(&weight_decay), "weight_decay", weight_decay, "a number from 0 to 1")
    }
}
