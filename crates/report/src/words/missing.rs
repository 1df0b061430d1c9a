//! Say in short what has not run, and what ran without a result.

use crate::grid::{counted, listed};
use crate::summary::Part;
use uqbench_judge::judgement::numbers::PRINTED_ONLY;
use uqbench_judge::report::NotRun;
use uqbench_run::benchmark::papers::short_name;

/// Most benchmarks that a sentence names.
const NAMED: usize = 2;

/// Each benchmark with what has not run of it.
pub fn all<'p, 'a>(parts: &'p [Part<'a>]) -> Vec<(&'p Part<'a>, &'p NotRun)> {
    parts.iter().flat_map(|part| part.brief.not_run.iter().map(move |one| (part, one))).collect()
}

/// Trials and printed numbers without a score, a sentence for each outcome.
#[derive(Debug, Default)]
pub struct Missing {
    /// What has not run.
    pub not_run: Vec<String>,
    /// What ran and has no predictions.
    pub without_result: Vec<String>,
}

impl Missing {
    /// Each question with its answers; that after what ran without a result only where there is
    /// something.
    pub fn questions(&self) -> Vec<(&'static str, &[String])> {
        let mut questions = vec![("What has not run?", &*self.not_run)];
        if !self.without_result.is_empty() {
            questions.push(("What ran without a result?", &*self.without_result));
        }
        questions
    }
}

/// A sentence for each outcome of trials that have no predictions, and one on printed numbers that
/// are not part of the profile.
pub fn missing(parts: &[Part]) -> Missing {
    let all = all(parts);
    let mut outcomes: Vec<(&str, Vec<(String, usize)>)> = Vec::new();
    for (part, one) in all.iter().filter(|(_, one)| one.planned) {
        let benchmark = &part.plan.benchmark;
        let name = format!("{} {}", short_name(&benchmark.paper), benchmark.artefact);
        let at =
            outcomes.iter().position(|(outcome, _)| *outcome == one.outcome).unwrap_or_else(|| {
                outcomes.push((&one.outcome, Vec::new()));
                outcomes.len() - 1
            });
        let of = &mut outcomes[at].1;
        match of.last_mut().filter(|(last, _)| *last == name) {
            Some((_, count)) => *count += one.count,
            None => of.push((name, one.count)),
        }
    }
    let mut said = Missing::default();
    let kind = if Part::are_of_papers(parts) { "tables or figures" } else { "benchmarks" };
    for (outcome, of) in &mut outcomes {
        let list = if has_run(outcome) { &mut said.without_result } else { &mut said.not_run };
        list.push(sentence(outcome, of, kind));
    }
    if said.not_run.is_empty() {
        said.not_run.push("Every planned trial has run.".into());
    }
    said.not_run.extend(unplanned(&all));
    said
}

/// Printed numbers without a trial, of methods that are not here and of others that the profile
/// leaves out.
fn unplanned(all: &[(&Part, &NotRun)]) -> Vec<String> {
    let count = |is_printed_only: bool| -> usize {
        let without_trial = all.iter().map(|(_, one)| one).filter(|one| !one.planned);
        without_trial
            .filter(|one| (one.outcome == PRINTED_ONLY) == is_printed_only)
            .map(|one| one.count)
            .sum()
    };
    let said = |count: usize, end: &str| {
        let are = if count == 1 { "is" } else { "are" };
        (count > 0).then(|| format!("{} {are} {end}", counted(count, "printed number")))
    };
    let of_no_method = said(count(true), "shown without a method of this program beside it.");
    let of_no_profile = said(count(false), "not part of this profile, variants included.");
    of_no_method.into_iter().chain(of_no_profile).collect()
}

/// Whether a trial of this outcome has run.
fn has_run(outcome: &str) -> bool {
    !matches!(outcome, "not in the store" | "unavailable")
}

/// The benchmarks with trials of an outcome, the one with most of them first; `kind` is what
/// several of them are called. There is no sum: benchmarks share trials.
fn sentence(outcome: &str, of: &mut [(String, usize)], kind: &str) -> String {
    of.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    // The name of a last one is as short as the words that it is left out.
    let shown = if of.len() == NAMED + 1 { of.len() } else { NAMED };
    let mut named: Vec<String> =
        of.iter().take(shown).map(|(name, count)| format!("{name} ({count})")).collect();
    if of.len() > shown {
        named.push(format!("{} more {kind}", of.len() - shown)); // never one
    }
    format!("{}: {}.", meaning(outcome), listed(&named))
}

/// Trials of an outcome, as a reader understands them.
fn meaning(outcome: &str) -> String {
    match outcome {
        "not in the store" => {
            "Trials that have not run yet (the same command goes on with them)".into()
        }
        "unavailable" => "Trials whose data or files are not at hand".into(),
        "none" => "Trials without an interval that keeps the paper's rule for settings".into(),
        other => format!("Trials that ended as {other}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_names_the_benchmarks_with_most_trials() {
        let of = |counts: &[usize]| {
            counts.iter().map(|count| (format!("P Table {count}"), *count)).collect::<Vec<_>>()
        };
        let said = |counts: &[usize]| sentence("diverged", &mut of(counts), "benchmarks");
        assert_eq!(
            sentence("not in the store", &mut of(&[3, 20]), "benchmarks"),
            "Trials that have not run yet (the same command goes on with them): P Table 20 (20) \
             and P Table 3 (3)."
        );
        assert_eq!(
            said(&[1, 2, 3]),
            "Trials that ended as diverged: P Table 3 (3), P Table 2 (2) and P Table 1 (1)."
        );
        assert_eq!(
            said(&[1, 2, 3, 4]),
            "Trials that ended as diverged: P Table 4 (4), P Table 3 (3) and 2 more benchmarks."
        );
    }
}
