//! Pool the probability integral transforms (PIT) of one method's outcomes, and compute the bands
//! that perfect calibration allows.
//!
//! The PIT of an outcome y under the predictive distribution F is uniform on [F(y−), F(y)], a
//! single number where F does not jump; over outcomes that follow their F it is uniform on [0, 1].
//! The PIT is not randomised here. An outcome spreads its mass over the interval, which is the
//! expectation over the randomisation (Czado, Gneiting & Held 2009, Biometrics 65, 1254-1261). Such
//! outcomes vary less than single numbers would, and the bands are conservative for them.

use serde::{Deserialize, Serialize};

use super::binomial::binomial_quantiles;

/// Half the width over which a single number is spread. A number on the edge of two bins, as k
/// equal atoms give, then counts half in each, in spite of rounding.
const HAIR: f64 = 1e-9;

/// How far rounding may raise a PIT above the level that it equals.
const LEVEL_TOLERANCE: f64 = 1e-12;

/// Bins of the histogram, and of a histogram of at most [`FEW`] outcomes.
const BINS: usize = 20;
const FEW_BINS: usize = 10;
const FEW: usize = 400;

/// Steps between the levels of the reliability curve, which are 0, 1/100, …, 1.
pub const STEPS: usize = 100;

/// Parts into which an outcome's mass is divided, so that sums are exact in any order.
const PARTS: f64 = 1000.0;

/// How many of some outcomes have their PIT in each bin, and at or below each level. Counts of
/// several test sets add up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PitCounts {
    outcomes: usize,
    /// Mass of each bin, in thousandths of an outcome.
    bins: Vec<i64>,
    /// Mass at or below each level less that of the level before it, in thousandths of an outcome.
    steps: Vec<i64>,
}

impl PitCounts {
    /// Counts pairs (F(y−), F(y)).
    ///
    /// `None` where a pair does not satisfy 0 ≤ F(y−) ≤ F(y) ≤ 1.
    pub fn new(pairs: &[(f64, f64)]) -> Option<Self> {
        let fine = |&(below, at): &(f64, f64)| 0.0 <= below && below <= at && at <= 1.0;
        if !pairs.iter().all(fine) {
            return None;
        }
        let levels: Vec<f64> = (0..=STEPS).map(|step| step as f64 / STEPS as f64).collect();
        let parts = |mass: Vec<f64>| {
            mass.into_iter().map(|mass| (PARTS * mass).round() as i64).collect::<Vec<i64>>()
        };
        let (bins, at_most) = (parts(masses(pairs, BINS)), parts(at_most(pairs, &levels)));
        let steps = at_most
            .iter()
            .scan(0, |before, &now| Some(now - std::mem::replace(before, now)))
            .collect();
        Some(Self { outcomes: pairs.len(), bins, steps })
    }

    /// Adds the outcomes of another test set.
    pub fn add(&mut self, other: &Self) {
        self.outcomes += other.outcomes;
        let add = |own: &mut Vec<i64>, other: &[i64]| {
            own.iter_mut().zip(other).for_each(|(own, other)| *own += other)
        };
        add(&mut self.bins, &other.bins);
        add(&mut self.steps, &other.steps);
    }

    /// Number of outcomes.
    pub fn outcomes(&self) -> usize {
        self.outcomes
    }
}

/// Whether a pair counts as a single number, its middle.
fn point(&(below, at): &(f64, f64)) -> Option<f64> {
    (at - below < 2.0 * HAIR).then_some(0.5 * (below + at))
}

/// Mass of the PIT in `bins` equal bins of [0, 1], in outcomes.
fn masses(pairs: &[(f64, f64)], bins: usize) -> Vec<f64> {
    let mut mass = vec![0.0; bins];
    let width = 1.0 / bins as f64;
    for pair in pairs {
        let (low, high) = point(pair).map_or(*pair, |u| ((u - HAIR).max(0.0), (u + HAIR).min(1.0)));
        let first = ((low / width) as usize).min(bins.saturating_sub(1));
        for (bin, mass) in mass.iter_mut().enumerate().skip(first) {
            let (left, right) = (bin as f64 * width, (bin + 1) as f64 * width);
            if left >= high {
                break;
            }
            *mass += (high.min(right) - low.max(left)).max(0.0) / (high - low);
        }
    }
    mass
}

