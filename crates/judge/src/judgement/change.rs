//! Classify how a score changed between two runs of the same splits: the same, numerically
//! different, better or worse.
//!
//! Both runs have the same splits, and the question is whether the program's results on them
//! changed. The interval is therefore the plain paired one, not the one for new data.

use uq_core::metrics::{Direction, MetricId};
use uq_core::stats::paired::{Comparison, compare};

/// Largest relative difference of two scores that rounding explains, for example another processor
/// or another order of a sum.
pub const ROUNDING: f64 = 1e-6;

/// One column under one metric, before and after.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// The metric.
    pub metric: MetricId,
    /// Scores of the earlier run by repetition; `None` where there is no score.
    pub old: Vec<Option<f64>>,
    /// Scores of the later run by repetition.
    pub new: Vec<Option<f64>>,
}

/// The change of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// Repetitions that had a score have none.
    Lost,
    /// Statistically worse: the Holm-corrected paired interval of the loss excludes no change.
    Worse,
    /// Worse in the mean by more than the tolerance, or infinitely worse, but not significantly.
    /// There may be too few repetitions, or one of them may be an outlier.
    WorseBeyondTolerance,
    /// Different by more than rounding, but within the tolerance, and not significantly.
    Different,
    /// Numerically different, but by no more than rounding explains.
    Rounding,
    /// Statistically better.
    Better,
    /// Repetitions that had no score have one, or the column is new.
    Found,
    /// All scores are bit-equal.
    Same,
}

/// A judged column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judged {
    /// Its change.
    pub change: Change,
    /// Gain (old loss − new loss) over the repetitions that both have, where there are two of them
    /// that differ.
    pub gain: Option<Comparison>,
    /// Number of repetitions that both have.
    pub n: usize,
}

impl Change {
    /// Whether the change counts as worse.
    pub fn is_worse(self) -> bool {
        matches!(self, Self::Lost | Self::Worse | Self::WorseBeyondTolerance)
    }

    /// Words for a table.
    pub fn word(self) -> &'static str {
        match self {
            Self::Lost => "lost",
            Self::Worse => "statistically worse",
            Self::WorseBeyondTolerance => "worse beyond the tolerance",
            Self::Different => "different",
            Self::Rounding => "numerically different",
            Self::Better => "statistically better",
            Self::Found => "new",
            Self::Same => "the same",
        }
    }

    /// All of them, worst first.
    pub const ALL: [Self; 8] = [
        Self::Lost,
        Self::Worse,
        Self::WorseBeyondTolerance,
        Self::Different,
        Self::Rounding,
        Self::Better,
        Self::Found,
        Self::Same,
    ];
}

/// Judges all pairs together: the differences beyond rounding are one family.
pub fn judge(pairs: &[Pair]) -> Vec<Judged> {
    let differs: Vec<bool> =
        pairs.iter().map(|pair| pair.common().any(|(old, new)| !is_rounding(old, new))).collect();
    let gains = |pair: &Pair| {
        let direction = pair.metric.direction();
        pair.common()
            .map(|(old, new)| direction.loss(old) - direction.loss(new))
            .collect::<Vec<f64>>()
    };
    let family: Vec<Vec<f64>> = pairs
        .iter()
        .zip(&differs)
        .map(|(pair, &differs)| if differs { gains(pair) } else { Vec::new() })
        .collect();
    let judged = pairs.iter().zip(differs).zip(compare(&family));
    judged
        .map(|((pair, differs), gain)| {
            let n = pair.common().count();
            let without = |has: &[Option<f64>], lacks: &[Option<f64>]| {
                (0..has.len())
                    .any(|i| has[i].is_some() && lacks.get(i).copied().flatten().is_none())
            };
            let significant = gain.filter(|gain| gain.significant).map(|gain| gain.summary.mean);
            let change = match significant {
                _ if without(&pair.old, &pair.new) => Change::Lost,
                Some(mean) if mean < 0.0 => Change::Worse,
                Some(_) => Change::Better,
                None if differs && pair.is_worse_beyond_tolerance() => Change::WorseBeyondTolerance,
                None if differs => Change::Different,
                None if without(&pair.new, &pair.old) => Change::Found,
                None if pair.common().all(|(old, new)| old.to_bits() == new.to_bits()) => {
                    Change::Same
                }
                None => Change::Rounding,
            };
            Judged { change, gain, n }
        })
        .collect()
}

impl Pair {
    /// Scores of the repetitions that both have.
    fn common(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.old.iter().zip(&self.new).filter_map(|(old, new)| Some(((*old)?, (*new)?)))
    }

    fn is_worse_beyond_tolerance(&self) -> bool {
        let direction = self.metric.direction();
        let n = self.common().count() as f64;
        let finite = || self.common().map(|(old, _)| old).filter(|old| old.is_finite());
        let old = finite().sum::<f64>() / finite().count().max(1) as f64;
        // Scores that are infinite before and after do not differ.
        let lost = self.common().filter(|(old, new)| old != new);
        let lost =
            lost.map(|(old, new)| direction.loss(new) - direction.loss(old)).sum::<f64>() / n;
        let bound = match (self.metric.tolerance(old, 1.0), direction) {
            (bound, _) if bound > 0.0 => bound,
            (_, Direction::Lower) => 0.1 * old.abs(),
            (_, Direction::Higher) => 0.1,
            (_, Direction::Target(_)) => 0.02,
        };
        lost > bound
    }
}

