//! Test each row once by shuffled folds, with or without groups of equal features.

use serde::{Deserialize, Serialize};

use super::kind::{ProtocolKind, TestRows, Usage};
use super::limits::check_folds;
use super::repetition::Repetition;
use uq_core::Table;
use uqbench_data::splits::{self, Split, SplitError};

/// Shuffled k-fold cross-validation: repetition repeat × folds + fold. Rows count as exchangeable.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KFold {
    /// Number of folds, k.
    pub folds: u64,
    /// How often the rows are shuffled and divided anew.
    #[serde(default = "once")]
    pub repeats: u64,
}

/// K-fold cross-validation that keeps rows of equal features on one side: repetition repeat ×
/// folds + fold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroupedKFold {
    /// Number of folds, k.
    pub folds: u64,
    /// How often the rows are shuffled and divided anew.
    #[serde(default = "once")]
    pub repeats: u64,
}

fn once() -> u64 {
    1
}

impl ProtocolKind for KFold {
    fn repetitions(&self) -> Option<u64> {
        Some(self.folds.saturating_mul(self.repeats))
    }

    fn test_rows(&self) -> TestRows {
        TestRows::InTurn
    }

    fn ignores_dependence(&self) -> bool {
        true
    }

    fn check(&self, _: &Usage) -> Result<(), String> {
        check_folds(self.folds, self.repeats)
    }

    fn divide(&self, repetition: &Repetition, all: &Table) -> Result<Split, SplitError> {
        let (repeat, fold) = fold_of(self.folds, self.repeats, repetition.split)?;
        splits::k_fold(
            all.rows(),
            self.folds,
            fold,
            &mut repetition.streams.stream("split", repeat),
        )
    }
}

impl ProtocolKind for GroupedKFold {
    fn repetitions(&self) -> Option<u64> {
        Some(self.folds.saturating_mul(self.repeats))
    }

    fn test_rows(&self) -> TestRows {
        TestRows::InTurn
    }

    fn keeps_groups(&self) -> bool {
        true
    }

    fn check(&self, _: &Usage) -> Result<(), String> {
        check_folds(self.folds, self.repeats)
    }

    fn divide(&self, repetition: &Repetition, all: &Table) -> Result<Split, SplitError> {
        let (repeat, fold) = fold_of(self.folds, self.repeats, repetition.split)?;
        splits::grouped_k_fold(
            all,
            self.folds,
            fold,
            &mut repetition.streams.stream("split", repeat),
        )
    }
}

/// Repeat and fold of a repetition.
fn fold_of(folds: u64, repeats: u64, index: u64) -> Result<(u64, u64), SplitError> {
    let count = folds.saturating_mul(repeats);
    if index >= count {
        return Err(SplitError::NoSuchSplit {
            what: format!("{repeats} × {folds} folds"),
            split: index,
            count,
        });
    }
    Ok((index / folds, index % folds))
}
