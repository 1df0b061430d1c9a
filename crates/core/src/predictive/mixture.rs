//! Represent a mixture of normal distributions at each point.
//!
//! CRPS: Grimit, Gneiting, Berrocal & Johnson (2006), *The continuous ranked probability score for
//! circular variables and its application to mesoscale forecast ensemble verification*, QJRMS 132,
//! 2925-2942.

mod quantile;

use std::f64::consts::PI;

use ndarray::{Array1, Array2};
use serde::{Deserialize, Serialize};

use super::distribution::{finite, ln_of_probability};
use super::validate::weight_row;
use super::{Distribution, Exactness, InvalidPredictive, Quantity, gaussian, validate};
use crate::math::special::{normal_cdf, normal_density};

/// Where integration is cut into pieces, in standard deviations about each component's mean.
const PIECES: [f64; 15] =
    [-10.0, -8.0, -6.0, -4.0, -3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 10.0];

/// Positive nodes and weights of the Gauss-Legendre rule with 8 points on [−1, 1] (Abramowitz &
/// Stegun, table 25.4).
const GAUSS_LEGENDRE: [(f64, f64); 4] = [
    (0.183_434_642_495_649_8, 0.362_683_783_378_362),
    (0.525_532_409_916_329, 0.313_706_645_877_887_3),
    (0.796_666_477_413_626_7, 0.222_381_034_453_374_48),
    (0.960_289_856_497_536_3, 0.101_228_536_290_376_26),
];

/// ln N(difference | 0, variance); infinite for a variance of zero.
fn ln_normal(difference: f64, variance: f64) -> f64 {
    if variance == 0.0 {
        return if difference == 0.0 { f64::INFINITY } else { f64::NEG_INFINITY };
    }
    -0.5 * (difference * difference / variance + (2.0 * PI * variance).ln())
}

/// ln Σ eˣ.
pub(super) fn ln_sum_exp(terms: impl Iterator<Item = f64> + Clone) -> f64 {
    let largest = terms.clone().fold(f64::NEG_INFINITY, f64::max);
    if !largest.is_finite() {
        return largest;
    }
    largest + terms.map(|term| (term - largest).exp()).sum::<f64>().ln()
}

/// A mixture of k normal distributions at each of n points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mixture {
    /// Weights, n × k, or 1 × k where all points share them; each row sums to one.
    pub weights: Array2<f64>,
    /// Means of the components, n × k.
    pub means: Array2<f64>,
    /// Variances of the components, n × k, in squared units; at least zero.
    pub variances: Array2<f64>,
}

impl Mixture {
    pub(super) fn exactness_of(quantity: Quantity) -> Exactness {
        match quantity {
            Quantity::CrpsWithin => {
                Exactness::Approximate("quadrature, 8 Gauss-Legendre points a piece")
            }
            _ => Exactness::Exact,
        }
    }

    pub(super) fn affine(&self, shift: f64, scale: f64) -> Self {
        Self {
            weights: self.weights.clone(),
            means: shift + scale * &self.means,
            variances: scale.powi(2) * &self.variances,
        }
    }

    /// Weight, mean and variance of each component at point `i`, components of weight zero left
    /// out.
    pub(super) fn components(&self, i: usize) -> impl Iterator<Item = (f64, f64, f64)> + Clone {
        let (weights, means, variances) =
            (weight_row(&self.weights, i), self.means.row(i), self.variances.row(i));
        (0..means.len()).map(move |c| (weights[c], means[c], variances[c])).filter(|c| c.0 != 0.0)
    }

    /// A lower bound of the differential entropy at point `i`, in nats: −Σ_i π_i ln Σ_j π_j N(μ_i |
    /// μ_j, σ_i² + σ_j²). −∞ where a component has variance zero.
    ///
    /// Source: M. F. Huber, T. Bailey, H. Durrant-Whyte, U. D. Hanebeck (2008), *On entropy
    /// approximation for Gaussian mixture random vectors*, MFI.
    pub fn pairwise_entropy(&self, i: usize) -> f64 {
        -self
            .components(i)
            .map(|(weight, mean, variance)| {
                let terms =
                    self.components(i).map(|(w, m, v)| w.ln() + ln_normal(mean - m, variance + v));
                weight * ln_sum_exp(terms)
            })
            .sum::<f64>()
    }

