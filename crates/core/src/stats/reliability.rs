//! Count outcomes below their predicted quantiles, and compute the band that perfect calibration
//! allows at all levels together.
//!
//! Where predictions are calibrated, P(Y < q(τ)) ≤ τ ≤ P(Y ≤ q(τ)) (Gneiting & Resin 2023,
//! Electronic Journal of Statistics 17, 3226-3286). The two agree unless an outcome can equal its
//! quantile, as where a prediction has atoms: then the share of y ≤ q(τ) may exceed τ although the
//! prediction is calibrated.

use ndarray::ArrayView1;
use serde::{Deserialize, Serialize};
use statrs::function::gamma::ln_gamma;

use super::binomial::binomial_quantiles;
use crate::predictive::Predictive;

/// Above this number of outcomes a band has the tails of this number, because they hardly change
/// any more.
const LARGEST: usize = 2000;

/// Halvings of the interval in which the tails of a band are searched.
const HALVINGS: usize = 16;

/// Shares of pooled outcomes below their quantiles, one number for each level.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reliability {
    /// Levels τ, ascending, between 0 and 1.
    pub levels: Vec<f64>,
    /// Shares of y < q(τ).
    pub below: Vec<f64>,
    /// Shares of y ≤ q(τ).
    pub at_most: Vec<f64>,
    /// Number of pooled outcomes.
    pub outcomes: usize,
    /// Effective number of independent outcomes.
    pub effective: usize,
}

/// How many outcomes lie below their quantiles, one number for each level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Outcomes with y < q(τ).
    pub below: Vec<usize>,
    /// Outcomes with y ≤ q(τ).
    pub at_most: Vec<usize>,
    /// All outcomes.
    pub outcomes: usize,
}

impl Counts {
    /// Counts outcomes `y` (n) of one test set below their quantiles at these levels; `None` where a
    /// quantile is undefined.
    pub fn count(levels: &[f64], predictive: &Predictive, y: ArrayView1<f64>) -> Option<Self> {
        let mut counts = Self { below: Vec::new(), at_most: Vec::new(), outcomes: y.len() };
        for &level in levels {
            let quantiles = predictive.distribution().quantiles(level)?;
            counts.below.push(y.iter().zip(&quantiles).filter(|(y, q)| y < q).count());
            counts.at_most.push(y.iter().zip(&quantiles).filter(|(y, q)| y <= q).count());
        }
        Some(counts)
    }
}

impl Reliability {
    /// Adds up the counts of several test sets. `effective` is the effective number of independent
    /// outcomes of all of them; it is limited to their number.
    ///
    /// `None` without an outcome, and where counts and levels differ in length.
    pub fn new(levels: &[f64], counts: &[Counts], effective: usize) -> Option<Self> {
        let outcomes: usize = counts.iter().map(|counts| counts.outcomes).sum();
        let fits = |counts: &Counts| {
            counts.below.len() == levels.len() && counts.at_most.len() == levels.len()
        };
        if outcomes == 0 || effective == 0 || !counts.iter().all(fits) {
            return None;
        }
        let shares = |of: fn(&Counts) -> &[usize]| {
            let share =
                |level: usize| counts.iter().map(|counts| of(counts)[level]).sum::<usize>() as f64;
            (0..levels.len()).map(|level| share(level) / outcomes as f64).collect()
        };
        Some(Self {
            levels: levels.to_vec(),
            below: shares(|counts| &counts.below),
            at_most: shares(|counts| &counts.at_most),
            outcomes,
            effective: effective.min(outcomes),
        })
    }

    /// The band of shares at each level. Under perfect calibration the shares of all levels
    /// together lie in it with probability 1 − `alpha` or more.
    pub fn band(&self, alpha: f64) -> Vec<(f64, f64)> {
        let n = self.effective as f64;
        let counts = simultaneous_band(self.effective, &self.levels, alpha);
        counts.into_iter().map(|(low, high)| (low as f64 / n, high as f64 / n)).collect()
    }
}

/// The band of the number of n independent uniform numbers at or below each of the levels,
/// ascending: the counts of all levels together lie in it with probability 1 − `alpha` or more.
///
/// Each is an interval between binomial quantiles. Their tails are equal, and as large as that
/// probability allows (Säilynoja, Bürkner & Vehtari 2022, Statistics and Computing 32:32). The band
/// therefore narrows towards the ends as the counts do; that of Dvoretzky, Kiefer & Wolfowitz has
/// the same width everywhere.
fn simultaneous_band(n: usize, levels: &[f64], alpha: f64) -> Vec<(usize, usize)> {
    let intervals = |n: usize, tails: f64| -> Vec<(usize, usize)> {
        levels.iter().map(|&level| binomial_quantiles(n, level, 0.5 * tails)).collect()
    };
    let searched = n.min(LARGEST);
    // Bonferroni's tails are small enough; those of a single level are the largest possible.
    let (mut enough, mut most) = (alpha / levels.len().max(1) as f64, alpha);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (enough + most);
        match probability_within(searched, levels, &intervals(searched, middle)) >= 1.0 - alpha {
            true => enough = middle,
            false => most = middle,
        }
    }
    intervals(n, enough)
}

