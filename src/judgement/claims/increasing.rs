//! Judge that a curve increases from each point to the next, with Holm's correction over the steps.

use super::curves::{columns_of, complete, curve};
use super::kind::{Finding, JudgeClaim};
use super::outcome::Judged;
use crate::benchmark::claims::Increasing;
use crate::evidence::{Evidence, EvidenceError, Results, Series};
use crate::stats::paired::compare;

impl JudgeClaim for Increasing {
    fn columns<'a>(&self, results: &'a Results) -> Vec<Series<'a>> {
        columns_of(curve(results, &self.labels))
    }

    fn own(&self, evidence: &Evidence) -> Result<Finding, EvidenceError> {
        let points = curve(&evidence.results, &self.labels);
        let rows = complete(&points, &self.metric);
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
        Ok((judged, note, rows.len()))
    }
}