    /// The differential entropy −∫ p ln p at point `i`, in nats, by 8 Gauss-Legendre points a
    /// piece; −∞ where a component has variance zero.
    pub fn entropy(&self, i: usize) -> f64 {
        if self.components(i).any(|(_, _, variance)| variance == 0.0) {
            return f64::NEG_INFINITY;
        }
        let term = |y: f64| {
            let ln = ln_sum_exp(
                self.components(i)
                    .map(|(w, mean, variance)| w.ln() + ln_normal(y - mean, variance)),
            );
            if ln == f64::NEG_INFINITY { 0.0 } else { -ln * ln.exp() }
        };
        integral(&self.fine_edges(i), term)
    }

    /// The edges without those that the narrowest component does not need: components that lie
    /// together need no finer pieces than the narrowest of them alone.
    fn fine_edges(&self, i: usize) -> Vec<f64> {
        let smallest = self
            .components(i)
            .map(|(_, _, variance)| variance.sqrt())
            .fold(f64::INFINITY, f64::min);
        let mut edges = self.edges(i);
        edges.dedup_by(|next, kept| *next - *kept <= 0.5 * smallest);
        edges
    }

    /// Where integrals over the line are cut into pieces at point `i`, in increasing order.
    fn edges(&self, i: usize) -> Vec<f64> {
        let mut edges: Vec<f64> = self
            .components(i)
            .flat_map(|(_, mean, variance)| PIECES.map(|z| mean + z * variance.sqrt()))
            .collect();
        edges.sort_by(f64::total_cmp);
        edges
    }

    /// Σ_k w_k g(mean_k, variance_k).
    fn average(&self, i: usize, g: impl Fn(f64, f64) -> f64) -> f64 {
        self.components(i).map(|(w, mean, variance)| w * g(mean, variance)).sum()
    }
}

impl Distribution for Mixture {
    fn len(&self) -> usize {
        self.means.nrows()
    }

    fn mean(&self, i: usize) -> Option<f64> {
        finite(self.average(i, |mean, _| mean))
    }

    fn variance(&self, i: usize) -> Option<f64> {
        let centre = self.mean(i)?;
        finite(self.average(i, |mean, variance| variance + (mean - centre).powi(2)))
    }

    fn log_density(&self, i: usize, y: f64) -> Option<f64> {
        let mut largest = f64::NEG_INFINITY;
        for (w, mean, variance) in self.components(i) {
            largest = largest.max(w.ln() + gaussian::log_density(y, mean, variance)?);
        }
        if largest == f64::NEG_INFINITY {
            return Some(largest);
        }
        // Terms relative to the largest, so that no density underflows.
        let sum: f64 = self
            .components(i)
            .filter_map(|(w, mean, variance)| {
                Some((w.ln() + gaussian::log_density(y, mean, variance)? - largest).exp())
            })
            .sum();
        finite(largest + sum.ln())
    }

    fn cdf(&self, i: usize, y: f64) -> Option<f64> {
        finite(self.average(i, |mean, variance| gaussian::cdf(y, mean, variance)).min(1.0))
            .filter(|_| !y.is_nan())
    }

    fn cdf_below(&self, i: usize, y: f64) -> Option<f64> {
        finite(self.average(i, |mean, variance| gaussian::cdf_below(y, mean, variance)).min(1.0))
            .filter(|_| !y.is_nan())
    }