/// The probability that the counts of n independent uniform numbers at or below the levels lie in
/// these intervals.
///
/// With k numbers at or below τ, the count of those up to the next level τ′ is binomial: n − k
/// trials of probability (τ′ − τ) / (1 − τ).
fn probability_within(n: usize, levels: &[f64], intervals: &[(usize, usize)]) -> f64 {
    // Probabilities of the counts from `low` on, all earlier ones inside.
    let (mut low, mut mass, mut reached) = (0, vec![1.0], 0.0);
    for (&level, &(first, last)) in levels.iter().zip(intervals) {
        let p = (level - reached) / (1.0 - reached);
        let mut next = vec![0.0; last - first + 1];
        for (k, mass) in (low..).zip(mass) {
            let trials = n - k;
            let start = first.max(k);
            let mut share = mass * binomial_mass(trials, p, start - k);
            for count in start..=last {
                next[count - first] += share;
                let successes = count - k;
                share *= (trials - successes) as f64 * p / ((successes + 1) as f64 * (1.0 - p));
            }
        }
        (low, mass, reached) = (first, next, level);
    }
    mass.iter().sum()
}

/// P(K = k), K binomial of n trials of probability p.
fn binomial_mass(n: usize, p: f64, k: usize) -> f64 {
    let ln_factorial = |k: usize| ln_gamma(k as f64 + 1.0);
    let ways = ln_factorial(n) - ln_factorial(k) - ln_factorial(n - k);
    (ways + k as f64 * p.ln() + (n - k) as f64 * (-p).ln_1p()).exp()
}

#[cfg(test)]
mod tests {
    use ndarray::array;
    use rand::RngExt;

    use super::*;
    use crate::math::random::Streams;
    use crate::math::special::normal_quantile;
    use crate::predictive::{Atoms, Form, Quantiles};

    fn levels() -> Vec<f64> {
        (1..20).map(|i| f64::from(i) / 20.0).collect()
    }

    /// Counts of standard normal outcomes, predicted with standard deviation `sd`.
    fn counts(n: usize, sd: f64, repetition: u64) -> Counts {
        let mut stream = Streams::new(1, "reliability").stream("outcomes", repetition);
        let outcomes: Vec<f64> = (0..n).map(|_| normal_quantile(stream.random())).collect();
        let count =
            |level: &f64| outcomes.iter().filter(|y| **y <= sd * normal_quantile(*level)).count();
        let at_most: Vec<usize> = levels().iter().map(count).collect();
        Counts { below: at_most.clone(), at_most, outcomes: n }
    }

    /// Whether no share of y ≤ q(τ) lies below the band, and no share of y < q(τ) above it.
    fn is_within(found: &Reliability, band: &[(f64, f64)]) -> bool {
        let shares = found.below.iter().zip(&found.at_most);
        shares.zip(band).all(|((below, at_most), (low, high))| at_most >= low && below <= high)
    }

    #[test]
    fn calibrated_outcomes_lie_in_the_band_with_its_probability() {
        let (n, repetitions) = (300, 400);
        let reliability =
            |sd, repetition| Reliability::new(&levels(), &[counts(n, sd, repetition)], n).unwrap();
        let band = reliability(1.0, 0).band(0.05);
        let within = |sd| {
            (0..repetitions)
                .filter(|&repetition| is_within(&reliability(sd, repetition), &band))
                .count()
        };
        let share = |sd| within(sd) as f64 / repetitions as f64;
        // Binomial(400, 0.95) has standard deviation 4.4.
        assert!((0.92..=0.98).contains(&share(1.0)), "{}", share(1.0));
        assert!(share(0.7) < 0.05, "too narrow: {}", share(0.7));
        assert!(share(1.5) < 0.05, "too wide: {}", share(1.5));
    }