/// The expected number of outcomes with PIT ≤ τ at each level τ.
fn at_most(pairs: &[(f64, f64)], levels: &[f64]) -> Vec<f64> {
    let one = |level: f64, pair: &(f64, f64)| match point(pair) {
        Some(u) => f64::from(u <= level + LEVEL_TOLERANCE),
        None => ((level - pair.0) / (pair.1 - pair.0)).clamp(0.0, 1.0),
    };
    levels.iter().map(|&level| pairs.iter().map(|pair| one(level, pair)).sum()).collect()
}

/// Band that contains the densities of all `bins` bins with probability 1 − `alpha` or more under
/// perfect calibration of `effective` outcomes: quantiles of a bin's binomial count, at `alpha` by
/// Bonferroni's correction over the bins.
fn histogram_band(effective: usize, bins: usize, alpha: f64) -> (f64, f64) {
    let tail = alpha / (2.0 * bins as f64);
    let (low, high) = binomial_quantiles(effective, 1.0 / bins as f64, tail);
    let expected = effective as f64 / bins as f64;
    (low as f64 / expected, high as f64 / expected)
}

/// The pooled transforms of one method.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pit {
    /// Effective number of independent outcomes.
    pub effective: usize,
    counts: PitCounts,
}

impl Pit {
    /// Pools the counts of test sets, with the effective number of independent ones among their
    /// outcomes, at most the number of outcomes.
    ///
    /// `None` for no outcome, and for no effective one.
    pub fn new(counts: &[PitCounts], effective: usize) -> Option<Self> {
        let (first, others) = counts.split_first()?;
        let mut counts = first.clone();
        others.iter().for_each(|other| counts.add(other));
        let effective = effective.min(counts.outcomes);
        (effective > 0).then_some(Self { effective, counts })
    }

    /// Number of pooled outcomes.
    pub fn outcomes(&self) -> usize {
        self.counts.outcomes
    }

    fn bins(&self) -> usize {
        if self.outcomes() > FEW { BINS } else { FEW_BINS }
    }

    /// Densities of the PIT in equal bins of [0, 1], ten of them for at most 400 outcomes and
    /// twenty for more; 1 in each under perfect calibration.
    pub fn histogram(&self) -> Vec<f64> {
        let bins = self.bins();
        let scale = bins as f64 / (PARTS * self.outcomes() as f64);
        self.counts
            .bins
            .chunks(BINS / bins)
            .map(|bin| bin.iter().sum::<i64>() as f64 * scale)
            .collect()
    }

    /// Band that contains the densities of all bins with probability 1 − `alpha` or more under
    /// perfect calibration.
    pub fn histogram_band(&self, alpha: f64) -> (f64, f64) {
        histogram_band(self.effective, self.bins(), alpha)
    }

    /// The expected share of outcomes with PIT ≤ τ at each level τ = 0, 1/100, …, 1; τ itself under
    /// perfect calibration (Kuleshov, Fenner & Ermon 2018, ICML, Section 3). Where no outcome lies
    /// on a jump of F, it is the empirical distribution function of the PIT.
    pub fn reliability(&self) -> Vec<f64> {
        let all = PARTS * self.outcomes() as f64;
        let sums = self.counts.steps.iter().scan(0, |sum, step| {
            *sum += step;
            Some(*sum as f64 / all)
        });
        sums.collect()
    }

