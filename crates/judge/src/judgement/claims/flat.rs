//! Judge that a metric changes by less than a factor along a curve, paired over repetitions.

use super::curves::{columns_of, complete, curve_on};
use super::kind::{Finding, JudgeClaim};
use super::levels::{count, few};
use super::note::Note;
use crate::evidence::{Evidence, EvidenceError, Results, Series};
use uq_core::stats::Summary;
use uq_core::stats::paired::ALPHA;
use uqbench_run::benchmark::claims::Flat;

impl JudgeClaim for Flat {
    fn columns<'a>(&self, results: &'a Results) -> Vec<Series<'a>> {
        columns_of(curve_on(results, &self.dataset, &self.labels))
    }

    fn own(&self, evidence: &Evidence) -> Result<Finding, EvidenceError> {
        let points = curve_on(&evidence.results, &self.dataset, &self.labels);
        let x: Vec<f64> = points.iter().map(|(x, _)| *x).collect();
        Ok(judge_flat(&x, &complete(&points, &self.metric), self.factor))
    }
}

/// `rows`: repetition × point.
fn judge_flat(x: &[f64], rows: &[Vec<f64>], factor: f64) -> Finding {
    let n = rows.len();
    if x.len() < 2 || n < 2 || rows.iter().flatten().any(|v| v.is_nan() || *v <= 0.0) {
        return few(n);
    }
    let pairs: Vec<(usize, usize)> =
        (0..x.len()).flat_map(|i| (0..i).map(move |j| (j, i))).collect();
    let alpha = ALPHA / pairs.len() as f64;
    let bound = factor.ln();
    let mut largest = (0.0, 0.0, 0.0);
    let (mut inside, mut outside) = (0, 0);
    for &(i, j) in &pairs {
        let logs: Vec<f64> = rows.iter().map(|row| (row[j] / row[i]).ln()).collect();
        let Some((mean, h)) =
            Summary::from_values(&logs).and_then(|s| Some((s.mean, s.half_width(alpha)?)))
        else {
            return few(n);
        };
        inside += usize::from(mean.abs() + h <= bound);
        outside += usize::from(mean.abs() - h > bound);
        if mean.abs() > f64::abs(largest.0) {
            largest = (mean, x[i], x[j]);
        }
    }
    let (mean, from, to) = largest;
    let (largest, pairs) = (mean.exp(), pairs.len());
    Finding {
        judged: count(inside, outside, pairs),
        note: Note::Flat { largest, between: (from, to), factor, pairs, inside, outside },
        n,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judgement::claims::Judged;

    #[test]
    fn a_curve_is_flat_where_all_changes_are_small_for_sure() {
        // Levels that differ between repetitions by far more than between points.
        let rows = |last: f64| -> Vec<Vec<f64>> {
            (1..=12)
                .map(f64::from)
                .map(|level: f64| vec![level, level * (1.01 + 1e-4 * level), level * last])
                .collect()
        };
        let x = [10.0, 25.0, 50.0];
        assert_eq!(judge_flat(&x, &rows(1.05), 1.1).judged, Judged::Holds);
        let found = judge_flat(&x, &rows(1.5), 1.1);
        assert_eq!((found.judged, found.n), (Judged::Fails, 12));
        let Note::Flat { largest, between, factor, pairs, inside, outside } = found.note else {
            panic!("it is another note")
        };
        assert!((largest - 1.5).abs() < 1e-12, "{largest}");
        assert_eq!((between, factor), ((10.0, 50.0), 1.1));
        assert_eq!([pairs, inside, outside], [3, 1, 2]);
        let zero = [vec![1.0, 0.0, 1.0], vec![1.0; 3]];
        assert_eq!(judge_flat(&x, &zero, 1.1), few(2), "no logarithm");
    }
}
