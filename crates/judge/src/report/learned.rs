//! Tabulate the areas of learning curves, what each acquisition gains over random rows, and what
//! gain was detectable.

use super::cell::{Cell, FirstTrial, Form, Gain};
use super::table::{About, Table};
use crate::evidence::learning::{Curve, Learner, learners};
use crate::evidence::{Evidence, EvidenceError};
use uq_core::stats::Summary;
use uq_core::stats::corrected::Corrected;
use uq_core::stats::paired::ALPHA;
use uq_methods::side_tables::Batches;
use uqbench_run::benchmark::{MetricRow, heading_of};
use uqbench_run::protocols::Protocol;

const HEAD: [&str; 10] = [
    "Dataset",
    "Method",
    "Variant",
    "Acquisition",
    "#n",
    "#Area",
    "#Gain over random",
    "#Detectable gain",
    "#p",
    "#Spread",
];

/// Whether a benchmark learns from a pool of rows.
fn learns(evidence: &Evidence) -> bool {
    matches!(evidence.results.plan.benchmark.protocol, Protocol::PoolLearning(_))
}

/// One table for each metric of a benchmark of pool learning; none for other benchmarks.
///
/// # Errors
/// [`EvidenceError`] where side tables cannot be read.
pub(super) fn areas(evidence: &Evidence) -> Result<Vec<Table>, EvidenceError> {
    let metrics = evidence.results.plan.benchmark.metrics.iter().filter(|_| learns(evidence));
    let tables = metrics.map(|metric| areas_by(evidence, metric)).collect::<Result<Vec<_>, _>>()?;
    Ok(tables.into_iter().filter_map(Table::filled).collect())
}

/// What a reader needs before any claim, a row for each dataset and a column for each method, by
/// the acquisition that the method is listed with first: the gain that was found and the one that
/// could have been found for each metric, then areas and the spread of batches; none for benchmarks
/// of other protocols.
///
/// # Errors
/// [`EvidenceError`] where side tables cannot be read.
pub(super) fn overview(evidence: &Evidence) -> Result<Vec<Table>, EvidenceError> {
    let metrics = &evidence.results.plan.benchmark.metrics;
    let mut tables = Vec::new();
    for metric in metrics.iter().filter(|_| learns(evidence)) {
        let about = About::Gains { metric: metric.heading.clone() };
        tables.extend(crossed(evidence, metric, about, |learner, curve| {
            Ok(Some(Cell::Gain(gain(learner, curve))))
        })?);
    }
    if let Some(metric) = metrics.first().filter(|_| learns(evidence)) {
        let about = About::Area { metric: metric.heading.clone() };
        tables.extend(crossed(evidence, metric, about, |_, curve| {
            let areas: Vec<f64> = curve.areas.iter().flatten().copied().collect();
            Ok(Summary::from_values(&areas).map(|area| Cell::spread(Some(area.mean), area.sd)))
        })?);
        tables.extend(crossed(evidence, metric, About::Batches, |learner, curve| {
            Ok(spread(evidence, learner, curve)?
                .map(|spread| Cell::number(Some(spread), Form::Decimals(2))))
        })?);
    }
    Ok(tables)
}

/// A cell for each dataset and method, of the curve of the acquisition that the method is listed
/// with first; `None` where nothing has run.
fn crossed(
    evidence: &Evidence,
    metric: &MetricRow,
    about: About,
    cell: impl Fn(&Learner, &Curve) -> Result<Option<Cell>, EvidenceError>,
) -> Result<Option<Table>, EvidenceError> {
    let all = learners(&evidence.results, &|_| metric.id);
    let (mut datasets, mut methods) = (Vec::<&str>::new(), Vec::<&str>::new());
    let mut cells: Vec<(&str, &str, Cell)> = Vec::new();
    for learner in &all {
        let Some(curve) = learner.curves.first().filter(|curve| curve.first.variant().is_none())
        else {
            continue;
        };
        let method = heading_of(&curve.first.column.heading, curve.acquisition);
        let Some(cell) = cell(learner, curve)?.filter(|_| curve.areas.iter().any(Option::is_some))
        else {
            continue;
        };
        if !methods.contains(&method) {
            methods.push(method);
        }
        let dataset = learner.dataset.heading.as_str();
        if !datasets.contains(&dataset) {
            datasets.push(dataset);
        }
        cells.push((dataset, method, cell.of_trial(FirstTrial::of(&curve.first))));
    }
    let head = std::iter::once("Dataset".to_owned())
        .chain(methods.iter().map(|method| format!("#{method}")));
    let mut table = Table::new(about, head);
    for dataset in datasets {
        let row = methods.iter().map(|method| {
            let found = cells.iter().find(|cell| (cell.0, cell.1) == (dataset, method));
            found.map_or_else(Cell::empty, |cell| cell.2.clone())
        });
        table.push(std::iter::once(Cell::text(dataset)).chain(row));
    }
    Ok(table.filled())
}

