//! Tabulate what optimisations have found at their end.

use super::grid::Grid;
use super::section::{Block, Section};
use uq_core::metrics::{BestValue, MetricId};
use uq_core::stats::Summary;
use uq_core::stats::digits::{NONE, mean_and_spread};
use uqbench_data::objectives::Objective;
use uqbench_judge::evidence::optimised::{
    shares_at_sides, shares_of_feasible, shares_of_same_choice, shares_of_unmixed,
};
use uqbench_judge::evidence::{Evidence, EvidenceError, Series};
use uqbench_run::benchmark::{ACQUISITION, heading_of};
use uqbench_run::protocols::Protocol;

/// Where a benchmark optimises, a table of what its methods have found, and a folded one of what their variants have.
///
/// # Errors
/// [`EvidenceError`] where side tables cannot be read.
pub fn blocks(evidence: &Evidence) -> Result<Vec<Block>, EvidenceError> {
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
        "#At sides",
        "#Same choice",
        "#Not mixed",
    ];
    let (mut main, mut variants) = (Grid::new(&head), Grid::new(&head));
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
                let grid = if series.method.variant.is_none() { &mut main } else { &mut variants };
                grid.extend(row(evidence, series, (&dataset.heading, heading, &by.to_string()))?);
            }
        }
    }
    let note = format!(
        "After {} starting points and {} evaluations; mean ± standard error over n repetitions, which share their starting points. Simple \
         regret: the maximum (or the best value that is known) less the best value. Feasible: share of the evaluations after \
         the start that violate no constraint. At sides: share of the inputs of these points that are within 1 % of a side of the domain. Same choice: share of the steps in which the entropy itself is largest at the same \
         candidate as its lower bound H_l, by which entropy-ucb chooses. Not mixed: share of \
         the steps in which the chains of BNN-HMC have an R-hat above 1.05. Of a target ten times as large, ucb-β chooses the same points \
         and entropy-ucb-β those of entropy-ucb-(β/10).",
        protocol.start, protocol.evaluations
    );
    let section = |title: &str, grid| Section { title: title.into(), grid, note: note.clone() };
    let (main, variants) = (section("What was found", main), section("What was found by variants", variants));
    let filled = |section: &Section| !section.grid.rows.is_empty();
    Ok([Some(main).filter(filled).map(Block::Section), Some(variants).filter(filled).map(Block::Variants)]
        .into_iter()
        .flatten()
        .collect())
}

/// The row of a column; `None` where nothing has run.
fn row(
    evidence: &Evidence,
    series: &Series,
    (dataset, heading, by): (&str, String, &str),
) -> Result<Option<Vec<String>>, EvidenceError> {
    let Some(best) = series.summary(&MetricId::BestValue(BestValue)) else { return Ok(None) };
    // The same for every repetition, so that only the mean differs from that of the best value.
    let largest = Objective::get(&series.dataset.key).map(|objective| objective.best);
    let regret = largest.map(|largest| Summary { mean: largest - best.mean, ..best });
    let number = |summary: Option<Summary>| {
        mean_and_spread(summary.as_ref().map(|s| s.mean), summary.as_ref().and_then(Summary::standard_error))
    };
    let percent =
        |shares: Vec<f64>| Summary::of(&shares).map_or(NONE.into(), |summary| format!("{:.0} %", 100.0 * summary.mean));
    Ok(Some(vec![
        dataset.to_owned(),
        heading,
        series.variant().unwrap_or_default().to_owned(),
        by.to_owned(),
        best.n.to_string(),
        number(Some(best)),
        number(regret),
        percent(shares_of_feasible(series, by, evidence.store)?),
        percent(shares_at_sides(series, by, evidence.store)?),
        percent(shares_of_same_choice(series, by, evidence.store)?),
        percent(shares_of_unmixed(series, by, evidence.store)?),
    ]))
}
