//! Warn of what the recommended method covers too rarely, and of impossible values, and say what to
//! try.

use crate::export::escape;
use uq_core::printable::printable;
use uq_core::stats::coverage::{BAND, Kept};
use uq_core::stats::digits::number;
use uqbench_data::own::RowGroup;
use uqbench_run::candidates::{ALL, Candidate, LOG_NORMAL, candidates};
use uqbench_run::runner::try_table::{Division, Evaluation};

use super::choice::{Rated, crps};
use super::division::{BlockInTime, blocks_in_time};
use super::kinds::{KindOfRow, below_zero, groups, judged, kinds};
use super::words::{Words, percent_of};

/// Longest name of a kind of rows in a sentence, in characters.
const SHOWN: usize = 120;

/// How to try a method that has not been tried, and what that does; `None` where it was, and where
/// there is no such method: no external method can be part of another one.
pub(super) fn offer(name: &str, does: &str, evaluation: &Evaluation) -> Option<String> {
    let was_tried = evaluation.methods.iter().any(|tried| tried.id == name);
    let can_be = || candidates(&[name.to_owned()]).is_ok();
    (!was_tried && can_be()).then(|| format!("; `--methods {name}` {does}"))
}

/// How to try a method at levels that follow its misses, where rows are in time and it has not been
/// tried so.
pub(super) fn offer_of_adaptive(id: &str, evaluation: &Evaluation) -> Option<String> {
    let name = Candidate::adaptive(id)
        .filter(|_| matches!(evaluation.division, Division::Blocks { .. }))?;
    offer(&name, "tries it at levels that follow the misses in the last rows", evaluation)
}

/// A kind of rows, and the share of them that is covered.
fn covered(KindOfRow { name, coverage, .. }: &KindOfRow) -> String {
    format!(
        "{} ({} of {} rows)",
        escape(&printable(name, SHOWN)),
        percent_of(coverage.share()),
        coverage.rows
    )
}

/// Kinds of rows of which the intervals cover more than they state, which costs width and breaks no
/// promise.
pub(super) fn note_of_kinds(chosen: &Rated, evaluation: &Evaluation) -> Option<String> {
    let found = kinds(chosen.summed.tried, evaluation);
    let high = found.iter().filter(|kind| kind.judged.kept == Kept::TooHigh);
    let shown = high.map(covered).collect::<Vec<_>>().join("; ");
    let Words { plural, too_high, .. } = Words::of(evaluation.bounds);
    (!shown.is_empty()).then(|| {
        format!(
            "Its {plural} cover more rows of some kinds than they state, where {too_high}: {shown}."
        )
    })
}

/// Kinds of rows of which the intervals cover too few, and a method that uses the features and
/// covers enough of them.
pub(super) fn warning_of_kinds(
    chosen: &Rated,
    rated: &[Rated],
    evaluation: &Evaluation,
) -> Option<String> {
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
        Some((other, least)) => format!(
            "`{}` covers {}{} of {}, and not too few rows of any other kind; its CRPS is {}; \
             `--predict-with` takes its name",
            other.id(),
            if low.len() == 1 { "" } else { "at least " },
            percent_of(least),
            if low.len() == 1 { "these" } else { "each" },
            number(other.crps, None)
        ),
        None => {
            let offer = offer_for_kinds(low.iter().map(|&kind| &groups[kind]), evaluation)
                .unwrap_or_default();
            format!("No other method here that uses the features covers enough of them{offer}")
        }
    };
    let shown = low.iter().map(|&kind| covered(&found[kind])).collect::<Vec<_>>().join("; ");
    let plural = Words::of(evaluation.bounds).plural;
    Some(format!("its {plural} cover too few rows of some kinds: {shown}. {advice}."))
}

/// What to try where no method covers enough rows of these kinds: to calibrate the levels of a
/// category apart, or more methods.
fn offer_for_kinds<'g>(
    low: impl Iterator<Item = &'g RowGroup>,
    evaluation: &Evaluation,
) -> Option<String> {
    let by = evaluation.calibrated_by.as_ref();
    let category =
        low.filter_map(|group| group.category.as_ref()).find(|category| by != Some(*category));
    if let Some(category) = category {
        let column = in_shell(&escape(&printable(category, SHOWN)));
        return Some(format!(
            "; `--calibrate-by {column}` calibrates the values of that column apart"
        ));
    }
    let all = candidates(&[ALL.to_owned()]).ok()?;
    let was_tried =
        |candidate: &Candidate| evaluation.methods.iter().any(|tried| tried.id == candidate.id);
    (!all.iter().all(was_tried)).then(|| format!("; `--methods {ALL}` tries more"))
}

/// A name as one word of a command.
fn in_shell(name: &str) -> String {
    let is_plain = name.chars().all(|c| c.is_alphanumeric() || "_-.".contains(c));
    if is_plain { name.to_owned() } else { format!("\"{name}\"") }
}

/// Blocks in time of which the intervals cover too few rows, and what to try.
pub(super) fn warning_of_blocks(chosen: &Rated, evaluation: &Evaluation) -> Option<String> {
    let all = blocks_in_time(chosen.summed.tried, evaluation)?;
    let low: Vec<&BlockInTime> =
        all.iter().filter(|block| block.judged.kept == Kept::TooLow).collect();
    let of = |block: &&BlockInTime| {
        let share = percent_of(block.coverage.share());
        format!(
            "{} ({share} of {} rows)",
            escape(&printable(&block.name, SHOWN)),
            block.coverage.rows
        )
    };
    let shown = low.iter().map(of).collect::<Vec<_>>().join("; ");
    let is_last = all.last().is_some_and(|block| block.judged.kept == Kept::TooLow);
    let last = if is_last {
        ", the last one among them, so that new rows may be covered as rarely"
    } else {
        ""
    };
    (!low.is_empty()).then(|| {
        format!(
            "its {} cover too few rows of {} of {} blocks in time{last}: {shown}{}.",
            Words::of(evaluation.bounds).plural,
            low.len(),
            all.len(),
            offer_of_adaptive(chosen.id(), evaluation).unwrap_or_default()
        )
    })
}

/// Ends of intervals below zero, where no target is, and what to do.
pub(super) fn warning_of_values(
    chosen: &Rated,
    rated: &[Rated],
    evaluation: &Evaluation,
) -> Option<String> {
    let share = below_zero(chosen.summed.tried, evaluation)?;
    let has_none = |other: &&Rated| {
        other.is_honest()
            && !other.ignores_features()
            && below_zero(other.summed.tried, evaluation).is_none()
    };
    let other = rated.iter().filter(has_none).min_by(|a, b| a.crps.total_cmp(&b.crps));
    let other = other.map(|other| {
        format!(
            ", or predict with `{}`, which has no such end here (CRPS {})",
            other.id(),
            crps(other)
        )
    });
    let was_tried = evaluation.methods.iter().any(|tried| tried.id == LOG_NORMAL);
    let positive = match evaluation.smallest > 0.0 && !was_tried {
        true => {
            format!(", or try `--methods {LOG_NORMAL}`, all of whose predictions are above zero")
        }
        false => String::new(),
    };
    Some(format!(
        "{} of its {} reach below zero, but no target does. If the target cannot be negative, put \
         such an end at zero, which covers the same rows{}{positive}.",
        percent_of(share),
        Words::of(evaluation.bounds).plural,
        other.unwrap_or_default()
    ))
}
