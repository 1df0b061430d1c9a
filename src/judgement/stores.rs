//! Judge two stores against each other: the same experiments, run by two versions of the program or on two machines.

use std::collections::{BTreeMap, BTreeSet};

use super::change::{Change, Judged, Pair, judge};
use crate::evidence::contents::{Contents, Repetition, Trial, identity};
use crate::methods::Reading;
use crate::metrics::MetricId;
use crate::runner::key::{TrialSpec, canonical};
use crate::runner::plan::Plan;

/// The names of an experiment.
pub struct Name {
    /// Its dataset.
    pub dataset: String,
    /// Its method, with the reading.
    pub method: String,
}

/// One column of an experiment under one metric, in both stores.
pub struct Row {
    /// Its names.
    pub name: Name,
    /// The metric.
    pub metric: MetricId,
    /// Its scores on the common repetitions.
    pub pair: Pair,
    /// What became of it.
    pub judged: Judged,
}

/// Every column that both stores have, judged; `plans` give experiments the names that they have in tables.
pub fn rows(old: &Contents, new: &Contents, plans: &[Plan], metrics: &[MetricId]) -> Vec<Row> {
    let names = names(plans);
    let mut rows = Vec::new();
    let none = BTreeMap::new();
    for (identity, of_old) in &old.0 {
        let of_new = new.0.get(identity).unwrap_or(&none);
        // An experiment that only one store has is counted on the page, not judged.
        let common: BTreeSet<&Repetition> = of_old.keys().filter(|one| of_new.contains_key(one)).collect();
        let Some((first, _)) = common.first().and_then(|one| of_old.get(one)) else { continue };
        for reading in first.layout.readings() {
            for metric in metrics {
                let scores = |of: &BTreeMap<Repetition, Trial>| {
                    let score = |one| of.get(one).and_then(|(_, scores)| scores.get(reading, metric).flatten());
                    common.iter().copied().map(score).collect::<Vec<Option<f64>>>()
                };
                let pair = Pair { metric: *metric, old: scores(of_old), new: scores(of_new) };
                if pair.old.iter().chain(&pair.new).any(Option::is_some) {
                    let name = name(&names, identity, &first.spec, reading);
                    let judged = Judged { change: Change::Same, gain: None, n: 0 };
                    rows.push(Row { name, metric: *metric, pair, judged });
                }
            }
        }
    }
    let pairs: Vec<Pair> = rows.iter().map(|row| row.pair.clone()).collect();
    for (row, judged) in rows.iter_mut().zip(judge(&pairs)) {
        row.judged = judged;
    }
    rows
}

/// Headings of the shipped benchmarks' experiments: dataset, then method by reading.
fn names(plans: &[Plan]) -> BTreeMap<String, (String, BTreeMap<Reading, String>)> {
    let mut names = BTreeMap::new();
    for plan in plans {
        for experiment in &plan.experiments {
            let dataset = plan.benchmark.datasets[experiment.dataset].heading.clone();
            let point = |column: &crate::benchmark::Column| match &experiment.method.variant {
                Some(variant) => format!("{} ({variant})", column.heading),
                None => column.heading.clone(),
            };
            let columns = experiment.method.columns.iter().map(|c| (c.reading.clone(), point(c))).collect();
            names.entry(identity(&experiment.template)).or_insert((dataset, columns));
        }
    }
    names
}

fn name(
    names: &BTreeMap<String, (String, BTreeMap<Reading, String>)>,
    identity: &str,
    spec: &TrialSpec,
    reading: &Reading,
) -> Name {
    match names.get(identity).and_then(|(dataset, columns)| Some((dataset, columns.get(reading)?))) {
        Some((dataset, method)) => Name { dataset: dataset.clone(), method: method.clone() },
        None => {
            let method = format!("{} {} [{reading}]", spec.method, canonical(&spec.parameters));
            Name { dataset: spec.dataset.clone(), method }
        }
    }
}
