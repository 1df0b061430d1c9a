//! Write noise and sums of noise as a few normal distributions, so that a prediction has a density.
//!
//! The noise: components with the highest likelihood for a fine grid over its germ, by expectation
//! maximisation; each step keeps mean and variance. A sum of weighted noises: one component, or two
//! of equal variance with the sum's first four cumulants. Components (1 − w) δ and −w δ from the
//! mean, weights w and 1 − w: with c = δ² w(1 − w)/s² the part of the variance s² that is between
//! them, skewness γ and excess kurtosis κ hold for c with γ²/c − 2c² = κ, which every distribution
//! allows (κ ≥ γ² − 2).

use serde::{Deserialize, Serialize};

use super::expansion::Expansion;
use crate::state::require;
use uq_core::math::root::increasing_root;

/// Components for the noise; with two for the sum, 60 numbers a row: a form that is stored exactly.
const COMPONENTS: usize = 10;

/// Points of the grid over the germ.
const POINTS: usize = 401;

/// Steps of expectation maximisation.
const STEPS: usize = 300;

/// Smallest variance of a component, in units of the noise's: gamma noise below shape 1 has an
/// infinite density at its end.
const FLOOR: f64 = 1e-5;

/// Reach of the first components' centres, in normal scores.
const REACH: f64 = 3.2;

/// Smallest weight of the two components of a sum.
const LEAST_WEIGHT: f64 = 0.005;

/// A mixture of normal distributions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct NormalMixture {
    /// They sum to one.
    pub weights: Vec<f64>,
    pub means: Vec<f64>,
    pub variances: Vec<f64>,
}

