//! Judge every printed number of a benchmark by our repetitions.

use std::collections::BTreeMap;

use super::chance::chance;
use super::remark::Remark;
use super::scorecard::{NumberLine, Scorecard};
use super::unranked::{Unranked, unranked};
use super::verdict::{self, Ours, Verdict};
use super::weak_baseline;
use crate::evidence::validation::{self, Flag};
use crate::evidence::{Evidence, Series, reach};
use uq_core::metrics::MetricId;
use uq_core::stats::Summary;
use uqbench_run::benchmark::{
    Benchmark, Cell, DatasetRow, Excluded, Inconsistent, MethodRow, MetricRow, Published,
};

/// Why a printed number has no trial whose column has no method here.
pub const PRINTED_ONLY: &str = "printed only";

/// Adds a line for every printed number to the scorecard, and updates its counts.
pub(super) fn judge<'a>(evidence: &Evidence<'a>, card: &mut Scorecard<'a>) {
    let (plan, series) = (evidence.results.plan, evidence.results.series());
    let benchmark = &plan.benchmark;
    for metric in benchmark.metrics.iter().filter(|metric| metric.published.is_some()) {
        for one in &series {
            let Some(cell) = cell_of(evidence.published, one, metric) else { continue };
            let line = line(evidence, one, cell, metric);
            // A number that a theorem excludes is judged without a run of ours.
            let excluded = matches!(line.verdict, Verdict::Excluded(_));
            let compared = line.judgement.is_some()
                && !matches!(
                    line.verdict,
                    Verdict::TooFew | Verdict::NotRun(_) | Verdict::NotJudged
                );
            let judged = compared || excluded;
            if judged && one.variant().is_none() {
                card.judged += 1;
                card.passed += usize::from(verdict::passes(&line.verdict));
                card.by_chance += by_chance(evidence, one, cell, metric);
            }
            card.numbers.push(line);
        }
    }
    card.numbers.extend(unplanned(evidence, &series));
}

/// The printed number of a column on a dataset.
pub fn cell_of<'p>(
    published: &'p Published,
    series: &Series,
    metric: &MetricRow,
) -> Option<&'p Cell> {
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

/// The line of a printed number whose column is planned.
fn line<'a>(
    evidence: &Evidence<'a>,
    series: &Series,
    cell: &Cell,
    metric: &'a MetricRow,
) -> NumberLine<'a> {
    let main = series.variant().is_none();
    let excluded = exclusion(&evidence.results.plan.benchmark, cell).filter(|_| main);
    let own = series.summary(&metric.id);
    let unjudged = unjudged(&evidence.results.plan.benchmark, cell);
    let flag = validation::flag(&evidence.results, series);
    let benchmark = &evidence.results.plan.benchmark;
    let ours = ours(benchmark, series, cell, metric);
    let rows = series.test_rows().unwrap_or(1.0);
    let judgement = ours.zip(cell.number()).map(|(ours, v)| {
        verdict::judge(cell, v, &ours, &metric.id, rows, evidence.results.plan.profile)
    });
    let verdict = match (excluded, &judgement) {
        (Some(excluded), _) => Verdict::Excluded(excluded.verdict),
        (None, _) if unjudged.is_some() && own.is_some() => Verdict::NotJudged,
        (None, Some((verdict, _))) => verdict.clone(),
        (None, None) => match flag.filter(|flag| decides(flag, cell, own.is_some())) {
            Some(flag) => verdict::judge_flag(
                cell.is_none(),
                flag.none,
                flag.n,
                evidence.results.plan.profile,
            ),
            None if own.is_none() => Verdict::NotRun(series.why_none()),
            None => Verdict::Word(cell.value.clone()),
        },
    };
    let unranked = why_unranked(evidence, series, &verdict, metric);
    let readings = ours
        .zip(cell.number())
        .map(|(ours, v)| verdict::readings(cell, v, &ours, &metric.id, rows));
    let readings = readings
        .filter(|readings| readings.len() > 1)
        .filter(|_| !matches!(verdict, Verdict::TooFew | Verdict::NotJudged))
        .map(Remark::Readings);
    let is_compared = verdict != Verdict::NotJudged;
    let paired = ours.and_then(|ours| ours.differences).map(|_| Remark::Paired);
    let paired = paired.filter(|_| is_compared);
    let reason = excluded.map(|excluded| Remark::Excluded(excluded.reason.clone())).or_else(|| {
        unjudged.filter(|_| !is_compared).map(|reason| Remark::NotJudged(reason.into()))
    });
    let mut line = NumberLine {
        column: Some(series.id),
        metric,
        printed: cell.clone(),
        own,
        verdict: if unranked.is_some() { Verdict::Differs } else { verdict },
        judgement: judgement.map(|(_, judgement)| judgement).filter(|_| is_compared),
        remarks: reason
            .into_iter()
            .chain(readings)
            .chain(paired)
            .chain(unranked.map(Remark::Unranked))
            .collect(),
        first_trial: series.first_finished().map(|result| result.key.clone()),
    };
    line.remarks.extend(remarks(evidence, series, &line, flag));
    line
}

