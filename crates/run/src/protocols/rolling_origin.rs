//! Test later rows by models of earlier ones.

use serde::{Deserialize, Serialize};

use super::kind::{ProtocolKind, TestRows, Usage};
use super::limits::MOST_SPLITS;
use super::repetition::Repetition;
use uq_core::Table;
use uq_core::math::random::permutation;
use uqbench_data::splits::{self, Split, SplitError};

/// Rolling origin: the rows after the first `start` are blocks in time, and each is tested by all
/// rows before it. (Tashman 2000, International Journal of Forecasting 16.)
///
/// `shuffled` puts the rows in a random order first, the same one for all blocks, and withholds
/// their times: parts of the same sizes, divided as if rows were exchangeable. What a method loses
/// from this to the order of time is what the random division hides.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RollingOrigin {
    /// Share of the rows that no block has.
    pub start: f64,
    /// Number of blocks.
    pub folds: u64,
    /// Whether a random order takes the place of that of time.
    #[serde(default, skip_serializing_if = "is_false")]
    pub shuffled: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn is_false(value: &bool) -> bool {
    !value
}

impl ProtocolKind for RollingOrigin {
    fn repetitions(&self) -> Option<u64> {
        Some(self.folds)
    }

    fn test_rows(&self) -> TestRows {
        TestRows::InTurn
    }

    fn ignores_dependence(&self) -> bool {
        self.shuffled
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
        let split = splits::rolling_origin(all, self.start, self.folds, repetition.split)?;
        if !self.shuffled {
            return Ok(split);
        }
        let order = permutation(all.rows(), &mut repetition.streams.stream("split", 0));
        let shuffled = |rows: Vec<usize>| rows.into_iter().map(|row| order[row]).collect();
        Ok(Split { train: shuffled(split.train), test: shuffled(split.test) })
    }
}
