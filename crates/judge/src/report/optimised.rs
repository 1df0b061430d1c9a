//! Tabulate what optimisations have found at their end.

use super::cell::{Cell, Form};
use super::table::{About, Table};
use crate::evidence::optimised::{
    shares_at_sides, shares_of_feasible, shares_of_same_choice, shares_of_unmixed,
};
use crate::evidence::{Evidence, EvidenceError, Series};
use uq_core::metrics::{BestValue, MetricId};
use uq_core::stats::Summary;
use uqbench_data::objectives::Objective;
use uqbench_run::benchmark::{ACQUISITION, heading_of};
use uqbench_run::protocols::{Acquisition, Protocol};

const HEAD: [&str; 11] = [
    "Dataset",
    "Method",
    "Variant",
    "Acquisition",
    "#n",
    "#Best value",
    "#Simple regret",
    "#Feasible",
    "#At sides",
    "#Same choice",
    "#Not mixed",
];

/// Where a benchmark optimises, a table of what its methods have found, and one of what their
/// variants have.
///
/// # Errors
/// [`EvidenceError`] where side tables cannot be read.
pub(super) fn optimised(evidence: &Evidence) -> Result<Vec<Table>, EvidenceError> {
    let benchmark = &evidence.results.plan.benchmark;
    let Protocol::BayesianOptimisation(protocol) = &benchmark.protocol else {
        return Ok(Vec::new());
    };
    let (start, evaluations) = (protocol.start, protocol.evaluations);
    let mut tables = [false, true]
        .map(|of_variants| Table::new(About::Optimised { of_variants, start, evaluations }, HEAD));
    let results = &evidence.results;
    let all = results.series();
    for (at, repetitions) in results.experiments.iter().enumerate() {
        for by in repetitions.experiment.method.acquire.iter().flatten() {
            let is_last = |series: &&Series| {
                series.id.experiment == at
                    && series.column.labels.get(ACQUISITION) == Some(&by.to_string())
                    && series.column.x == Some(evaluations as f64)
            };
            if let Some(series) = all.iter().find(is_last) {
                tables[usize::from(series.method.variant.is_some())]
                    .rows
                    .extend(row(evidence, series, *by)?);
            }
        }
    }
    Ok(tables.into_iter().filter_map(Table::filled).collect())
}

/// The row of a column; `None` where nothing has run.
fn row(
    evidence: &Evidence,
    series: &Series,
    by: Acquisition,
) -> Result<Option<Vec<Cell>>, EvidenceError> {
    let Some(best) = series.summary(&MetricId::BestValue(BestValue)) else { return Ok(None) };
    // Every repetition has the same largest value, so that the regret has the spread of the best
    // value.
    let largest = Objective::get(&series.dataset.key).map(|objective| objective.best);
    let regret = largest.map(|largest| Summary { mean: largest - best.mean, ..best });
    let number = |summary: Option<Summary>| {
        Cell::spread(summary.map(|s| s.mean), summary.as_ref().and_then(Summary::standard_error))
    };
    let percent = |shares: Vec<f64>| {
        Cell::number(Summary::from_values(&shares).map(|summary| summary.mean), Form::Percent)
    };
    let (name, store) = (by.to_string(), evidence.store);
    Ok(Some(vec![
        Cell::text(&series.dataset.heading),
        Cell::text(heading_of(&series.column.heading, by)),
        Cell::text(series.variant().unwrap_or_default()),
        Cell::text(&name),
        Cell::count(best.n),
        number(Some(best)),
        number(regret),
        percent(shares_of_feasible(series, &name, store)?),
        percent(shares_at_sides(series, &name, store)?),
        percent(shares_of_same_choice(series, &name, store)?),
        percent(shares_of_unmixed(series, &name, store)?),
    ]))
}
