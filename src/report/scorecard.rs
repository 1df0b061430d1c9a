//! Put every printed number and every claim into one row with its verdict.

use std::collections::BTreeMap;

use serde::Serialize;

use super::claims;
use super::grid::{Grid, mean_and_spread};
use super::validation;
use super::verdict::{self, Judgement, Verdict};
use crate::benchmark::{Benchmark, Cell, DatasetRow, Excluded, MetricRow, ProtocolSource, Published, label_text};
use crate::evidence::results::{Results, Series};
use crate::metrics::MetricId;
use crate::runner::store::Store;

/// One row of the scorecard: a printed number, or a claim.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Row {
    /// Key of the paper.
    pub paper: String,
    /// What the paper calls the table or figure.
    pub artefact: String,
    /// Name of the claim; empty for a number.
    pub claim: String,
    /// The dataset.
    pub dataset: String,
    /// The column.
    pub method: String,
    /// Why this is not the main reading of the paper, if it is not.
    pub variant: String,
    /// The metric.
    pub metric: String,
    /// The printed number, or the judgement of the claim on the paper's own printed numbers.
    pub published: String,
    /// The printed spread.
    pub published_spread: String,
    /// What the printed spread is.
    pub spread_kind: String,
    /// The paper's number of repetitions.
    pub n_published: Option<u64>,
    /// Our mean.
    pub ours_mean: Option<f64>,
    /// Our standard deviation over repetitions.
    pub ours_sd: Option<f64>,
    /// Our number of repetitions.
    pub n: usize,
    /// Half width of the interval of the difference.
    pub half_width: Option<f64>,
    /// Tolerance.
    pub tolerance: Option<f64>,
    /// The verdict.
    pub verdict: String,
    /// Whether the protocol is printed or inferred.
    pub protocol: String,
    /// How many other readings of the protocol were tried.
    pub alternatives: usize,
    /// Whether test results were seen in choosing the protocol.
    pub test_results_seen: bool,
    /// The profile.
    pub profile: String,
    /// What else must be said.
    pub note: String,
    /// Key of the first finished trial behind it; empty where none is finished.
    pub first_trial: String,
}

/// The scorecard of one benchmark.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scorecard {
    /// Printed numbers, then claims.
    pub rows: Vec<Row>,
    /// How many printed numbers of the main reading are reproduced or close.
    pub passed: usize,
    /// How many were judged.
    pub judged: usize,
    /// How many would pass if the printed numbers of each row were dealt to its columns at random.
    pub by_chance: f64,
}

/// Judges every printed number and every claim of one benchmark.
///
/// # Errors
/// A message where the printed numbers cannot be read.
pub fn judge(results: &Results, store: &Store) -> Result<Scorecard, String> {
    let benchmark = &results.plan.benchmark;
    let published = benchmark.published_numbers()?;
    let mut card = Scorecard::default();
    let series = results.series();
    for metric in benchmark.metrics.iter().filter(|metric| metric.published.is_some()) {
        for one in &series {
            let Some(cell) = cell_of(&published, one, metric) else { continue };
            let (row, judgement) = judge_cell(results, one, cell, metric);
            card.rows.push(row);
            let judged = judgement.filter(|j| !matches!(j.verdict, Verdict::Preview | Verdict::NotRun(_)));
            if let Some(judgement) = judged.filter(|_| one.variant().is_none()) {
                card.judged += 1;
                card.passed += usize::from(verdict::passes(&judgement.verdict));
                card.by_chance += pass_by_chance(results, one, cell, metric, &published);
            }
        }
    }
    card.rows.extend(unplanned(results, &series, &published));
    card.rows.extend(benchmark.claims.iter().map(|claim| {
        let judged = claims::judge(claim, results, store);
        Row {
            claim: claim.id.clone(),
            metric: claim.metrics().iter().map(ToString::to_string).collect::<Vec<_>>().join(" + "),
            published: judged.printed.as_str().into(),
            spread_kind: "none".into(),
            n: judged.n,
            verdict: judged.own.as_str().into(),
            note: format!("{}; {}", judged.own_note, judged.printed_note),
            first_trial: first_trial(&claims::columns(claim, results)),
            ..frame(results)
        }
    }));
    Ok(card)
}

/// The printed number of a column on a dataset.
pub fn cell_of<'p>(published: &'p Published, series: &Series, metric: &MetricRow) -> Option<&'p Cell> {
    printed_cell(published, series.dataset, &series.column.labels, metric)
}

/// The printed number of the column with these labels on a dataset.
pub fn printed_cell<'p>(
    published: &'p Published,
    dataset: &DatasetRow,
    labels: &BTreeMap<String, String>,
    metric: &MetricRow,
) -> Option<&'p Cell> {
    published.cell(dataset.printed_name(), metric.published.as_ref()?, labels)
}