/// Our repetitions beside a printed number, paired with the authors' score of each split where the
/// benchmark says that these are our splits.
fn ours(benchmark: &Benchmark, series: &Series, cell: &Cell, metric: &MetricRow) -> Option<Ours> {
    let scores = series.summary(&metric.id)?;
    let both = series.split_values(&metric.id).into_iter().zip(&cell.splits);
    let differences: Vec<f64> = both.filter_map(|(ours, theirs)| Some(ours? - theirs)).collect();
    let is_paired = benchmark.same_splits && differences.len() == scores.n;
    let differences = Summary::from_values(&differences).filter(|_| is_paired && scores.n > 1);
    Some(Ours { scores, differences })
}

/// Whether a flag decides the verdict on a printed cell: on a printed `none` where we have a
/// number, and on any where we have none because no setting has the required coverage.
fn decides(flag: &Flag, cell: &Cell, have_number: bool) -> bool {
    if have_number { cell.is_none() } else { flag.none && flag.coverage.is_none() }
}

/// The remarks on a planned column's number, except why it is excluded or not ranked.
fn remarks(
    evidence: &Evidence,
    series: &Series,
    line: &NumberLine,
    flag: Option<Flag>,
) -> Vec<Remark> {
    let excluded = matches!(line.verdict, Verdict::Excluded(_));
    let mut all = Vec::new();
    match line.own {
        None => all.extend(series.first_reason().filter(|_| !excluded).map(Remark::NoNumber)),
        Some(own) => {
            let expected = series.expected();
            if own.n < expected && !excluded {
                all.push(Remark::Dropped {
                    count: expected - own.n,
                    expected,
                    why: series.why_none(),
                });
            }
            all.extend(
                flag.filter(|flag| flag.none)
                    .and_then(|flag| flag.coverage)
                    .map(Remark::FlaggedNone),
            );
            match inconsistent(&evidence.results.plan.benchmark, &line.printed)
                .filter(|_| series.variant().is_none())
            {
                Some(reason) => all.push(Remark::Inconsistent(reason.to_owned())),
                None => all.extend(weak_baseline(evidence, series, line)),
            }
        }
    }
    all.extend(
        reached(evidence, &line.printed, line.metric).filter(|_| series.variant().is_none()),
    );
    if line.own.is_some() {
        let of_fits =
            evidence.choices.iter().filter(|choice| choice.experiment == series.id.experiment);
        all.extend(of_fits.map(|choice| Remark::Chosen(choice.points.clone())));
        let count = evidence.unconverged.count(series).filter(|count| count.unconverged > 0);
        all.extend(count.map(Remark::Unconverged));
    }
    all
}

/// The remark that the printed baseline is weak.
fn weak_baseline(evidence: &Evidence, series: &Series, line: &NumberLine) -> Option<Remark> {
    let benchmark = &evidence.results.plan.benchmark;
    let baseline = series.variant().is_none() && benchmark.own.leave_out(&series.column.labels);
    let (own, v, judgement) = (line.own?, line.printed.number()?, line.judgement?);
    if !baseline || series.dataset.other_data.is_some() {
        return None;
    }
    weak_baseline::weak_baseline(
        &line.printed,
        v,
        &own,
        &line.metric.id,
        &line.verdict,
        judgement.tolerance,
    )
}

/// Why neither our number nor the printed one is better, although they differ.
fn why_unranked(
    evidence: &Evidence,
    series: &Series,
    verdict: &Verdict,
    metric: &MetricRow,
) -> Option<Unranked> {
    let is_ours = match verdict {
        Verdict::DiffersBetter => true,
        Verdict::DiffersWorse => false,
        _ => return None,
    };
    let ours = |coverage: &MetricId| series.summary(coverage).map(|summary| summary.mean);
    let printed = |coverage: &MetricId| {
        let row = evidence.results.plan.benchmark.metrics.iter().find(|row| row.id == *coverage)?;
        cell_of(evidence.published, series, row)?.number()
    };
    unranked(is_ours, &metric.id, &series.dataset.key, ours, printed)
}

