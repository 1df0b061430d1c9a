//! Judge that a curve increases from each point to the next, with Holm's correction over the steps.

use super::curves::{columns_of, complete, curve};
use super::kind::{Finding, JudgeClaim};
use super::outcome::Judged;
use crate::evidence::{Evidence, EvidenceError, Results, Series};
use uq_core::stats::paired::compare;
use uqbench_run::benchmark::claims::Increasing;

impl JudgeClaim for Increasing {
    fn columns<'a>(&self, results: &'a Results) -> Vec<Series<'a>> {
        columns_of(curve(results, &self.labels))
    }

    fn own(&self, evidence: &Evidence) -> Result<Finding, EvidenceError> {
        let points = curve(&evidence.results, &self.labels);
        let rows = complete(&points, &self.metric);
        Ok(judge_steps(&rows, points.len()))
    }
}

/// `rows`: repetition × point, of `points` points.
fn judge_steps(rows: &[Vec<f64>], points: usize) -> Finding {
    let steps: Vec<Vec<f64>> =
        (1..points).map(|i| rows.iter().map(|row| row[i] - row[i - 1]).collect()).collect();
    let found: Vec<_> = compare(&steps).into_iter().flatten().collect();
    let up = found.iter().filter(|c| c.significant && c.summary.mean > 0.0).count();
    let down = found.iter().filter(|c| c.significant && c.summary.mean < 0.0).count();
    let means = steps.iter().filter(|step| step.iter().sum::<f64>() > 0.0).count();
    let judged = match found.len() {
        0 => Judged::Undecided,
        _ if down > 0 => Judged::Fails,
        total if up == total => Judged::Holds,
        _ => Judged::Undecided,
    };
    let all = steps.len();
    let note = match found.len() {
        0 => format!("up in the mean in {means} of {all} steps"),
        _ => format!(
            "significantly up in {up} of {all} steps and significantly down in {down} (paired, Holm \
             5 %), up in the mean in {means}"
        ),
    };
    (judged, note, rows.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_must_be_up_and_one_repetition_has_means_alone() {
        let rows = |last: f64| {
            (0..10).map(|i| vec![1.0, 2.0 + 0.01 * f64::from(i), last]).collect::<Vec<_>>()
        };
        assert_eq!(judge_steps(&rows(3.0), 3).0, Judged::Holds);
        assert_eq!(judge_steps(&rows(1.0), 3).0, Judged::Fails);
        let (judged, note, n) = judge_steps(&rows(3.0)[..1], 3);
        assert_eq!((judged, n), (Judged::Undecided, 1));
        assert!(note.contains("2 of 2"), "{note}");
        assert_eq!(judge_steps(&[], 3).2, 0);
    }
}
