//! Tabulate how much of a score's variance is over splits of the data, and how much over seeds of the method.

use super::grid::Grid;
use super::section::Section;
use uq_core::metrics::MetricId;
use uq_core::stats::Summary;
use uq_core::stats::digits::{NONE, number};
use uq_core::stats::variance_components::components;
use uqbench_judge::evidence::{Results, Series};
use uqbench_run::benchmark::Seeds;
use uqbench_run::runner::key::TrialSpec;
use uqbench_run::runner::plan::takes_seeds;

/// The table of a benchmark's variances; `None` where its profile repeats nothing with other seeds.
pub fn section(results: &Results) -> Option<Section> {
    let seeds = results.plan.seeds?;
    let head =
        ["Dataset", "Column", "Metric", "#Sd over splits", "#Sd over seeds", "#Seeds' share of variance", "#S × K"];
    let mut grid = Grid::new(&head);
    let all = results.series();
    for series in all.iter().filter(|series| takes_seeds(series.dataset, series.method)) {
        for metric in &results.plan.benchmark.metrics {
            let names = [&series.dataset.heading, &series.column.heading, &metric.heading].map(Clone::clone);
            grid.push(names.into_iter().chain(cells(results, series, &metric.id, seeds)));
        }
    }
    let Seeds { count, splits } = seeds;
    let note = format!(
        "The first {splits} repetitions (splits) with {count} seeds each, as a one-way random-effects analysis of \
         variance (Searle, Casella and McCulloch, 1992, chapter 3). Sd over seeds: how much a score changes on the \
         same rows when only the method's random numbers change. Sd over splits: the remaining variation between \
         splits; 0 where the estimate of its square is negative. Where seeds are most of the variance, more seeds per \
         split are needed to distinguish methods on these splits; otherwise more splits. With so few of both, the \
         sizes are rough estimates. S × K: splits with all seeds finished × seeds. All other tables, claims and \
         figures use the first seed alone."
    );
    let title = "Variance over splits and over seeds".into();
    (!grid.rows.is_empty()).then_some(Section { title, grid, note })
}

/// The last four cells of a row.
fn cells(results: &Results, series: &Series, metric: &MetricId, seeds: Seeds) -> [String; 4] {
    let none = || NONE.to_owned();
    let sd = |sd: f64| number(sd, Some(sd));
    let splits = usize::try_from(seeds.splits).unwrap_or(usize::MAX);
    if series.repetitions.experiment.deterministic {
        let values: Vec<f64> = series.values(metric).into_iter().take(splits).flatten().collect();
        let over_splits = Summary::of(&values).and_then(|summary| summary.sd).map_or_else(none, sd);
        return [over_splits, "none: draws nothing".into(), none(), format!("{} × 1", values.len())];
    }
    let scores = scores(results, series, metric, splits);
    let size = format!("{} × {}", scores.len(), seeds.count);
    let Some(found) = components(&scores) else { return [none(), none(), none(), size] };
    let share = found.seed_share().map_or_else(none, |share| format!("{:.0} %", 100.0 * share));
    [sd(found.split.sqrt()), sd(found.seed.sqrt()), share, size]
}

/// The scores of the first splits that have one with every seed: split × seed.
fn scores(results: &Results, series: &Series, metric: &MetricId, splits: usize) -> Vec<Vec<f64>> {
    let own = &series.repetitions.experiment.template;
    let others =
        results.reseeded.iter().filter(|r| TrialSpec { seed: own.seed, ..r.experiment.template.clone() } == *own);
    let others = others.map(|repetitions| Series { repetitions, ..*series });
    let columns: Vec<Vec<Option<f64>>> = std::iter::once(*series).chain(others).map(|s| s.values(metric)).collect();
    let of_split = |split: usize| columns.iter().map(|column| column.get(split).copied().flatten()).collect();
    (0..splits).filter_map(of_split).collect()
}
