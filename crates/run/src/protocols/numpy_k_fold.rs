//! Test each row once by the folds of scikit-learn.

use serde::{Deserialize, Serialize};

use super::kind::{ProtocolKind, TestRows, Usage};
use super::limits::check_folds;
use super::repetition::Repetition;
use uq_core::Table;
use uqbench_data::splits::{self, Split, SplitError};

/// The same folds in every repetition, those of scikit-learn's
/// `KFold(folds, shuffle=True, random_state=seed)`: split repeat × folds + fold. One repetition is
/// one whole cross-validation, and its score is the average over the folds. Repetitions differ only
/// in the method's random numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NumpyKFold {
    /// Number of folds, k.
    pub folds: u64,
    /// Seed of NumPy's `RandomState`.
    pub seed: u32,
}

impl ProtocolKind for NumpyKFold {
    fn splits_a_repetition(&self) -> u64 {
        self.folds.max(1)
    }

    fn repeats_the_same_rows(&self) -> bool {
        true
    }

    fn test_rows(&self) -> TestRows {
        TestRows::InTurn
    }

    /// A score that is an average over folds needs all of them in each profile.
    fn check(&self, usage: &Usage) -> Result<(), String> {
        check_folds(self.folds, 1)?;
        for profile in &usage.profiles {
            let (name, splits, folds) = (profile.name, profile.splits, self.folds);
            if splits % folds != 0 {
                return Err(format!(
                    "profile `{name}` runs {splits} splits, expected a multiple of the {folds} \
                     folds"
                ));
            }
            if profile.has_seeds {
                return Err(format!(
                    "profile `{name}` has seeds, but repetitions of these folds differ in their \
                     seed already"
                ));
            }
        }
        Ok(())
    }

    fn divide(&self, repetition: &Repetition, all: &Table) -> Result<Split, SplitError> {
        splits::numpy_k_fold(
            all.rows(),
            self.folds,
            repetition.split % self.folds.max(1),
            self.seed,
        )
    }
}