/// Whether two scores agree up to rounding.
fn is_rounding(old: f64, new: f64) -> bool {
    let largest = old.abs().max(new.abs());
    old == new || (largest.is_finite() && (old - new).abs() <= ROUNDING * largest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(metric: &str, old: &[f64], new: &[f64]) -> Pair {
        let scores = |values: &[f64]| values.iter().map(|v| (!v.is_nan()).then_some(*v)).collect();
        Pair { metric: metric.parse().unwrap(), old: scores(old), new: scores(new) }
    }

    fn change(metric: &str, old: &[f64], new: &[f64]) -> Change {
        judge(&[pair(metric, old, new)])[0].change
    }

    const OLD: [f64; 5] = [1.0, 1.1, 0.9, 1.05, 0.95];

    #[test]
    fn every_change_is_told_from_the_others() {
        let new = |f: fn(f64) -> f64| OLD.map(f);
        assert_eq!(change("rmse", &OLD, &OLD), Change::Same);
        assert_eq!(change("rmse", &OLD, &new(|x| x * (1.0 + 1e-9))), Change::Rounding);
        assert_eq!(change("rmse", &OLD, &[1.1, 1.0, 1.05, 0.9, 0.96]), Change::Different);
        assert_eq!(change("rmse", &OLD, &new(|x| 1.02 * x)), Change::Worse);
        assert_eq!(change("rmse", &OLD, &new(|x| 0.98 * x)), Change::Better);
        assert_eq!(change("rmse", &OLD[..1], &[1.2]), Change::WorseBeyondTolerance);
        assert_eq!(change("rmse", &OLD[..1], &[1.05]), Change::Different, "within 10 %");
        assert_eq!(change("rmse", &OLD, &[1.0, f64::NAN, 0.9, 1.05, 0.95]), Change::Lost);
        assert_eq!(change("rmse", &[1.0, f64::NAN], &[1.0, 2.0]), Change::Found);
        assert_eq!(
            change("rmse", &[f64::NAN], &[f64::NAN]),
            Change::Same,
            "undefined then and now"
        );
    }

    #[test]
    fn better_and_worse_follow_the_direction() {
        let up = OLD.map(|x| 1.02 * x);
        assert_eq!(change("log-likelihood", &OLD, &up), Change::Better);
        assert_eq!(change("log-likelihood", &up, &OLD), Change::Worse);
        let (near, far) = ([0.94, 0.95, 0.96, 0.95, 0.95], [0.90, 0.91, 0.89, 0.905, 0.90]);
        assert_eq!(change("picp(level=0.95)", &near, &far), Change::Worse);
        assert_eq!(change("picp(level=0.95)", &far, &near), Change::Better);
    }

    #[test]
    fn a_score_that_became_infinite_is_worse() {
        let lost = [f64::NEG_INFINITY, -1.0, -1.1];
        assert_eq!(
            change("log-likelihood", &[-1.0, -1.0, -1.1], &lost),
            Change::WorseBeyondTolerance,
            "one of three"
        );
        assert_eq!(
            change("log-likelihood", &lost, &[-1.0, -1.0, -1.1]),
            Change::Different,
            "and back"
        );
        assert_eq!(
            change("log-likelihood", &lost, &[f64::NEG_INFINITY, -1.0, -1.15]),
            Change::Different
        );
        assert_eq!(
            change("log-likelihood", &[-1.0], &[f64::NEG_INFINITY]),
            Change::WorseBeyondTolerance
        );
    }

    #[test]
    fn one_repetition_that_goes_astray_is_worse_beyond_the_tolerance() {
        let astray = [1.0, 1.1, 0.9, 1.05, 95.0];
        assert_eq!(
            change("mse", &OLD, &astray),
            Change::WorseBeyondTolerance,
            "no test could say so"
        );
    }

    #[test]
    fn columns_that_differ_are_one_family() {
        // Alone, the first pair is just significant; among many noisy ones it is not.
        let (old, new) = ([1.0, 1.0, 1.0, 1.0, 1.0], [1.001, 1.02, 1.01, 1.03, 1.014]);
        assert_eq!(change("rmse", &old, &new), Change::Worse);
        let mut pairs = vec![pair("rmse", &old, &new)];
        pairs.extend((0..30).map(|_| pair("rmse", &OLD, &[1.1, 1.0, 1.05, 0.9, 0.96])));
        assert_eq!(judge(&pairs)[0].change, Change::Different);
        let mut same = vec![pair("rmse", &old, &new)];
        same.extend((0..30).map(|_| pair("rmse", &OLD, &OLD)));
        assert_eq!(
            judge(&same)[0].change,
            Change::Worse,
            "columns that stay the same do not dilute"
        );
    }
}
