//! Judge that a metric changes by less than a factor along a curve, paired over repetitions.

use super::curves::{columns_of, complete, curve_on};
use super::kind::{Finding, JudgeClaim};
use super::levels::{count, few};
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
    let note = format!(
        "largest change by a factor {:.3} from {from} to {to}; of {} pairs {inside} within a \
         factor {factor} either way (95 % together, paired), {outside} beyond",
        mean.exp(),
        pairs.len()
    );
    (count(inside, outside, pairs.len()), note, n)
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
        assert_eq!(judge_flat(&x, &rows(1.05), 1.1).0, Judged::Holds);
        let (judged, note, n) = judge_flat(&x, &rows(1.5), 1.1);
        assert_eq!((judged, n), (Judged::Fails, 12));
        assert!(
            note.starts_with("largest change by a factor 1.500 from 10 to 50; of 3 pairs 1 within"),
            "{note}"
        );
        assert_eq!(
            judge_flat(&x, &[vec![1.0, 0.0, 1.0], vec![1.0; 3]], 1.1).0,
            Judged::Undecided,
            "no logarithm"
        );
    }
}
