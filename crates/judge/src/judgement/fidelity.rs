//! Judge our version of a method by the numbers of the paper that introduced it.
//!
//! g is the printed loss less ours: positive where ours is better. δ is the metric's tolerance, u
//! one unit of the last printed digit (0 for unrounded scores), m = max(δ, u) the margin. The
//! interval of g is g ± h with h = h(α) + u/2, h(α) being Student's half width at level α. Our
//! version is
//!
//! ```text
//! faithful           where −m ≤ g − h and g + h ≤ m
//! weak               where g + h < −m
//! suspiciously good  where g − h > m
//! inconclusive       otherwise: an end −m or m of the margin lies in the interval
//! ```
//!
//! The p-value of a number is that of the nearer end of the margin. Holm's procedure over the
//! numbers of one paper gives each its level α, so that the interval contains no end of the margin
//! exactly where the corrected test rejects both. Where a spread has two readings each number is
//! judged by both, and the word stands only where both agree.

use uq_core::stats::difference::Difference;
use uq_core::stats::holm_levels;
use uq_core::stats::paired::ALPHA;
use uqbench_run::benchmark::SpreadKind;

/// What our version of a method is, by the numbers of its own paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fidelity {
    /// As good as in its paper, within the margin.
    Faithful,
    /// Worse than in its paper by more than the margin.
    Weak,
    /// Better than in its paper by more than the margin.
    SuspiciouslyGood,
    /// Farther from its paper than the margin by a metric that ranks nothing here.
    Differs,
    /// The interval does not decide.
    Inconclusive,
    /// Not the full profile, or too few repetitions.
    TooFew,
}

impl Fidelity {
    /// Every word, in the order of the table of counts.
    pub const ALL: [Self; 6] = [
        Self::Faithful,
        Self::Weak,
        Self::SuspiciouslyGood,
        Self::Differs,
        Self::Inconclusive,
        Self::TooFew,
    ];

    /// The word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Faithful => "faithful",
            Self::Weak => "weak",
            Self::SuspiciouslyGood => "suspiciously good",
            Self::Differs => "differs",
            Self::Inconclusive => "inconclusive",
            Self::TooFew => "too few repetitions",
        }
    }

    /// Whether it needs an experiment that separates causes.
    pub fn needs_cause(self) -> bool {
        matches!(self, Self::Weak | Self::SuspiciouslyGood | Self::Differs)
    }
}

/// What is known of one printed number and ours.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The gain g by each reading of the printed spread.
    pub gains: Vec<(SpreadKind, Difference)>,
    /// The margin m.
    pub margin: f64,
    /// Half a printed digit, u/2.
    pub rounding: f64,
    /// Whether the metric ranks predictions of this dataset.
    pub ranks: bool,
}

/// One reading of a printed spread, judged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reading {
    /// As what the spread is read.
    pub kind: SpreadKind,
    /// Half width h of the interval.
    pub half_width: f64,
    /// Level α of the interval, by Holm's procedure.
    pub alpha: f64,
    /// The word.
    pub word: Fidelity,
}

impl Comparison {
    /// The gain by the reading of this index; the last one where there are fewer.
    fn gain(&self, reading: usize) -> Option<&(SpreadKind, Difference)> {
        self.gains.get(reading).or_else(|| self.gains.last())
    }

    /// The p-value of the nearer end of the margin.
    fn p_value(&self, reading: usize) -> f64 {
        let of = |(_, gain): &(SpreadKind, Difference)| {
            gain.p_value((gain.mean.abs() - self.margin).abs() - self.rounding)
        };
        self.gain(reading).map_or(1.0, of)
    }

    fn judged(&self, reading: usize, alpha: f64) -> Option<Reading> {
        let (kind, gain) = *self.gain(reading)?;
        let half_width = gain.half_width(alpha) + self.rounding;
        let (low, high) = (gain.mean - half_width, gain.mean + half_width);
        let word = match (
            low >= -self.margin && high <= self.margin,
            high < -self.margin,
            low > self.margin,
        ) {
            (true, _, _) => Fidelity::Faithful,
            (_, true, _) | (_, _, true) if !self.ranks => Fidelity::Differs,
            (_, true, _) => Fidelity::Weak,
            (_, _, true) => Fidelity::SuspiciouslyGood,
            _ => Fidelity::Inconclusive,
        };
        Some(Reading { kind, half_width, alpha, word })
    }
}

