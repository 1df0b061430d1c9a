//! Test later rows by models of earlier ones.

use serde::{Deserialize, Serialize};

use super::kind::{ProtocolKind, TestRows, Usage};
use super::limits::MOST_SPLITS;
use super::repetition::Repetition;
use uq_core::Table;
use uqbench_data::splits::{self, Split, SplitError};

/// Rolling origin: the rows after the first `start` are blocks in time, and each is tested by all
/// rows before it. (Tashman 2000, International Journal of Forecasting 16.)
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RollingOrigin {
    /// Share of the rows that no block has.
    pub start: f64,
    /// Number of blocks.
    pub folds: u64,
}

impl ProtocolKind for RollingOrigin {
    fn repetitions(&self) -> Option<u64> {
        Some(self.folds)
    }

    fn test_rows(&self) -> TestRows {
        TestRows::InTurn
    }

    fn check(&self, _: &Usage) -> Result<(), String> {
        if !(1..=MOST_SPLITS).contains(&self.folds) {
            return Err(format!(
                "rolling-origin has {} folds, expected 1 to {MOST_SPLITS}",
                self.folds
            ));
        }
        if self.start > 0.0 && self.start < 1.0 {
            return Ok(());
        }
        Err(format!(
            "rolling-origin starts with {} of the rows, expected a share between 0 and 1",
            self.start
        ))
    }

    fn divide(&self, repetition: &Repetition, all: &Table) -> Result<Split, SplitError> {
        splits::rolling_origin(all, self.start, self.folds, repetition.split)
    }
}
