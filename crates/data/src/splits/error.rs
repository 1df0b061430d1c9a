//! Define the errors of dividing rows.

use thiserror::Error;

use super::STANDARD;
use uq_core::names::did_you_mean;

/// Why rows cannot be divided as requested.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SplitError {
    /// One side would be empty.
    #[error("{rows} rows cannot be split into training and test rows")]
    TooFewRows {
        /// Rows of the table.
        rows: usize,
    },
    /// A fold would be empty, or contain all rows.
    #[error(
        "{rows} rows cannot be divided into {folds} folds, expected 2 or more folds of 1 or more \
         rows"
    )]
    TooFewForFolds {
        /// Rows of the table.
        rows: usize,
        /// Number of folds.
        folds: u64,
    },
    /// There is no split with the requested number.
    #[error("{what}: {count} in all, numbered from 0, but split {split} was asked for")]
    NoSuchSplit {
        /// The kind of splits.
        what: String,
        /// The requested split.
        split: u64,
        /// Number of splits.
        count: u64,
    },
    /// The dataset has no standard splits.
    #[error(
        "`{dataset}` has no standard splits; they are those of {}{}",
        standard_datasets(),
        order(dataset)
    )]
    NotStandard {
        /// The dataset's key.
        dataset: String,
    },
    /// The standard splits index another number of rows.
    #[error(
        "the standard splits of `{dataset}` index all of its {expected} rows, found {found}; use \
         every row"
    )]
    OtherRows {
        /// The dataset's key.
        dataset: String,
        /// Rows of the table.
        found: usize,
        /// Rows that the splits index.
        expected: usize,
    },
    /// A row is tested that the table does not have.
    #[error(
        "row {row}, counted from 0, is tested, but the table has {rows} rows; expected row numbers \
         below that"
    )]
    NoSuchRow {
        /// The row's number.
        row: usize,
        /// Rows of the table.
        rows: usize,
    },
    /// All rows have the same features.
    #[error(
        "all {rows} rows are twins of each other (equal in every feature): they cannot be on both \
         sides"
    )]
    AllTwins {
        /// Rows of the table.
        rows: usize,
    },
    /// The table has no such feature.
    #[error("there is no feature `{feature}`{}; the features are {known}", did_you_mean(nearest))]
    UnknownFeature {
        /// The requested name.
        feature: String,
        /// The most similar name.
        nearest: Option<String>,
        /// All names.
        known: String,
    },
    /// No training rows remain outside the gap.
    #[error(
        "the gap of split {split} in `{feature}`, from {low} to {high}, leaves no training rows \
         {side} it: too many rows are equal there, or the splits too many"
    )]
    NoSide {
        /// The feature.
        feature: String,
        /// The split.
        split: u64,
        /// The gap's lower end.
        low: f64,
        /// The gap's upper end.
        high: f64,
        /// `below` or `above`.
        side: &'static str,
    },
    /// No training rows remain outside the tail.
    #[error(
        "the tail of `{feature}` leaves no training rows: all rows beyond its cut at {cut} are \
         test rows"
    )]
    NoBody {
        /// The feature.
        feature: String,
        /// The value of the tail's innermost row.
        cut: f64,
    },
}

fn standard_datasets() -> String {
    STANDARD
        .iter()
        .flat_map(|set| set.datasets)
        .map(|key| format!("`{key}`"))
        .collect::<Vec<_>>()
        .join(", ")
}

/// A hint for a dataset whose variant has another order of rows.
fn order(dataset: &str) -> &'static str {
    if dataset == "power" {
        ": the splits index the rows of the fifth sheet, `power:sheet5`"
    } else {
        ""
    }
}
