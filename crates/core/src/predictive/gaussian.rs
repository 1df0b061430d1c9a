//! Represent a normal distribution at each point; variance zero is a point mass, which has no
//! density.
//!
//! CRPS: Gneiting & Raftery (2007), *Strictly proper scoring rules, prediction, and estimation*,
//! JASA 102, eq. (21).

use std::f64::consts::SQRT_2;

use ndarray::Array1;

use super::crps::crps_symmetric;
use super::distribution::{finite, ln_of_probability};
use super::{Distribution, Exactness, InvalidPredictive, Quantity, validate};
use crate::math::normal_interval::normal_ln_probability;
use crate::math::special::{
    FRAC_1_SQRT_PI, LN_SQRT_2PI, normal_cdf, normal_density, normal_quantile,
};

/// A normal distribution at each of n points.
#[derive(Clone, Debug, PartialEq)]
pub struct Gaussian {
    /// Means, n.
    pub mean: Array1<f64>,
    /// Variances, n, in squared units; at least zero.
    pub variance: Array1<f64>,
}

impl Gaussian {
    pub(super) fn exactness_of(_: Quantity) -> Exactness {
        Exactness::Exact
    }

    pub(super) fn affine(&self, shift: f64, scale: f64) -> Self {
        Self { mean: shift + scale * &self.mean, variance: scale.powi(2) * &self.variance }
    }
}

impl Distribution for Gaussian {
    fn len(&self) -> usize {
        self.mean.len()
    }

    fn mean(&self, i: usize) -> Option<f64> {
        finite(self.mean[i])
    }

    fn variance(&self, i: usize) -> Option<f64> {
        finite(self.variance[i])
    }

    fn log_density(&self, i: usize, y: f64) -> Option<f64> {
        log_density(y, self.mean[i], self.variance[i])
    }

    fn cdf(&self, i: usize, y: f64) -> Option<f64> {
        finite(cdf(y, self.mean[i], self.variance[i]))
    }

    fn cdf_below(&self, i: usize, y: f64) -> Option<f64> {
        finite(cdf_below(y, self.mean[i], self.variance[i]))
    }

    fn ln_probability(&self, i: usize, low: f64, high: f64) -> Option<f64> {
        ln_of_probability(ln_probability(low, high, self.mean[i], self.variance[i]))
    }

    fn quantile(&self, i: usize, level: f64) -> Option<f64> {
        let z = finite(normal_quantile(level)).filter(|_| level > 0.0 && level < 1.0)?;
        finite(self.mean[i] + self.variance[i].sqrt() * z)
    }

    fn crps(&self, i: usize, y: f64) -> Option<f64> {
        let sd = self.variance[i].sqrt();
        let error = y - self.mean[i];
        if sd == 0.0 {
            return finite(error.abs());
        }
        let z = error / sd;
        finite(sd * (z * (2.0 * normal_cdf(z) - 1.0) + 2.0 * normal_density(z) - FRAC_1_SQRT_PI))
    }

    fn crps_within(&self, i: usize, y: f64, low: f64, high: f64) -> Option<f64> {
        let (mean, sd, y) = (self.mean[i], self.variance[i].sqrt(), y.clamp(low, high));
        if sd == 0.0 {
            return finite((y - mean.clamp(low, high)).abs());
        }
        let standardised = |x: f64| (x - mean) / sd;
        // ∫ Φ² up to z.
        let g = |z: f64| {
            let cdf = normal_cdf(z);
            z * cdf * cdf + 2.0 * normal_density(z) * cdf - FRAC_1_SQRT_PI * normal_cdf(SQRT_2 * z)
        };
        finite(sd * crps_symmetric(standardised(y), standardised(low), standardised(high), g))
    }

    fn exactness(&self, quantity: Quantity) -> Exactness {
        Self::exactness_of(quantity)
    }

    fn validate(&self) -> Result<(), InvalidPredictive> {
        validate::finite("mean", self.mean.view())?;
        validate::length("variance", self.variance.len(), self.mean.len())?;
        validate::nonnegative("variance", self.variance.view())
    }
}

/// ln N(y; mean, variance). For variance zero it is −∞ beside the mean, and there is none at the
/// mean itself, where the density has no bound.
pub(super) fn log_density(y: f64, mean: f64, variance: f64) -> Option<f64> {
    if variance == 0.0 {
        return (!y.is_nan() && y != mean).then_some(f64::NEG_INFINITY);
    }
    ln_of_probability(-LN_SQRT_2PI - 0.5 * variance.ln() - 0.5 * (y - mean).powi(2) / variance)
}

/// P(Y ≤ y), a step for variance zero; NaN for y = NaN.
pub(super) fn cdf(y: f64, mean: f64, variance: f64) -> f64 {
    if variance > 0.0 || y.is_nan() {
        normal_cdf((y - mean) / variance.sqrt())
    } else {
        f64::from(mean <= y)
    }
}

/// P(Y < y), a step for variance zero; NaN for y = NaN.
pub(super) fn cdf_below(y: f64, mean: f64, variance: f64) -> f64 {
    if variance > 0.0 || y.is_nan() {
        normal_cdf((y - mean) / variance.sqrt())
    } else {
        f64::from(mean < y)
    }
}

/// ln P(low ≤ Y < high), a step for variance zero; NaN if a number is NaN.
pub(super) fn ln_probability(low: f64, high: f64, mean: f64, variance: f64) -> f64 {
    if variance != 0.0 || low.is_nan() || high.is_nan() || mean.is_nan() {
        let sd = variance.sqrt();
        return normal_ln_probability((low - mean) / sd, (high - mean) / sd);
    }
    if low <= mean && mean < high { 0.0 } else { f64::NEG_INFINITY }
}
