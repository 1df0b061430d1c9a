//! Judge a paper's sentences twice: on our runs, and on the paper's own printed numbers.

use std::collections::BTreeMap;

use rand::RngExt;

use super::results::{Results, Series, paired};
use super::statistics::{Summary, holm_levels};
use crate::benchmark::{self, Claim, Published, Quantifier, Statement, Term};
use crate::math::random::Streams;
use crate::metrics::MetricId;

/// Probability of wrongly finding a difference, over all comparisons of one claim.
const ALPHA: f64 = 0.05;

/// Draws of the bootstrap over repetitions.
const BOOTSTRAP: u64 = 4000;

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

/// Judges one claim of a benchmark.
pub fn judge(claim: &Claim, results: &Results) -> ClaimResult {
    let unprinted = (Judged::Undecided, "the paper prints no numbers for it".to_owned());
    let ((own, own_note, n), (printed, printed_note)) = match &claim.statement {
        Statement::Lower { terms, labels, x, reversed, quantifier } => {
            let pairs = compared(results, labels, *x, *reversed);
            (lower_own(terms, &pairs, *quantifier), lower_printed(terms, &pairs, *quantifier, results))
        }
        Statement::MinimumWithin { metric, labels, within } => {
            (minimum_within(&curve(results, labels), metric, *within), unprinted)
        }
        Statement::Increasing { metric, labels } => (increasing(&curve(results, labels), metric), unprinted),
        Statement::AtLeast { metric, labels, bound } => (at_least(results, metric, labels, *bound), unprinted),
    };
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

/// The summed terms of a column, per repetition.
fn summed(terms: &[Term], series: &Series) -> Vec<Option<f64>> {
    let mut total = vec![Some(0.0); series.repetitions.ends.len()];
    for term in terms {
        for (sum, value) in total.iter_mut().zip(series.values(&term.metric)) {
            let value = value.map(|v| if term.log { v.ln() } else { v });
            *sum = sum.zip(value).map(|(a, b)| a + b);
        }
    }
    total
}

fn lower_own(terms: &[Term], pairs: &[Pair], quantifier: Quantifier) -> (Judged, String, usize) {
    let summaries: Vec<Summary> = pairs
        .iter()
        .filter_map(|(test, reference)| Summary::of(&paired(&summed(terms, test), &summed(terms, reference))))
        .collect();
    let n = summaries.iter().map(|s| s.n).min().unwrap_or(0);
    let p: Vec<f64> = summaries.iter().map(|s| s.p_value().unwrap_or(1.0)).collect();
    let significant: Vec<bool> = p.iter().zip(holm_levels(&p, ALPHA)).map(|(p, level)| *p <= level).collect();
    let count = |wanted: bool| {
        summaries.iter().zip(&significant).filter(|(s, sure)| **sure && (s.mean < 0.0) == wanted).count()
    };
    let (below, above) = (count(true), count(false));
    let means = summaries.iter().filter(|s| s.mean < 0.0).count();
    let total = summaries.len();
    let needed = quantifier.needed(total);
    let judged = match total {
        0 => Judged::Undecided,
        _ if below >= needed => Judged::Holds,
        _ if total - above < needed => Judged::Fails,
        _ => Judged::Undecided,
    };
    let unrun = pairs.len() - total;
    let unrun = if unrun > 0 { format!("; {unrun} more not run") } else { String::new() };
    let note = format!(
        "{below} of {total} significantly lower, {above} significantly higher (paired, Holm 5 %), {means} lower in the \
         mean; {needed} needed{unrun}"
    );
    (judged, note, n)
}

fn lower_printed(terms: &[Term], pairs: &[Pair], quantifier: Quantifier, results: &Results) -> (Judged, String) {
    let printed = |series: &Series| terms.iter().map(|term| printed_term(term, series, results)).sum::<Option<f64>>();
    let differences: Vec<f64> =
        pairs.iter().filter_map(|(test, reference)| Some(printed(test)? - printed(reference)?)).collect();
    if differences.is_empty() {
        return (Judged::Undecided, "the paper prints no numbers for it".into());
    }
    // Printed numbers are decimal fractions: a difference below a millionth is a tie.
    let below = differences.iter().filter(|d| **d < -1e-6).count();
    let ties = differences.iter().filter(|d| d.abs() <= 1e-6).count();
    let needed = quantifier.needed(differences.len());
    let judged = if below >= needed { Judged::Holds } else { Judged::Fails };
    let total = differences.len();
    (judged, format!("printed: {below} of {total} lower, {ties} tied; {needed} needed"))
}

fn printed_term(term: &Term, series: &Series, results: &Results) -> Option<f64> {
    let benchmark = &results.plan.benchmark;
    let elsewhere = term.published_in.as_ref().and_then(|id| benchmark::find(id).ok());
    let source = elsewhere.as_ref().unwrap_or(benchmark);
    let published: Published = source.published_numbers().ok()?;
    let name = source.metrics.iter().find(|row| row.id == term.metric)?.published.as_ref()?;
    let v = published.cell(series.dataset.printed_name(), name, &series.column.labels)?.number()?;
    Some(if term.log { v.ln() } else { v })
}

/// The columns with these labels, by x.
fn curve<'a>(results: &'a Results, labels: &BTreeMap<String, String>) -> Vec<(f64, Series<'a>)> {
    let mut points: Vec<(f64, Series)> = results
        .series()
        .into_iter()
        .filter(|s| s.variant().is_none() && s.has_labels(labels))
        .filter_map(|s| Some((s.column.x?, s)))
        .collect();
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

fn increasing(points: &[(f64, Series)], metric: &MetricId) -> (Judged, String, usize) {
    let x: Vec<f64> = points.iter().map(|p| p.0).collect();
    let slopes: Vec<f64> = complete(points, metric).iter().map(|row| slope(&x, row)).collect();
    let n = slopes.len();
    match Summary::of(&slopes).and_then(|s| Some((s.mean, s.half_width(ALPHA)?))) {
        None => (Judged::Undecided, "too few repetitions".into(), n),
        Some((mean, h)) => {
            let judged = match mean {
                m if m - h > 0.0 => Judged::Holds,
                m if m + h < 0.0 => Judged::Fails,
                _ => Judged::Undecided,
            };
            (judged, format!("mean slope {mean:.4} ± {h:.4} (95 %, paired over repetitions)"), n)
        }
    }
}

/// Slope of the least squares line.
fn slope(x: &[f64], y: &[f64]) -> f64 {
    let n = x.len() as f64;
    let (mx, my) = (x.iter().sum::<f64>() / n, y.iter().sum::<f64>() / n);
    let sxy: f64 = x.iter().zip(y).map(|(x, y)| (x - mx) * (y - my)).sum();
    let sxx: f64 = x.iter().map(|x| (x - mx).powi(2)).sum();
    sxy / sxx
}

fn at_least(
    results: &Results,
    metric: &MetricId,
    labels: &BTreeMap<String, String>,
    bound: f64,
) -> (Judged, String, usize) {
    let all = results.series();
    let series = all.iter().find(|s| s.variant().is_none() && s.has_labels(labels));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slope_of_a_line() {
        assert!((slope(&[0.0, 1.0, 3.0], &[1.0, 3.0, 7.0]) - 2.0).abs() < 1e-15);
    }
}
