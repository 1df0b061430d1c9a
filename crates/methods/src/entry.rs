//! Describe a method to the registry: its name, how it is built, and how it is tried.

use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::Method;
use super::parameter::Parameter;

/// A method that can be built by name.
pub struct Entry {
    /// Its name.
    pub id: &'static str,
    /// A title of one line.
    pub title: &'static str,
    /// How it is tried on a table of one's own; `None` where it is not.
    pub tried: Option<Tried>,
    /// Every parameter with its default.
    pub parameters: fn() -> Vec<Parameter>,
    /// The method with these parameters; `null` stands for none given. Other methods that they name
    /// are built by [`Build`].
    ///
    /// # Errors
    /// In words.
    pub build: BuildEntry,
}

/// How a method is tried where no parameters are given.
pub struct Tried {
    /// The method and its parameters in words, as the list of `try` says them after the name: `mean
    /// and variance of the 5 nearest rows`.
    pub settings: &'static str,
    /// Approximate seconds of one fit of n rows with d features, on one core of November 2026:
    /// within a factor of about two at 100 to 20 000 rows of 5 to 30 features, where a fit takes
    /// less than a minute (`just costs-of-try` prints both), and extrapolated by the count of
    /// operations. Where comments have processor times of small tables, these were measured beside
    /// other work.
    pub cost: fn(f64, f64) -> f64,
    /// The parameters; `null` for the defaults.
    pub parameters: fn() -> Value,
}

/// The parameters of a method that is tried with its defaults.
pub const DEFAULTS: fn() -> Value = || Value::Null;

/// Builds a method from its name and its parameters. The registry passes it in.
///
/// # Errors
/// In words.
pub type Build = Arc<dyn Fn(&str, &Value) -> Result<Box<dyn Method>, String> + Send + Sync>;

/// Builds one method from its parameters, and by [`Build`] the methods that these name.
///
/// # Errors
/// In words.
pub type BuildEntry = fn(&Value, &Build) -> Result<Box<dyn Method>, String>;

/// Parameters from JSON; `null` stands for none given.
///
/// # Errors
/// serde's, for an unknown parameter or a value of another type.
pub fn read<P: DeserializeOwned>(parameters: &Value) -> Result<P, String> {
    let given =
        if parameters.is_null() { Value::Object(Default::default()) } else { parameters.clone() };
    serde_json::from_value(given).map_err(|error| error.to_string())
}

/// The method, or the error in words.
///
/// # Errors
/// The one given.
pub fn boxed<M: Method + 'static, E: std::fmt::Display>(
    method: Result<M, E>,
) -> Result<Box<dyn Method>, String> {
    method.map(|method| Box::new(method) as Box<dyn Method>).map_err(|error| error.to_string())
}

/// Operations of normal equations, or of a covariance and its factor.
pub(super) fn squares(n: f64, d: f64) -> f64 {
    d * d * (n + d)
}

/// Operations of trees that sort rows by each feature.
pub(super) fn sorted(n: f64, d: f64) -> f64 {
    n * (n / 10.0).log2().max(1.0) * d
}

/// Rows by inputs and hidden units of a network of 50.
pub(super) fn layer(n: f64, d: f64) -> f64 {
    n * (1.0 + d / 50.0)
}
