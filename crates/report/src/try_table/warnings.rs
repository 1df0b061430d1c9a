//! Find what the recommended method covers too rarely, and impossible values, and what to try.

use uq_core::stats::coverage::{BAND, Kept};
use uqbench_data::own::RowGroup;
use uqbench_run::candidates::{ALL, Candidate, LOG_NORMAL, candidates};
use uqbench_run::runner::try_table::{Division, Evaluation};

use super::choice::Rated;
use super::division::{BlockInTime, blocks_in_time};
use super::kinds::{KindOfRow, below_zero, groups, judged, kinds};
use super::reason::{Advice, Covered, Offer, Warning};

/// The method of this name; `None` where it was tried, and where there is no such method: no
/// external method can be part of another one.
pub(super) fn untried(name: String, evaluation: &Evaluation) -> Option<String> {
    let was_tried = evaluation.methods.iter().any(|tried| tried.id == name);
    let can_be = || candidates(std::slice::from_ref(&name)).is_ok();
    (!was_tried && can_be()).then_some(name)
}

/// The method at levels that follow its misses, where rows are in time and it has not been tried
/// so.
pub(super) fn adaptive(id: &str, evaluation: &Evaluation) -> Option<Offer> {
    let name = Candidate::adaptive(id)
        .filter(|_| matches!(evaluation.division, Division::Blocks { .. }))?;
    untried(name, evaluation).map(Offer::Adaptive)
}

/// A kind of rows, and how many of them are covered.
fn covered(KindOfRow { name, coverage, .. }: &KindOfRow) -> Covered {
    Covered { name: name.clone(), coverage: *coverage }
}

/// Kinds of rows of which the intervals cover more than they state, which costs width and breaks no
/// promise; `None` where there are none.
pub(super) fn kinds_too_high(chosen: &Rated, evaluation: &Evaluation) -> Option<Vec<Covered>> {
    let found = kinds(chosen.summed.tried, evaluation);
    let high = found.iter().filter(|kind| kind.judged.kept == Kept::TooHigh);
    let high: Vec<Covered> = high.map(covered).collect();
    (!high.is_empty()).then_some(high)
}

/// Kinds of rows of which the intervals cover too few, and a method that uses the features and
/// covers enough of them.
pub(super) fn warning_of_kinds(
    chosen: &Rated,
    rated: &[Rated],
    evaluation: &Evaluation,
) -> Option<Warning> {
    let groups = groups(chosen.summed.tried, evaluation);
    let found = judged(chosen.summed.tried, &groups, evaluation);
    let low: Vec<usize> =
        (0..found.len()).filter(|&kind| found[kind].judged.kept == Kept::TooLow).collect();
    if low.is_empty() {
        return None;
    }
    // The smallest coverage of these kinds, where it mends them and leaves no other one too low.
    let mends = |other: &Rated| {
        let of_other = judged(other.summed.tried, &groups, evaluation);
        let least = low
            .iter()
            .map(|&kind| Some(of_other.get(kind)?.coverage.share()))
            .collect::<Option<Vec<f64>>>()?;
        let least = least.into_iter().reduce(f64::min)?;
        let is_enough = least >= evaluation.bounds.level - BAND;
        (is_enough && of_other.iter().all(|kind| kind.judged.kept != Kept::TooLow)).then_some(least)
    };
    let others = rated.iter().filter(|other| {
        other.id() != chosen.id() && other.is_honest() && !other.ignores_features()
    });
    let mending = others
        .filter_map(|other| Some((other, mends(other)?)))
        .min_by(|(a, _), (b, _)| a.crps.total_cmp(&b.crps));
    let advice = match mending {
        Some((other, least)) => {
            Advice::Method { method: other.id().to_owned(), least, crps: other.crps }
        }
        None => advice_for_kinds(low.iter().map(|&kind| &groups[kind].rows), evaluation),
    };
    let low = low.iter().map(|&kind| covered(&found[kind])).collect();
    Some(Warning::Kinds { low, advice })
}

/// What to try where no method covers enough rows of these kinds: to calibrate the levels of a
/// category apart, or more methods.
fn advice_for_kinds<'g>(
    low: impl Iterator<Item = &'g RowGroup>,
    evaluation: &Evaluation,
) -> Advice {
    let by = evaluation.calibrated_by.as_ref();
    let category =
        low.filter_map(|group| group.category.as_ref()).find(|category| by != Some(*category));
    if let Some(category) = category {
        return Advice::CalibrateBy(category.clone());
    }
    let was_tried =
        |candidate: &Candidate| evaluation.methods.iter().any(|tried| tried.id == candidate.id);
    match candidates(&[ALL.to_owned()]) {
        Ok(all) if !all.iter().all(was_tried) => Advice::MoreMethods,
        _ => Advice::Nothing,
    }
}

/// The slab of the features in which coverage is lowest, where it is too low at rows that have not
/// chosen it.
pub(super) fn warning_of_slab(chosen: &Rated, evaluation: &Evaluation) -> Option<Warning> {
    let slab = evaluation.slab.as_ref().filter(|slab| slab.method == chosen.id())?;
    let is_low = slab.tested.against(evaluation.bounds.level) == Kept::TooLow;
    is_low.then(|| Warning::Slab(slab.clone()))
}

/// Blocks in time of which the intervals cover too few rows, and what to try.
pub(super) fn warning_of_blocks(chosen: &Rated, evaluation: &Evaluation) -> Option<Warning> {
    let all = blocks_in_time(chosen.summed.tried, evaluation)?;
    let is_low = |block: &BlockInTime| block.judged.kept == Kept::TooLow;
    let low: Vec<Covered> = all
        .iter()
        .filter(|block| is_low(block))
        .map(|block| Covered { name: block.name.clone(), coverage: block.coverage })
        .collect();
    (!low.is_empty()).then(|| Warning::Blocks {
        low,
        blocks: all.len(),
        is_last: all.last().is_some_and(is_low),
        offer: adaptive(chosen.id(), evaluation),
    })
}

/// Ends of intervals below zero, where no target is, and what to do.
pub(super) fn warning_of_values(
    chosen: &Rated,
    rated: &[Rated],
    evaluation: &Evaluation,
) -> Option<Warning> {
    let share = below_zero(chosen.summed.tried, evaluation)?;
    let has_none = |other: &&Rated| {
        other.is_honest()
            && !other.ignores_features()
            && below_zero(other.summed.tried, evaluation).is_none()
    };
    let other = rated.iter().filter(has_none).min_by(|a, b| a.crps.total_cmp(&b.crps));
    let was_tried = evaluation.methods.iter().any(|tried| tried.id == LOG_NORMAL);
    Some(Warning::BelowZero {
        share,
        other: other.map(Rated::scored),
        positive: (evaluation.smallest > 0.0 && !was_tried).then_some(LOG_NORMAL),
    })
}
