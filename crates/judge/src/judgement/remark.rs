//! List the remarks that a verdict may need.

use super::unranked::Unranked;
use super::verdict::SpreadReading;
use crate::evidence::reach::Reach;
use crate::evidence::searches::Points;
use crate::evidence::unconverged::Count;
use uq_core::stats::Summary;

/// A remark on a judged number besides its verdict.
#[derive(Clone, Debug, PartialEq)]
pub enum Remark {
    /// Why the printed number cannot be right, as the benchmark states it.
    Excluded(String),
    /// Why agreement with the printed number would say nothing of the method.
    NotJudged(String),
    /// Why the printed number does not fit another one, so that it calls no baseline weak.
    Inconsistent(String),
    /// The verdicts by each kind that the printed spread may have.
    Readings(Vec<SpreadReading>),
    /// Our scores are paired with the authors' of the same splits.
    Paired,
    /// Why the numbers differ and neither is better.
    Unranked(Unranked),
    /// The first reason why a repetition has no score.
    NoNumber(String),
    /// Repetitions without a score, which our mean leaves out.
    Dropped {
        /// Number of such repetitions.
        count: usize,
        /// Number of all repetitions.
        expected: usize,
        /// The words of their outcomes.
        why: String,
    },
    /// Validation flags our column `none`; the coverage of validation rows.
    FlaggedNone(Summary),
    /// The printed baseline is weak: the verdict is that ours is better, by more than the
    /// tolerance.
    Weak {
        /// The difference of the losses.
        gain: f64,
        /// Half width of the 95 % interval of our mean.
        half_width: f64,
        /// Number of our repetitions.
        n: usize,
    },
    /// The coverage of a constant interval of the printed width.
    Reach {
        /// The coverage, computed from stored trials.
        reach: Reach,
        /// The printed width.
        printed: String,
    },
    /// The settings that the search inside the training rows chose.
    Chosen(Points),
    /// Fits that had not converged.
    Unconverged(Count),
}
