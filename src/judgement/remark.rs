//! List what may have to be said of a verdict besides the verdict.

use crate::evidence::reach::Reach;
use crate::evidence::searches::Points;
use crate::evidence::unconverged::Count;
use crate::stats::Summary;

/// What must be said of a judged number besides its verdict.
#[derive(Clone, Debug, PartialEq)]
pub enum Remark {
    /// Why the printed number cannot be right, in the words of the benchmark.
    Excluded(String),
    /// The first reason that a repetition gives for having no number.
    NoNumber(String),
    /// Repetitions that are missing in our mean.
    Dropped {
        /// How many.
        count: usize,
        /// Of how many.
        expected: usize,
        /// The words of their outcomes.
        why: String,
    },
    /// Validation flags our column `none`: its coverage of validation rows.
    FlaggedNone(Summary),
    /// The printed baseline is weak: ours is better by more than the tolerance.
    Weak {
        /// By how much, as a loss.
        gain: f64,
        /// Half width of the 95 % interval of our mean.
        half_width: f64,
        /// Number of our repetitions.
        n: usize,
    },
    /// What a constant interval of the printed width covers.
    Reach {
        /// What the store says.
        reach: Reach,
        /// The printed width.
        printed: String,
    },
    /// What the search inside the training rows chose.
    Chosen(Points),
    /// Fits that had not converged.
    Unconverged(Count),
}
