//! Judge each method against a reference on each dataset.
//!
//! On one dataset the splits share training rows, so their differences are not independent:
//! [`corrected`](uq_core::stats::corrected) widens the interval of their mean and weighs it against
//! a region of practical equivalence.

use crate::evidence::field::Block;
use crate::evidence::imputation::Imputed;
use crate::evidence::losses::Losses;
use uq_core::stats::corrected::Corrected;
use uq_core::stats::paired::ALPHA;
use uq_core::stats::{holm_adjusted, holm_levels};

/// Half width of the region of practical equivalence where none is stated: a share of the
/// reference's mean loss; in nat for log scores.
pub const REGION: f64 = 0.01;

/// What a comparison says of an entrant against the reference: the one rule of headlines, tables,
/// marks and findings.
///
/// The difference is significant where its Holm-corrected p-value is below [`ALPHA`]. It is
/// equivalent where its whole interval, corrected together with those of the other comparisons,
/// lies inside the region of practical equivalence. It may be both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Significantly better, and not shown to be equivalent.
    Better,
    /// Significantly worse, and not shown to be equivalent.
    Worse,
    /// Equivalent, and not significantly different.
    Equivalent,
    /// Significantly better, by so little that it is equivalent.
    EquivalentBetter,
    /// Significantly worse, by so little that it is equivalent.
    EquivalentWorse,
    /// Neither significant nor equivalent.
    Undecided,
}

impl Decision {
    /// Whether it is shown to be equivalent, significant or not.
    pub fn is_equivalent(self) -> bool {
        matches!(self, Self::Equivalent | Self::EquivalentBetter | Self::EquivalentWorse)
    }
}

/// One entrant against the reference on one dataset.
pub struct Duel<'a> {
    /// The dataset.
    pub block: &'a Block,
    /// Its scores.
    pub scores: &'a Imputed,
    /// Index of the entrant.
    pub entrant: usize,
    /// Gains over the reference, corrected for overlapping training sets; absent where one of two
    /// scores is approximated, where the splits are not random, where a gain is infinite, or where
    /// there are fewer than two.
    pub gain: Option<Corrected>,
    /// Mean gain; may be infinite.
    pub mean: f64,
    /// Number of repetitions that both have.
    pub n: usize,
    /// Why no interval and no decision is given, if none is.
    pub why_none: Option<&'static str>,
    /// Half width of the region of practical equivalence.
    pub region: f64,
    /// The reference's mean loss.
    pub reference_loss: f64,
    /// Level of its interval: Holm's over the family.
    pub alpha: f64,
    /// Holm-adjusted p-value.
    pub p: f64,
}

impl Duel<'_> {
    /// Whether the difference is significant, corrected for the number of comparisons.
    pub fn is_significant(&self) -> bool {
        self.gain.is_some() && self.p < ALPHA && self.mean != 0.0
    }

    /// What it says; `None` where no interval is given.
    pub fn decision(&self) -> Option<Decision> {
        let gain = self.gain.as_ref()?;
        let is_inside = gain.summary.mean.abs() + gain.half_width(self.alpha) <= self.region;
        Some(match (self.is_significant(), is_inside, self.mean > 0.0) {
            (true, false, true) => Decision::Better,
            (true, false, false) => Decision::Worse,
            (true, true, true) => Decision::EquivalentBetter,
            (true, true, false) => Decision::EquivalentWorse,
            (false, true, _) => Decision::Equivalent,
            (false, false, _) => Decision::Undecided,
        })
    }
}

/// Every entrant against the first one on every dataset, Holm-corrected together. `rope` is the
/// half width of the region of practical equivalence: a share of the reference's mean loss; nat for
/// log scores.
pub fn duels<'a>(losses: &'a Losses, rope: f64) -> Vec<Duel<'a>> {
    let mut all = Vec::new();
    for (block, scores) in &losses.blocks {
        for entrant in 1..losses.field.entrants.len() {
            let gains = losses.gains(scores, entrant, 0);
            if gains.is_empty() {
                continue;
            }
            let why_none = if scores.is_mostly_imputed(entrant) || scores.is_mostly_imputed(0) {
                Some("mostly imputed")
            } else if !losses.is_alike(block, entrant, 0) {
                Some("approximated")
            } else if !block.random_splits {
                Some("splits not random")
            } else if gains.iter().any(|gain| !gain.is_finite()) {
                Some("infinite")
            } else if gains.len() < 2 {
                Some("one repetition")
            } else {
                None
            };
            let given: Vec<f64> =
                scores.scores[0].iter().flatten().map(|&score| losses.loss(score)).collect();
            all.push(Duel {
                block,
                scores,
                entrant,
                gain: if why_none.is_none() {
                    Corrected::compare(&gains, block.test_to_train)
                } else {
                    None
                },
                mean: gains.iter().sum::<f64>() / gains.len() as f64,
                n: gains.len(),
                why_none,
                region: losses.region(scores, 0, rope),
                reference_loss: given.iter().sum::<f64>() / given.len() as f64,
                alpha: ALPHA,
                p: 1.0,
            });
        }
    }
    let p: Vec<f64> = all.iter().filter_map(|duel| Some(duel.gain.as_ref()?.p_value())).collect();
    let corrected = holm_levels(&p, ALPHA).into_iter().zip(holm_adjusted(&p));
    for (duel, (alpha, p)) in all.iter_mut().filter(|duel| duel.gain.is_some()).zip(corrected) {
        (duel.alpha, duel.p) = (alpha, p);
    }
    all
}
