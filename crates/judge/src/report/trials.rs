//! List the trials of a benchmark, so that every number leads to its trials.

use serde::Serialize;

use crate::evidence::results::Repetitions;
use crate::evidence::{End, Results};
use uqbench_run::benchmark::{ACQUISITION, Column};
use uqbench_run::runner::attempt::Attempt;
use uqbench_run::runner::key::TrialKey;
use uqbench_run::runner::outcome::Failure;
use uqbench_run::runner::plan::Plan;

/// A planned trial, and how it ended.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TrialLine {
    /// Its key.
    pub trial: TrialKey,
    /// What it is for: `main`, `other seed` or `validation`.
    pub part: &'static str,
    /// Key of the dataset.
    pub dataset: String,
    /// Name of the method.
    pub method: String,
    /// Headings of its columns.
    pub columns: String,
    /// The variant of the dataset or the method; empty for the main reading.
    pub variant: String,
    /// Number of the split, from 0.
    pub split: u64,
    /// Number of the seed, from 0.
    pub seed: u64,
    /// How it ended, in a word or two.
    pub outcome: &'static str,
    /// Why it has no predictions; empty where it has, or where that depends on the machine.
    pub reason: String,
}

/// One line for each planned trial.
pub(super) fn trials(results: &Results) -> Vec<TrialLine> {
    let parts = [
        ("main", &results.experiments),
        ("other seed", &results.reseeded),
        ("validation", &results.validation),
    ];
    let of_part = |(part, all): (&'static str, &'_ Vec<Repetitions>)| {
        all.iter()
            .flat_map(|repetitions| lines(results.plan, part, repetitions))
            .collect::<Vec<_>>()
    };
    parts.into_iter().flat_map(of_part).collect()
}

fn lines(plan: &Plan, part: &'static str, repetitions: &Repetitions) -> Vec<TrialLine> {
    let experiment = repetitions.experiment;
    let dataset = &plan.benchmark.datasets[experiment.dataset];
    let columns = columns(&experiment.method.columns);
    let variant = dataset.variant.as_ref().or(experiment.method.variant.as_ref());
    let line = |(split, end): (u64, &End)| TrialLine {
        trial: experiment.key(split),
        part,
        dataset: dataset.key.clone(),
        method: experiment.method.id.clone(),
        columns: columns.clone(),
        variant: variant.cloned().unwrap_or_default(),
        split,
        seed: experiment.template.seed,
        outcome: end.word(),
        reason: match end {
            End::Finished { result, .. } => result.outcome.reason().unwrap_or_default().to_owned(),
            // Other failures depend on this machine.
            End::Failed(Attempt { failure: Failure::MethodUnavailable(why), .. }) => why.clone(),
            _ => String::new(),
        },
    };
    (0..).zip(&repetitions.ends).map(line).collect()
}

/// The headings of the columns; the steps of an acquisition, which are a column each, in one.
fn columns(all: &[Column]) -> String {
    let of_one_curve = |a: &Column, b: &Column| {
        a.labels.contains_key(ACQUISITION) && a.labels == b.labels && a.x.is_some() && b.x.is_some()
    };
    let heading = |columns: &[Column]| match columns {
        [first, .., last] => {
            let (curve, _) = first.heading.rsplit_once(", ").unwrap_or((&first.heading, ""));
            format!(
                "{curve}, {} to {} added",
                first.x.unwrap_or_default(),
                last.x.unwrap_or_default()
            )
        }
        one => one.iter().map(|column| column.heading.clone()).collect(),
    };
    all.chunk_by(of_one_curve).map(heading).collect::<Vec<_>>().join("; ")
}
