//! Pool the probability integral transforms (PIT) of one method's outcomes, and compute the bands that perfect
//! calibration allows.
//!
//! The PIT of an outcome y under the predictive distribution F is uniform on [F(y−), F(y)], a single number where F
//! does not jump; over outcomes that follow their F it is uniform on [0, 1]. The PIT is not randomised here. An outcome
//! spreads its mass over the interval, which is the expectation over the randomisation (Czado, Gneiting & Held 2009,
//! Biometrics 65, 1254-1261). Such outcomes vary less than single numbers would, and the bands are conservative for
//! them.

use super::binomial::binomial_quantiles;

/// Half the width over which a single number is spread. A number on the edge of two bins, as k equal atoms give, then
/// counts half in each, in spite of rounding.
const HAIR: f64 = 1e-9;

/// How far rounding may raise a PIT above the level that it equals.
const LEVEL_TOLERANCE: f64 = 1e-12;

/// The pooled transforms of one method.
#[derive(Clone, Debug, PartialEq)]
pub struct Pit {
    /// Effective number of independent outcomes.
    pub effective: usize,
    /// Outcomes without a jump, ascending.
    points: Vec<f64>,
    /// F(y−) < F(y) of the other outcomes.
    spread: Vec<(f64, f64)>,
}

impl Pit {
    /// Pools pairs (F(y−), F(y)) with the given effective number of independent outcomes, at most the number of pairs.
    ///
    /// `None` for no pair, for no effective outcome, and where a pair does not satisfy 0 ≤ F(y−) ≤ F(y) ≤ 1.
    pub fn new(pairs: Vec<(f64, f64)>, effective: usize) -> Option<Self> {
        let fine = |&(below, at): &(f64, f64)| 0.0 <= below && below <= at && at <= 1.0;
        if pairs.is_empty() || effective == 0 || !pairs.iter().all(fine) {
            return None;
        }
        let effective = effective.min(pairs.len());
        let (points, spread): (Vec<_>, Vec<_>) = pairs.into_iter().partition(|(below, at)| at - below < 2.0 * HAIR);
        let mut points: Vec<f64> = points.into_iter().map(|(below, at)| 0.5 * (below + at)).collect();
        points.sort_unstable_by(f64::total_cmp);
        Some(Self { effective, points, spread })
    }

    /// Number of pooled outcomes.
    pub fn outcomes(&self) -> usize {
        self.points.len() + self.spread.len()
    }

    /// Densities of the PIT in `bins` equal bins of [0, 1]; 1 in each under perfect calibration.
    pub fn histogram(&self, bins: usize) -> Vec<f64> {
        let mut mass = vec![0.0; bins];
        let width = 1.0 / bins as f64;
        let hairs = self.points.iter().map(|u| ((u - HAIR).max(0.0), (u + HAIR).min(1.0)));
        for (low, high) in hairs.chain(self.spread.iter().copied()) {
            let first = ((low / width) as usize).min(bins.saturating_sub(1));
            for (bin, mass) in mass.iter_mut().enumerate().skip(first) {
                let (left, right) = (bin as f64 * width, (bin + 1) as f64 * width);
                if left >= high {
                    break;
                }
                *mass += (high.min(right) - low.max(left)).max(0.0) / (high - low);
            }
        }
        let scale = bins as f64 / self.outcomes() as f64;
        mass.into_iter().map(|mass| mass * scale).collect()
    }

    /// Band that contains the densities of all `bins` bins with probability 1 − `alpha` or more under perfect
    /// calibration: quantiles of a bin's binomial count, at `alpha` by Bonferroni's correction over the bins.
    pub fn histogram_band(&self, bins: usize, alpha: f64) -> (f64, f64) {
        let tail = alpha / (2.0 * bins as f64);
        let (low, high) = binomial_quantiles(self.effective, 1.0 / bins as f64, tail);
        let expected = self.effective as f64 / bins as f64;
        (low as f64 / expected, high as f64 / expected)
    }

    /// The expected share of outcomes with PIT ≤ τ at each level τ; τ itself under perfect calibration (Kuleshov,
    /// Fenner & Ermon 2018, ICML, Section 3). Where no outcome lies on a jump of F, it is the empirical distribution
    /// function of the PIT.
    pub fn reliability(&self, levels: &[f64]) -> Vec<f64> {
        let share = |&level: &f64| {
            let points = self.points.partition_point(|u| *u <= level + LEVEL_TOLERANCE) as f64;
            let part = |&(below, at): &(f64, f64)| ((level - below) / (at - below)).clamp(0.0, 1.0);
            (points + self.spread.iter().map(part).sum::<f64>()) / self.outcomes() as f64
        };
        levels.iter().map(share).collect()
    }