impl NormalMixture {
    /// Checks a mixture that was read: each of its components has a weight, a mean and a variance.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn check(&self) -> Result<(), String> {
        let Self { weights, means, variances } = self;
        let count = weights.len();
        require(
            count > 0 && [means.len(), variances.len()] == [count; 2],
            "components without their numbers",
        )
    }

    /// M − m_0: its mean 0 and its variance are kept, its third and fourth cumulants nearly.
    pub fn of_noise(noise: &Expansion) -> Self {
        let variance = noise.variance();
        if noise.is_normal() || variance == 0.0 {
            return Self { weights: vec![1.0], means: vec![0.0], variances: vec![variance] };
        }
        let grid = noise.standardised().grid(POINTS);
        let mut mixture = start(&grid.values, &grid.weights);
        let mut shares = vec![0.0; COMPONENTS];
        for _ in 0..STEPS {
            mixture = mixture.step(&grid.values, &grid.weights, &mut shares);
        }
        // The grid's own mean and variance differ slightly from 0 and 1, because it is finite.
        let centre = mixture.average(|mean, _| mean);
        let spread = mixture.average(|mean, v| v + (mean - centre).powi(2));
        let factor = (variance / spread).sqrt();
        mixture.means.iter_mut().for_each(|mean| *mean = factor * (*mean - centre));
        mixture.variances.iter_mut().for_each(|v| *v *= factor * factor);
        mixture
    }

    /// One step of expectation maximisation on weighted points.
    fn step(&self, values: &[f64], weights: &[f64], shares: &mut [f64]) -> Self {
        let k = self.weights.len();
        let scale: Vec<f64> = (0..k).map(|c| self.weights[c] / self.variances[c].sqrt()).collect();
        let mut sums = vec![[0.0; 3]; k];
        for (x, weight) in values.iter().zip(weights) {
            let mut total = 0.0;
            let mut nearest = f64::INFINITY;
            let distances = (0..k).map(|c| 0.5 * (x - self.means[c]).powi(2) / self.variances[c]);
            for (share, distance) in shares.iter_mut().zip(distances) {
                *share = distance;
                nearest = nearest.min(distance);
            }
            for (share, scale) in shares.iter_mut().zip(&scale) {
                *share = scale * (nearest - *share).exp();
                total += *share;
            }
            for (sum, share) in sums.iter_mut().zip(shares.iter()) {
                let part = weight * share / total;
                sum[0] += part;
                sum[1] += part * x;
                sum[2] += part * x * x;
            }
        }
        let mut next = self.clone();
        for (c, [weight, first, second]) in sums.into_iter().enumerate() {
            next.weights[c] = weight;
            // A component without points stays in place.
            if weight > 1e-12 {
                next.means[c] = first / weight;
                next.variances[c] = (second / weight - next.means[c].powi(2)).max(FLOOR);
            }
        }
        next
    }

    /// Σ_k w_k g(mean_k, variance_k).
    pub fn average(&self, g: impl Fn(f64, f64) -> f64) -> f64 {
        self.weights
            .iter()
            .zip(self.means.iter().zip(&self.variances))
            .map(|(w, (m, v))| w * g(*m, *v))
            .sum()
    }

    /// The variable of mean `cumulants`\[0\] and the first four of its cumulants; normal where its
    /// form allows no other.
    pub fn of_sum([mean, variance, third, fourth]: [f64; 4]) -> Self {
        let one = || Self { weights: vec![1.0], means: vec![mean], variances: vec![variance] };
        if variance <= 0.0 {
            return Self { variances: vec![0.0], ..one() };
        }
        let (skewness, excess) = (third / variance.powf(1.5), fourth / (variance * variance));
        let square = skewness * skewness;
        if square < 1e-8 && excess >= -1e-8 {
            return one();
        }
        // Decreasing in c: its negative increases.
        let between = increasing_root(1e-9, 1.0, 0.5, |c| {
            (excess - square / c + 2.0 * c * c, square / (c * c) + 4.0 * c)
        });
        // Skewness of the two points: (1 − 2w)/√(w(1 − w)).
        let points = (skewness / between.powf(1.5)).abs();
        let least = 0.5 * (1.0 - points / (points * points + 4.0).sqrt());
        // The weight is too small: keep the skewness with a component of the least weight.
        let (w, between) = if least >= LEAST_WEIGHT {
            (least, between)
        } else {
            let points = (1.0 - 2.0 * LEAST_WEIGHT) / (LEAST_WEIGHT * (1.0 - LEAST_WEIGHT)).sqrt();
            (LEAST_WEIGHT, (skewness.abs() / points).powf(2.0 / 3.0).min(1.0))
        };
        let deviation = (variance * between).sqrt().copysign(skewness);
        let odds = ((1.0 - w) / w).sqrt();
        let rest = variance * (1.0 - between);
        Self {
            weights: vec![w, 1.0 - w],
            means: vec![mean + deviation * odds, mean - deviation / odds],
            variances: vec![rest, rest],
        }
    }

    /// The sum of two independent variables.
    pub fn plus(&self, other: &Self) -> Self {
        let pairs =
            || (0..self.weights.len()).flat_map(|i| (0..other.weights.len()).map(move |j| (i, j)));
        Self {
            weights: pairs().map(|(i, j)| self.weights[i] * other.weights[j]).collect(),
            means: pairs().map(|(i, j)| self.means[i] + other.means[j]).collect(),
            variances: pairs().map(|(i, j)| self.variances[i] + other.variances[j]).collect(),
        }
    }

    /// ln of the density at `x` with `further` variance in every component.
    pub fn log_density(&self, x: f64, further: f64) -> f64 {
        let term = |c: usize| {
            let v = self.variances[c] + further;
            self.weights[c].ln()
                - 0.5 * ((x - self.means[c]).powi(2) / v + (2.0 * std::f64::consts::PI * v).ln())
        };
        let largest = (0..self.weights.len()).map(term).fold(f64::NEG_INFINITY, f64::max);
        largest + (0..self.weights.len()).map(|c| (term(c) - largest).exp()).sum::<f64>().ln()
    }
}

