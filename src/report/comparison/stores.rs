//! Write the comparison of two stores: the same experiments, run by two versions of the program or on two machines.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rayon::ThreadPool;
use rayon::prelude::*;
use serde_json::Value;

use super::methods::{CompareError, draw};
use crate::judgement::change::{Change, Judged, Pair, judge};
use crate::methods::Reading;
use crate::metrics::{Direction, MetricId};
use crate::plot::{DifferencePanel, DifferenceRow, Differences};
use crate::report::document::Document;
use crate::report::export::documents;
use crate::report::grid::Grid;
use crate::report::index::damage_line;
use crate::report::section::{Block, Page, Section};
use crate::runner::key::{TrialSpec, canonical};
use crate::runner::plan::Plan;
use crate::runner::record::TrialResult;
use crate::runner::scores::{self, Scores};
use crate::runner::store::{Found, Store, StoreError};
use crate::stats::digits::number;
use crate::stats::paired::ALPHA;

/// Name of the page and of its figure.
const NAME: &str = "stores";
/// Most rows of the figure.
const MOST_ROWS: usize = 40;

/// A finished trial with its scores.
type Trial = (Arc<TrialResult>, Scores);

/// Which repetition of an experiment: its split, and its seed.
type Repetition = (u64, u64);

/// The finished trials of one store, by experiment (a specification without split, seed and versions) and repetition.
struct Contents(BTreeMap<String, BTreeMap<Repetition, Trial>>);

/// What an experiment is called.
struct Name {
    dataset: String,
    method: String,
}

/// One column of an experiment under one metric, in both stores.
struct Row {
    name: Name,
    metric: MetricId,
    pair: Pair,
    judged: Judged,
}

impl Contents {
    fn read(store: &Store, metrics: &[MetricId], pool: &ThreadPool) -> Result<Self, StoreError> {
        let one = |key| -> Result<Option<Trial>, StoreError> {
            let Found::Finished(result) = store.find(&key)? else { return Ok(None) };
            let scores = scores::of_trial(store, &result, metrics)?;
            Ok(Some((result, scores)))
        };
        let keys = store.keys()?;
        let found: Vec<_> = pool.install(|| keys.into_par_iter().map(one).collect::<Result<_, _>>())?;
        let mut contents: BTreeMap<String, BTreeMap<Repetition, Trial>> = BTreeMap::new();
        for (result, scores) in found.into_iter().flatten() {
            let versions = |spec: &TrialSpec| (spec.schema, spec.protocol_version, spec.method_version);
            let repetitions = contents.entry(identity(&result.spec)).or_default();
            let repetition = (result.spec.split, result.spec.seed);
            // Of two versions in one store the later one is its answer.
            if repetitions.get(&repetition).is_none_or(|(old, _)| versions(&old.spec) <= versions(&result.spec)) {
                repetitions.insert(repetition, (result, scores));
            }
        }
        Ok(Self(contents))
    }
}

/// Everything that an experiment is, but for its repetition and for the versions of the program that ran it.
fn identity(spec: &TrialSpec) -> String {
    let mut value = serde_json::to_value(spec).unwrap_or_default();
    if let Some(map) = value.as_object_mut() {
        for part in ["schema", "protocol_version", "method_version", "split", "seed", "dataset"] {
            map.remove(part);
        }
        if let Some(parameters) = map.get_mut("parameters") {
            without_versions(parameters);
        }
    }
    canonical(&value)
}

/// Combinators note the versions of their learners among their parameters.
fn without_versions(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.remove("version");
            map.values_mut().for_each(without_versions);
        }
        Value::Array(items) => items.iter_mut().for_each(without_versions),
        _ => {}
    }
}

