//! State a method's parameters once: the fields, their defaults, their checks and their listing
//! come from the same lines.
//!
//! ```ignore
//! parameters! {
//!     /// Parameters of the polynomial.
//!     #[derive(Clone, Copy, Debug, PartialEq, Eq)]
//!     pub struct PolynomialParameters {
//!         /// Highest power of each feature.
//!         degree: usize = 4, in 0..=50;
//!     }
//! }
//! ```
//!
//! After `in` comes a [`Domain`]: the values that are allowed. A rule between several parameters is
//! written by hand and checked after [`Parameters::check`].

mod domain;
mod range;
#[cfg(test)]
mod tests;

use std::fmt::Display;

use serde_json::Value;
use thiserror::Error;

pub use domain::{Choices, Domain, Group, Such, Words};
pub use range::{Numbers, Range, above, one_or_more};
use uq_math::adam::AdamSettings;

/// A parameter out of its range.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("parameter `{name}` is {value}, expected {expected}")]
pub struct ParameterError {
    /// The parameter's name, as written in a benchmark file; a dot leads into a group, as in
    /// `training.epochs`.
    pub name: String,
    /// What was given.
    pub value: String,
    /// The range or the choices.
    pub expected: String,
}

impl ParameterError {
    /// An error about one value.
    pub fn new(name: &str, value: impl Display, expected: &str) -> Self {
        Self { name: name.into(), value: value.to_string(), expected: expected.into() }
    }

    /// `Ok` when `holds`, else the error.
    ///
    /// # Errors
    /// [`ParameterError`] unless `holds`.
    pub fn check(holds: bool, name: &str, value: impl Display, expected: &str) -> Result<(), Self> {
        if holds { Ok(()) } else { Err(Self::new(name, value, expected)) }
    }

    /// The same error for a parameter of this group.
    pub fn within(self, group: &str) -> Self {
        Self { name: format!("{group}.{}", self.name), ..self }
    }
}

/// A parameter and its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its name, as written in a benchmark file; a dot leads into a group, as in `training.epochs`.
    pub name: String,
    /// Its value, as a benchmark file holds it; `None` where it has no default.
    pub value: Option<Value>,
    /// The values that are allowed, in words.
    pub expected: String,
    /// Its meaning, in one or two sentences.
    pub meaning: &'static str,
    /// The numbers that are allowed, where it is a number, a number or null, or a list of numbers.
    pub range: Option<Range>,
    /// The value in words, where it is not allowed.
    fault: Option<String>,
}

impl Parameter {
    /// A parameter that has to be given.
    pub fn required(name: &str, expected: &str, meaning: &'static str) -> Self {
        Self {
            name: name.into(),
            value: None,
            expected: expected.into(),
            meaning,
            range: None,
            fault: None,
        }
    }
}

/// A group of parameters, as the macro `parameters!` states it.
pub trait Parameters {
    /// Each parameter with its value, those of inner groups by their dotted names.
    fn list(&self) -> Vec<Parameter>;

    /// Checks each parameter by itself.
    ///
    /// # Errors
    /// [`ParameterError`] for the first one out of its range.
    fn check(&self) -> Result<(), ParameterError> {
        let fault = |Parameter { name, fault, expected, .. }| {
            Some(ParameterError { name, value: fault?, expected })
        };
        self.list().into_iter().find_map(fault).map_or(Ok(()), Err)
    }
}

/// The parameters of a group with their defaults.
pub fn defaults<P: Parameters + Default>() -> Vec<Parameter> {
    P::default().list()
}

/// Whether a flag is set: the default of some parameters that were added later.
pub(super) fn is_true(flag: &bool) -> bool {
    *flag
}

/// Whether a count is one: the default of some parameters that were added later.
pub(super) fn is_one(count: &usize) -> bool {
    *count == 1
}

/// Whether a value is its type's default: that of most parameters that were added later.
pub(super) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// States a group of parameters: a struct with public fields that serde reads and writes, its
/// [`Default`], and its [`Parameters`].
///
/// A field is written `name: type = default, in domain;`. Its doc comment is its meaning in the
/// listing. `over "function"` names a function that reads a group whose missing parameters have
/// other defaults than its type's. `added "function"` marks a parameter that was added later, and
/// names the function that is true at its default: the JSON leaves it out there, so that the keys
/// of earlier trials stay. Without any default the struct has none either, and each field must be
/// given. `impl Type { .. }` lists the fields of a struct that is defined elsewhere.
#[macro_export]
macro_rules! parameters {
    (
        $(#[$meta:meta])*
        $visibility:vis struct $group:ident {
            $(
                $(#[doc = $doc:literal])+
                $field:ident: $kind:ty = $default:expr, in $domain:expr $(, over $reader:tt)? $(, added $is_default:tt)?;
            )*
        }
    ) => {
        $(#[$meta])*
        #[derive(serde::Serialize, serde::Deserialize)]
        #[serde(deny_unknown_fields, default)]
        $visibility struct $group {
            $(
                $(#[doc = $doc])+
                ///
                #[doc = concat!("Default `", stringify!($default), "`, in `", stringify!($domain), "`.")]
                $(#[serde(deserialize_with = $reader)])?
                $(#[serde(skip_serializing_if = $is_default)])?
                pub $field: $kind,
            )*
        }

        impl Default for $group {
            fn default() -> Self {
                Self { $($field: $default),* }
            }
        }

        $crate::parameters! {
            impl $group { $($(#[doc = $doc])+ $field, in $domain;)* }
        }
    };
    (
        $(#[$meta:meta])*
        $visibility:vis struct $group:ident {
            $($(#[doc = $doc:literal])+ $field:ident: $kind:ty, in $domain:expr;)+
        }
    ) => {
        $(#[$meta])*
        #[derive(serde::Serialize, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        $visibility struct $group {
            $(
                $(#[doc = $doc])+
                ///
                #[doc = concat!("In `", stringify!($domain), "`.")]
                pub $field: $kind,
            )+
        }

        $crate::parameters! {
            impl $group { $($(#[doc = $doc])+ $field, in $domain;)+ }
        }
    };
    (impl $group:ident {}) => {
        impl $crate::parameter::Parameters for $group {
            fn list(&self) -> Vec<$crate::parameter::Parameter> {
                Vec::new()
            }
        }
    };
    (impl $group:ident { $($(#[doc = $doc:literal])+ $field:ident, in $domain:expr;)+ }) => {
        impl $crate::parameter::Parameters for $group {
            fn list(&self) -> Vec<$crate::parameter::Parameter> {
                use $crate::parameter::Domain;
                [$(Domain::describe(&$domain, stringify!($field), concat!($($doc),+).trim(), &self.$field)),+].concat()
            }
        }
    };
}
pub use parameters;

parameters! {
    impl AdamSettings {
        /// Step size α.
        learning_rate, in above(0.0).to(1.0);
        /// Decay β₁ of the mean of the gradients.
        beta1, in 0.0..1.0;
        /// Decay β₂ of the mean of their squares.
        beta2, in 0.0..1.0;
        /// What is added to the root of the mean square, ε.
        epsilon, in above(0.0).to(1.0);
        /// Decoupled weight decay λ, on all parameters.
        weight_decay, in 0.0..=1.0;
    }
}
