//! Judge on which level a metric is: within an interval, the same along a curve, above or below that on other datasets.
//!
//! Intervals are Student's at 5 %, divided by the number of comparisons (Bonferroni).

use std::collections::BTreeMap;

use super::{Judged, complete, curve};
use crate::benchmark::Extreme;
use crate::metrics::MetricId;
use crate::report::paired::ALPHA;
use crate::report::results::{Results, Series};
use crate::report::statistics::{Summary, t_quantile};

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

/// Whether the metric is larger (or smaller) on one dataset than on each other one, at every point.
pub fn extreme(
    results: &Results,
    metric: &MetricId,
    labels: &BTreeMap<String, String>,
    dataset: &str,
    end: Extreme,
) -> Verdict {
    let points = curve(results, labels);
    let logs = |series: &Series| -> Vec<f64> { series.values(metric).into_iter().flatten().map(f64::ln).collect() };
    let mut comparisons = Vec::new();
    for (x, own) in points.iter().filter(|(_, series)| series.dataset.key == dataset) {
        for (_, other) in points.iter().filter(|(at, series)| at == x && series.dataset.key != dataset) {
            comparisons.push((other.dataset.heading.clone(), logs(own), logs(other)));
        }
    }
    judge_extreme(&comparisons, end)
}

fn judge_extreme(comparisons: &[(String, Vec<f64>, Vec<f64>)], end: Extreme) -> Verdict {
    let n = comparisons.iter().flat_map(|(_, a, b)| [a.len(), b.len()]).min().unwrap_or(0);
    let (alpha, sign) = (ALPHA / comparisons.len().max(1) as f64, if end == Extreme::Highest { 1.0 } else { -1.0 });
    let (mut inside, mut outside) = (0, 0);
    let mut ratios: Vec<(&str, Vec<f64>)> = Vec::new();
    for (name, own, other) in comparisons {
        let (Some(a), Some(b)) = (Summary::of(own), Summary::of(other)) else { return few(n) };
        let (Some(of_a), Some(of_b)) = (a.standard_error(), b.standard_error()) else { return few(n) };
        // The smaller number of degrees: wider than Welch's interval.
        let Some(t) = t_quantile(1.0 - alpha / 2.0, a.n.min(b.n) - 1) else { return few(n) };
        let (difference, h) = (sign * (a.mean - b.mean), t * of_a.hypot(of_b));
        inside += usize::from(difference - h > 0.0);
        outside += usize::from(difference + h < 0.0);
        match ratios.iter_mut().find(|(known, _)| known == name) {
            Some((_, all)) => all.push((a.mean - b.mean).exp()),
            None => ratios.push((name, vec![(a.mean - b.mean).exp()])),
        }
    }
    if comparisons.is_empty() {
        return few(n);
    }
    let (word, opposite) = if end == Extreme::Highest { ("higher", "lower") } else { ("lower", "higher") };
    let range = |all: &[f64]| all.iter().fold((f64::INFINITY, 0.0_f64), |(a, b), r| (a.min(*r), b.max(*r)));
    let words: Vec<String> = ratios
        .iter()
        .map(|(name, all)| {
            let (low, high) = range(all);
            format!("{low:.2} to {high:.2} × {name}")
        })
        .collect();
    let note = format!(
        "geometric means over the points: {}; of {} comparisons {inside} significantly {word}, {outside} significantly {opposite} (95 % together)",
        words.join(", "),
        comparisons.len()
    );
    (count(inside, outside, comparisons.len()), note, n)
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
}