/// The remark on the coverage of a constant interval of the printed width, for an excluded width.
fn reached(evidence: &Evidence, cell: &Cell, metric: &MetricRow) -> Option<Remark> {
    let benchmark = &evidence.results.plan.benchmark;
    let mut all = benchmark.excluded.iter().zip(&evidence.reaches);
    let of_cell = |(excluded, _): &(&Excluded, &Option<reach::Reach>)| is_of(excluded, cell);
    let reach = all.find(of_cell)?.1.clone()?;
    (metric.published.as_ref() == Some(&cell.metric))
        .then(|| Remark::Reach { reach, printed: cell.value.clone() })
}

/// The reason why this printed number cannot be right, if there is one.
fn exclusion<'b>(benchmark: &'b Benchmark, cell: &Cell) -> Option<&'b Excluded> {
    benchmark.excluded.iter().find(|excluded| is_of(excluded, cell))
}

fn is_of(excluded: &Excluded, cell: &Cell) -> bool {
    (&excluded.dataset, &excluded.metric, &excluded.labels)
        == (&cell.dataset, &cell.metric, &cell.labels)
}

/// Why a printed number is not judged.
fn unjudged<'b>(benchmark: &'b Benchmark, cell: &Cell) -> Option<&'b str> {
    let mut all = benchmark.unjudged.iter();
    all.find(|one| one.has(cell)).map(|one| one.reason.as_str())
}

/// Why a printed number does not fit another one.
fn inconsistent<'b>(benchmark: &'b Benchmark, cell: &Cell) -> Option<&'b str> {
    let is_of = |one: &&Inconsistent| {
        (&one.dataset, &one.metric, &one.labels) == (&cell.dataset, &cell.metric, &cell.labels)
    };
    benchmark.inconsistent.iter().find(is_of).map(|one| one.reason.as_str())
}

/// Printed numbers whose column or dataset this profile does not run, or whose method does not
/// exist here yet.
fn unplanned<'a>(evidence: &Evidence<'a>, series: &[Series]) -> Vec<NumberLine<'a>> {
    let benchmark = &evidence.results.plan.benchmark;
    let metric_of =
        |cell: &Cell| benchmark.metrics.iter().find(|m| m.published.as_ref() == Some(&cell.metric));
    let planned = |cell: &Cell| {
        series
            .iter()
            .any(|s| s.dataset.printed_name() == cell.dataset && s.column.labels == cell.labels)
    };
    let missing = evidence.published.cells.iter().filter(|cell| !planned(cell));
    missing
        .filter_map(|cell| {
            let metric = metric_of(cell)?;
            let unbuilt =
                benchmark.printed_columns.iter().any(|column| column.labels == cell.labels);
            let why = if unbuilt { PRINTED_ONLY } else { "not part of this profile" };
            let excluded = exclusion(benchmark, cell);
            let reason = excluded.map(|excluded| Remark::Excluded(excluded.reason.clone()));
            Some(NumberLine {
                column: None,
                metric,
                printed: cell.clone(),
                own: None,
                verdict: excluded
                    .map_or(Verdict::NotRun(why.into()), |e| Verdict::Excluded(e.verdict)),
                judgement: None,
                remarks: reason.into_iter().chain(reached(evidence, cell, metric)).collect(),
                first_trial: None,
            })
        })
        .collect()
}

/// Whether all of our columns with the labels of a printed number are variants of the protocol:
/// such a number belongs to no row of the main reading.
fn is_of_variants_alone(benchmark: &Benchmark, cell: &Cell) -> bool {
    let has_it =
        |method: &&MethodRow| method.columns.iter().any(|column| column.labels == cell.labels);
    let mut own = benchmark.methods.iter().filter(has_it).peekable();
    own.peek().is_some() && own.all(|method| method.variant.is_some())
}

/// The probability that a printed number of the same row, dealt at random, agrees with our mean.
fn by_chance(evidence: &Evidence, series: &Series, cell: &Cell, metric: &MetricRow) -> f64 {
    let plan = evidence.results.plan;
    let rows = series.test_rows().unwrap_or(1.0);
    let dealt: Vec<Cell> = evidence
        .published
        .cells
        .iter()
        .filter(|other| !is_of_variants_alone(&plan.benchmark, other))
        .filter(|other| unjudged(&plan.benchmark, other).is_none())
        .cloned()
        .collect();
    chance(&dealt, cell, |other, v| {
        let Some(ours) = ours(&plan.benchmark, series, other, metric) else { return false };
        let (verdict, _) = verdict::judge(other, v, &ours, &metric.id, rows, plan.profile);
        exclusion(&plan.benchmark, other).is_none() && verdict::passes(&verdict)
    })
}
