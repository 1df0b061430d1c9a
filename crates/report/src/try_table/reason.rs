//! Hold what a comparison says of its methods: why one is recommended or none is, what to beware
//! of, and what its intervals promise.
//!
//! The sentences are written in `words/try_table/`. A method stands here by its name, and a share
//! is a number from 0 to 1.

use super::estimate::{Estimate, Overstated};
use uq_core::stats::coverage::{Coverage, Judged, Kept};
use uqbench_run::runner::try_table::{Division, Slab};

/// Why a method is recommended or none is, and for which rows that holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// Every method failed.
    AllFailed,
    /// No method has both intervals and a CRPS in every fold.
    NoneComparable,
    /// The intervals of every method cover too few rows.
    AllTooFew {
        /// Whether all that were tried have intervals and a CRPS in every fold.
        is_of_all: bool,
    },
    /// The method with the lowest CRPS of those that use the features covers too few rows.
    LowestTooFew(TooFew),
    /// The best method ignores the features and is beaten.
    ReferenceBeaten {
        /// Its name.
        reference: String,
    },
    /// What beats the best method covers too few rows.
    BeatingTooFew {
        /// That method.
        by: TooFew,
        /// The probability that its CRPS is lower.
        probability: Option<f64>,
    },
    /// What the recommended method covers of the test rows.
    Tested(Tested),
    /// What is guaranteed of the coverage, and what is estimated of the whole procedure; no
    /// estimate where some fold chooses no method.
    Promise(Theorem, Option<Estimate>),
    /// Why it, of those whose intervals do not cover too few rows.
    Lead(Lead),
    /// A method that ignores the features would be the best one, were it not beaten.
    NotReference {
        /// Its name.
        reference: String,
        /// The recommended method.
        chosen: String,
        /// The probability that the CRPS of the recommended method is lower.
        probability: Option<f64>,
    },
    /// What the features contribute.
    Gain {
        /// The best method that ignores them.
        reference: String,
        /// By which share of its CRPS the recommended method's differs.
        share: f64,
        /// Whether it is lower, or equal.
        is_below: bool,
    },
    /// A method of lower CRPS covers too few rows.
    NotTooFew {
        /// Its name.
        method: String,
        /// What it covers.
        coverage: Coverage,
    },
    /// No method beats the best one that ignores the features.
    FeaturesSayNothing {
        /// The best method that ignores them.
        reference: String,
        /// The recommended method, where it uses them.
        chosen: Option<String>,
        /// A method beats it where its CRPS is lower with a probability above this.
        sure: f64,
    },
    /// Kinds of rows of which the intervals cover more than they state.
    KindsTooHigh(Vec<Covered>),
    /// What was not done, and for which rows the coverage holds.
    Limits(Division),
}

/// What to beware of.
#[derive(Clone, Debug, PartialEq)]
pub enum Warning {
    /// No method that uses the features has scores.
    FeaturesUntried,
    /// Kinds of rows of which the intervals cover too few.
    Kinds {
        /// At least one.
        low: Vec<Covered>,
        /// What mends it.
        advice: Advice,
    },
    /// A slab of the features in which rows that have not chosen it are covered too rarely.
    Slab(Slab),
    /// Blocks in time of which the intervals cover too few rows.
    Blocks {
        /// At least one.
        low: Vec<Covered>,
        /// Number of all blocks.
        blocks: usize,
        /// Whether the last block is among those.
        is_last: bool,
        /// What to try.
        offer: Option<Offer>,
    },
    /// Ends of intervals below zero, where no target is.
    BelowZero {
        /// Share of the intervals.
        share: f64,
        /// The best method that has no such end.
        other: Option<Scored>,
        /// A method whose predictions are above zero, where all targets are and it was not tried.
        positive: Option<&'static str>,
    },
}

