//! State what is known of a method before it sees a row: properties of its fits, and theorems about
//! its intervals.

use uq_core::predictive::{Bounds, Side};

/// Properties of all fits and predictions of a method. The default is what most methods answer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Facts {
    /// Whether fits and predictions draw nothing at random, so that another seed would give the
    /// same numbers. A deterministic method that keeps the default, `false`, is run with other
    /// seeds in vain.
    pub deterministic: bool,
    /// The largest relative difference of a score that another processor or another version of a
    /// library may make, where the method cannot promise the same bits; `None`, the default, where
    /// it promises them. `uqbench rerun` grades by it.
    pub tolerance: Option<f64>,
    /// Whether a fit chooses among settings whose intervals cover held-out training rows, and ends
    /// with [`FitError::NoneCovers`](crate::FitError::NoneCovers) where there are none. Such a
    /// method is not validated once more.
    pub chooses_by_coverage: bool,
    /// Whether atoms, quantiles or draws of predictions are targets of training rows. A protocol
    /// that scales the target then puts each of them back on the target that it is: on a target
    /// with ties, rounding would decide otherwise whether an interval contains the outcomes that
    /// are equal to its end.
    pub predicts_targets: bool,
    /// Whether fits and predictions take features that are missing (NaN). For a method that does
    /// not, which is the default, the protocol fills in the medians of the training rows.
    pub takes_missing: bool,
}

/// A coverage of intervals that a theorem guarantees for a new row that is exchangeable with the
/// training rows, whatever their distribution.
#[derive(Clone, Debug, PartialEq)]
pub struct Guarantee {
    /// A new row is covered with this probability or a larger one.
    pub least: f64,
    /// The theorem, in a few words such as `Barber et al. 2021, Theorem 4`.
    pub theorem: String,
}

impl Guarantee {
    /// What a theorem about central intervals guarantees of these bounds; `least` is its
    /// probability at the level of an interval. A single bound of level p is an end of the central
    /// interval of level 2p − 1, and covers at least what the interval does.
    pub fn of_central_intervals(bounds: Bounds, theorem: &str, least: impl Fn(f64) -> f64) -> Self {
        match bounds.side {
            Side::Both => Self { least: least(bounds.level), theorem: theorem.to_owned() },
            Side::Lower | Side::Upper => Self {
                least: least(2.0 * bounds.level - 1.0),
                theorem: format!(
                    "{theorem}, about the central interval of which the bound is an end"
                ),
            },
        }
    }
}