    /// Largest distance ε between the reliability curve and the diagonal over all levels, which is exceeded with
    /// probability `alpha` at most under perfect calibration: ε = √(ln(2/α) / 2n), the inequality of Dvoretzky, Kiefer
    /// & Wolfowitz (1956) with the constant of Massart (1990), Ann. Probab. 18, 1269-1283.
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

    #[test]
    fn a_jump_spreads_its_mass_over_the_bins_that_it_covers() {
        // One outcome over [0.2, 0.6] and four bins: 0.05, 0.25, 0.1 and 0 of 0.4, times 4 for a density.
        let pit = Pit::new(vec![(0.2, 0.6)], 1).unwrap();
        close(&pit.histogram(4), &[0.5, 2.5, 1.0, 0.0]);
        close(&pit.reliability(&[0.0, 0.2, 0.3, 0.6, 1.0]), &[0.0, 0.0, 0.25, 1.0, 1.0]);
        // With one outcome at 0.95, on average.
        let pit = Pit::new(vec![(0.95, 0.95), (0.2, 0.6)], 2).unwrap();
        close(&pit.histogram(4), &[0.25, 1.25, 0.5, 2.0]);
        close(&pit.reliability(&[0.3, 0.94, 0.95, 1.0]), &[0.125, 0.5, 1.0, 1.0]);
    }

    #[test]
    fn a_number_on_an_edge_counts_half_on_either_side() {
        let pit = |u: f64| Pit::new(vec![(u, u)], 1).unwrap().histogram(2);
        close(&pit(0.5), &[1.0, 1.0]);
        close(&pit(0.5 + 1e-16), &[1.0, 1.0]);
        close(&pit(0.0), &[2.0, 0.0]);
        close(&pit(1.0), &[0.0, 2.0]);
        close(&pit(0.499), &[2.0, 0.0]);
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
        let gaussian = Predictive::new(Form::Gaussian(Gaussian { mean: array![1.0], variance: array![4.0] }));
        let (below, at) = gaussian.transforms(array![3.0].view()).unwrap()[0];
        assert_eq!((below, at), (normal_cdf(1.0), normal_cdf(1.0)));
        // A summary has F at its own outcomes only.
        let summary = gaussian.summarised(array![3.0].view());
        assert!(summary.transforms(array![3.0].view()).is_some() && summary.transforms(array![2.0].view()).is_none());
    }

    #[test]
    fn no_pair_and_invalid_probabilities_give_none() {
        assert_eq!(Pit::new(vec![], 1), None);
        assert_eq!(Pit::new(vec![(0.1, 0.2)], 0), None);
        for pair in [(0.2, 0.1), (-0.1, 0.1), (0.9, 1.1), (f64::NAN, 0.5), (0.5, f64::NAN)] {
            assert_eq!(Pit::new(vec![(0.1, 0.2), pair], 2), None, "{pair:?}");
        }
        assert_eq!(Pit::new(vec![(0.1, 0.2)], 7).unwrap().effective, 1, "at most the number of pairs");
    }

    #[test]
    fn bands_are_hand_computed() {
        let pit = |n: usize| Pit::new(vec![(0.5, 0.5); n], n).unwrap();
        // Ten outcomes in two bins at 0.1: tails of 0.025. P(K ≤ 1) = 11/1024 < 0.025 ≤ P(K ≤ 2) = 56/1024; and P(K ≤ 7) =
        // 968/1024 < 0.975 ≤ P(K ≤ 8). Two and eight of the five expected.
        assert_eq!(pit(10).histogram_band(2, 0.1), (0.4, 1.6));
        assert_eq!(pit(10).histogram_band(1, 0.05), (1.0, 1.0), "one bin holds everything");
        assert_eq!(pit(1).histogram_band(20, 0.05), (0.0, 20.0));
        // Sums of 60 digits in Python 3: quantiles at 0.00125 and 0.99875 of 20 000 trials of probability 1/20.
        assert_eq!(pit(20_000).histogram_band(20, 0.05), (0.908, 1.094));
        // √(ln 40 / 200), by hand.
        assert!((pit(100).band(0.05) - 0.135_810_15).abs() < 1e-8, "{}", pit(100).band(0.05));
    }

