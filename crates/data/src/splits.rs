//! Divide rows into training and test rows.

mod error;
mod feature;
mod given;
mod grouped;
mod holdout;
mod k_fold;
mod numpy_k_fold;
mod rolling_origin;
mod standard;

use serde::{Deserialize, Serialize};

pub use error::SplitError;
pub use feature::{End, gap, known_feature, tail};
pub use given::{GivenSplits, RowSet, given};
pub use grouped::{are_measured_again, clusters, copies, distinct_rows, grouped, grouped_k_fold};
pub use holdout::random;
pub use k_fold::k_fold;
pub use numpy_k_fold::numpy_k_fold;
pub use rolling_origin::rolling_origin;
pub use standard::{
    STANDARD, STANDARD_SPLITS, StandardSet, standard, standard_set, standard_splits,
};

/// The size of the test set of a random split.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TestSize {
    /// A share of all rows; the number of training rows is rounded.
    Fraction(f64),
    /// A number of rows.
    Rows(usize),
}

impl TestSize {
    /// Number of test rows among `n`.
    ///
    /// # Errors
    /// [`SplitError::TooFewRows`] where one side would be empty.
    pub fn among(self, n: usize) -> Result<usize, SplitError> {
        let test = match self {
            Self::Fraction(fraction) => {
                n.saturating_sub(((1.0 - fraction) * n as f64).round() as usize)
            }
            Self::Rows(rows) => rows,
        };
        if test == 0 || test >= n { Err(SplitError::TooFewRows { rows: n }) } else { Ok(test) }
    }
}

/// Indices of training and test rows into one table: every row is on exactly one side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// Training rows, in random order, or in the table's order where nothing is drawn.
    pub train: Vec<usize>,
    /// Test rows, likewise.
    pub test: Vec<usize>,
}

impl Split {
    /// Rows `0..n` in the table's order; those for which `tested` is true are test rows.
    fn where_tested(n: usize, tested: impl Fn(usize) -> bool) -> Self {
        let (test, train) = (0..n).partition(|&row| tested(row));
        Self { train, test }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asserts that every row of `0..n` is on exactly one side, and none of the sides is empty.
    pub fn assert_whole(split: &Split, n: usize) {
        let mut all: Vec<usize> = split.train.iter().chain(&split.test).copied().collect();
        all.sort_unstable();
        assert_eq!(all, (0..n).collect::<Vec<_>>());
        assert!(!split.train.is_empty() && !split.test.is_empty());
    }
}