/// A row with what all rows of a benchmark share.
fn frame(results: &Results) -> Row {
    let benchmark = &results.plan.benchmark;
    let protocol = match benchmark.protocol_source {
        ProtocolSource::Printed => "printed",
        ProtocolSource::Inferred => "inferred",
    };
    Row {
        paper: benchmark.paper.clone(),
        artefact: benchmark.artefact.clone(),
        protocol: protocol.into(),
        alternatives: benchmark.provenance.alternatives.len(),
        test_results_seen: benchmark.provenance.test_results_seen,
        profile: results.plan.profile.as_str().into(),
        ..Row::default()
    }
}

/// Key of the first finished repetition of these columns.
fn first_trial(columns: &[Series]) -> String {
    columns.iter().find_map(Series::first_finished).map(|result| result.key.to_string()).unwrap_or_default()
}

fn row_of_cell(results: &Results, cell: &Cell, metric: &MetricRow) -> Row {
    Row {
        metric: metric.id.to_string(),
        published: cell.value.clone(),
        published_spread: cell.spread.clone().unwrap_or_default(),
        spread_kind: cell.spread_kind.as_str().into(),
        n_published: cell.count,
        ..frame(results)
    }
}

fn judge_cell(results: &Results, series: &Series, cell: &Cell, metric: &MetricRow) -> (Row, Option<Judgement>) {
    let mut row = Row {
        dataset: series.dataset.key.clone(),
        method: label_text(&series.column.labels),
        variant: series.variant().unwrap_or_default().into(),
        first_trial: first_trial(&[*series]),
        ..row_of_cell(results, cell, metric)
    };
    let excluded = exclusion(&results.plan.benchmark, cell).filter(|_| series.variant().is_none());
    if let Some(excluded) = excluded {
        row.verdict = Verdict::Excluded(excluded.verdict).to_string();
        row.note = excluded.reason.clone();
    }
    let Some(own) = series.summary(&metric.id) else {
        if excluded.is_none() {
            row.verdict = Verdict::NotRun(series.why_none()).to_string();
            row.note = series.first_reason().unwrap_or_default();
        }
        return (row, None);
    };
    (row.ours_mean, row.ours_sd, row.n) = (Some(own.mean), own.sd, own.n);
    let expected = series.expected();
    if own.n < expected && excluded.is_none() {
        row.note = format!("{} of {expected} repetitions dropped: {}", expected - own.n, series.why_none());
    }
    let flag = validation::flag(results, series);
    if let Some(flag) = flag.filter(|flag| flag.none) {
        let coverage = mean_and_spread(Some(flag.coverage.mean), flag.coverage.sd);
        row.note = joined(row.note, &format!("none: coverage of validation rows {coverage}"));
    }
    let Some(v) = cell.number() else {
        if excluded.is_none() {
            let judged = flag.filter(|_| cell.is_none());
            let judged = judged.map(|f| verdict::judge_flag(f.none, f.coverage.n, results.plan.profile).to_string());
            row.verdict = judged.unwrap_or_else(|| format!("printed as “{}”", cell.value));
        }
        return (row, None);
    };
    let mut judgement =
        verdict::judge(cell, v, &own, &metric.id, series.test_rows().unwrap_or(1.0), results.plan.profile);
    if let Some(excluded) = excluded {
        judgement.verdict = Verdict::Excluded(excluded.verdict);
    }
    row.half_width = judgement.half_width;
    row.tolerance = Some(judgement.tolerance);
    row.verdict = judgement.verdict.to_string();
    let baseline = series.variant().is_none() && results.plan.benchmark.own.leave_out(&series.column.labels);
    if let Some(weak) = verdict::weak_baseline(cell, v, &own, &metric.id, &judgement)
        .filter(|_| baseline && covers(&metric.id, |coverage| series.summary(coverage).map(|summary| summary.mean)))
    {
        row.note = joined(row.note, &weak);
    }
    (row, Some(judgement))
}

/// Whether a width was not bought by coverage: ours is at least the level less the tolerance of a coverage. True for other metrics.
fn covers(metric: &MetricId, coverage: impl Fn(&MetricId) -> Option<f64>) -> bool {
    let (MetricId::Mpiw { level } | MetricId::MpiwRange { level }) = *metric else { return true };
    let picp = MetricId::Picp { level };
    coverage(&picp).is_some_and(|found| found >= level - verdict::tolerance(&picp, level, 1.0))
}

/// Two remarks in one.
pub fn joined(first: String, second: &str) -> String {
    if first.is_empty() { second.into() } else { format!("{first}; {second}") }
}

/// Why this printed number cannot be right, if it cannot.
fn exclusion<'b>(benchmark: &'b Benchmark, cell: &Cell) -> Option<&'b Excluded> {
    let of_cell = |e: &&Excluded| (&e.dataset, &e.metric, &e.labels) == (&cell.dataset, &cell.metric, &cell.labels);
    benchmark.excluded.iter().find(of_cell)
}

