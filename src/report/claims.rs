//! Judge a paper's sentences twice: on our runs, and on the paper's own printed numbers.

mod better;
mod entropy_bound;
mod exponent;
mod levels;
mod measured;
mod ranked;
mod recovered;
mod unbeaten;

use std::collections::BTreeMap;

use rand::RngExt;

use crate::benchmark::{self, Benchmark, Claim, Measured, Profile, Published, Quantifier, Statement, Term};
use crate::evidence::results::{Results, Series};
use crate::math::random::Streams;
use crate::metrics::MetricId;
use crate::runner::store::Store;
use crate::stats::paired::{ALPHA, compare, paired};

/// Draws of the bootstrap over repetitions.
const BOOTSTRAP: u64 = 4000;

/// What is said of a sentence without numbers.
const UNPRINTED: &str = "the paper prints no numbers for it";

/// Whether a sentence holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judged {
    /// It does.
    Holds,
    /// It does not.
    Fails,
    /// The runs, or the printed numbers, do not tell.
    Undecided,
}

impl Judged {
    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Fails => "fails",
            Self::Undecided => "undecided",
        }
    }
}

/// What became of a claim.
#[derive(Clone, Debug, PartialEq)]
pub struct ClaimResult {
    /// On our runs.
    pub own: Judged,
    /// What our runs show, in words.
    pub own_note: String,
    /// On the paper's printed numbers.
    pub printed: Judged,
    /// What the printed numbers show, in words.
    pub printed_note: String,
    /// Number of repetitions.
    pub n: usize,
}

/// Judges one claim of a benchmark. Before the full profile, or with fewer than ten repetitions, our runs decide
/// nothing, and the note says what they show so far.
pub fn judge(claim: &Claim, results: &Results, store: &Store) -> ClaimResult {
    let unprinted = || (Judged::Undecided, UNPRINTED.to_owned());
    let ((mut own, mut own_note, n), (printed, printed_note)) = match &claim.statement {
        Statement::Lower { terms, labels, x, reversed, quantifier } => {
            let pairs = compared(results, labels, *x, *reversed);
            let printed = lower_printed(terms, labels, *reversed, *quantifier, &results.plan.benchmark);
            (lower_own(terms, &pairs, *quantifier), printed)
        }
        Statement::MinimumWithin { metric, labels, within } => {
            (minimum_within(&curve(results, labels), metric, *within), unprinted())
        }
        Statement::Increasing { metric, labels } => (increasing(&curve(results, labels), metric), unprinted()),
        Statement::AtLeast { metric, labels, dataset, bound } => {
            (at_least(results, metric, labels, dataset.as_deref(), *bound), unprinted())
        }
        Statement::ExponentAtMost { metric, labels, x, bound } => {
            (exponent::at_most(&curve(results, labels), metric, *x, *bound), unprinted())
        }
        Statement::Better { metric, test, references, datasets, quantifier } => {
            let sides = better::Sides { test, references, datasets };
            (
                better::own(results, metric, &sides, *quantifier),
                better::printed(&results.plan.benchmark, metric, &sides, *quantifier),
            )
        }
        Statement::Ranked { metrics, test, references, rank, unit, quantifier } => {
            let among = ranked::Among { test, references, rank: *rank, unit: *unit, quantifier: *quantifier };
            (ranked::own(results, metrics, &among), ranked::printed(&results.plan.benchmark, metrics, &among))
        }
        Statement::Recovered { labels, dataset, bound } => {
            (recovered::own(results, labels, dataset, *bound, store), unprinted())
        }
        Statement::Measured(measured) => (measured::own(results, measured, store), unprinted()),
        Statement::Unbeaten { metric, labels, recommended } => {
            (unbeaten::own(results, metric, labels, recommended), unprinted())
        }
        Statement::Within { metric, labels, dataset, low, high } => {
            let interval = (low.unwrap_or(f64::NEG_INFINITY), high.unwrap_or(f64::INFINITY));
            (levels::within(&unbeaten::curve_on(results, dataset, labels), metric, interval), unprinted())
        }
        Statement::Flat { metric, labels, dataset, factor } => {
            (levels::flat(&unbeaten::curve_on(results, dataset, labels), metric, *factor), unprinted())
        }
        Statement::Extreme { metric, labels, dataset, end } => {
            (levels::extreme(results, metric, labels, dataset, *end), unprinted())
        }
        Statement::EntropyBound { bound } => (entropy_bound::over_random_mixtures(*bound), unprinted()),
    };
    if results.plan.profile != Profile::Full || n < 10 {
        own_note = format!("preview, so far “{}”: {own_note}", own.as_str());
        own = Judged::Undecided;
    }
    ClaimResult { own, own_note, printed, printed_note, n }
}

