//! Write numbers that may be infinite, or unknown, into JSON, which has neither.

/// One number.
pub(super) mod one {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use uqbench_run::runner::scores::Number;

    /// Infinite ones as words, NaN as `null`.
    pub fn serialize<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        Number::from(Some(*number)).serialize(serializer)
    }

    /// Reads it again.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        let number: Option<f64> = Number::deserialize(deserializer)?.into();
        Ok(number.unwrap_or(f64::NAN))
    }
}

/// A column of numbers, of which some may be unknown.
pub(super) mod all {
    use serde::{Deserialize, Deserializer, Serializer};
    use uqbench_run::runner::scores::Number;

    /// Infinite ones as words, unknown ones as `null`.
    pub fn serialize<S: Serializer>(
        numbers: &[Option<f64>],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(numbers.iter().map(|number| Number::from(*number)))
    }

    /// Reads them again.
    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<Option<f64>>, D::Error> {
        Ok(Vec::<Number>::deserialize(deserializer)?.into_iter().map(Into::into).collect())
    }
}
