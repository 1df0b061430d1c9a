//! Judge that the mean of a metric lies within an interval at every point of a curve.

use super::curves::{columns_of, curve_on};
use super::kind::{Finding, JudgeClaim};
use super::levels::{count, few};
use super::note::Note;
use crate::evidence::{Evidence, EvidenceError, Results, Series};
use uq_core::stats::Summary;
use uq_core::stats::paired::ALPHA;
use uqbench_run::benchmark::claims::Within;

impl JudgeClaim for Within {
    fn columns<'a>(&self, results: &'a Results) -> Vec<Series<'a>> {
        columns_of(curve_on(results, &self.dataset, &self.labels))
    }

    fn own(&self, evidence: &Evidence) -> Result<Finding, EvidenceError> {
        let points = curve_on(&evidence.results, &self.dataset, &self.labels);
        let found: Vec<(f64, Vec<f64>)> = points
            .iter()
            .map(|(x, series)| (*x, series.values(&self.metric).into_iter().flatten().collect()))
            .collect();
        Ok(judge_within(&found, self.interval()))
    }
}

fn judge_within(points: &[(f64, Vec<f64>)], (low, high): (f64, f64)) -> Finding {
    let n = points.iter().map(|(_, values)| values.len()).min().unwrap_or(0);
    let alpha = ALPHA / points.len().max(1) as f64;
    let intervals: Option<Vec<(f64, f64, f64)>> = points
        .iter()
        .map(|(x, values)| {
            Summary::from_values(values).and_then(|s| Some((*x, s.mean, s.half_width(alpha)?)))
        })
        .collect();
    let Some(means) = intervals.filter(|all| !all.is_empty()) else { return few(n) };
    let inside = means.iter().filter(|(_, m, h)| m - h >= low && m + h <= high).count();
    let outside = means.iter().filter(|(_, m, h)| m + h < low || m - h > high).count();
    Finding {
        judged: count(inside, outside, means.len()),
        note: Note::Within { means, interval: (low, high), inside, outside },
        n,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judgement::claims::Judged;

    fn near(mean: f64) -> Vec<f64> {
        (0..10).map(|i| mean + 0.01 * (f64::from(i) - 4.5)).collect()
    }

    #[test]
    fn an_interval_holds_all_means_or_misses_one() {
        let of =
            |means: [f64; 2], interval| judge_within(&means.map(|m| (m, near(m))), interval).judged;
        assert_eq!(of([0.95, 1.05], (0.9, 1.1)), Judged::Holds);
        assert_eq!(of([0.95, 1.2], (0.9, 1.1)), Judged::Fails);
        assert_eq!(of([0.95, 1.1], (0.9, 1.1)), Judged::Undecided);
        assert_eq!(of([2.0, 3.0], (1.0, f64::INFINITY)), Judged::Holds);
        assert_eq!(judge_within(&[], (0.0, 1.0)), few(0));
        // Ten values 0.01 apart have sd 0.0303; t(0.9875, 9) = 2.6850 (mpmath): half width 0.0257.
        let found = judge_within(&[(1.0, near(1.0)), (2.0, near(1.0))], (0.0, 2.0));
        let Note::Within { means, interval, inside, outside } = found.note else {
            panic!("it is another note")
        };
        assert_eq!((interval, inside, outside), ((0.0, 2.0), 2, 0));
        for ((x, mean, half_width), point) in means.into_iter().zip([1.0, 2.0]) {
            assert_eq!(x, point);
            assert!((mean - 1.0).abs() < 1e-12 && (half_width - 0.0257).abs() < 1e-4);
        }
    }
}
