//! Judge that a metric is larger (or smaller) on one dataset than on each other one.

use super::curves::{columns_of, curve};
use super::kind::{Finding, JudgeClaim};
use super::levels::{count, few};
use super::note::{Extremes, Note, Superiority};
use crate::evidence::{Evidence, EvidenceError, Results, Series};
use uq_core::stats::paired::ALPHA;
use uq_core::stats::t_quantile;
use uqbench_run::benchmark::claims::{End, Extreme};

impl JudgeClaim for Extreme {
    fn columns<'a>(&self, results: &'a Results) -> Vec<Series<'a>> {
        columns_of(curve(results, &self.labels))
    }

    /// The claim holds if it is so at every point in more than half of all pairs of repetitions,
    /// one of each dataset.
    fn own(&self, evidence: &Evidence) -> Result<Finding, EvidenceError> {
        let points = curve(&evidence.results, &self.labels);
        let values = |series: &Series| -> Vec<f64> {
            series.values(&self.metric).into_iter().flatten().collect()
        };
        let mut comparisons = Vec::new();
        for (x, own) in points.iter().filter(|(_, series)| series.dataset.key == self.dataset) {
            for (_, other) in
                points.iter().filter(|(at, series)| at == x && series.dataset.key != self.dataset)
            {
                comparisons.push((other.dataset.heading.clone(), values(own), values(other)));
            }
        }
        Ok(judge_extreme(&comparisons, self.end))
    }
}

fn judge_extreme(comparisons: &[(String, Vec<f64>, Vec<f64>)], end: End) -> Finding {
    let n = comparisons.iter().flat_map(|(_, a, b)| [a.len(), b.len()]).min().unwrap_or(0);
    if n < 2 {
        return few(n);
    }
    let Some(t) = t_quantile(1.0 - ALPHA / (2.0 * comparisons.len() as f64), n - 1) else {
        return few(n);
    };
    let (mut inside, mut outside) = (0, 0);
    let mut ranges: Vec<(String, f64, f64)> = Vec::new();
    // The comparison that speaks most against the claim.
    let mut least: Option<Superiority> = None;
    for (name, own, other) in comparisons {
        let (share, error) =
            if end == End::Highest { superiority(own, other) } else { superiority(other, own) };
        inside += usize::from(share - t * error > 0.5);
        outside += usize::from(share + t * error < 0.5);
        if least.as_ref().is_none_or(|known| share < known.share) {
            let [low, high] = [share - t * error, share + t * error].map(|end| end.clamp(0.0, 1.0));
            least = Some(Superiority { dataset: name.clone(), share, interval: (low, high) });
        }
        match ranges.iter_mut().find(|(known, ..)| known == name) {
            Some((_, low, high)) => (*low, *high) = (low.min(share), high.max(share)),
            None => ranges.push((name.clone(), share, share)),
        }
    }
    let Some(least) = least else { return few(n) };
    let total = comparisons.len();
    Finding {
        judged: count(inside, outside, total),
        note: Note::Extreme(Extremes { end, least, total, inside, outside, ranges }),
        n,
    }
}

/// The share of pairs whose first number is the larger one, ties counted half, and its standard
/// error (E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson, Biometrics 44, 1988, Eqs. 2 to 5).
fn superiority(first: &[f64], second: &[f64]) -> (f64, f64) {
    let score = |a: f64, b: f64| if a == b { 0.5 } else { f64::from(a > b) };
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let places = |of: &dyn Fn(f64, f64) -> f64, own: &[f64], other: &[f64]| -> Vec<f64> {
        own.iter()
            .map(|a| other.iter().map(|b| of(*a, *b)).sum::<f64>() / other.len() as f64)
            .collect()
    };
    let (of_first, of_second) =
        (places(&score, first, second), places(&|a, b| score(b, a), second, first));
    let share = mean(&of_first);
    let error = |places: &[f64]| {
        let squares: f64 = places.iter().map(|p| (p - share).powi(2)).sum();
        squares / ((places.len() - 1) * places.len()) as f64
    };
    (share, (error(&of_first) + error(&of_second)).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judgement::claims::Judged;

    fn near(mean: f64) -> Vec<f64> {
        (0..10).map(|i| mean + 0.01 * (f64::from(i) - 4.5)).collect()
    }

    #[test]
    fn an_end_of_an_order_is_beyond_every_other() {
        let of = |own: f64, others: [f64; 2], end| {
            let comparisons = others.map(|other| (format!("d{other}"), near(own), near(other)));
            judge_extreme(&comparisons, end).judged
        };
        assert_eq!(of(2.0, [1.0, 1.5], End::Highest), Judged::Holds);
        assert_eq!(of(2.0, [1.0, 2.5], End::Highest), Judged::Fails);
        assert_eq!(of(2.0, [2.0, 1.0], End::Highest), Judged::Undecided);
        assert_eq!(of(2.0, [3.0, 4.0], End::Lowest), Judged::Holds);
        assert_eq!(judge_extreme(&[], End::Lowest), few(0));
        let found = judge_extreme(
            &[1.0, 2.0].map(|other| (format!("d{other}"), near(2.0), near(other))),
            End::Highest,
        );
        assert_eq!(found.n, 10);
        let Note::Extreme(Extremes { least, total, inside, outside, ranges, .. }) = found.note
        else {
            panic!("it is another note")
        };
        assert_eq!((least.dataset.as_str(), total, inside, outside), ("d2", 2, 1, 0));
        let (low, high) = least.interval;
        assert!((least.share - 0.5).abs() < 1e-12 && low < 0.5 && high > 0.5, "{least:?}");
        let names: Vec<&str> = ranges.iter().map(|(name, ..)| name.as_str()).collect();
        assert_eq!(names, ["d1", "d2"]);
        for ((_, low, high), share) in ranges.iter().zip([1.0, 0.5]) {
            assert!((low - share).abs() < 1e-12 && (high - share).abs() < 1e-12, "{low} {high}");
        }
    }

    #[test]
    fn pairs_are_counted_by_hand() {
        // Of {1, 3, 5} against {2, 3}: 0, 1½ and 2 of two, so 3½ of six; of {2, 3} 2 and 1½ of
        // three.
        let (share, error) = superiority(&[1.0, 3.0, 5.0], &[2.0, 3.0]);
        assert!((share - 3.5 / 6.0).abs() < 1e-15);
        // Variances of (0, ¾, 1) and (2/3, 1/2) about 7/12: 13/48 and 1/72, by 3 and 2.
        assert!(
            (error * error - (13.0 / 48.0 / 3.0 + 1.0 / 72.0 / 2.0)).abs() < 1e-15,
            "{}",
            error * error
        );
        assert_eq!(superiority(&[2.0, 3.0], &[0.0, 1.0]), (1.0, 0.0));
        let (one, other) =
            (superiority(&near(2.0), &near(2.01)), superiority(&near(2.01), &near(2.0)));
        assert!((one.0 + other.0 - 1.0).abs() < 1e-14 && (one.1 - other.1).abs() < 1e-14);
    }
}
