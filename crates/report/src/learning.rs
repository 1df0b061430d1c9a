//! Tabulate the areas of learning curves, what each acquisition gains over random rows, and what gain was detectable.

use super::grid::{Cell, FirstTrial, Grid, Lead};
use super::section::Section;
use super::trial::first_of;
use uq_core::stats::Summary;
use uq_core::stats::corrected::Corrected;
use uq_core::stats::digits::{NONE, mean_and_spread, number, p_value};
use uq_core::stats::paired::ALPHA;
use uq_methods::side_tables::Batches;
use uqbench_judge::evidence::learning::{Curve, Learner, learners};
use uqbench_judge::evidence::{Evidence, EvidenceError};
use uqbench_run::benchmark::{MetricRow, heading_of};
use uqbench_run::protocols::Protocol;

/// Title of the table of how diverse batches are.
pub const BATCHES: &str = "Spread of the batches";

/// One table for each metric of a benchmark of pool learning; none for other benchmarks.
///
/// # Errors
/// [`EvidenceError`] where side tables cannot be read.
pub fn sections(evidence: &Evidence) -> Result<Vec<Section>, EvidenceError> {
    let benchmark = &evidence.results.plan.benchmark;
    if !matches!(benchmark.protocol, Protocol::PoolLearning(_)) {
        return Ok(Vec::new());
    }
    let metrics = benchmark.metrics.iter();
    let sections = metrics.map(|metric| section(evidence, metric)).collect::<Result<Vec<_>, _>>()?;
    Ok(sections.into_iter().flatten().collect())
}

/// What a reader needs before any claim, a row for each dataset and a column for each method, by the acquisition that the method is
/// listed with first: the gain that was found and the one that could have been found for each metric, then areas and the spread
/// of batches; none for benchmarks of other protocols.
///
/// # Errors
/// [`EvidenceError`] where side tables cannot be read.
pub fn overview(evidence: &Evidence) -> Result<Vec<Section>, EvidenceError> {
    let benchmark = &evidence.results.plan.benchmark;
    if !matches!(benchmark.protocol, Protocol::PoolLearning(_)) {
        return Ok(Vec::new());
    }
    let mut tables = Vec::new();
    for metric in &benchmark.metrics {
        let gains = crossed(evidence, metric, |learner, curve| {
            let [found, detectable, _] = gain(learner, curve);
            Ok(Some(format!("{found} ({detectable})")))
        })?;
        let note = format!(
            "Gain: how much better the area of the learning curve is than that of random rows after the same first fit; mean ± corrected \
             standard error. In brackets the smallest gain that this design would find significant at {:.0} % on its own: a claim \
             about a smaller one stays undecided.",
            100.0 * ALPHA
        );
        let title = format!("Gain over random rows, and the gain that could be found: {}", metric.heading);
        tables.extend(gains.map(|grid| Section { title, grid, note }));
    }
    if let Some(metric) = benchmark.metrics.first() {
        let areas = crossed(evidence, metric, |_, curve| {
            let areas: Vec<f64> = curve.areas.iter().flatten().copied().collect();
            Ok(Summary::of(&areas).map(|area| mean_and_spread(Some(area.mean), area.sd)))
        })?;
        let note =
            "Mean height of the learning curve by the trapezoidal rule; mean ± standard deviation over repetitions."
                .into();
        let title = format!("Area of the learning curve: {}", metric.heading);
        tables.extend(areas.map(|grid| Section { title, grid, note }));
        let spreads = crossed(evidence, metric, |learner, curve| spread(evidence, learner, curve))?;
        let note = "Distance of a batch's rows to the nearest other row of the batch, divided by that of random batches: 1 is as diverse as \
                    random rows."
            .into();
        tables.extend(spreads.map(|grid| Section { title: BATCHES.into(), grid, note }));
    }
    Ok(tables)
}

/// A cell for each dataset and method, of the curve of the acquisition that the method is listed with first; `None` where nothing
/// has run.
fn crossed(
    evidence: &Evidence,
    metric: &MetricRow,
    cell: impl Fn(&Learner, &Curve) -> Result<Option<String>, EvidenceError>,
) -> Result<Option<Grid>, EvidenceError> {
    let all = learners(&evidence.results, &|_| metric.id);
    let mut methods: Vec<&str> = Vec::new();
    let mut cells: Vec<(&str, &str, String, Option<FirstTrial>)> = Vec::new();
    for learner in &all {
        let Some(curve) = learner.curves.first().filter(|curve| curve.first.variant().is_none()) else { continue };
        let method = heading_of(&curve.first.column.heading, curve.acquisition);
        let Some(text) = cell(learner, curve)?.filter(|_| curve.areas.iter().any(Option::is_some)) else { continue };
        if !methods.contains(&method) {
            methods.push(method);
        }
        cells.push((&learner.dataset.heading, method, text, first_of(&curve.first)));
    }
    let heads: Vec<String> =
        std::iter::once("Dataset".to_owned()).chain(methods.iter().map(|method| format!("#{method}"))).collect();
    let mut grid = Grid::new(&heads.iter().map(String::as_str).collect::<Vec<_>>());
    for one in cells.chunk_by(|a, b| a.0 == b.0).map(|row| row[0].0) {
        if grid.rows.iter().any(|row| row[0] == one) {
            continue;
        }
        let of = |method: &str| cells.iter().find(|cell| cell.0 == one && cell.1 == method);
        let row = methods.iter().map(|method| match of(method) {
            Some((.., text, first)) => Cell::leading(text, first.clone().map(Lead::Trial)),
            None => NONE.into(),
        });
        grid.push(std::iter::once(one.into()).chain(row));
    }
    Ok((!grid.rows.is_empty()).then_some(grid))
}

