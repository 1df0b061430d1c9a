//! Judge every baseline by the numbers of its own paper.
//!
//! Where the authors' scores of each split are known and their splits have our order
//! ([`RowOrder`]), the losses are paired by split. Elsewhere Welch's test takes the printed mean
//! with its spread. The intervals are those of the mean over random splits of these data, as in the
//! papers' tables. [`super::fidelity`] has the rule.

use std::collections::BTreeMap;

use super::fidelity::{self, Comparison, Fidelity};
use super::numbers::cell_of;
use super::originals::{Hint, OriginalLine, Originals};
use super::unranked::unranked;
use super::verdict::FEWEST;
use crate::evidence::row_order::RowOrder;
use crate::evidence::{Evidence, Series};
use uq_core::stats::Summary;
use uq_core::stats::difference::{Difference, Mean};
use uqbench_run::benchmark::{Cell, MetricRow, OwnPapers, Profile, SpreadKind};
use uqbench_run::runner::plan::ColumnId;

/// Judges the baselines of a benchmark by their own papers; `None` where it does not ask for it.
pub fn judge<'a>(evidence: &Evidence<'a>) -> Option<Originals<'a>> {
    let benchmark = &evidence.results.plan.benchmark;
    let rule = benchmark.own_papers.as_ref()?;
    let series = evidence.results.series();
    let mut found =
        Originals { row_orders: row_orders(evidence, rule, &series), ..Originals::default() };
    let mut families: BTreeMap<_, Vec<(OriginalLine, Comparison)>> = BTreeMap::new();
    for metric in benchmark.metrics.iter().filter(|metric| metric.published.is_some()) {
        found.hints.extend(series.iter().filter_map(|one| hint(evidence, one, metric)));
        for one in &series {
            let Some(cell) = cell_of(evidence.published, one, metric) else { continue };
            match compared(evidence, rule, &found.row_orders, one, (cell, metric)) {
                // Too few repetitions decide nothing, so that such a number does not count among
                // the numbers that are tested.
                Some((line, _)) if line.word == Fidelity::TooFew => found.lines.push(line),
                Some(compared) => {
                    let family = (compared.0.paper.clone(), one.variant().map(str::to_owned));
                    families.entry(family).or_default().push(compared);
                }
                None => found.not_run += 1,
            }
        }
    }
    for family in families.into_values() {
        let (lines, comparisons): (Vec<OriginalLine>, Vec<Comparison>) = family.into_iter().unzip();
        let judged = lines.into_iter().zip(fidelity::judge(&comparisons));
        found.lines.extend(judged.map(|(line, (word, readings))| {
            let line = OriginalLine { word, readings, ..line };
            OriginalLine { cause: cause(evidence, rule, &line), ..line }
        }));
    }
    Some(found)
}

/// The hint on a number of ours; `None` where there is none, or nothing of ours has run. Variants
/// have none.
fn hint<'a>(evidence: &Evidence<'a>, series: &Series, metric: &'a MetricRow) -> Option<Hint<'a>> {
    let is_of = |cell: &&Cell| {
        cell.dataset == series.dataset.printed_name()
            && metric.published.as_ref() == Some(&cell.metric)
            && cell.labels == series.column.labels
    };
    let cell =
        evidence.published.hints.iter().find(is_of).filter(|_| series.variant().is_none())?;
    Some(Hint { column: series.id, metric, cell: cell.clone(), own: series.summary(&metric.id)? })
}

/// The correlations of each column whose authors published scores of splits.
fn row_orders(
    evidence: &Evidence,
    rule: &OwnPapers,
    series: &[Series],
) -> Vec<(ColumnId, RowOrder)> {
    let Some(pairing) = &rule.pairing else { return Vec::new() };
    let mut found: Vec<(&Series, RowOrder)> = Vec::new();
    for one in series {
        let has_splits = evidence
            .published
            .cells
            .iter()
            .any(|c| c.labels == one.column.labels && !c.splits.is_empty());
        if has_splits && !found.iter().any(|(other, _)| is_same_column(other, one)) {
            found.push((one, RowOrder::of(&evidence.results, evidence.published, one, pairing)));
        }
    }
    found.into_iter().map(|(one, order)| (one.id, order)).collect()
}

