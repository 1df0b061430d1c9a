//! Hold what the intervals of a method did at rows that its fits had not seen.

use uq_core::stats::coverage::Coverage;

/// Intervals against outcomes, and their width against their coverage by group.
#[derive(Clone, Debug, PartialEq)]
pub struct HeldOut {
    /// Title of the figure.
    pub title: String,
    /// The target, with its unit.
    pub outcome: String,
    /// The mean width of the intervals, or what stands for it, with its unit.
    pub width: String,
    /// Probability of the intervals.
    pub level: f64,
    /// The rows that are shown, in the order of their predictions.
    pub rows: Vec<HeldOutRow>,
    /// Number of all rows.
    pub of: usize,
    /// Groups of all rows; may be empty.
    pub groups: Vec<HeldOutGroup>,
}

/// A row with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeldOutRow {
    /// Lower end; −∞ where there is an upper bound alone.
    pub lower: f64,
    /// Upper end; ∞ where there is a lower bound alone.
    pub upper: f64,
    /// The outcome.
    pub outcome: f64,
    /// Whether the outcome lies between the ends.
    pub covered: bool,
}

/// Rows that have something in common.
#[derive(Clone, Debug, PartialEq)]
pub struct HeldOutGroup {
    /// What they have in common.
    pub name: String,
    /// How they were made.
    pub kind: GroupKind,
    /// Mean width of their intervals.
    pub width: f64,
    /// How many of them are covered.
    pub coverage: Coverage,
    /// The interval of the probability of being covered.
    pub interval: Option<(f64, f64)>,
}

/// How a group of rows was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum GroupKind {
    /// By the predicted mean.
    Mean,
    /// By the width of the interval.
    Width,
    /// By the features: a category or a region.
    Features,
}