    #[test]
    fn perfect_calibration_lies_in_both_bands_with_their_probability() {
        let (n, repetitions, mut in_bins, mut in_curve) = (500, 1000, 0, 0);
        for repetition in 0..repetitions {
            let mut stream = Streams::new(1, "calibration").stream("pit", repetition);
            let points: Vec<f64> = (0..n).map(|_| stream.random()).collect();
            let pit = Pit::new(points.iter().map(|&u| (u, u)).collect(), n).unwrap();
            let (low, high) = pit.histogram_band(20, 0.05);
            in_bins += u32::from(pit.histogram(20).iter().all(|d| *d > low - 1e-9 && *d < high + 1e-9));
            // The curve is farthest from the diagonal at a jump, on either side of it.
            let band = pit.band(0.05);
            let near: Vec<f64> = points.iter().flat_map(|u| [*u, u - 1e-9]).collect();
            let strays = pit.reliability(&near).iter().zip(&near).any(|(share, level)| (share - level).abs() > band);
            in_curve += u32::from(!strays);
        }
        // Binomial(1000, 0.95) has standard deviation 7. Bonferroni's correction and whole counts make the bins a
        // little conservative; the inequality makes the curve conservative.
        assert!((925..=990).contains(&in_bins) && (925..=985).contains(&in_curve), "{in_bins} and {in_curve}");
    }

    #[test]
    fn too_narrow_too_wide_and_biased_predictions_have_their_shapes() {
        let n = 2000;
        let y: Array1<f64> = (0..n).map(|k| normal_quantile((k as f64 + 0.5) / n as f64)).collect();
        let histogram = |mean: f64, sd: f64| {
            let form = Gaussian { mean: Array1::from_elem(n, mean), variance: Array1::from_elem(n, sd * sd) };
            let pairs = Predictive::new(Form::Gaussian(form)).transforms(y.view()).unwrap();
            Pit::new(pairs, n).unwrap().histogram(10)
        };
        assert!(histogram(0.0, 1.0).iter().all(|d| (d - 1.0).abs() < 1e-6));
        let narrow = histogram(0.0, 0.5);
        // P(Φ(2Z) ≤ 0.1) = Φ(Φ⁻¹(0.1)/2).
        let expected = 10.0 * normal_cdf(normal_quantile(0.1) / 2.0);
        assert!((narrow[0] - expected).abs() < 0.01 && (narrow[9] - expected).abs() < 0.01 && narrow[4] < 0.6);
        let wide = histogram(0.0, 2.0);
        assert!(wide[0] < 0.1 && wide[9] < 0.1 && wide[4] > 1.5, "{wide:?}");
        let high = histogram(1.0, 1.0);
        assert!(high.is_sorted_by(|a, b| a > b), "predictions too high: {high:?}");
    }

    proptest! {
        #[test]
        fn the_histogram_has_mass_one_and_sums_to_the_curve(
            ends in proptest::collection::vec((0.0..=1.0_f64, 0.0..=1.0_f64), 1..40),
            bins in 1..25_usize,
        ) {
            let pairs: Vec<(f64, f64)> = ends.into_iter().map(|(a, b)| (a.min(b), a.max(b))).collect();
            let pit = Pit::new(pairs.clone(), pairs.len()).unwrap();
            let densities = pit.histogram(bins);
            prop_assert!((densities.iter().sum::<f64>() / bins as f64 - 1.0).abs() < 1e-6);
            // The cumulative histogram equals the curve at the edges, except for numbers on an edge.
            let edges: Vec<f64> = (1..=bins).map(|j| j as f64 / bins as f64).collect();
            let mut sum = 0.0;
            for (density, share) in densities.iter().zip(pit.reliability(&edges)) {
                sum += density / bins as f64;
                prop_assert!((sum - share).abs() < 1e-6);
            }
        }

        #[test]
        fn mixtures_give_pairs_in_order(y in -50.0..50.0_f64, mean in -5.0..5.0_f64) {
            let mixture = Mixture { weights: array![[0.3, 0.7]], means: array![[mean, -mean]], variances: array![[1.0, 0.01]] };
            let pairs = Predictive::new(Form::Mixture(mixture)).transforms(array![y].view()).unwrap();
            prop_assert!(Pit::new(pairs, 1).is_some());
        }
    }
}
