//! Judge on which level a metric is: within an interval, the same along a curve, above or below that on other datasets.
//!
//! Intervals are Student's at 5 %, divided by the number of comparisons (Bonferroni).

use std::collections::BTreeMap;

use super::{Judged, complete, curve};
use crate::benchmark::Extreme;
use crate::evidence::results::{Results, Series};
use crate::metrics::MetricId;
use crate::stats::paired::ALPHA;
use crate::stats::{Summary, t_quantile};

type Verdict = (Judged, String, usize);

/// Whether the mean at every point lies within the interval.
pub fn within(points: &[(f64, Series)], metric: &MetricId, interval: (f64, f64)) -> Verdict {
    let found: Vec<(f64, Vec<f64>)> =
        points.iter().map(|(x, series)| (*x, series.values(metric).into_iter().flatten().collect())).collect();
    judge_within(&found, interval)
}

fn judge_within(points: &[(f64, Vec<f64>)], (low, high): (f64, f64)) -> Verdict {
    let n = points.iter().map(|(_, values)| values.len()).min().unwrap_or(0);
    let alpha = ALPHA / points.len().max(1) as f64;
    let intervals: Option<Vec<(f64, f64, f64)>> = points
        .iter()
        .map(|(x, values)| Summary::of(values).and_then(|s| Some((*x, s.mean, s.half_width(alpha)?))))
        .collect();
    let Some(intervals) = intervals.filter(|all| !all.is_empty()) else { return few(n) };
    let inside = intervals.iter().filter(|(_, m, h)| m - h >= low && m + h <= high).count();
    let outside = intervals.iter().filter(|(_, m, h)| m + h < low || m - h > high).count();
    let means: Vec<String> = intervals.iter().map(|(x, m, h)| format!("{x}: {m:.3} ± {h:.3}")).collect();
    let note = format!(
        "means by x (95 % together): {}; {inside} of {} within [{low}, {high}], {outside} outside",
        means.join(", "),
        intervals.len()
    );
    (count(inside, outside, intervals.len()), note, n)
}

/// Whether the logarithm changes by less than that of the factor between any two points, paired over repetitions.
pub fn flat(points: &[(f64, Series)], metric: &MetricId, factor: f64) -> Verdict {
    let x: Vec<f64> = points.iter().map(|(x, _)| *x).collect();
    judge_flat(&x, &complete(points, metric), factor)
}

/// `rows`: repetition × point.
fn judge_flat(x: &[f64], rows: &[Vec<f64>], factor: f64) -> Verdict {
    let n = rows.len();
    if x.len() < 2 || n < 2 || rows.iter().flatten().any(|v| v.is_nan() || *v <= 0.0) {
        return few(n);
    }
    let pairs: Vec<(usize, usize)> = (0..x.len()).flat_map(|i| (0..i).map(move |j| (j, i))).collect();
    let alpha = ALPHA / pairs.len() as f64;
    let bound = factor.ln();
    let mut largest = (0.0, 0.0, 0.0);
    let (mut inside, mut outside) = (0, 0);
    for &(i, j) in &pairs {
        let logs: Vec<f64> = rows.iter().map(|row| (row[j] / row[i]).ln()).collect();
        let Some((mean, h)) = Summary::of(&logs).and_then(|s| Some((s.mean, s.half_width(alpha)?))) else {
            return few(n);
        };
        inside += usize::from(mean.abs() + h <= bound);
        outside += usize::from(mean.abs() - h > bound);
        if mean.abs() > f64::abs(largest.0) {
            largest = (mean, x[i], x[j]);
        }
    }
    let (mean, from, to) = largest;
    let note = format!(
        "largest change by a factor {:.3} from {from} to {to}; of {} pairs {inside} within a factor {factor} either way (95 % together, \
         paired), {outside} beyond",
        mean.exp(),
        pairs.len()
    );
    (count(inside, outside, pairs.len()), note, n)
}