/// Whether two series are one column of the table, on two datasets.
fn is_same_column(a: &Series, b: &Series) -> bool {
    (&a.column.labels, a.variant()) == (&b.column.labels, b.variant())
}

/// A printed number beside ours, not yet judged; `None` for fewer than two repetitions.
fn compared<'a>(
    evidence: &Evidence<'a>,
    rule: &OwnPapers,
    orders: &[(ColumnId, RowOrder)],
    series: &Series,
    (cell, metric): (&Cell, &'a MetricRow),
) -> Option<(OriginalLine<'a>, Comparison)> {
    let plan = evidence.results.plan;
    let order_of = |(column, _): &&(ColumnId, RowOrder)| {
        let (dataset, method, column) = plan.column(*column);
        let variant = dataset.variant.as_deref().or(method.variant.as_deref());
        (&column.labels, variant) == (&series.column.labels, series.variant())
    };
    let same_order = orders.iter().find(order_of).is_some_and(|(_, order)| order.is_same);
    let scores = series.split_values(&metric.id);
    let paired = if same_order { paired(cell, metric, &scores) } else { None };
    let (n, v, rounding, gains) = match &paired {
        Some((n, gain)) => {
            // The mean of unrounded scores has no printed digit.
            let mean = cell.splits.iter().sum::<f64>() / cell.splits.len() as f64;
            (*n, mean, 0.0, vec![(SpreadKind::None, *gain)])
        }
        None => {
            let own = series.summary(&metric.id)?;
            (own.n, cell.number()?, cell.last_digit(), welch(cell, metric, &own)?)
        }
    };
    let ours_mean = series.summary(&metric.id)?.mean;
    let is_ours = metric.id.direction().prefers(ours_mean, v);
    let ranks = unranked(is_ours, &metric.id, &series.dataset.key, |_| None, |_| None).is_none();
    let margin = metric.id.tolerance(v, series.test_rows().unwrap_or(1.0)).max(rounding);
    let enough = plan.profile == Profile::Full && n >= FEWEST.min(cell.repetitions(FEWEST));
    let line = OriginalLine {
        column: series.id,
        paper: cell.labels.get(&rule.label)?.clone(),
        metric,
        printed: cell.clone(),
        paired: paired.is_some(),
        n,
        gain: gains.first()?.1.mean,
        margin,
        readings: Vec::new(),
        word: if enough { Fidelity::Inconclusive } else { Fidelity::TooFew },
        cause: String::new(),
    };
    Some((line, Comparison { gains, margin, rounding: 0.5 * rounding, ranks }))
}

/// The number of splits that both have, and the mean of their losses less ours.
fn paired(cell: &Cell, metric: &MetricRow, scores: &[Option<f64>]) -> Option<(usize, Difference)> {
    let loss = |score: f64| metric.id.direction().loss(score);
    let both = scores.iter().zip(&cell.splits);
    let gains: Vec<f64> =
        both.filter_map(|(ours, theirs)| Some(loss(*theirs) - loss((*ours)?))).collect();
    Some((gains.len(), Difference::paired(&gains)?))
}

/// The printed loss less ours by each reading of the printed spread.
fn welch(cell: &Cell, metric: &MetricRow, own: &Summary) -> Option<Vec<(SpreadKind, Difference)>> {
    let loss = |score: f64| metric.id.direction().loss(score);
    let ours = Mean { mean: loss(own.mean), error: own.standard_error()?, n: own.n };
    let n = cell.repetitions(own.n);
    let printed = |kind: SpreadKind| {
        let error = cell.standard_error(kind, own.sd?, n);
        Some((kind, Difference::welch(Mean { mean: loss(cell.number()?), error, n }, ours)?))
    };
    cell.spread_kind.readings().iter().map(|kind| printed(*kind)).collect()
}

/// The experiments that separate the causes of a number that is not met.
fn cause(evidence: &Evidence, rule: &OwnPapers, line: &OriginalLine) -> String {
    if !line.word.needs_cause() {
        return String::new();
    }
    let (dataset, method, column) = evidence.results.plan.column(line.column);
    let of_column = (&column.labels, method.variant.as_deref());
    let explains = rule
        .experiments
        .iter()
        .filter(|one| one.explains(of_column, &dataset.key, &line.printed.metric));
    let all: Vec<String> = explains.map(|one| one.text()).collect();
    if all.is_empty() { "unexplained".into() } else { all.join("; ") }
}
