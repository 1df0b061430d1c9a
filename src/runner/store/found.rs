//! Say what the store knows of a trial.

use std::sync::Arc;

use crate::runner::record::TrialResult;

/// What the store knows of a trial.
#[derive(Clone, Debug, PartialEq)]
pub enum Found {
    /// Nothing.
    Absent,
    /// A finished trial.
    Finished(Arc<TrialResult>),
    /// A damaged one: its bytes were read whole, and are not those that were written.
    Damaged(String),
}