/// Whether the metric is larger (or smaller) on one dataset than on each other one, at every point: in more than half of all pairs of
/// repetitions, one of either dataset.
pub fn extreme(
    results: &Results,
    metric: &MetricId,
    labels: &BTreeMap<String, String>,
    dataset: &str,
    end: Extreme,
) -> Verdict {
    let points = curve(results, labels);
    let values = |series: &Series| -> Vec<f64> { series.values(metric).into_iter().flatten().collect() };
    let mut comparisons = Vec::new();
    for (x, own) in points.iter().filter(|(_, series)| series.dataset.key == dataset) {
        for (_, other) in points.iter().filter(|(at, series)| at == x && series.dataset.key != dataset) {
            comparisons.push((other.dataset.heading.clone(), values(own), values(other)));
        }
    }
    judge_extreme(&comparisons, end)
}

fn judge_extreme(comparisons: &[(String, Vec<f64>, Vec<f64>)], end: Extreme) -> Verdict {
    let n = comparisons.iter().flat_map(|(_, a, b)| [a.len(), b.len()]).min().unwrap_or(0);
    if n < 2 {
        return few(n);
    }
    let Some(t) = t_quantile(1.0 - ALPHA / (2.0 * comparisons.len() as f64), n - 1) else { return few(n) };
    let (mut inside, mut outside) = (0, 0);
    let mut ranges: Vec<(&str, f64, f64)> = Vec::new();
    for (name, own, other) in comparisons {
        let (share, error) = if end == Extreme::Highest { superiority(own, other) } else { superiority(other, own) };
        inside += usize::from(share - t * error > 0.5);
        outside += usize::from(share + t * error < 0.5);
        match ranges.iter_mut().find(|(known, ..)| known == name) {
            Some((_, low, high)) => (*low, *high) = (low.min(share), high.max(share)),
            None => ranges.push((name, share, share)),
        }
    }
    let (word, opposite) = if end == Extreme::Highest { ("higher", "lower") } else { ("lower", "higher") };
    let words: Vec<String> = ranges
        .iter()
        .map(|(name, low, high)| format!("than {name} in {:.0} to {:.0} %", 100.0 * low, 100.0 * high))
        .collect();
    let note = format!(
        "{word} {} of the pairs of repetitions, over the points; of {} comparisons {inside} significantly {word}, {outside} \
         significantly {opposite} (Mann and Whitney, 95 % together)",
        words.join(", "),
        comparisons.len()
    );
    (count(inside, outside, comparisons.len()), note, n)
}

/// The share of pairs whose first number is the larger one, ties counted half, and its standard error (E. R. DeLong, D. M. DeLong, D. L.
/// Clarke-Pearson, Biometrics 44, 1988, Eqs. 2 to 5).
fn superiority(first: &[f64], second: &[f64]) -> (f64, f64) {
    let score = |a: f64, b: f64| if a == b { 0.5 } else { f64::from(a > b) };
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let places = |of: &dyn Fn(f64, f64) -> f64, own: &[f64], other: &[f64]| -> Vec<f64> {
        own.iter().map(|a| other.iter().map(|b| of(*a, *b)).sum::<f64>() / other.len() as f64).collect()
    };
    let (of_first, of_second) = (places(&score, first, second), places(&|a, b| score(b, a), second, first));
    let share = mean(&of_first);
    let error = |places: &[f64]| {
        let squares: f64 = places.iter().map(|p| (p - share).powi(2)).sum();
        squares / ((places.len() - 1) * places.len()) as f64
    };
    (share, (error(&of_first) + error(&of_second)).sqrt())
}

fn few(n: usize) -> Verdict {
    (Judged::Undecided, "too few repetitions with a number at every point".into(), n)
}

