//! List what has not run, and why.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::evidence::{End, Results};
use crate::judgement::{Scorecard, Verdict};
use uqbench_run::runner::plan::Experiment;

/// Trials of one benchmark that have no predictions for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotRun {
    /// The outcome in a word or two: `unavailable`, `diverged`, `not in the store`.
    pub outcome: String,
    /// The first reason; empty where the outcome says all.
    pub reason: String,
    /// Headings of the columns, each with its dataset.
    pub columns: Vec<String>,
    /// Number of trials; of printed numbers where nothing was planned.
    pub count: usize,
    /// Whether trials are counted.
    pub planned: bool,
}

/// What has not run of a benchmark: planned trials, then printed numbers that no trial is planned
/// for.
pub fn not_run(results: &Results, card: &Scorecard) -> Vec<NotRun> {
    let mut found: BTreeMap<(bool, String, String), NotRun> = BTreeMap::new();
    let mut add = |planned: bool, outcome: &str, reason: &str, column: String, count: usize| {
        let none = || NotRun {
            outcome: outcome.into(),
            reason: reason.into(),
            columns: Vec::new(),
            count: 0,
            planned,
        };
        let one = found.entry((!planned, outcome.into(), reason.into())).or_insert_with(none);
        one.count += count;
        if !one.columns.contains(&column) {
            one.columns.push(column);
        }
    };
    // Trials with other seeds and of the validation, too, as in the number of trials that are
    // expected.
    for repetitions in
        results.experiments.iter().chain(&results.reseeded).chain(&results.validation)
    {
        let Experiment { method, dataset, .. } = repetitions.experiment;
        let heading =
            method.columns.first().map(|column| column.heading.as_str()).unwrap_or_default();
        let dataset = &results.plan.benchmark.datasets[*dataset];
        let variant = dataset.variant.as_ref().or(method.variant.as_ref());
        let variant = variant.map(|variant| format!(" ({variant})")).unwrap_or_default();
        let column = format!("{heading}{variant}, {}", dataset.heading);
        let reason = repetitions.first_reason().unwrap_or_default();
        for (outcome, count) in repetitions.not_ok() {
            let is_missing = repetitions.ends.iter().all(|end| matches!(end, End::Missing));
            add(true, outcome, if is_missing { "" } else { &reason }, column.clone(), count);
        }
    }
    for line in card.numbers.iter().filter(|line| line.column.is_none()) {
        if let Verdict::NotRun(why) = &line.verdict {
            add(false, why, "", line.printed.dataset.clone(), 1);
        }
    }
    found.into_values().collect()
}
