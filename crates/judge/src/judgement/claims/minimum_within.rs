//! Judge that a curve has its minimum within an interval, by a bootstrap over repetitions.

use rand::RngExt;

use super::BOOTSTRAP;
use super::curves::{columns_of, complete, curve};
use super::kind::{Finding, JudgeClaim};
use super::levels::few;
use super::note::Note;
use super::outcome::Judged;
use crate::evidence::{Evidence, EvidenceError, Results, Series};
use uq_core::math::random::Streams;
use uq_core::stats::paired::ALPHA;
use uqbench_run::benchmark::claims::MinimumWithin;

impl JudgeClaim for MinimumWithin {
    fn columns<'a>(&self, results: &'a Results) -> Vec<Series<'a>> {
        columns_of(curve(results, &self.labels))
    }

    fn own(&self, evidence: &Evidence) -> Result<Finding, EvidenceError> {
        let points = curve(&evidence.results, &self.labels);
        let rows = complete(&points, &self.metric);
        let n = rows.len();
        if n < 2 || points.is_empty() {
            return Ok(few(n));
        }
        let minimum = |chosen: &mut dyn Iterator<Item = usize>| {
            let mut sums = vec![0.0; points.len()];
            for row in chosen {
                sums.iter_mut().zip(&rows[row]).for_each(|(sum, value)| *sum += value);
            }
            let best =
                sums.iter().enumerate().min_by(|a, b| a.1.total_cmp(b.1)).map_or(0, |(i, _)| i);
            points[best].0
        };
        let whole = minimum(&mut (0..n));
        let mut rng = Streams::new(0, "claims").stream("bootstrap", 0);
        let mut minima: Vec<f64> = (0..BOOTSTRAP)
            .map(|_| minimum(&mut (0..n).map(|_| rng.random_range(0..n as u64) as usize)))
            .collect();
        minima.sort_by(f64::total_cmp);
        let inside = minima.iter().filter(|x| (self.within.0..=self.within.1).contains(*x)).count()
            as f64
            / minima.len() as f64;
        let at = |share: f64| minima[((minima.len() - 1) as f64 * share).round() as usize];
        let judged = match inside {
            share if share >= 1.0 - ALPHA => Judged::Holds,
            share if share <= ALPHA => Judged::Fails,
            _ => Judged::Undecided,
        };
        let note = Note::Minimum {
            at: whole,
            interval: (at(0.025), at(0.975)),
            share: inside,
            within: self.within,
        };
        Ok(Finding { judged, note, n })
    }
}
