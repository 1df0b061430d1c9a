//! Read training settings over a method's own defaults, so that a file names only what it changes.

use serde::de::Error;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use super::TrainingSettings;

/// The settings that are given, and those of `defaults` where they are not.
///
/// # Errors
/// The deserializer's, for a setting that does not exist or a value of another type.
pub(super) fn over<'de, D: Deserializer<'de>>(
    defaults: TrainingSettings,
    deserializer: D,
) -> Result<TrainingSettings, D::Error> {
    let given = Map::deserialize(deserializer)?;
    let mut all = serde_json::to_value(defaults).map_err(D::Error::custom)?;
    for (name, value) in given {
        match (&mut all[&name], value) {
            (Value::Object(adam), Value::Object(given)) if name == "adam" => adam.extend(given),
            (place, value) => *place = value,
        }
    }
    serde_json::from_value(all).map_err(D::Error::custom)
}
