//! Compare entrants with the leader of their table on each dataset, over its splits.

use crate::evidence::field::Field;
use crate::evidence::imputation::Imputation;
use crate::evidence::losses::Losses;
use crate::judgement::detectable::detectable;
use crate::judgement::duels::{Decision, Duel, REGION, duels};
use uq_core::math::median::median;
use uq_core::stats::paired::ALPHA;

/// On how many datasets an entrant differs from the leader.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Against {
    /// Significantly better, and not shown to be equivalent.
    pub better: usize,
    /// Significantly worse, and not shown to be equivalent.
    pub worse: usize,
    /// Shown to be equivalent.
    pub equivalent: usize,
    /// Neither.
    pub undecided: usize,
    /// Without a test: most of its scores are imputed, its scores are approximated and the
    /// leader's are not, or there are fewer than two splits.
    pub untested: usize,
    /// The median over datasets of the smallest mean difference that would be significant on its
    /// own, as a share of the reference's loss.
    pub detectable: Option<f64>,
}

/// The first of `entrants` against each of the others by the losses of a metric, Holm-corrected
/// together. Failed splits have the loss of `reference`, whose mean losses are by dataset of the
/// field.
pub(super) fn against(
    field: &Field,
    entrants: &[usize],
    metric: usize,
    reference: usize,
    reference_losses: &[f64],
) -> Vec<Against> {
    let chosen = field.only(entrants);
    let rule = Imputation::Method(field.entrants[reference].heading.clone());
    let losses = Losses::new(&chosen, field, metric, &rule);
    let all = duels(&losses, REGION);
    let of_entrant = |entrant: usize| {
        let own: Vec<&Duel> = all.iter().filter(|duel| duel.entrant == entrant).collect();
        let count = |is: fn(Option<Decision>) -> bool| {
            own.iter().filter(|duel| is(duel.decision())).count()
        };
        let share = |duel: &&Duel| {
            let at = field.blocks.iter().position(|block| block.is_run_as(duel.block))?;
            Some(duel.gain.as_ref()?.detectable(ALPHA) / reference_losses[at])
        };
        Against {
            better: count(|found| found == Some(Decision::Better)),
            worse: count(|found| found == Some(Decision::Worse)),
            equivalent: count(|found| found.is_some_and(Decision::is_equivalent)),
            undecided: count(|found| found == Some(Decision::Undecided)),
            untested: field.blocks.len() - own.iter().filter(|duel| duel.gain.is_some()).count(),
            detectable: median(own.iter().filter_map(share).collect()),
        }
    };
    (1..entrants.len()).map(of_entrant).collect()
}

/// For each dataset of the field the median over all pairs of entrants of the smallest difference
/// that its splits could find, as a share of the reference's mean loss.
pub(super) fn detectable_shares(
    field: &Field,
    entrants: &[usize],
    metric: usize,
    reference: usize,
    reference_losses: &[f64],
) -> Vec<Option<f64>> {
    let chosen = field.only(entrants);
    let rule = Imputation::Method(field.entrants[reference].heading.clone());
    let losses = Losses::new(&chosen, field, metric, &rule);
    let found = detectable(&losses);
    let share = |(block, loss): (&crate::evidence::field::Block, &f64)| {
        let of_block = found.iter().find(|one| one.block.is_run_as(block))?;
        let [_, median, _] = of_block.range;
        Some(median / loss)
    };
    field.blocks.iter().zip(reference_losses).map(share).collect()
}
