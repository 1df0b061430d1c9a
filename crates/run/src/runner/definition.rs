//! What identifies a dataset's data in a trial's key.

use serde_json::Value;

use crate::benchmark::DatasetRow;
use uqbench_data::objectives::Objective;
use uqbench_data::own::OwnDataset;
use uqbench_data::simulated::Simulated;
use uqbench_data::{DataError, Manifest};

/// The definition of a benchmark's dataset.
///
/// # Errors
/// [`DataError`] for an unknown key.
pub(super) fn definition(row: &DatasetRow) -> Result<Value, DataError> {
    row.own.as_ref().map_or_else(|| of_key(&row.key), |own| Ok(own.definition()))
}

/// Whether this program would name the data of this key so. A user's table is named by its numbers,
/// which no program changes.
pub(super) fn is_current(key: &str, stored: &Value) -> bool {
    OwnDataset::is_definition(stored) || of_key(key).is_ok_and(|now| now == *stored)
}

fn of_key(key: &str) -> Result<Value, DataError> {
    match (Simulated::get(key), Objective::get(key)) {
        (Some(problem), _) => Ok(problem.definition()),
        (None, Some(objective)) => Ok(objective.definition()),
        (None, None) => Ok(Manifest::shipped()?.get(key)?.definition()),
    }
}