/// The spread of a curve's batches against that of random ones.
fn spread(evidence: &Evidence, learner: &Learner, curve: &Curve) -> Result<Option<String>, EvidenceError> {
    let random = distance(evidence, learner, |other| other.acquisition.is_random())?;
    let own = distance(evidence, learner, |other| other.acquisition == curve.acquisition)?;
    Ok(own.zip(random).map(|(own, random)| format!("{:.2}", own / random)))
}

fn section(evidence: &Evidence, metric: &MetricRow) -> Result<Option<Section>, EvidenceError> {
    let head = [
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
    let mut grid = Grid::new(&head);
    for learner in learners(&evidence.results, &|_| metric.id) {
        for curve in &learner.curves {
            let areas: Vec<f64> = curve.areas.iter().flatten().copied().collect();
            let Some(area) = Summary::of(&areas) else { continue };
            let spread = spread(evidence, &learner, curve)?.unwrap_or_else(|| NONE.into());
            let mut row = vec![
                learner.dataset.heading.clone(),
                heading_of(&curve.first.column.heading, curve.acquisition).to_owned(),
                curve.first.variant().unwrap_or_default().to_owned(),
                curve.acquisition.to_string(),
                area.n.to_string(),
                mean_and_spread(Some(area.mean), area.sd),
            ];
            row.extend(gain(&learner, curve));
            row.push(spread);
            grid.push_of_trials(row, first_of(&curve.first));
        }
    }
    let note = format!(
        "Area: mean height of the learning curve by the trapezoidal rule, in units of the metric; mean ± standard deviation over \
         n repetitions. Gain over random: how much better the area is than that of random rows (the mean of the random \
         sequences) after the same first fit, paired by repetition; mean ± corrected standard error. Detectable gain: the \
         smallest gain of this design that would be significant at {:.0} % on its own; p of the same test, without correction \
         for the number of rows of this table. Splits overlap, so that the standard error is the corrected one of Nadeau and \
         Bengio: s √(1/n + n₂/n₁) with n₂ test rows and n₁ rows at the start, for equal shares and ten splits 3.3 times the \
         plain s/√n. Spread: distance of a batch's rows to the nearest other row of the batch, divided by that of random \
         batches, both averaged over additions and repetitions; 1 is as diverse as random rows.",
        100.0 * ALPHA
    );
    let title = format!("Areas of the learning curves: {}", metric.heading);
    Ok((!grid.rows.is_empty()).then_some(Section { title, grid, note }))
}

/// Gain, detectable gain and p-value of a curve; dashes for random rows themselves and for one repetition.
fn gain(learner: &Learner, curve: &Curve) -> [String; 3] {
    let gains = learner.gain(curve).filter(|_| !curve.acquisition.is_random()).unwrap_or_default();
    let gains: Vec<f64> = gains.into_iter().flatten().collect();
    match Corrected::of(&gains, learner.test_to_train) {
        Some(found) => {
            let detectable = found.detectable(ALPHA);
            [
                mean_and_spread(Some(found.summary.mean), Some(found.scale)),
                number(detectable, Some(detectable)),
                p_value(found.p_value()),
            ]
        }
        None => [mean_and_spread(Summary::of(&gains).map(|one| one.mean), None), NONE.into(), NONE.into()],
    }
}

/// Mean distance within the batches of the acquisitions that are wanted, over additions and repetitions; `None` where a
/// batch has one row, or nothing has run.
fn distance(
    evidence: &Evidence,
    learner: &Learner,
    wanted: impl Fn(&Curve) -> bool,
) -> Result<Option<f64>, EvidenceError> {
    let names: Vec<String> =
        learner.curves.iter().filter(|curve| wanted(curve)).map(|c| Batches::by(&c.acquisition.to_string())).collect();
    let mut all = Vec::new();
    for result in learner.repetitions.finished() {
        let tables = evidence.store.side_tables(result, |name| names.iter().any(|own| own == name))?;
        all.extend(tables.iter().filter_map(Batches::from_table).flat_map(|batches| batches.distance));
    }
    Ok(Summary::of(&all).map(|summary| summary.mean).filter(|mean| *mean > 0.0))
}