type Pair<'a> = (Series<'a>, Series<'a>);

/// The comparisons that a claim is about: main readings of the paper only.
fn compared<'a>(
    results: &'a Results,
    labels: &BTreeMap<String, Vec<String>>,
    x: Option<(f64, f64)>,
    reversed: bool,
) -> Vec<Pair<'a>> {
    let Some(contrast) = &results.plan.benchmark.contrast else { return Vec::new() };
    let selected = |series: &Series| {
        let by_label =
            labels.iter().all(|(k, allowed)| series.column.labels.get(k).is_some_and(|v| allowed.contains(v)));
        let by_x = x.is_none_or(|(low, high)| series.column.x.is_some_and(|x| (low..=high).contains(&x)));
        series.variant().is_none() && by_label && by_x
    };
    let pairs = results.pairs(contrast).into_iter().filter(|(test, _)| selected(test));
    pairs.map(|(test, reference)| if reversed { (reference, test) } else { (test, reference) }).collect()
}

/// The columns that a claim is judged by, on every dataset.
pub fn columns<'a>(claim: &Claim, results: &'a Results) -> Vec<Series<'a>> {
    match &claim.statement {
        Statement::Lower { labels, x, reversed, .. } => {
            compared(results, labels, *x, *reversed).into_iter().flat_map(|(low, high)| [low, high]).collect()
        }
        Statement::MinimumWithin { labels, .. }
        | Statement::Increasing { labels, .. }
        | Statement::ExponentAtMost { labels, .. } => {
            curve(results, labels).into_iter().map(|(_, series)| series).collect()
        }
        Statement::AtLeast { labels, dataset, .. } => {
            results.series().into_iter().filter(|s| s.is_column(labels, dataset.as_deref())).collect()
        }
        Statement::Better { test, references, datasets, .. } => {
            better::Sides { test, references, datasets }.columns(results)
        }
        Statement::Unbeaten { labels, recommended, .. } => {
            recommended.keys().flat_map(|key| unbeaten::curve_on(results, key, labels)).map(|(_, s)| s).collect()
        }
        Statement::Recovered { labels, dataset, .. } => {
            results.series().into_iter().filter(|s| s.is_column(labels, Some(dataset))).collect()
        }
        Statement::Measured(Measured { labels, datasets, .. }) => {
            let on = |s: &Series| datasets.contains(&s.dataset.key);
            results.series().into_iter().filter(|s| s.is_column(labels, None) && on(s)).collect()
        }
        Statement::Ranked { test, references, .. } => {
            better::Sides { test, references, datasets: &[] }.columns(results)
        }
        Statement::Within { labels, dataset, .. } | Statement::Flat { labels, dataset, .. } => {
            unbeaten::curve_on(results, dataset, labels).into_iter().map(|(_, series)| series).collect()
        }
        Statement::Extreme { labels, .. } => curve(results, labels).into_iter().map(|(_, series)| series).collect(),
        Statement::EntropyBound { .. } => Vec::new(),
    }
}

/// The summed terms of a column, per repetition.
fn summed(terms: &[Term], series: &Series) -> Vec<Option<f64>> {
    let mut total = vec![Some(0.0); series.expected()];
    for term in terms {
        for (sum, value) in total.iter_mut().zip(series.values(&term.metric)) {
            let value = value.map(|v| if term.log { v.ln() } else { v });
            *sum = sum.zip(value).map(|(a, b)| a + b);
        }
    }
    total
}

fn lower_own(terms: &[Term], pairs: &[Pair], quantifier: Quantifier) -> (Judged, String, usize) {
    let family: Vec<Vec<f64>> =
        pairs.iter().map(|(test, reference)| paired(&summed(terms, test), &summed(terms, reference))).collect();
    count_lower(&family, quantifier, ["lower", "higher"])
}