    #[test]
    fn the_probability_of_a_band_is_the_sum_over_all_its_counts() {
        // Of n = 4 numbers k₁ are at or below 0.3, and k₂ at or below 0.8: a multinomial law of
        // 0.3, 0.5 and 0.2.
        let factorial = |k: usize| (1..=k).product::<usize>() as f64;
        let (first, second) = ((1, 2), (2, 4));
        let mut sum = 0.0;
        for low in first.0..=first.1 {
            for high in second.0.max(low)..=second.1 {
                let cells = [(low, 0.3), (high - low, 0.5), (4 - high, 0.2)];
                sum += cells.iter().fold(24.0, |all, &(k, p): &(usize, f64)| {
                    all * p.powi(k as i32) / factorial(k)
                });
            }
        }
        let found = probability_within(4, &[0.3, 0.8], &[first, second]);
        assert!((found - sum).abs() < 1e-14, "{found} against {sum}");
        let all = probability_within(700, &levels(), &[(0, 700); 19]);
        assert!((all - 1.0).abs() < 1e-10, "{all}");
    }

    #[test]
    fn one_level_has_its_binomial_interval_and_more_have_wider_ones() {
        assert_eq!(simultaneous_band(100, &[0.5], 0.05), [binomial_quantiles(100, 0.5, 0.025)]);
        let together = simultaneous_band(300, &levels(), 0.05);
        for (&level, &(low, high)) in levels().iter().zip(&together) {
            let alone = binomial_quantiles(300, level, 0.025);
            let bonferroni = binomial_quantiles(300, level, 0.025 / 19.0);
            assert!(low <= alone.0 && high >= alone.1, "{level}");
            assert!(low >= bonferroni.0 && high <= bonferroni.1, "{level}");
        }
        // At the ends it is half as wide as the band of Dvoretzky, Kiefer, Wolfowitz and Massart,
        // in the middle as wide.
        let reach = ((2.0_f64 / 0.05).ln() / 600.0).sqrt();
        let above = |level: usize| together[level].1 as f64 / 300.0 - levels()[level];
        assert!(
            above(0) < 0.5 * reach && (above(9) / reach - 1.0).abs() < 0.05,
            "{} and {}",
            above(0),
            above(9)
        );
    }

    #[test]
    fn tails_of_many_outcomes_are_those_of_two_thousand() {
        let tails = |n| simultaneous_band(n, &levels(), 0.05)[9];
        let (low, high) = tails(8000);
        let probability =
            probability_within(8000, &levels(), &simultaneous_band(8000, &levels(), 0.05));
        assert!((0.945..0.955).contains(&probability), "{probability}");
        assert_eq!(low + high, 8000, "the middle is symmetric");
    }

    #[test]
    fn ties_are_allowed_on_either_side() {
        // All outcomes equal their quantile: 0 ≤ τ ≤ 1 at every level.
        let tied = Counts { below: vec![0; 19], at_most: vec![50; 19], outcomes: 50 };
        let pooled = Reliability::new(&levels(), &[tied.clone(), tied], 80).unwrap();
        assert_eq!((pooled.outcomes, pooled.effective), (100, 80));
        assert!(is_within(&pooled, &pooled.band(0.05)));
    }

    #[test]
    fn no_outcome_gives_none() {
        let one = Counts { below: vec![0], at_most: vec![1], outcomes: 1 };
        assert_eq!(Reliability::new(&[0.5], &[], 1), None);
        assert_eq!(Reliability::new(&[0.5], std::slice::from_ref(&one), 0), None);
        assert_eq!(Reliability::new(&[0.5, 0.6], std::slice::from_ref(&one), 1), None);
        assert_eq!(
            Reliability::new(&[0.5], &[one], 7).unwrap().effective,
            1,
            "at most the number of outcomes"
        );
    }

    #[test]
    fn outcomes_that_equal_their_quantile_are_at_most_it_but_not_below() {
        let atoms = Atoms {
            values: array![[1.0, 2.0], [1.0, 2.0], [1.0, 2.0]],
            weights: array![[0.5, 0.5]],
        };
        let found = Counts::count(
            &[0.5, 0.9],
            &Predictive::new(Form::Atoms(atoms)),
            array![1.0, 1.5, 2.0].view(),
        )
        .unwrap();
        assert_eq!(found, Counts { below: vec![0, 2], at_most: vec![1, 3], outcomes: 3 });
    }

    #[test]
    fn a_level_beyond_the_outermost_one_has_no_quantile() {
        let quantiles = Quantiles { levels: vec![0.1, 0.9], values: array![[0.0, 1.0]] };
        let predictive = Predictive::new(Form::Quantiles(quantiles));
        assert!(Counts::count(&[0.5], &predictive, array![0.2].view()).is_some());
        assert_eq!(Counts::count(&[0.05], &predictive, array![0.2].view()), None);
    }
}