/// All must be inside; one outside refutes.
fn count(inside: usize, outside: usize, total: usize) -> Judged {
    match () {
        () if outside > 0 => Judged::Fails,
        () if inside == total => Judged::Holds,
        () => Judged::Undecided,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(mean: f64) -> Vec<f64> {
        (0..10).map(|i| mean + 0.01 * (f64::from(i) - 4.5)).collect()
    }

    #[test]
    fn an_interval_holds_all_means_or_misses_one() {
        let of = |means: [f64; 2], interval| judge_within(&means.map(|m| (m, near(m))), interval).0;
        assert_eq!(of([0.95, 1.05], (0.9, 1.1)), Judged::Holds);
        assert_eq!(of([0.95, 1.2], (0.9, 1.1)), Judged::Fails);
        assert_eq!(of([0.95, 1.1], (0.9, 1.1)), Judged::Undecided);
        assert_eq!(of([2.0, 3.0], (1.0, f64::INFINITY)), Judged::Holds);
        assert_eq!(judge_within(&[], (0.0, 1.0)).0, Judged::Undecided);
        // Ten values 0.01 apart have sd 0.0303; t(0.9875, 9) = 2.6850 (mpmath): half width 0.0257.
        assert!(judge_within(&[(1.0, near(1.0)), (2.0, near(1.0))], (0.0, 2.0)).1.contains("1: 1.000 ± 0.026"));
    }

    #[test]
    fn a_curve_is_flat_where_all_changes_are_small_for_sure() {
        // Levels that differ between repetitions by far more than between points.
        let rows = |last: f64| -> Vec<Vec<f64>> {
            (1..=12).map(f64::from).map(|level: f64| vec![level, level * (1.01 + 1e-4 * level), level * last]).collect()
        };
        let x = [10.0, 25.0, 50.0];
        assert_eq!(judge_flat(&x, &rows(1.05), 1.1).0, Judged::Holds);
        let (judged, note, n) = judge_flat(&x, &rows(1.5), 1.1);
        assert_eq!((judged, n), (Judged::Fails, 12));
        assert!(note.starts_with("largest change by a factor 1.500 from 10 to 50; of 3 pairs 1 within"), "{note}");
        assert_eq!(judge_flat(&x, &[vec![1.0, 0.0, 1.0], vec![1.0; 3]], 1.1).0, Judged::Undecided, "no logarithm");
    }

    #[test]
    fn an_end_of_an_order_is_beyond_every_other() {
        let of = |own: f64, others: [f64; 2], end| {
            let comparisons = others.map(|other| (format!("d{other}"), near(own), near(other)));
            judge_extreme(&comparisons, end).0
        };
        assert_eq!(of(2.0, [1.0, 1.5], Extreme::Highest), Judged::Holds);
        assert_eq!(of(2.0, [1.0, 2.5], Extreme::Highest), Judged::Fails);
        assert_eq!(of(2.0, [2.0, 1.0], Extreme::Highest), Judged::Undecided);
        assert_eq!(of(2.0, [3.0, 4.0], Extreme::Lowest), Judged::Holds);
        assert_eq!(judge_extreme(&[], Extreme::Lowest).0, Judged::Undecided);
    }

    #[test]
    fn pairs_are_counted_by_hand() {
        // Of {1, 3, 5} against {2, 3}: 0, 1½ and 2 of two, so 3½ of six; of {2, 3} 2 and 1½ of three.
        let (share, error) = superiority(&[1.0, 3.0, 5.0], &[2.0, 3.0]);
        assert!((share - 3.5 / 6.0).abs() < 1e-15);
        // Variances of (0, ¾, 1) and (2/3, 1/2) about 7/12: 13/48 and 1/72, by 3 and 2.
        assert!((error * error - (13.0 / 48.0 / 3.0 + 1.0 / 72.0 / 2.0)).abs() < 1e-15, "{}", error * error);
        assert_eq!(superiority(&[2.0, 3.0], &[0.0, 1.0]), (1.0, 0.0));
        let (one, other) = (superiority(&near(2.0), &near(2.01)), superiority(&near(2.01), &near(2.0)));
        assert!((one.0 + other.0 - 1.0).abs() < 1e-14 && (one.1 - other.1).abs() < 1e-14);
    }
}
