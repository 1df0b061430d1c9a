//! Read a finished trial: its predictions at the test rows, and the side tables of its fit.

use thiserror::Error;

use uq_core::predictive::Predictive;
use uq_methods::Reading;
use uq_methods::side_tables::SideTable;
use uqbench_run::runner::layout::{self, Decoded};
use uqbench_run::runner::record::{ROWS, TrialResult};
use uqbench_run::runner::store::{Store, StoreError};

/// Why evidence cannot be read.
#[derive(Debug, Error)]
pub enum EvidenceError {
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A stored trial cannot be decoded.
    #[error("trial {key}: {message}")]
    Damaged {
        /// The trial.
        key: String,
        /// Why.
        message: String,
    },
}

/// The rows of a finished trial.
///
/// # Errors
/// [`EvidenceError`].
pub fn decode(result: &TrialResult, store: &Store) -> Result<Decoded, EvidenceError> {
    let damaged = |message: String| EvidenceError::Damaged { key: result.key.to_string(), message };
    let decoded = layout::decode(&result.layout, &store.file(result, ROWS)?);
    decoded.and_then(|decoded| decoded.checked(result.test_rows)).map_err(damaged)
}

/// One reading of a finished trial.
///
/// # Errors
/// [`EvidenceError::Damaged`] where the trial has no such reading.
pub fn prediction<'a>(
    decoded: &'a Decoded,
    reading: &Reading,
    result: &TrialResult,
) -> Result<&'a Predictive, EvidenceError> {
    let found =
        decoded.readings.iter().find(|(r, _)| r == reading).map(|(_, predictive)| predictive);
    found.ok_or_else(|| EvidenceError::Damaged {
        key: result.key.to_string(),
        message: format!("reading {reading} is missing"),
    })
}

/// The side table of this name of a finished trial.
///
/// # Errors
/// [`EvidenceError`].
pub fn side_table(
    result: &TrialResult,
    name: &str,
    store: &Store,
) -> Result<Option<SideTable>, EvidenceError> {
    Ok(store.side_tables(result, |own| own == name)?.into_iter().next())
}
