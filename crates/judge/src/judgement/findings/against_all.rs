//! Find where another method beats the paper's own method most.

use serde::{Deserialize, Serialize};

use crate::evidence::field::Field;
use crate::evidence::imputation::Imputation;
use crate::evidence::losses::Losses;
use crate::judgement::duels::{Decision, Duel, REGION, duels};
use uq_core::metrics::{Direction, MetricId};
use uq_methods::anchors::ANCHORS;

/// The largest significant disadvantage of the paper's own method on one dataset.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Beaten {
    /// The metric.
    pub metric: MetricId,
    /// Heading of the dataset.
    pub dataset: String,
    /// Heading of the own column.
    pub own: String,
    /// Heading of the method that is better.
    pub winner: String,
    /// Mean loss of the own column less that of the winner, in units of the score.
    pub gain: f64,
    /// Half width of its interval, corrected for overlapping training sets, at Holm's level.
    pub half_width: f64,
    /// The gain as a share of the own column's mean loss; in units of the score where higher scores
    /// are better.
    pub relative: f64,
    /// Whether `relative` is a share.
    pub is_share: bool,
    /// Number of repetitions.
    pub n: usize,
    /// The pairs of another method and a dataset.
    pub others: Pairs,
    /// The same of the anchors, which are no methods that anybody proposes: unconditional and
    /// linear predictions.
    pub anchors: Pairs,
}

/// Pairs of a method and a dataset, on which it is compared with the own column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pairs {
    /// Number in which the other is significantly better, by more than the region of practical
    /// equivalence.
    pub worse: usize,
    /// Number in which it is significantly better.
    pub better: usize,
    /// Number of all of them.
    pub all: usize,
}

impl Pairs {
    fn count<'d>(duels: impl Iterator<Item = &'d Duel<'d>>) -> Self {
        duels.fold(Self::default(), |pairs, duel| {
            let count = |decision: Decision| usize::from(duel.decision() == Some(decision));
            let (worse, better) = (count(Decision::Better), count(Decision::Worse));
            Self { worse: pairs.worse + worse, better: pairs.better + better, all: pairs.all + 1 }
        })
    }
}

/// The largest one for each metric and own column.
pub fn beaten(field: &Field, own: &[String]) -> impl Iterator<Item = Beaten> {
    let each = own.iter().filter_map(|heading| field.position(heading));
    each.flat_map(|own| {
        let others = (0..field.entrants.len()).filter(|&other| other != own);
        let field = field.only(&std::iter::once(own).chain(others).collect::<Vec<_>>());
        (0..field.metrics.len()).filter_map(|metric| largest(&field, metric)).collect::<Vec<_>>()
    })
}

/// The largest significant disadvantage of the first entrant under a metric; `None` where there is
/// none.
fn largest(field: &Field, metric: usize) -> Option<Beaten> {
    let losses = Losses::new(field, field, metric, &Imputation::Drop);
    let all = duels(&losses, REGION);
    let is_share = losses.metric.direction() == Direction::Lower;
    let relative =
        |duel: &Duel| if is_share { duel.mean / duel.reference_loss.abs() } else { duel.mean };
    let is_anchor =
        |duel: &&Duel| ANCHORS.iter().any(|(id, _)| *id == field.entrants[duel.entrant].id);
    let worst = all
        .iter()
        .filter(|duel| duel.decision() == Some(Decision::Better) && relative(duel).is_finite());
    let worst = worst.max_by(|a, b| relative(a).total_cmp(&relative(b)))?;
    Some(Beaten {
        metric: losses.metric,
        dataset: worst.block.heading.clone(),
        own: field.entrants[0].heading.clone(),
        winner: field.entrants[worst.entrant].heading.clone(),
        gain: worst.mean,
        half_width: worst.gain.as_ref()?.half_width(worst.alpha),
        relative: relative(worst),
        is_share,
        n: worst.n,
        others: Pairs::count(all.iter().filter(|duel| !is_anchor(duel))),
        anchors: Pairs::count(all.iter().filter(is_anchor)),
    })
}