/// The spread of a curve's batches against that of random ones.
fn spread(
    evidence: &Evidence,
    learner: &Learner,
    curve: &Curve,
) -> Result<Option<f64>, EvidenceError> {
    let random = distance(evidence, learner, |other| other.acquisition.is_random())?;
    let own = distance(evidence, learner, |other| other.acquisition == curve.acquisition)?;
    Ok(own.zip(random).map(|(own, random)| own / random))
}

/// A row for each curve.
fn areas_by(evidence: &Evidence, metric: &MetricRow) -> Result<Table, EvidenceError> {
    let mut table = Table::new(About::Areas { metric: metric.heading.clone() }, HEAD);
    for learner in learners(&evidence.results, &|_| metric.id) {
        for curve in &learner.curves {
            let areas: Vec<f64> = curve.areas.iter().flatten().copied().collect();
            let Some(area) = Summary::from_values(&areas) else { continue };
            let spread = spread(evidence, &learner, curve)?;
            let Gain { mean, error, detectable, p, .. } = gain(&learner, curve);
            let numbers = [
                Cell::count(area.n),
                Cell::spread(Some(area.mean), area.sd),
                Cell::spread(mean, error),
                Cell::number(detectable, Form::Digits(detectable)),
                Cell::number(p, Form::PValue),
                Cell::number(spread, Form::Decimals(2)),
            ];
            let first = FirstTrial::of(&curve.first);
            let names = [
                Cell::text(&learner.dataset.heading),
                Cell::text(heading_of(&curve.first.column.heading, curve.acquisition)),
                Cell::text(curve.first.variant().unwrap_or_default()),
                Cell::text(curve.acquisition.to_string()),
            ];
            table.push(names.into_iter().chain(numbers.map(|cell| cell.of_trial(first.clone()))));
        }
    }
    Ok(table)
}

/// What a curve gains over random rows; nothing for random rows themselves, and no error for one
/// repetition.
fn gain(learner: &Learner, curve: &Curve) -> Gain {
    let gains = learner.gain(curve).filter(|_| !curve.acquisition.is_random()).unwrap_or_default();
    let gains: Vec<f64> = gains.into_iter().flatten().collect();
    match Corrected::compare(&gains, learner.test_to_train) {
        Some(found) => Gain {
            mean: Some(found.summary.mean),
            error: Some(found.scale),
            detectable: Some(found.detectable(ALPHA)),
            p: Some(found.p_value()),
            first_trial: None,
        },
        None => Gain { mean: Summary::from_values(&gains).map(|one| one.mean), ..Gain::default() },
    }
}

/// Mean distance within the batches of the acquisitions that are wanted, over additions and
/// repetitions; `None` where a batch has one row, or nothing has run.
fn distance(
    evidence: &Evidence,
    learner: &Learner,
    wanted: impl Fn(&Curve) -> bool,
) -> Result<Option<f64>, EvidenceError> {
    let names: Vec<String> = learner
        .curves
        .iter()
        .filter(|curve| wanted(curve))
        .map(|c| Batches::by(&c.acquisition.to_string()))
        .collect();
    let mut all = Vec::new();
    for result in learner.repetitions.finished() {
        let tables =
            evidence.store.side_tables(result, |name| names.iter().any(|own| own == name))?;
        all.extend(
            tables.iter().filter_map(Batches::from_table).flat_map(|batches| batches.distance),
        );
    }
    Ok(Summary::from_values(&all).map(|summary| summary.mean).filter(|mean| *mean > 0.0))
}
