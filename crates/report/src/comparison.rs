//! Compare methods over overlapping splits of one dataset, and over datasets; and two stores with
//! each other.
//!
//! On one dataset the splits share training rows, so their differences are not independent:
//! [`corrected`](uq_core::stats::corrected) widens the interval of their mean and weighs it against
//! a region of practical equivalence. Over datasets the scores have no common unit, so only their
//! order within a dataset counts: [`ranks`](uq_core::stats::ranks) for several methods,
//! [`signed_rank`](uq_core::stats::signed_rank) for two. [`power`](uq_core::stats::power) reports
//! in advance that a design cannot find a difference.

pub mod across;
pub mod datasets;
pub mod decomposed;
pub mod failures;
pub mod methods;
pub mod stores;
pub mod summary;
#[cfg(test)]
mod tests;

use super::grid::FirstTrial;
use uqbench_judge::evidence::field::Block;
use uqbench_judge::evidence::imputation::Imputation;

/// The terms of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Terms {
    /// Half width of the region of practical equivalence: a share of the reference's mean loss; nat
    /// for log scores.
    pub rope: f64,
    /// What replaces the scores of failed repetitions.
    pub imputation: Imputation,
    /// Profile, store and machine, in words.
    pub origin: String,
}

/// The first finished trial of an entrant on one dataset. Benchmarks that share a column may have
/// other numbers of its trials, so that their count is left open.
pub fn first_trial(block: &Block, entrant: usize) -> Option<FirstTrial> {
    let key = block.first_trials.get(entrant)?.as_ref()?;
    Some(FirstTrial { key: key.short().to_owned(), of: None })
}
