//! Represent each point of prediction by weighted points that a kernel makes smooth: a mixture of
//! normal or Student-t distributions of one scale.

mod integral;
mod kernel;

use ndarray::{Array1, Array2};

use self::integral::Line;
pub use self::kernel::Kernel;
use super::distribution::{finite, ln_of_probability};
use super::mixture::ln_sum_exp;
use super::validate::weight_row;
use super::{Distribution, Exactness, InvalidPredictive, Quantity, validate};
use crate::math::root::increasing_root;

/// The distribution of value + bandwidth · ε at each of n points, where the value is one of m
/// weighted ones and ε has the kernel's distribution.
#[derive(Clone, Debug, PartialEq)]
pub struct Smoothed {
    /// Values, n × m.
    pub values: Array2<f64>,
    /// Weights, n × m, or 1 × m where all points share them; each row sums to one.
    pub weights: Array2<f64>,
    /// Bandwidths, n, in the target's units; above zero.
    pub bandwidth: Array1<f64>,
    /// The distribution of ε.
    pub kernel: Kernel,
}

impl Smoothed {
    pub(super) fn exactness_of(quantity: Quantity) -> Exactness {
        match quantity {
            Quantity::Crps | Quantity::CrpsWithin => {
                Exactness::Approximate("quadrature, 8 Gauss-Legendre points a piece")
            }
            _ => Exactness::Exact,
        }
    }

    pub(super) fn affine(&self, shift: f64, scale: f64) -> Self {
        Self {
            values: shift + scale * &self.values,
            weights: self.weights.clone(),
            bandwidth: scale * &self.bandwidth,
            kernel: self.kernel,
        }
    }

    /// Weight and value of each point with a weight.
    fn points(&self, i: usize) -> impl Iterator<Item = (f64, f64)> + Clone {
        let (weights, values) = (weight_row(&self.weights, i), self.values.row(i));
        (0..values.len()).map(move |k| (weights[k], values[k])).filter(|point| point.0 != 0.0)
    }

    /// Σ w g(value).
    fn average(&self, i: usize, g: impl Fn(f64) -> f64) -> f64 {
        self.points(i).map(|(weight, value)| weight * g(value)).sum()
    }

    /// ln Σ w eᵍ⁽ᵛᵃˡᵘᵉ⁾; `None` where a term is NaN.
    fn ln_average(&self, i: usize, g: impl Fn(f64) -> f64 + Clone) -> Option<f64> {
        let terms = self.points(i).map(move |(weight, value)| weight.ln() + g(value));
        (!terms.clone().any(f64::is_nan)).then(|| ln_sum_exp(terms))
    }
}

impl Distribution for Smoothed {
    fn len(&self) -> usize {
        self.values.nrows()
    }

    fn mean(&self, i: usize) -> Option<f64> {
        self.kernel.mean()?;
        finite(self.average(i, |value| value))
    }

    fn variance(&self, i: usize) -> Option<f64> {
        let (mean, variance) = (self.mean(i)?, self.kernel.variance()?);
        let between = self.average(i, |value| (value - mean).powi(2));
        finite(between + variance * self.bandwidth[i].powi(2))
    }

    fn log_density(&self, i: usize, y: f64) -> Option<f64> {
        let h = self.bandwidth[i];
        let ln = self.ln_average(i, |value| self.kernel.ln_density((y - value) / h))?;
        ln_of_probability(ln - h.ln())
    }

    fn cdf(&self, i: usize, y: f64) -> Option<f64> {
        let h = self.bandwidth[i];
        finite(self.average(i, |value| self.kernel.cdf((y - value) / h)).clamp(0.0, 1.0))
    }

    fn cdf_below(&self, i: usize, y: f64) -> Option<f64> {
        self.cdf(i, y)
    }

    fn ln_probability(&self, i: usize, low: f64, high: f64) -> Option<f64> {
        let h = self.bandwidth[i];
        let within = |value: f64| self.kernel.ln_probability((low - value) / h, (high - value) / h);
        ln_of_probability(self.ln_average(i, within)?.min(0.0))
    }

    fn quantile(&self, i: usize, level: f64) -> Option<f64> {
        if !(level > 0.0 && level < 1.0) {
            return None;
        }
        // At the smallest value plus the kernel's quantile no part of the mixture has more than
        // this level below, and at the largest one none has less.
        let (h, z) = (self.bandwidth[i], self.kernel.quantile(level));
        let ends =
            |ends: (f64, f64), (_, value): (f64, f64)| (ends.0.min(value), ends.1.max(value));
        let (least, most) = self.points(i).fold((f64::INFINITY, f64::NEG_INFINITY), ends);
        if least == most {
            return finite(least + h * z);
        }
        let f = |x: f64| {
            let (mut below, mut density) = (-level, 0.0);
            for (weight, value) in self.points(i) {
                let z = (x - value) / h;
                below += weight * self.kernel.cdf(z);
                density += weight * self.kernel.ln_density(z).exp();
            }
            (below, density / h)
        };
        let (low, high) = (least + h * z, most + h * z);
        finite(increasing_root(low, high, self.average(i, |value| value) + h * z, f))
    }

    fn crps_within(&self, i: usize, y: f64, low: f64, high: f64) -> Option<f64> {
        self.kernel.mean()?;
        let y = finite(y)?.clamp(low, high);
        let line = |sign: f64| {
            let points = self.points(i).map(|(weight, value)| (sign * value, weight)).collect();
            Line::new(points, self.bandwidth[i], self.kernel)
        };
        // ∫ (1 − F)² over y ≤ x ≤ high is ∫ G² over −high ≤ x ≤ −y, G the mirrored distribution's.
        let below = line(1.0)?.square_between(low, y);
        finite(below + line(-1.0)?.square_between(-high, -y))
    }

    fn exactness(&self, quantity: Quantity) -> Exactness {
        Self::exactness_of(quantity)
    }

    fn validate(&self) -> Result<(), InvalidPredictive> {
        validate::finite_matrix("values", self.values.view())?;
        validate::length("bandwidth", self.bandwidth.len(), self.values.nrows())?;
        validate::positive("bandwidth", self.bandwidth.view())?;
        if let Kernel::StudentT { degrees_of_freedom } = self.kernel {
            let one = ndarray::array![degrees_of_freedom];
            validate::positive("degrees of freedom", one.view())?;
        }
        validate::weights(self.weights.view(), self.values.nrows(), self.values.ncols())
    }
}

#[cfg(test)]
mod tests;
