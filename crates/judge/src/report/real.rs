//! Write numbers in JSON, which has neither infinity nor NaN: these are the texts `"inf"`, `"-inf"`
//! and `"nan"`.

use serde::Serializer;

/// Writes a number.
///
/// # Errors
/// Those of the serializer.
pub fn serialize<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    match value {
        value if value.is_finite() => serializer.serialize_f64(*value),
        value if value.is_nan() => serializer.serialize_str("nan"),
        value if *value > 0.0 => serializer.serialize_str("inf"),
        _ => serializer.serialize_str("-inf"),
    }
}

/// The same of a number that may be missing, which is `null`.
pub mod option {
    use serde::Serializer;

    /// Writes a number, or `null`.
    ///
    /// # Errors
    /// Those of the serializer.
    pub fn serialize<S: Serializer>(value: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
        match value {
            Some(value) => super::serialize(value, serializer),
            None => serializer.serialize_none(),
        }
    }
}

/// The same of a list of numbers that may be missing.
pub mod options {
    use serde::{Serialize, Serializer};

    #[derive(Serialize)]
    struct Real(#[serde(serialize_with = "super::option::serialize")] Option<f64>);

    /// Writes the numbers.
    ///
    /// # Errors
    /// Those of the serializer.
    pub fn serialize<S: Serializer>(
        values: &[Option<f64>],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(values.iter().map(|value| Real(*value)))
    }
}
