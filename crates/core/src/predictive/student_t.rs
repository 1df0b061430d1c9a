//! Represent a Student-t distribution at each point.
//!
//! CRPS: Jordan, Krüger & Lerch (2019), *Evaluating probabilistic forecasts with scoringRules*, JSS
//! 90(12), appendix A.2.

use ndarray::Array1;

use super::crps::crps_symmetric;
use super::distribution::{finite, ln_of_probability};
use super::{Distribution, Exactness, InvalidPredictive, Quantity, validate};
use crate::math::special::{
    FRAC_1_SQRT_PI, ln_gamma_half_step, student_t_cdf, student_t_ln_probability,
    student_t_log_density, student_t_quantile,
};

/// The distribution of location + scale·t at each of n points, t with ν degrees of freedom.
///
/// The mean and the CRPS are finite for ν > 1 only, the variance for ν > 2.
#[derive(Clone, Debug, PartialEq)]
pub struct StudentT {
    /// Locations, n.
    pub location: Array1<f64>,
    /// Scales, n, in the target's units; above zero. Not the standard deviation.
    pub scale: Array1<f64>,
    /// Degrees of freedom ν, n; above zero.
    pub degrees_of_freedom: Array1<f64>,
}

impl StudentT {
    pub(super) fn exactness_of(_: Quantity) -> Exactness {
        Exactness::Exact
    }

    pub(super) fn affine(&self, shift: f64, scale: f64) -> Self {
        Self {
            location: shift + scale * &self.location,
            scale: scale * &self.scale,
            degrees_of_freedom: self.degrees_of_freedom.clone(),
        }
    }

    /// (y − location) / scale.
    fn standardised(&self, i: usize, y: f64) -> f64 {
        (y - self.location[i]) / self.scale[i]
    }
}

impl Distribution for StudentT {
    fn len(&self) -> usize {
        self.location.len()
    }

    fn mean(&self, i: usize) -> Option<f64> {
        finite(self.location[i]).filter(|_| self.degrees_of_freedom[i] > 1.0)
    }

    fn variance(&self, i: usize) -> Option<f64> {
        let nu = self.degrees_of_freedom[i];
        finite(self.scale[i].powi(2) * nu / (nu - 2.0)).filter(|_| nu > 2.0)
    }

    fn log_density(&self, i: usize, y: f64) -> Option<f64> {
        finite(
            student_t_log_density(self.standardised(i, y), self.degrees_of_freedom[i])
                - self.scale[i].ln(),
        )
    }

    fn cdf(&self, i: usize, y: f64) -> Option<f64> {
        finite(student_t_cdf(self.standardised(i, y), self.degrees_of_freedom[i]))
    }

    fn cdf_below(&self, i: usize, y: f64) -> Option<f64> {
        self.cdf(i, y)
    }

    fn ln_probability(&self, i: usize, low: f64, high: f64) -> Option<f64> {
        let (a, b) = (self.standardised(i, low), self.standardised(i, high));
        ln_of_probability(student_t_ln_probability(a, b, self.degrees_of_freedom[i]))
    }

    fn quantile(&self, i: usize, level: f64) -> Option<f64> {
        if !(level > 0.0 && level < 1.0) {
            return None;
        }
        finite(
            self.location[i]
                + self.scale[i] * student_t_quantile(level, self.degrees_of_freedom[i]),
        )
    }

    fn crps(&self, i: usize, y: f64) -> Option<f64> {
        let (nu, z) = (self.degrees_of_freedom[i], self.standardised(i, y));
        if nu <= 1.0 {
            return None;
        }
        let density = student_t_log_density(z, nu).exp();
        let standard = z * (2.0 * student_t_cdf(z, nu) - 1.0)
            + 2.0 * density * (nu + z * z) / (nu - 1.0)
            - mean_half_distance(nu);
        finite(self.scale[i] * standard)
    }

    fn crps_within(&self, i: usize, y: f64, low: f64, high: f64) -> Option<f64> {
        let nu = self.degrees_of_freedom[i];
        if nu <= 1.0 {
            return None;
        }
        // ∫ F² up to z by parts, as z f(z) is the derivative of −(ν + z²) f(z)/(ν − 1), and as (ν +
        // z²) f(z)² is in proportion to the density of t with 2ν − 1 degrees of freedom at z √((2ν
        // − 1)/ν).
        let g = |z: f64| {
            let cdf = student_t_cdf(z, nu);
            let density = student_t_log_density(z, nu).exp();
            z * cdf * cdf + 2.0 * density * (nu + z * z) / (nu - 1.0) * cdf
                - mean_half_distance(nu)
                    * student_t_cdf(z * ((2.0 * nu - 1.0) / nu).sqrt(), 2.0 * nu - 1.0)
        };
        let [y, low, high] = [y.clamp(low, high), low, high].map(|x| self.standardised(i, x));
        finite(self.scale[i] * crps_symmetric(y, low, high, g))
    }

    fn exactness(&self, quantity: Quantity) -> Exactness {
        Self::exactness_of(quantity)
    }

    fn validate(&self) -> Result<(), InvalidPredictive> {
        validate::finite("location", self.location.view())?;
        validate::length("scale", self.scale.len(), self.location.len())?;
        validate::positive("scale", self.scale.view())?;
        validate::length("degrees of freedom", self.degrees_of_freedom.len(), self.location.len())?;
        validate::positive("degrees of freedom", self.degrees_of_freedom.view())
    }
}

/// ½ E|T − T'| of two independent t with ν > 1 degrees of freedom: 2√ν/(ν − 1) · B(½, ν − ½) / B(½,
/// ν/2)².
fn mean_half_distance(nu: f64) -> f64 {
    // B(½, a) = √π Γ(a)/Γ(a + ½).
    let betas =
        FRAC_1_SQRT_PI * (2.0 * ln_gamma_half_step(0.5 * nu) - ln_gamma_half_step(nu - 0.5)).exp();
    2.0 * nu.sqrt() / (nu - 1.0) * betas
}