/// Compares two stores by these metrics; `plans` give experiments the names that they have in tables.
///
/// # Errors
/// [`CompareError`] where a store cannot be read, or they have no experiment in common.
pub fn render(
    [a, b]: [(&Store, &str); 2],
    plans: &[Plan],
    metrics: &[MetricId],
    pool: &ThreadPool,
) -> Result<Vec<Document>, CompareError> {
    let (old, new) = (Contents::read(a.0, metrics, pool)?, Contents::read(b.0, metrics, pool)?);
    let rows = rows(&old, &new, plans, metrics);
    page(&rows, [a.1, b.1], [&old, &new], [damage_line(a.0), damage_line(b.0)])
}

fn rows(old: &Contents, new: &Contents, plans: &[Plan], metrics: &[MetricId]) -> Vec<Row> {
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

fn page(
    rows: &[Row],
    [a, b]: [&str; 2],
    [old, new]: [&Contents; 2],
    damage: [String; 2],
) -> Result<Vec<Document>, CompareError> {
    if rows.is_empty() {
        return Err(CompareError::Nothing(format!(
            "{a} and {b} have no finished trial of the same experiment in common"
        )));
    }
    let mut page = Page::new(format!("Comparison of two stores: {a} and {b}"));
    let trials = |contents: &Contents| contents.0.values().map(BTreeMap::len).sum::<usize>();
    let shared = |contents: &Contents, other: &Contents| {
        let of = |(identity, own): (&String, &BTreeMap<Repetition, Trial>)| {
            other.0.get(identity).map_or(0, |others| own.keys().filter(|one| others.contains_key(one)).count())
        };
        contents.0.iter().map(of).sum::<usize>()
    };
    let common = shared(old, new);
    page.text(format!(
        "{a} has {} finished trials, {b} {}; {common} are the same splits of the same experiments, whatever the versions of \
         the methods.",
        trials(old),
        trials(new)
    ));
    for (name, line) in [(a, &damage[0]), (b, &damage[1])] {
        if !line.is_empty() {
            page.text(format!("{name}:{line}"));
        }
    }
    page.section(summary(rows));
    let mut figures = Vec::new();
    if let Some(figure) = figure(rows, a, b) {
        draw(&mut page, &mut figures, format!("{NAME}-gains"), &figure)?;
    }
    page.blocks.extend(changed(rows, a, b).map(Block::Section));
    Ok(documents(NAME, &page, &numbers(rows)).into_iter().chain(figures).collect())
}

fn summary(rows: &[Row]) -> Section {
    let mut head = vec!["Metric".to_owned()];
    head.extend(Change::ALL.iter().map(|change| format!("#{}", change.word())));
    let mut grid = Grid::new(&head.iter().map(String::as_str).collect::<Vec<_>>());
    let mut metrics: Vec<MetricId> = Vec::new();
    for row in rows {
        if !metrics.contains(&row.metric) {
            metrics.push(row.metric);
        }
    }
    for metric in metrics {
        let count = |change: &Change| {
            rows.iter().filter(|row| row.metric == metric && row.judged.change == *change).count().to_string()
        };
        grid.rows.push(std::iter::once(metric.label()).chain(Change::ALL.iter().map(count)).collect());
    }
    let note = format!(
        "Number of columns (experiment and reading) by what became of them. Statistically: the paired interval over the \
         common splits, Holm-corrected over all columns and metrics that differ, excludes no change at {} %; it speaks of \
         these splits, not of new data.",
        100.0 * ALPHA
    );
    Section { title: "Summary".into(), grid, note }
}

/// The columns that are not the same, worst first.
fn changed(rows: &[Row], a: &str, b: &str) -> Option<Section> {
    let mut differing: Vec<&Row> = rows.iter().filter(|row| row.judged.change != Change::Same).collect();
    differing.sort_by_key(|row| row.judged.change);
    let (a, b) = (format!("#{a}"), format!("#{b}"));
    let mut grid = Grid::new(&["Change", "Dataset", "Method", "Metric", "#n", &a, &b, "#Gain", "#Interval"]);
    for row in &differing {
        let mean = |scores: &[Option<f64>]| {
            let given: Vec<f64> = scores.iter().flatten().copied().collect();
            if given.is_empty() { "–".into() } else { number(given.iter().sum::<f64>() / given.len() as f64, None) }
        };
        let gain = row.judged.gain;
        let digits = |value: f64| number(value, gain.and_then(|gain| gain.summary.standard_error()));
        let interval = gain.and_then(|gain| Some((gain.summary.mean, gain.summary.half_width(gain.alpha)?)));
        grid.rows.push(vec![
            row.judged.change.word().into(),
            row.name.dataset.clone(),
            row.name.method.clone(),
            row.metric.label(),
            row.judged.n.to_string(),
            mean(&row.pair.old),
            mean(&row.pair.new),
            gain.map_or("–".into(), |gain| digits(gain.summary.mean)),
            interval.map_or("–".into(), |(mean, half)| format!("{} to {}", digits(mean - half), digits(mean + half))),
        ]);
    }
    let note = "Means over the common splits. Gain: the loss before less the loss after; positive is better.";
    (!differing.is_empty()).then(|| Section { title: "What differs".into(), grid, note: note.into() })
}

/// Losses after less losses before, in panels by unit: in per cent of what they were, in nat, in distance from the aim.
fn figure(rows: &[Row], a: &str, b: &str) -> Option<Differences> {
    let mut differing: Vec<&Row> = rows.iter().filter(|row| row.judged.gain.is_some()).collect();
    differing.sort_by_key(|row| row.judged.change);
    let panel = |label: &str, wanted: fn(Direction) -> bool| {
        let of_unit = differing.iter().filter(|row| wanted(row.metric.direction()));
        let drawn: Vec<DifferenceRow> = of_unit.take(MOST_ROWS).filter_map(|row| drawn(row)).collect();
        let drawable = drawn.iter().any(|row| row.estimate.is_finite() && row.low.is_finite() && row.high.is_finite());
        drawable.then(|| DifferencePanel { label: label.into(), rows: drawn })
    };
    let panels: Vec<DifferencePanel> = [
        panel("Difference of the loss, % of its size before", |direction| direction == Direction::Lower),
        panel("Difference of minus the score", |direction| direction == Direction::Higher),
        panel("Difference of the distance from the aim", |direction| matches!(direction, Direction::Target(_))),
    ]
    .into_iter()
    .flatten()
    .collect();
    (!panels.is_empty()).then(|| Differences {
        title: format!(
            "Losses in {b} against {a}: negative is better (at most {MOST_ROWS} columns a panel, worst first)"
        ),
        test: b.into(),
        reference: a.into(),
        panels,
    })
}

fn drawn(row: &Row) -> Option<DifferenceRow> {
    let gain = row.judged.gain?;
    let losses: Vec<f64> = row.pair.old.iter().flatten().map(|&score| row.metric.direction().loss(score)).collect();
    let share = row.metric.direction() == Direction::Lower;
    let factor = if share { 100.0 / (losses.iter().sum::<f64>() / losses.len() as f64).abs() } else { 1.0 };
    let (loss, half) = (-factor * gain.summary.mean, factor * gain.summary.half_width(gain.alpha)?);
    Some(DifferenceRow {
        name: format!("{}: {}, {}", row.name.dataset, row.name.method, row.metric.label()),
        estimate: loss,
        low: loss - half,
        high: loss + half,
        marked: gain.significant,
    })
}

fn numbers(rows: &[Row]) -> Grid {
    let mut grid = Grid::new(&["change", "dataset", "method", "metric", "#n", "before", "after"]);
    let joined = |scores: &[Option<f64>]| {
        scores.iter().map(|s| s.map(|v| v.to_string()).unwrap_or_default()).collect::<Vec<_>>().join(" ")
    };
    grid.rows.extend(rows.iter().map(|row| {
        vec![
            row.judged.change.word().into(),
            row.name.dataset.clone(),
            row.name.method.clone(),
            row.metric.to_string(),
            row.judged.n.to_string(),
            joined(&row.pair.old),
            joined(&row.pair.new),
        ]
    }));
    grid
}