    /// Largest distance ε between the reliability curve and the diagonal over all levels, which is
    /// exceeded with probability `alpha` at most under perfect calibration: ε = √(ln(2/α) / 2n),
    /// the inequality of Dvoretzky, Kiefer & Wolfowitz (1956) with the constant of Massart (1990),
    /// Ann. Probab. 18, 1269-1283.
    pub fn band(&self, alpha: f64) -> f64 {
        ((2.0 / alpha).ln() / (2.0 * self.effective as f64)).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use ndarray::{Array1, array};
    use proptest::prelude::{prop_assert, proptest};
    use rand::RngExt;

    use super::*;
    use crate::math::random::Streams;
    use crate::math::special::{normal_cdf, normal_quantile};
    use crate::predictive::{Atoms, Form, Gaussian, Mixture, Predictive};

    fn close(found: &[f64], expected: &[f64]) {
        assert_eq!(found.len(), expected.len());
        for (a, b) in found.iter().zip(expected) {
            assert!((a - b).abs() < 1e-6, "{found:?} against {expected:?}");
        }
    }

    /// Densities in `bins` bins.
    fn histogram(pairs: &[(f64, f64)], bins: usize) -> Vec<f64> {
        masses(pairs, bins)
            .into_iter()
            .map(|mass| mass * bins as f64 / pairs.len() as f64)
            .collect()
    }

    fn reliability(pairs: &[(f64, f64)], levels: &[f64]) -> Vec<f64> {
        at_most(pairs, levels).into_iter().map(|count| count / pairs.len() as f64).collect()
    }

    #[test]
    fn a_jump_spreads_its_mass_over_the_bins_that_it_covers() {
        // One outcome over [0.2, 0.6] and four bins: 0.05, 0.25, 0.1 and 0 of 0.4, times 4 for a
        // density.
        let one = [(0.2, 0.6)];
        close(&histogram(&one, 4), &[0.5, 2.5, 1.0, 0.0]);
        close(&reliability(&one, &[0.0, 0.2, 0.3, 0.6, 1.0]), &[0.0, 0.0, 0.25, 1.0, 1.0]);
        // With one outcome at 0.95, on average.
        let two = [(0.95, 0.95), (0.2, 0.6)];
        close(&histogram(&two, 4), &[0.25, 1.25, 0.5, 2.0]);
        close(&reliability(&two, &[0.3, 0.94, 0.95, 1.0]), &[0.125, 0.5, 1.0, 1.0]);
    }

    #[test]
    fn a_number_on_an_edge_counts_half_on_either_side() {
        let one = |u: f64| histogram(&[(u, u)], 2);
        close(&one(0.5), &[1.0, 1.0]);
        close(&one(0.5 + 1e-16), &[1.0, 1.0]);
        close(&one(0.0), &[2.0, 0.0]);
        close(&one(1.0), &[0.0, 2.0]);
        close(&one(0.499), &[2.0, 0.0]);
    }

    #[test]
    fn counts_of_test_sets_add_up_to_those_of_all_their_outcomes() {
        let pairs: Vec<(f64, f64)> =
            (0..900).map(|k| f64::from(k) / 900.0).map(|u| (u * u, u)).collect();
        let pit = |parts: usize| {
            let counts: Vec<PitCounts> =
                pairs.chunks(pairs.len() / parts).map(|p| PitCounts::new(p).unwrap()).collect();
            Pit::new(&counts, pairs.len()).unwrap()
        };
        let (whole, parts) = (pit(1), pit(9));
        let levels: Vec<f64> = (0..=STEPS).map(|step| step as f64 / STEPS as f64).collect();
        for pit in [whole, parts] {
            // Each of at most nine counts is rounded to a thousandth of one of 900 outcomes.
            let near = |found: &[f64], exact: &[f64], scale: f64| {
                found
                    .iter()
                    .zip(exact)
                    .all(|(a, b)| (a - b).abs() <= scale * 9.0 * 0.0005 / 900.0 + 1e-12)
            };
            assert!(near(&pit.histogram(), &histogram(&pairs, BINS), BINS as f64));
            assert!(near(&pit.reliability(), &reliability(&pairs, &levels), 1.0));
        }
        let few = Pit::new(&[PitCounts::new(&pairs[..400]).unwrap()], 400).unwrap();
        assert_eq!(few.histogram().len(), FEW_BINS);
    }

    #[test]
    fn transforms_of_atoms_and_of_densities_are_those_of_their_definition() {
        let atoms = Atoms {
            values: array![[1.0, 2.0, 3.0], [1.0, 2.0, 3.0], [1.0, 2.0, 3.0]],
            weights: array![[0.2, 0.5, 0.3]],
        };
        let atoms = Predictive::new(Form::Atoms(atoms));
        let pairs = atoms.transforms(array![2.0, 2.5, 0.0].view()).unwrap();
        let expected = [(0.2, 0.7), (0.7, 0.7), (0.0, 0.0)];
        for ((a, b), (c, d)) in pairs.iter().zip(expected) {
            assert!((a - c).abs() < 1e-15 && (b - d).abs() < 1e-15, "{pairs:?}");
        }
        let gaussian =
            Predictive::new(Form::Gaussian(Gaussian { mean: array![1.0], variance: array![4.0] }));
        let (below, at) = gaussian.transforms(array![3.0].view()).unwrap()[0];
        assert_eq!((below, at), (normal_cdf(1.0), normal_cdf(1.0)));
        // A summary has F at its own outcomes only.
        let summary = gaussian.summarised(array![3.0].view(), None);
        assert!(
            summary.transforms(array![3.0].view()).is_some()
                && summary.transforms(array![2.0].view()).is_none()
        );
    }

    #[test]
    fn no_pair_and_invalid_probabilities_give_none() {
        let counts = |pairs: &[(f64, f64)]| PitCounts::new(pairs).unwrap();
        assert_eq!(Pit::new(&[], 1), None);
        assert_eq!(Pit::new(&[counts(&[])], 1), None);
        assert_eq!(Pit::new(&[counts(&[(0.1, 0.2)])], 0), None);
        for pair in [(0.2, 0.1), (-0.1, 0.1), (0.9, 1.1), (f64::NAN, 0.5), (0.5, f64::NAN)] {
            assert_eq!(PitCounts::new(&[(0.1, 0.2), pair]), None, "{pair:?}");
        }
        assert_eq!(
            Pit::new(&[counts(&[(0.1, 0.2)])], 7).unwrap().effective,
            1,
            "at most the number of pairs"
        );
    }

    #[test]
    fn bands_are_hand_computed() {
        // Ten outcomes in two bins at 0.1: tails of 0.025. P(K ≤ 1) = 11/1024 < 0.025 ≤ P(K ≤ 2) =
        // 56/1024; and P(K ≤ 7) = 968/1024 < 0.975 ≤ P(K ≤ 8). Two and eight of the five expected.
        assert_eq!(histogram_band(10, 2, 0.1), (0.4, 1.6));
        assert_eq!(histogram_band(10, 1, 0.05), (1.0, 1.0), "one bin holds everything");
        assert_eq!(histogram_band(1, 20, 0.05), (0.0, 20.0));
        // Sums of 60 digits in Python 3: quantiles at 0.00125 and 0.99875 of 20 000 trials of
        // probability 1/20.
        assert_eq!(histogram_band(20_000, 20, 0.05), (0.908, 1.094));
        let pit = Pit::new(&[PitCounts::new(&[(0.5, 0.5); 100]).unwrap()], 100).unwrap();
        // √(ln 40 / 200), by hand.
        assert!((pit.band(0.05) - 0.135_810_15).abs() < 1e-8, "{}", pit.band(0.05));
    }

    #[test]
    fn perfect_calibration_lies_in_both_bands_with_their_probability() {
        let (n, repetitions, mut in_bins, mut in_curve) = (500, 1000, 0, 0);
        for repetition in 0..repetitions {
            let mut stream = Streams::new(1, "calibration").stream("pit", repetition);
            let points: Vec<f64> = (0..n).map(|_| stream.random()).collect();
            let pairs: Vec<(f64, f64)> = points.iter().map(|&u| (u, u)).collect();
            let pit = Pit::new(&[PitCounts::new(&pairs).unwrap()], n).unwrap();
            let (low, high) = pit.histogram_band(0.05);
            in_bins +=
                u32::from(pit.histogram().iter().all(|d| *d > low - 1e-9 && *d < high + 1e-9));
            // The curve is farthest from the diagonal at a jump, on either side of it.
            let band = pit.band(0.05);
            let near: Vec<f64> = points.iter().flat_map(|u| [*u, u - 1e-9]).collect();
            let strays = reliability(&pairs, &near)
                .iter()
                .zip(&near)
                .any(|(share, level)| (share - level).abs() > band);
            in_curve += u32::from(!strays);
        }
        // Binomial(1000, 0.95) has standard deviation 7. Bonferroni's correction and whole counts
        // make the bins a little conservative; the inequality makes the curve conservative.
        assert!(
            (925..=990).contains(&in_bins) && (925..=985).contains(&in_curve),
            "{in_bins} and {in_curve}"
        );
    }

    #[test]
    fn too_narrow_too_wide_and_biased_predictions_have_their_shapes() {
        let n = 2000;
        let y: Array1<f64> = (0..n).map(|k| normal_quantile((k as f64 + 0.5) / n as f64)).collect();
        let of = |mean: f64, sd: f64| {
            let form = Gaussian {
                mean: Array1::from_elem(n, mean),
                variance: Array1::from_elem(n, sd * sd),
            };
            let pairs = Predictive::new(Form::Gaussian(form)).transforms(y.view()).unwrap();
            histogram(&pairs, 10)
        };
        assert!(of(0.0, 1.0).iter().all(|d| (d - 1.0).abs() < 1e-6));
        let narrow = of(0.0, 0.5);
        // P(Φ(2Z) ≤ 0.1) = Φ(Φ⁻¹(0.1)/2).
        let expected = 10.0 * normal_cdf(normal_quantile(0.1) / 2.0);
        assert!(
            (narrow[0] - expected).abs() < 0.01
                && (narrow[9] - expected).abs() < 0.01
                && narrow[4] < 0.6
        );
        let wide = of(0.0, 2.0);
        assert!(wide[0] < 0.1 && wide[9] < 0.1 && wide[4] > 1.5, "{wide:?}");
        let high = of(1.0, 1.0);
        assert!(high.is_sorted_by(|a, b| a > b), "predictions too high: {high:?}");
    }

    proptest! {
        #[test]
        fn the_histogram_has_mass_one_and_sums_to_the_curve(
            ends in proptest::collection::vec((0.0..=1.0_f64, 0.0..=1.0_f64), 1..40),
            bins in 1..25_usize,
        ) {
            let pairs: Vec<(f64, f64)> =
                ends.into_iter().map(|(a, b)| (a.min(b), a.max(b))).collect();
            let densities = histogram(&pairs, bins);
            prop_assert!((densities.iter().sum::<f64>() / bins as f64 - 1.0).abs() < 1e-6);
            // The cumulative histogram equals the curve at the edges, except for numbers on an
            // edge.
            let edges: Vec<f64> = (1..=bins).map(|j| j as f64 / bins as f64).collect();
            let mut sum = 0.0;
            for (density, share) in densities.iter().zip(reliability(&pairs, &edges)) {
                sum += density / bins as f64;
                prop_assert!((sum - share).abs() < 1e-6);
            }
        }

        #[test]
        fn mixtures_give_pairs_in_order(y in -50.0..50.0_f64, mean in -5.0..5.0_f64) {
            let mixture = Mixture {
                weights: array![[0.3, 0.7]],
                means: array![[mean, -mean]],
                variances: array![[1.0, 0.01]],
            };
            let pairs =
                Predictive::new(Form::Mixture(mixture)).transforms(array![y].view()).unwrap();
            prop_assert!(PitCounts::new(&pairs).is_some());
        }
    }
}
