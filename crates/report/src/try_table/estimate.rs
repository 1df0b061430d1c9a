//! Hold what the whole procedure covers, choice included, as `procedure.rs` estimates it.

use uq_core::stats::coverage::{Coverage, Kept};

/// What an estimated coverage is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// New rows that the delivered model predicts.
    ThisModel,
    /// Models of many training sets such as this one; the delivered model may cover more or less.
    TrainingSets,
}

/// By which rows the method of each fold was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChosenBy {
    /// Its training rows alone.
    TrainingRows,
    /// The other folds, whose models have seen its rows.
    OtherFolds,
}

/// The coverage of the whole procedure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Rows that were covered by the method that others have chosen.
    pub coverage: Coverage,
    /// Its 95 % interval; `None` where it cannot be computed.
    pub interval: Option<(f64, f64)>,
    /// How the coverage relates to the level, by the interval.
    pub kept: Kept,
    /// What it is about.
    pub about: About,
    /// What has chosen.
    pub chosen_by: ChosenBy,
}

/// A recommended method whose own coverage is no promise, because the procedure covers too few
/// rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Overstated {
    /// What the procedure covers.
    pub estimate: Estimate,
    /// The recommended method.
    pub method: String,
    /// What it covers of the rows that have chosen it.
    pub coverage: Coverage,
}