/// Counts the comparisons whose differences test − reference lie below zero and above it; `words` name the two.
fn count_lower(family: &[Vec<f64>], quantifier: Quantifier, words: [&str; 2]) -> (Judged, String, usize) {
    let found: Vec<_> = compare(family).into_iter().flatten().collect();
    let n = found.iter().map(|c| c.summary.n).min().unwrap_or(0);
    let below = found.iter().filter(|c| c.significant && c.summary.mean < 0.0).count();
    let above = found.iter().filter(|c| c.significant && c.summary.mean > 0.0).count();
    let means = found.iter().filter(|c| c.summary.mean < 0.0).count();
    // A comparison that was not run counts for neither side.
    let total = family.len();
    let needed = quantifier.needed(total);
    let judged = match total {
        0 => Judged::Undecided,
        _ if below >= needed => Judged::Holds,
        _ if total - above < needed => Judged::Fails,
        _ => Judged::Undecided,
    };
    let [low, high] = words;
    let unrun = total - found.len();
    let unrun = if unrun > 0 { format!(", {unrun} not run") } else { String::new() };
    let note = format!(
        "of {total} comparisons {below} significantly {low}, {above} significantly {high} (paired, Holm 5 %), {means} \
         {low} in the mean{unrun}; {needed} needed"
    );
    (judged, note, n)
}

/// The printed numbers alone: every pair of printed cells that the contrast makes.
fn lower_printed(
    terms: &[Term],
    labels: &BTreeMap<String, Vec<String>>,
    reversed: bool,
    quantifier: Quantifier,
    benchmark: &Benchmark,
) -> (Judged, String) {
    let none = || (Judged::Undecided, UNPRINTED.to_owned());
    let (Some(contrast), Some(tables)) = (&benchmark.contrast, printed_tables(terms, benchmark)) else { return none() };
    let Some((first, name)) = tables.first() else { return none() };
    let tests = first.cells.iter().filter(|cell| {
        cell.metric == *name
            && cell.labels.get(&contrast.label) == Some(&contrast.test)
            && labels.iter().all(|(k, allowed)| cell.labels.get(k).is_some_and(|v| allowed.contains(v)))
    });
    let differences: Vec<f64> = tests
        .filter_map(|cell| {
            let mut reference = cell.labels.clone();
            reference.insert(contrast.label.clone(), contrast.reference.clone());
            let sum = |labels: &BTreeMap<String, String>| -> Option<f64> {
                let printed = |((table, name), term): (&(Published, String), &Term)| {
                    let v = table.cell(&cell.dataset, name, labels)?.number()?;
                    Some(if term.log { v.ln() } else { v })
                };
                tables.iter().zip(terms).map(printed).sum()
            };
            let difference = sum(&cell.labels)? - sum(&reference)?;
            Some(if reversed { -difference } else { difference })
        })
        .collect();
    if differences.is_empty() { none() } else { count_printed(&differences, quantifier, "lower") }
}

/// Counts printed differences below zero; `word` names them.
fn count_printed(differences: &[f64], quantifier: Quantifier, word: &str) -> (Judged, String) {
    // Printed numbers are decimal fractions: a difference below a millionth is a tie.
    let below = differences.iter().filter(|d| **d < -1e-6).count();
    let ties = differences.iter().filter(|d| d.abs() <= 1e-6).count();
    let (total, needed) = (differences.len(), quantifier.needed(differences.len()));
    let judged = if below >= needed { Judged::Holds } else { Judged::Fails };
    (judged, format!("printed: {below} of {total} {word}, {ties} tied; {needed} needed"))
}

/// For each term, the printed table that holds its metric, and the metric's name there.
fn printed_tables(terms: &[Term], benchmark: &Benchmark) -> Option<Vec<(Published, String)>> {
    let of_term = |term: &Term| {
        let elsewhere = match &term.published_in {
            Some(id) => Some(benchmark::find(id).ok()?),
            None => None,
        };
        let source = elsewhere.as_ref().unwrap_or(benchmark);
        let name = source.metrics.iter().find(|row| row.id == term.metric)?.published.clone()?;
        Some((source.published_numbers().ok()?, name))
    };
    terms.iter().map(of_term).collect()
}

/// The columns with these labels, by x.
fn curve<'a>(results: &'a Results, labels: &BTreeMap<String, String>) -> Vec<(f64, Series<'a>)> {
    let mut points: Vec<(f64, Series)> =
        results.series().into_iter().filter(|s| s.is_column(labels, None)).filter_map(|s| Some((s.x()?, s))).collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    points
}

