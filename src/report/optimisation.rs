//! Tabulate what optimisations have found at their end.

use super::grid::Grid;
use super::section::Section;
use crate::benchmark::{ACQUISITION, heading_of};
use crate::evidence::optimised::{shares_of_feasible, shares_of_same_choice};
use crate::evidence::{Evidence, EvidenceError, Series};
use crate::metrics::{BestValue, MetricId, SimpleRegret};
use crate::protocols::Protocol;
use crate::stats::Summary;
use crate::stats::digits::mean_and_spread;

/// One table for a benchmark that optimises; none for others.
///
/// # Errors
/// [`EvidenceError`] where side tables cannot be read.
pub fn sections(evidence: &Evidence) -> Result<Vec<Section>, EvidenceError> {
    let benchmark = &evidence.results.plan.benchmark;
    let Protocol::BayesianOptimisation(protocol) = &benchmark.protocol else { return Ok(Vec::new()) };
    let head = [
        "Dataset",
        "Method",
        "Variant",
        "Acquisition",
        "#n",
        "#Best value",
        "#Simple regret",
        "#Feasible",
        "#Same choice",
    ];
    let mut grid = Grid::new(&head);
    let results = &evidence.results;
    for repetitions in &results.experiments {
        let experiment = repetitions.experiment;
        let dataset = &benchmark.datasets[experiment.dataset];
        for by in experiment.method.acquire.iter().flatten() {
            let of = |series: &Series| {
                std::ptr::eq(series.repetitions, repetitions)
                    && series.column.labels.get(ACQUISITION) == Some(&by.to_string())
                    && series.column.x == Some(protocol.evaluations as f64)
            };
            let all = results.series();
            if let Some(series) = all.iter().find(|series| of(series)) {
                let heading = heading_of(&series.column.heading, *by).to_owned();
                grid.rows.extend(row(evidence, series, (&dataset.heading, heading, &by.to_string()))?);
            }
        }
    }
    let note = format!(
        "After {} starting points and {} evaluations; mean ± standard error over n repetitions, which share their starting points. Simple \
         regret: the maximum (or the best value that is known) less the best value. Feasible: share of the evaluations after \
         the start that violate no constraint. Same choice: share of the steps in which the entropy itself is largest at the same \
         candidate as its lower bound H_l, by which entropy-ucb chooses. Of a target ten times as large, ucb-β chooses the same points \
         and entropy-ucb-β those of entropy-ucb-(β/10).",
        protocol.start, protocol.evaluations
    );
    Ok(if grid.rows.is_empty() { Vec::new() } else { vec![Section { title: "What was found".into(), grid, note }] })
}

/// The row of a column; `None` where nothing has run.
fn row(
    evidence: &Evidence,
    series: &Series,
    (dataset, heading, by): (&str, String, &str),
) -> Result<Option<Vec<String>>, EvidenceError> {
    let Some(best) = series.summary(&MetricId::BestValue(BestValue)) else { return Ok(None) };
    let number = |summary: Option<Summary>| {
        mean_and_spread(summary.as_ref().map(|s| s.mean), summary.as_ref().and_then(Summary::standard_error))
    };
    let percent = |shares: Vec<f64>| {
        Summary::of(&shares).map_or("–".into(), |summary| format!("{:.0} %", 100.0 * summary.mean))
    };
    Ok(Some(vec![
        dataset.to_owned(),
        heading,
        series.variant().unwrap_or_default().to_owned(),
        by.to_owned(),
        best.n.to_string(),
        number(Some(best)),
        number(series.summary(&MetricId::SimpleRegret(SimpleRegret))),
        percent(shares_of_feasible(series, by, evidence.store)?),
        percent(shares_of_same_choice(series, by, evidence.store)?),
    ]))
}