/// Components in the middle of equal parts of the germ's normal scores, each as wide as its part.
fn start(values: &[f64], weights: &[f64]) -> NormalMixture {
    let part = |i: usize| {
        // Scores run evenly over the grid.
        let score = (i as f64 / (values.len() - 1) as f64 - 0.5) * 15.0;
        (((score / REACH + 1.0) * 0.5 * COMPONENTS as f64).max(0.0) as usize).min(COMPONENTS - 1)
    };
    let mut sums = vec![[0.0; 3]; COMPONENTS];
    for (i, (x, weight)) in values.iter().zip(weights).enumerate() {
        let sum = &mut sums[part(i)];
        sum[0] += weight;
        sum[1] += weight * x;
        sum[2] += weight * x * x;
    }
    let mean = |[w, first, _]: &[f64; 3]| first / w;
    NormalMixture {
        weights: sums.iter().map(|sum| sum[0]).collect(),
        means: sums.iter().map(mean).collect(),
        variances: sums
            .iter()
            .map(|sum| (sum[2] / sum[0] - mean(sum).powi(2)).max(FLOOR))
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uq_core::math::special::normal_cdf;
    use uq_math::orthogonal::Orthogonal;

    /// κ_1 to κ_4 of a mixture.
    fn cumulants(mixture: &NormalMixture) -> [f64; 4] {
        let mean = mixture.average(|m, _| m);
        let moment = |g: &dyn Fn(f64, f64) -> f64| mixture.average(|m, v| g(m - mean, v));
        let second = moment(&|d, v| d * d + v);
        let third = moment(&|d, v| d.powi(3) + 3.0 * d * v);
        let fourth = moment(&|d, v| d.powi(4) + 6.0 * d * d * v + 3.0 * v * v);
        [mean, second, third, fourth - 3.0 * second * second]
    }

    #[test]
    fn two_components_have_the_first_four_cumulants() {
        for wanted in [
            [1.0, 4.0, -2.0, 3.0],
            [0.0, 1.0, 1.5, 2.0],
            [0.0, 1.0, 0.0, -1.2],
            [2.0, 0.5, 0.2, -0.1],
        ] {
            let mixture = NormalMixture::of_sum(wanted);
            assert_eq!(mixture.weights.len(), 2);
            assert!(mixture.variances.iter().all(|v| *v >= 0.0));
            for (found, wanted) in cumulants(&mixture).iter().zip(wanted) {
                assert!((found - wanted).abs() < 1e-7, "{wanted}: {found}");
            }
        }
        // A rare far component is not used: three cumulants are kept.
        let found = cumulants(&NormalMixture::of_sum([0.0, 1.0, 0.01, 2.0]));
        assert!(
            (found[1] - 1.0).abs() < 1e-12 && (found[2] - 0.01).abs() < 1e-9 && found[3] < 0.5,
            "{found:?}"
        );
        assert_eq!(NormalMixture::of_sum([3.0, 2.0, 0.0, 0.0]).variances, [2.0]);
        assert_eq!(NormalMixture::of_sum([3.0, 0.0, 0.0, 0.0]).means, [3.0]);
    }

    #[test]
    fn ten_components_keep_two_moments_and_stay_near_the_distribution() {
        // Largest distance of the blurred distribution functions, and of the third cumulant.
        let cases = [
            (Expansion::gamma(4.0, 0.5), 0.004, 0.02),
            (Expansion::gamma(0.25, 2.0), 0.004, 0.1),
            (Expansion::uniform(-2.0, 1.0), 0.004, 1e-3),
            (Expansion::beta(2.0, 5.0, 0.0, 3.0), 0.004, 0.02),
            (Expansion::new(Orthogonal::Hermite, vec![0.0, 1.0, 0.3]), 0.004, 0.05),
        ];
        for (noise, distance, skew) in cases {
            let mixture = NormalMixture::of_noise(&noise);
            let [mean, variance, third, _] = cumulants(&mixture);
            let exact = noise.cumulants();
            assert!(mean.abs() < 1e-12 && (variance / exact[1] - 1.0).abs() < 1e-12, "{noise:?}");
            let relative = (third - exact[2]).abs() / exact[1].powf(1.5);
            assert!(
                relative < skew * (1.0 + exact[2].abs()),
                "{noise:?}: third {third} {}",
                exact[2]
            );
            // Blurred by noise in the mean of a twentieth of the variance, because gamma noise ends
            // at a point and no normal distribution does.
            let grid = noise.grid(401);
            let blur = 0.05 * exact[1];
            let far = grid.values.iter().map(|x| {
                let cdf = mixture.average(|m, v| normal_cdf((x - m) / (v + blur).sqrt()));
                let parts = grid.values.iter().zip(&grid.weights);
                (cdf - parts.map(|(m, w)| w * normal_cdf((x - m) / blur.sqrt())).sum::<f64>()).abs()
            });
            let far = far.fold(0.0, f64::max);
            assert!(far < distance, "{noise:?}: {far}");
        }
    }

    #[test]
    fn sums_are_convolutions() {
        let (a, b) = (
            NormalMixture::of_sum([1.0, 4.0, -2.0, 3.0]),
            NormalMixture::of_sum([0.0, 1.0, 1.5, 2.0]),
        );
        for (found, wanted) in cumulants(&a.plus(&b)).iter().zip([1.0, 5.0, -0.5, 5.0]) {
            assert!((found - wanted).abs() < 1e-7);
        }
        let normal = NormalMixture { weights: vec![1.0], means: vec![0.5], variances: vec![3.0] };
        let expected = -0.5 * (2.25 / 4.0 + (8.0 * std::f64::consts::PI).ln());
        assert!((normal.log_density(2.0, 1.0) - expected).abs() < 1e-14);
    }
}
