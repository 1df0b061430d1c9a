//! Judge that a curve increases from each point to the next, with Holm's correction over the steps.

use super::curves::{columns_of, complete, curve};
use super::kind::{Finding, JudgeClaim};
use super::note::Note;
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
    let up_in_the_mean = steps.iter().filter(|step| step.iter().sum::<f64>() > 0.0).count();
    let judged = match found.len() {
        0 => Judged::Undecided,
        _ if down > 0 => Judged::Fails,
        total if up == total => Judged::Holds,
        _ => Judged::Undecided,
    };
    let significant = (!found.is_empty()).then_some((up, down));
    let note = Note::Increasing { steps: steps.len(), up_in_the_mean, significant };
    Finding { judged, note, n: rows.len() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_must_be_up_and_one_repetition_has_means_alone() {
        let rows = |last: f64| {
            (0..10).map(|i| vec![1.0, 2.0 + 0.01 * f64::from(i), last]).collect::<Vec<_>>()
        };
        let note = |up_in_the_mean, significant| Note::Increasing {
            steps: 2,
            up_in_the_mean,
            significant,
        };
        let up = Finding { judged: Judged::Holds, note: note(2, Some((2, 0))), n: 10 };
        assert_eq!(judge_steps(&rows(3.0), 3), up);
        let down = Finding { judged: Judged::Fails, note: note(1, Some((1, 1))), n: 10 };
        assert_eq!(judge_steps(&rows(1.0), 3), down);
        assert_eq!(judge_steps(&rows(3.0)[..1], 3), Finding::undecided(note(2, None), 1));
        assert_eq!(judge_steps(&[], 3).n, 0);
    }
}