    fn ln_probability(&self, i: usize, low: f64, high: f64) -> Option<f64> {
        let term = |(w, mean, variance): (f64, f64, f64)| {
            w.ln() + gaussian::ln_probability(low, high, mean, variance)
        };
        let mut largest = f64::NEG_INFINITY;
        for component in self.components(i) {
            largest = largest.max(ln_of_probability(term(component))?);
        }
        if largest == f64::NEG_INFINITY {
            return Some(largest);
        }
        // Terms relative to the largest, so that no probability underflows.
        let sum: f64 = self.components(i).map(|component| (term(component) - largest).exp()).sum();
        ln_of_probability((largest + sum.ln()).min(0.0))
    }

    fn quantile(&self, i: usize, level: f64) -> Option<f64> {
        quantile::of_rows(self, i..i + 1, level)?.first().copied()
    }

    fn quantiles(&self, level: f64) -> Option<Array1<f64>> {
        quantile::of_rows(self, 0..self.len(), level).map(Array1::from)
    }

    fn crps(&self, i: usize, y: f64) -> Option<f64> {
        let to_outcome = self.average(i, |mean, variance| expected_distance(y - mean, variance));
        let mut within = 0.0;
        for (c, (w, mean, variance)) in self.components(i).enumerate() {
            within += 0.5 * w * w * expected_distance(0.0, 2.0 * variance);
            for (other_w, other_mean, other_variance) in self.components(i).take(c) {
                within +=
                    w * other_w * expected_distance(mean - other_mean, variance + other_variance);
            }
        }
        finite((to_outcome - within).max(0.0)).filter(|_| to_outcome.is_finite())
    }

    fn crps_within(&self, i: usize, y: f64, low: f64, high: f64) -> Option<f64> {
        self.mean(i)?;
        let y = finite(y)?.clamp(low, high);
        let edges = self.fine_edges(i);
        // Up to the first edge F is 0, and beyond the last one it is 1.
        let between = |low: f64, high: f64| -> Vec<f64> {
            let inner = edges.iter().copied().filter(|edge| low < *edge && *edge < high);
            [low].into_iter().chain(inner).chain([high]).filter(|edge| edge.is_finite()).collect()
        };
        let cdf = |x: f64| self.average(i, |mean, variance| gaussian::cdf(x, mean, variance));
        let below = integral(&between(low, y), |x| cdf(x).powi(2));
        finite(below + integral(&between(y, high), |x| (1.0 - cdf(x)).powi(2)))
    }

    fn exactness(&self, quantity: Quantity) -> Exactness {
        Self::exactness_of(quantity)
    }

    fn validate(&self) -> Result<(), InvalidPredictive> {
        validate::finite_matrix("means", self.means.view())?;
        validate::length("the column of variances", self.variances.nrows(), self.means.nrows())?;
        validate::length("a row of variances", self.variances.ncols(), self.means.ncols())?;
        validate::nonnegative_matrix("variances", self.variances.view())?;
        validate::weights(self.weights.view(), self.means.nrows(), self.means.ncols())
    }
}

/// A(m, σ²) = E|X| for X ~ N(m, σ²): 2σ φ(m/σ) + m (2Φ(m/σ) − 1).
fn expected_distance(mean: f64, variance: f64) -> f64 {
    let sd = variance.sqrt();
    if sd == 0.0 {
        return mean.abs();
    }
    let z = mean / sd;
    2.0 * sd * normal_density(z) + mean * (2.0 * normal_cdf(z) - 1.0)
}

/// The integral of a function from the first to the last edge, by 8 Gauss-Legendre points a piece.
pub(super) fn integral(edges: &[f64], f: impl Fn(f64) -> f64) -> f64 {
    let piece = |edge: &[f64]| {
        let (middle, half) = (0.5 * (edge[0] + edge[1]), 0.5 * (edge[1] - edge[0]));
        let pair = |&(node, weight): &(f64, f64)| {
            weight * (f(middle - half * node) + f(middle + half * node))
        };
        half * GAUSS_LEGENDRE.iter().map(pair).sum::<f64>()
    };
    edges.windows(2).map(piece).sum()
}
