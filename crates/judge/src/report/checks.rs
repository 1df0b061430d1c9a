//! Tabulate what a reader checks behind scores: coverage of validation rows, variance over seeds,
//! repetitions without predictions.

use super::cell::{Cell, Form};
use super::table::{About, Table};
use crate::evidence::validation::flag;
use crate::evidence::{Results, Series};
use uq_core::metrics::MetricId;
use uq_core::stats::Summary;
use uq_core::stats::variance_components::components;
use uqbench_run::benchmark::Seeds;
use uqbench_run::runner::key::TrialSpec;
use uqbench_run::runner::plan::takes_seeds;

/// The table of validation coverages; `None` where the benchmark does not validate.
pub(super) fn validation(results: &Results) -> Option<Table> {
    let validation = results.plan.benchmark.validation?;
    let has_own_choice =
        results.experiments.iter().any(|repetitions| repetitions.experiment.chooses_by_coverage);
    let head = ["Dataset", "Column", "Variant", "#Validation coverage", "#n", "Flag"];
    let mut table = Table::new(About::Validation { validation, has_own_choice }, head);
    for series in results.series() {
        let flag = flag(results, &series);
        let coverage = flag.and_then(|flag| flag.coverage);
        table.push([
            Cell::text(&series.dataset.heading),
            Cell::text(&series.column.heading),
            Cell::text(series.variant().unwrap_or_default()),
            Cell::spread(coverage.map(|c| c.mean), coverage.and_then(|c| c.sd)),
            Cell::count(flag.map_or(0, |flag| flag.n)),
            match flag {
                Some(flag) => Cell::text(if flag.none { "none" } else { "" }),
                None => Cell::empty(),
            },
        ]);
    }
    Some(table)
}

/// How much of a score's variance is over splits of the data, and how much over seeds of the
/// method; `None` where the profile repeats nothing with other seeds.
pub(super) fn variance(results: &Results) -> Option<Table> {
    let seeds = results.plan.seeds?;
    let head = [
        "Dataset",
        "Column",
        "Metric",
        "#Sd over splits",
        "#Sd over seeds",
        "#Seeds' share of variance",
        "#S × K",
    ];
    let mut table = Table::new(About::Variance { seeds }, head);
    let all = results.series();
    for series in all.iter().filter(|series| takes_seeds(series.dataset, series.method)) {
        for metric in &results.plan.benchmark.metrics {
            let names =
                [&series.dataset.heading, &series.column.heading, &metric.heading].map(Cell::text);
            table.push(names.into_iter().chain(components_of(results, series, &metric.id, seeds)));
        }
    }
    table.filled()
}

/// The last four cells of a row.
fn components_of(results: &Results, series: &Series, metric: &MetricId, seeds: Seeds) -> [Cell; 4] {
    let sd = |sd: f64| Cell::number(Some(sd), Form::Digits(Some(sd)));
    let splits = usize::try_from(seeds.splits).unwrap_or(usize::MAX);
    if series.repetitions.experiment.deterministic {
        let values: Vec<f64> = series.values(metric).into_iter().take(splits).flatten().collect();
        let over_splits = Summary::from_values(&values)
            .and_then(|summary| summary.sd)
            .map_or_else(Cell::empty, sd);
        return [
            over_splits,
            Cell::text("none: draws nothing"),
            Cell::empty(),
            Cell::text(format!("{} × 1", values.len())),
        ];
    }
    let scores = scores(results, series, metric, splits);
    let size = Cell::text(format!("{} × {}", scores.len(), seeds.count));
    let Some(found) = components(&scores) else {
        return [Cell::empty(), Cell::empty(), Cell::empty(), size];
    };
    [
        sd(found.split.sqrt()),
        sd(found.seed.sqrt()),
        Cell::number(found.seed_share(), Form::Percent),
        size,
    ]
}

/// The scores of the first splits that have one with every seed: split × seed.
fn scores(results: &Results, series: &Series, metric: &MetricId, splits: usize) -> Vec<Vec<f64>> {
    let own = &series.repetitions.experiment.template;
    let others = results
        .reseeded
        .iter()
        .filter(|r| TrialSpec { seed: own.seed, ..r.experiment.template.clone() } == *own);
    let others = others.map(|repetitions| Series { repetitions, ..*series });
    let columns: Vec<Vec<Option<f64>>> =
        std::iter::once(*series).chain(others).map(|s| s.values(metric)).collect();
    let of_split =
        |split: usize| columns.iter().map(|column| column.get(split).copied().flatten()).collect();
    (0..splits).filter_map(of_split).collect()
}

/// The columns of which a repetition gave no predictions, and why.
pub(super) fn incomplete(results: &Results) -> Option<Table> {
    let mut table = Table::new(
        About::Incomplete,
        ["Dataset", "Column", "Variant", "#Ok", "#Expected", "Others"],
    );
    let all = results.series();
    for dataset in &results.plan.benchmark.datasets {
        let own: Vec<&Series> =
            all.iter().filter(|series| std::ptr::eq(series.dataset, dataset)).collect();
        if let Some((count, word)) = one_reason(&own) {
            table.push([
                Cell::text(&dataset.heading),
                Cell::text(format!("all {} columns", own.len())),
                Cell::text(""),
                Cell::count(0),
                Cell::count(count),
                Cell::text(format!("{count} {word}")),
            ]);
            continue;
        }
        for series in own {
            let (others, expected) = (series.not_ok(), series.repetitions.ends.len());
            if others.is_empty() {
                continue;
            }
            let words: Vec<String> =
                others.iter().map(|(word, count)| format!("{count} {word}")).collect();
            table.push([
                Cell::text(&series.dataset.heading),
                Cell::text(&series.column.heading),
                Cell::text(series.variant().unwrap_or_default()),
                Cell::count(expected - others.values().sum::<usize>()),
                Cell::count(expected),
                Cell::text(words.join(", ")),
            ]);
        }
    }
    table.filled()
}

/// The number of repetitions and the word, where several series of a dataset have no predictions
/// for one and the same reason.
fn one_reason(own: &[&Series]) -> Option<(usize, &'static str)> {
    let mut all = (0, None);
    for series in own {
        let others = series.not_ok();
        let (&word, &count) = others.iter().next().filter(|_| others.len() == 1)?;
        if count < series.repetitions.ends.len() || all.1.is_some_and(|known| known != word) {
            return None;
        }
        all = (all.0 + count, Some(word));
    }
    (own.len() > 1).then_some((all.0, all.1?))
}