/// Judges the numbers of one paper together: for each its word, and its readings.
pub fn judge(family: &[Comparison]) -> Vec<(Fidelity, Vec<Reading>)> {
    let mut found: Vec<Vec<Reading>> = vec![Vec::new(); family.len()];
    for reading in 0..family.iter().map(|one| one.gains.len()).max().unwrap_or(0) {
        let p: Vec<f64> = family.iter().map(|one| one.p_value(reading)).collect();
        for ((one, alpha), readings) in family.iter().zip(holm_levels(&p, ALPHA)).zip(&mut found) {
            readings.extend(one.judged(reading, alpha));
        }
    }
    let word = |readings: &[Reading]| match readings {
        [first, others @ ..] if others.iter().all(|other| other.word == first.word) => first.word,
        _ => Fidelity::Inconclusive,
    };
    found.into_iter().map(|readings| (word(&readings), readings)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

    fn one(mean: f64, error: f64) -> Comparison {
        let gain = Difference { mean, error, degrees: 19.0 };
        Comparison { gains: vec![(SpreadKind::Sd, gain)], margin: 0.1, rounding: 0.0, ranks: true }
    }

    fn words(family: &[Comparison]) -> Vec<Fidelity> {
        judge(family).into_iter().map(|(word, _)| word).collect()
    }

    #[test]
    fn the_interval_against_the_margin_gives_the_word() {
        // t(0.975, 19) = 2.093, so that h = 0.0419 for a standard error of 0.02.
        let word = |mean: f64| words(&[one(mean, 0.02)])[0];
        assert_eq!(word(0.0), Fidelity::Faithful);
        assert_eq!(word(0.058), Fidelity::Faithful);
        assert_eq!(word(0.059), Fidelity::Inconclusive);
        assert_eq!(word(0.141), Fidelity::Inconclusive);
        assert_eq!(word(0.142), Fidelity::SuspiciouslyGood);
        assert_eq!(word(-0.142), Fidelity::Weak);
        assert_eq!(
            words(&[one(0.0, 0.05)]),
            [Fidelity::Inconclusive],
            "the interval is wider than the margin"
        );
    }

    #[test]
    fn half_a_printed_digit_widens_the_interval() {
        let rounded = |mean: f64| Comparison { rounding: 0.005, ..one(mean, 0.02) };
        assert_eq!(words(&[rounded(0.058)]), [Fidelity::Inconclusive]);
        assert_eq!(words(&[rounded(0.053)]), [Fidelity::Faithful]);
        assert_eq!(words(&[rounded(-0.146)]), [Fidelity::Inconclusive]);
        assert_eq!(words(&[rounded(-0.147)]), [Fidelity::Weak]);
    }

    #[test]
    fn a_metric_that_ranks_nothing_finds_none_better() {
        let unranked = |mean: f64| Comparison { ranks: false, ..one(mean, 0.02) };
        assert_eq!(
            words(&[unranked(0.5), unranked(-0.5), unranked(0.0)]),
            [Fidelity::Differs, Fidelity::Differs, Fidelity::Faithful]
        );
    }

    #[test]
    fn numbers_of_one_paper_are_corrected_together() {
        // Alone p = 0.03 for an interval that ends at the margin; beside another that is undecided,
        // Holm asks for 0.025.
        let near = one(0.1 + 0.02 * 2.35, 0.02);
        assert_eq!(words(std::slice::from_ref(&near)), [Fidelity::SuspiciouslyGood]);
        assert_eq!(
            words(&[near, one(0.1, 0.02)]),
            [Fidelity::Inconclusive, Fidelity::Inconclusive]
        );
    }

    #[test]
    fn a_word_stands_only_where_both_readings_agree() {
        let twice = |mean: f64, errors: [f64; 2]| Comparison {
            gains: [SpreadKind::Sd, SpreadKind::Se]
                .into_iter()
                .zip(errors.map(|error| Difference { mean, error, degrees: 19.0 }))
                .collect(),
            ..one(mean, 0.0)
        };
        let judged = judge(&[twice(0.0, [0.02, 0.09])]);
        let each: Vec<_> = judged[0].1.iter().map(|reading| (reading.kind, reading.word)).collect();
        assert_eq!(
            each,
            [(SpreadKind::Sd, Fidelity::Faithful), (SpreadKind::Se, Fidelity::Inconclusive)]
        );
        assert_eq!(judged[0].0, Fidelity::Inconclusive);
        assert_eq!(words(&[twice(-0.5, [0.02, 0.09])]), [Fidelity::Weak]);
    }

    proptest! {
        #[test]
        fn a_word_is_decided_exactly_where_the_corrected_test_rejects(
            means in proptest::collection::vec(-0.3f64..0.3, 1..8),
            error in 0.001f64..0.1,
        ) {
            let family: Vec<Comparison> = means.iter().map(|mean| one(*mean, error)).collect();
            for (comparison, (word, readings)) in family.iter().zip(judge(&family)) {
                let (p, alpha) = (comparison.p_value(0), readings[0].alpha);
                if (p - alpha).abs() > 1e-9 {
                    prop_assert_eq!(word != Fidelity::Inconclusive, p <= alpha);
                }
                prop_assert!(alpha <= ALPHA);
            }
        }
    }
}