/// What a comparison says of the intervals of a method that is used.
#[derive(Clone, Debug, PartialEq)]
pub enum Promise {
    /// What they cover of the test rows.
    Tested(Tested),
    /// What is guaranteed.
    Theorem(Theorem),
    /// What is estimated of the procedure that recommends it; `None` where some fold chooses no
    /// method.
    Procedure(Option<Estimate>),
    /// That the procedure covers too few rows.
    Overstated(Overstated),
    /// For which new rows the coverage holds.
    Holds(Division),
}

/// A coverage of the test rows, as it is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tested {
    /// Covered rows.
    pub coverage: Coverage,
    /// How they relate to the level.
    pub kept: Kept,
}

/// What a theorem says of a method's coverage.
#[derive(Clone, Debug, PartialEq)]
pub enum Theorem {
    /// It guarantees a coverage.
    Guarantees {
        /// The least one.
        least: f64,
        /// Its name.
        theorem: String,
        /// Whether that is less than the level.
        is_below_level: bool,
    },
    /// Theorems are about exchangeable rows, and these depend on each other.
    Dependent,
    /// None is known.
    Unknown,
}

/// Why the recommended method is the first of those whose intervals do not cover too few rows.
#[derive(Clone, Debug, PartialEq)]
pub enum Lead {
    /// It is simpler than the best one, and as good.
    Simpler {
        /// The recommended method.
        chosen: Scored,
        /// The one with the lowest product of CRPS and interval score.
        best: Scored,
        /// The better one that ignores the features, which both beat.
        beaten: Option<String>,
        /// The probability that its scores are at most `margin` higher.
        probability: Option<f64>,
        /// A share of a score.
        margin: f64,
    },
    /// It is the only one.
    Only(Scored),
    /// It is the best one.
    Best {
        /// The recommended method.
        chosen: Scored,
        /// Whether its CRPS is the lowest, too.
        has_lowest_crps: bool,
        /// The better one that ignores the features, which it beats.
        beaten: Option<String>,
        /// The next best.
        next: Option<Next>,
    },
}

/// The method that comes after the best one.
#[derive(Clone, Debug, PartialEq)]
pub struct Next {
    /// Its name.
    pub method: String,
    /// By which share its product of CRPS and interval score is higher.
    pub behind: f64,
}

/// A method with its CRPS.
#[derive(Clone, Debug, PartialEq)]
pub struct Scored {
    /// Its name.
    pub method: String,
    /// Mean over the test rows.
    pub crps: f64,
    /// Standard deviation over the folds.
    pub sd: Option<f64>,
}

/// A method whose intervals cover too few rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooFew {
    /// Its name.
    pub method: String,
    /// What they cover.
    pub coverage: Coverage,
    /// What to try in its place.
    pub offer: Option<Offer>,
}

/// A method that has not been tried and may cover enough rows, by its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Offer {
    /// The same one, calibrated by its errors at out-of-fold rows.
    Calibrated(String),
    /// The same one at levels that follow the misses in the last rows.
    Adaptive(String),
}

/// What may help where too few rows of some kinds are covered.
#[derive(Clone, Debug, PartialEq)]
pub enum Advice {
    /// Another method, which covers enough rows of all kinds.
    Method {
        /// Its name.
        method: String,
        /// The smallest of its coverages of these kinds.
        least: f64,
        /// Mean over the test rows.
        crps: f64,
    },
    /// To calibrate the levels of this column apart.
    CalibrateBy(String),
    /// To try the methods that were not.
    MoreMethods,
    /// Nothing that is known.
    Nothing,
}

/// Rows that have something in common, and how many of them are covered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Covered {
    /// What they have in common.
    pub name: String,
    /// Covered rows.
    pub coverage: Coverage,
}

/// A share of outcomes that is a half where predictions are calibrated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Half {
    /// The outcomes of which it is true, among all.
    pub coverage: Coverage,
    /// How it relates to a half.
    pub judged: Judged,
}

/// What the transforms say: where predictions lie, and how wide they are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fault {
    /// Outcomes above the predicted median.
    pub above: Half,
    /// Outcomes in the central half of their predictions.
    pub inside: Half,
}