/// Printed numbers whose column or dataset this profile does not run, or whose method does not exist here yet.
fn unplanned(results: &Results, series: &[Series], published: &Published) -> Vec<Row> {
    let benchmark = &results.plan.benchmark;
    let metric_of = |cell: &Cell| benchmark.metrics.iter().find(|m| m.published.as_ref() == Some(&cell.metric));
    let planned =
        |cell: &Cell| series.iter().any(|s| s.dataset.printed_name() == cell.dataset && s.column.labels == cell.labels);
    let missing = published.cells.iter().filter(|cell| !planned(cell));
    missing
        .filter_map(|cell| {
            let metric = metric_of(cell)?;
            let unbuilt = benchmark.printed_columns.iter().any(|column| column.labels == cell.labels);
            let why = if unbuilt { "no method yet" } else { "not part of this profile" };
            let excluded = exclusion(benchmark, cell);
            let verdict = excluded.map_or(Verdict::NotRun(why.into()), |e| Verdict::Excluded(e.verdict));
            Some(Row {
                dataset: cell.dataset.clone(),
                method: label_text(&cell.labels),
                verdict: verdict.to_string(),
                note: excluded.map(|e| e.reason.clone()).unwrap_or_default(),
                ..row_of_cell(results, cell, metric)
            })
        })
        .collect()
}

/// The share of the other printed numbers of the same row that our mean would pass for.
fn pass_by_chance(results: &Results, series: &Series, cell: &Cell, metric: &MetricRow, published: &Published) -> f64 {
    let Some(own) = series.summary(&metric.id) else { return 0.0 };
    let others: Vec<&Cell> = published
        .cells
        .iter()
        .filter(|c| c.dataset == cell.dataset && c.metric == cell.metric && c.labels != cell.labels)
        .collect();
    let rows = series.test_rows().unwrap_or(1.0);
    let passing = others.iter().filter(|other| {
        let judged = other.number().map(|v| verdict::judge(other, v, &own, &metric.id, rows, results.plan.profile));
        judged.is_some_and(|judged| verdict::passes(&judged.verdict))
    });
    if others.is_empty() { 0.0 } else { passing.count() as f64 / others.len() as f64 }
}

/// A flag in words.
pub fn yes_or_no(flag: bool) -> &'static str {
    if flag { "yes" } else { "no" }
}

/// The scorecard of all benchmarks as one table.
pub fn grid(rows: &[Row]) -> Grid {
    let digits = |value: Option<f64>| value.map(|v| format!("{v:.6}")).unwrap_or_default();
    let mut grid = Grid::new(&[
        "paper",
        "artefact",
        "claim",
        "dataset",
        "method",
        "variant",
        "metric",
        "published",
        "published_spread",
        "spread_kind",
        "#n_published",
        "#ours_mean",
        "#ours_sd",
        "#n",
        "#half_width",
        "#tolerance",
        "verdict",
        "protocol",
        "#alternatives",
        "test_results_seen",
        "profile",
        "note",
    ]);
    grid.rows.extend(rows.iter().map(|r| {
        vec![
            r.paper.clone(),
            r.artefact.clone(),
            r.claim.clone(),
            r.dataset.clone(),
            r.method.clone(),
            r.variant.clone(),
            r.metric.clone(),
            r.published.clone(),
            r.published_spread.clone(),
            r.spread_kind.clone(),
            r.n_published.map(|n| n.to_string()).unwrap_or_default(),
            digits(r.ours_mean),
            digits(r.ours_sd),
            r.n.to_string(),
            digits(r.half_width),
            digits(r.tolerance),
            r.verdict.clone(),
            r.protocol.clone(),
            r.alternatives.to_string(),
            yes_or_no(r.test_results_seen).into(),
            r.profile.clone(),
            r.note.clone(),
        ]
    }));
    grid
}

/// The claims of a benchmark that are judged, with their words: for its page.
pub fn claim_rows<'a>(benchmark: &'a Benchmark, rows: &'a [Row]) -> Vec<(&'a crate::benchmark::Claim, &'a Row)> {
    let row_of = |id: &str| rows.iter().find(|row| row.claim == id);
    benchmark.claims.iter().filter_map(|claim| row_of(&claim.id).map(|row| (claim, row))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn narrow_intervals_are_better_only_where_they_cover() {
        let covering = |metric: &str, found: Option<f64>| {
            covers(&metric.parse().unwrap(), |asked| {
                assert_eq!(*asked, MetricId::Picp { level: 0.8 });
                found
            })
        };
        assert!(covering("mpiw-range(level=0.8)", Some(0.79)));
        assert!(covering("mpiw(level=0.8)", Some(0.9)));
        assert!(!covering("mpiw-range(level=0.8)", Some(0.77)));
        assert!(!covering("mpiw-range(level=0.8)", None), "a coverage that is not known");
        assert!(covering("rmse", None));
    }
}