/// Scores of the repetitions that have one at every point: repetition × point.
fn complete(points: &[(f64, Series)], metric: &MetricId) -> Vec<Vec<f64>> {
    let columns: Vec<Vec<Option<f64>>> = points.iter().map(|(_, series)| series.values(metric)).collect();
    let repetitions = columns.iter().map(Vec::len).min().unwrap_or(0);
    (0..repetitions).filter_map(|r| columns.iter().map(|column| column[r]).collect()).collect()
}

fn minimum_within(points: &[(f64, Series)], metric: &MetricId, within: (f64, f64)) -> (Judged, String, usize) {
    let rows = complete(points, metric);
    let n = rows.len();
    if n < 2 || points.is_empty() {
        return (Judged::Undecided, "too few repetitions".into(), n);
    }
    let minimum = |chosen: &mut dyn Iterator<Item = usize>| {
        let mut sums = vec![0.0; points.len()];
        for row in chosen {
            sums.iter_mut().zip(&rows[row]).for_each(|(sum, value)| *sum += value);
        }
        let best = sums.iter().enumerate().min_by(|a, b| a.1.total_cmp(b.1)).map_or(0, |(i, _)| i);
        points[best].0
    };
    let whole = minimum(&mut (0..n));
    let mut rng = Streams::new(0, "claims").stream("bootstrap", 0);
    let mut minima: Vec<f64> =
        (0..BOOTSTRAP).map(|_| minimum(&mut (0..n).map(|_| rng.random_range(0..n as u64) as usize))).collect();
    minima.sort_by(f64::total_cmp);
    let inside = minima.iter().filter(|x| (within.0..=within.1).contains(*x)).count() as f64 / minima.len() as f64;
    let at = |share: f64| minima[((minima.len() - 1) as f64 * share).round() as usize];
    let judged = match inside {
        share if share >= 1.0 - ALPHA => Judged::Holds,
        share if share <= ALPHA => Judged::Fails,
        _ => Judged::Undecided,
    };
    let note = format!(
        "minimum of the mean at {whole}; bootstrap over repetitions: 95 % within [{}, {}], {:.0} % within [{}, {}]",
        at(0.025),
        at(0.975),
        100.0 * inside,
        within.0,
        within.1
    );
    (judged, note, n)
}

/// From each point to the next, Holm-corrected over the steps.
fn increasing(points: &[(f64, Series)], metric: &MetricId) -> (Judged, String, usize) {
    let rows = complete(points, metric);
    let steps: Vec<Vec<f64>> =
        (1..points.len()).map(|i| rows.iter().map(|row| row[i] - row[i - 1]).collect()).collect();
    let found: Vec<_> = compare(&steps).into_iter().flatten().collect();
    let up = found.iter().filter(|c| c.significant && c.summary.mean > 0.0).count();
    let down = found.iter().filter(|c| c.significant && c.summary.mean < 0.0).count();
    let means = found.iter().filter(|c| c.summary.mean > 0.0).count();
    let judged = match found.len() {
        0 => Judged::Undecided,
        _ if down > 0 => Judged::Fails,
        total if up == total => Judged::Holds,
        _ => Judged::Undecided,
    };
    let note = format!(
        "of {} steps {up} significantly up, {down} significantly down (paired, Holm 5 %), {means} up in the mean",
        steps.len()
    );
    (judged, note, rows.len())
}

fn at_least(
    results: &Results,
    metric: &MetricId,
    labels: &BTreeMap<String, String>,
    dataset: Option<&str>,
    bound: f64,
) -> (Judged, String, usize) {
    let all = results.series();
    let series = all.iter().find(|s| s.is_column(labels, dataset));
    let Some(summary) = series.and_then(|s| s.summary(metric)) else {
        return (Judged::Undecided, "not run".into(), 0);
    };
    let Some(h) = summary.half_width(ALPHA) else {
        return (Judged::Undecided, format!("{:.3} in the only repetition, bound {bound}", summary.mean), summary.n);
    };
    let judged = match summary.mean {
        m if m - h >= bound => Judged::Holds,
        m if m + h < bound => Judged::Fails,
        _ => Judged::Undecided,
    };
    (judged, format!("{:.3} ± {h:.3} (95 %), bound {bound}", summary.mean), summary.n)
}
