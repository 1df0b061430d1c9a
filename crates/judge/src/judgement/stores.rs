//! Judge two stores against each other: the same experiments, run by two versions of the program or
//! on two machines.

use std::collections::BTreeMap;

use super::change::{Change, Judged, Pair, judge};
use crate::evidence::contents::{Attempted, Contents, Repetition};
use crate::evidence::versions::{experiment, experiment_of_name};
use uq_core::metrics::MetricId;
use uq_methods::Reading;
use uqbench_run::external;
use uqbench_run::runner::key::{TrialSpec, canonical};
use uqbench_run::runner::plan::Plan;

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

/// Which versions of an experiment's method are compared.
pub struct Opponents<'a> {
    /// The version in the earlier store.
    pub old: &'a Attempted,
    /// That in the later one.
    pub new: &'a Attempted,
}

/// The versions of each experiment that are compared: the newest one of each store. Of one store
/// with itself the newest one and the one before it.
///
/// An external method with other settings is the same experiment where either store has only one
/// setting of it.
pub fn opponents<'a>(
    old: &'a Contents,
    new: &'a Contents,
    is_one_store: bool,
) -> BTreeMap<&'a str, Opponents<'a>> {
    let mut all = BTreeMap::new();
    for (identity, of_old) in &old.0 {
        let found = match new.0.get(identity) {
            Some(of_new) => opponents_of(of_old, of_new, is_one_store),
            None => with_other_settings(old, new, of_old)
                .and_then(|of_new| opponents_of(of_old, of_new, is_one_store)),
        };
        all.extend(found.map(|opponents| (identity.as_str(), opponents)));
    }
    all
}

fn opponents_of<'a>(
    old: &'a [Attempted],
    new: &'a [Attempted],
    is_one_store: bool,
) -> Option<Opponents<'a>> {
    if is_one_store {
        let [newest, before, ..] = new else { return None };
        return Some(Opponents { old: before, new: newest });
    }
    let (before, newest) = (old.first()?, new.first()?);
    // Of versions that began in one second the one that the earlier store does not have is the
    // newer one.
    let is_new = |one: &&Attempted| old.iter().all(|known| known.version != one.version);
    let is_as_new = |one: &&Attempted| {
        (one.version.program, one.started) == (newest.version.program, newest.started)
    };
    let newest = new.iter().filter(is_as_new).find(is_new).unwrap_or(newest);
    Some(Opponents { old: before, new: newest })
}

/// The only experiment of the later store that differs from one of the earlier store in nothing but
/// settings, and that the earlier store does not have.
fn with_other_settings<'a>(
    old: &Contents,
    new: &'a Contents,
    of_old: &[Attempted],
) -> Option<&'a [Attempted]> {
    let name = |versions: &[Attempted]| {
        let (result, _) = versions.first()?.trials.values().next()?;
        Some(experiment_of_name(&result.spec))
    };
    let wanted = name(of_old)?;
    let is_it = |versions: &&Vec<Attempted>| name(versions).as_ref() == Some(&wanted);
    let mut left = new
        .0
        .iter()
        .filter(|(identity, _)| !old.0.contains_key(*identity))
        .map(|(_, versions)| versions);
    let mut unmatched = old
        .0
        .iter()
        .filter(|(identity, _)| !new.0.contains_key(*identity))
        .map(|(_, versions)| versions);
    let (mut found, mut rivals) = (left.by_ref().filter(is_it), unmatched.by_ref().filter(is_it));
    let only = found.next().filter(|_| found.next().is_none() && rivals.nth(1).is_none())?;
    Some(only.as_slice())
}

/// Every column that both stores have, judged; `plans` give experiments the names that they have in
/// tables.
pub fn rows(
    opponents: &BTreeMap<&str, Opponents>,
    plans: &[Plan],
    metrics: &[MetricId],
) -> Vec<Row> {
    let names = names(plans);
    let mut rows = Vec::new();
    for (identity, Opponents { old, new }) in opponents {
        // An experiment that only one store has is counted on the page, not judged.
        let common: Vec<&Repetition> =
            old.trials.keys().filter(|one| new.trials.contains_key(one)).collect();
        let Some((first, _)) = common.first().and_then(|one| new.trials.get(one)) else { continue };
        let earlier = common
            .first()
            .and_then(|one| old.trials.get(one))
            .map(|(result, _)| result.layout.readings());
        let mut readings: Vec<&Reading> = first.layout.readings().collect();
        for reading in earlier.into_iter().flatten() {
            if !readings.contains(&reading) {
                readings.push(reading);
            }
        }
        for reading in readings {
            for metric in metrics {
                let scores = |of: &Attempted| {
                    let score = |one| {
                        of.trials
                            .get(one)
                            .and_then(|(_, scores)| scores.get(reading, metric).flatten())
                    };
                    common.iter().copied().map(score).collect::<Vec<Option<f64>>>()
                };
                let pair = Pair { metric: *metric, old: scores(old), new: scores(new) };
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
        for planned in &plan.experiments {
            let dataset = plan.benchmark.datasets[planned.dataset].heading.clone();
            let point = |column: &uqbench_run::benchmark::Column| match &planned.method.variant {
                Some(variant) => format!("{} ({variant})", column.heading),
                None => column.heading.clone(),
            };
            let columns =
                planned.method.columns.iter().map(|c| (c.reading.clone(), point(c))).collect();
            names.entry(experiment(&planned.template)).or_insert((dataset, columns));
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
    match names.get(identity).and_then(|(dataset, columns)| Some((dataset, columns.get(reading)?)))
    {
        Some((dataset, method)) => Name { dataset: dataset.clone(), method: method.clone() },
        None => {
            let stated = spec.parameters["name"].as_str().filter(|_| spec.method == external::ID);
            let method = match stated {
                Some(name) if *reading == Reading::MAIN => name.to_owned(),
                Some(name) => format!("{name} [{reading}]"),
                None => format!("{} {} [{reading}]", spec.method, canonical(&spec.parameters)),
            };
            Name { dataset: spec.dataset.clone(), method }
        }
    }
}
