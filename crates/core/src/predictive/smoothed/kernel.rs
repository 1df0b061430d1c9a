//! The distributions with which weighted points are made smooth.

use std::f64::consts::FRAC_1_PI;

use serde::{Deserialize, Serialize};

use crate::math::special::{
    LN_SQRT_2PI, normal_cdf, normal_quantile, student_t_cdf, student_t_ln_probability,
    student_t_log_density, student_t_quantile,
};
use crate::math::vectorised::exp;
use crate::predictive::gaussian;

/// Up to this whole number of degrees of freedom the distribution function is a short sum.
const SHORT_SUM: f64 = 30.0;

/// Up to this whole number of degrees of freedom a density is a product of few factors.
const MOST_POWER: f64 = 100.0;

/// A distribution that is symmetric about zero, of scale one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kernel {
    /// The standard normal distribution.
    Normal,
    /// Student's t.
    StudentT {
        /// Degrees of freedom ν, above zero.
        degrees_of_freedom: f64,
    },
}

impl Kernel {
    /// Zero, if there is a mean.
    pub(super) fn mean(self) -> Option<f64> {
        match self {
            Self::StudentT { degrees_of_freedom } if degrees_of_freedom <= 1.0 => None,
            _ => Some(0.0),
        }
    }

    pub(super) fn variance(self) -> Option<f64> {
        match self {
            Self::Normal => Some(1.0),
            Self::StudentT { degrees_of_freedom: nu } => (nu > 2.0).then(|| nu / (nu - 2.0)),
        }
    }

    /// The logarithm of the density.
    pub fn ln_density(self, z: f64) -> f64 {
        match self {
            Self::Normal => -0.5 * z * z - LN_SQRT_2PI,
            Self::StudentT { degrees_of_freedom } => student_t_log_density(z, degrees_of_freedom),
        }
    }

    /// Σ weight · density(z(value))/density(0) over points, for the search of a bandwidth.
    pub fn sum_relative_densities(self, points: &[(f64, f64)], z: impl Fn(f64) -> f64) -> f64 {
        match self {
            Self::Normal => weighted_sum(points, |value| {
                let z = z(value);
                exp(-0.5 * z * z)
            }),
            Self::StudentT { degrees_of_freedom: nu } => {
                // (1 + z²/ν) to the power −(ν + 1)/2.
                let base = |value: f64| {
                    let z = z(value);
                    1.0 / (1.0 + z * z / nu)
                };
                let is_whole = (1.0..=MOST_POWER).contains(&nu) && nu.fract() == 0.0;
                match (is_whole, nu % 2.0 == 0.0) {
                    (true, true) => weighted_sum(points, |value| {
                        let base = base(value);
                        base.powi((0.5 * nu) as i32) * base.sqrt()
                    }),
                    (true, false) => {
                        weighted_sum(points, |value| base(value).powi((0.5 * (nu + 1.0)) as i32))
                    }
                    (false, _) => weighted_sum(points, |value| base(value).powf(0.5 * (nu + 1.0))),
                }
            }
        }
    }

    /// The distribution function, to rounding of one.
    pub(super) fn cdf(self, z: f64) -> f64 {
        match self {
            Self::Normal => normal_cdf(z),
            Self::StudentT { degrees_of_freedom: nu } => {
                short_sum(z, nu).unwrap_or_else(|| student_t_cdf(z, nu))
            }
        }
    }

    pub(super) fn ln_probability(self, low: f64, high: f64) -> f64 {
        match self {
            Self::Normal => gaussian::ln_probability(low, high, 0.0, 1.0),
            Self::StudentT { degrees_of_freedom } => {
                student_t_ln_probability(low, high, degrees_of_freedom)
            }
        }
    }

    pub(super) fn quantile(self, level: f64) -> f64 {
        match self {
            Self::Normal => normal_quantile(level),
            Self::StudentT { degrees_of_freedom } => student_t_quantile(level, degrees_of_freedom),
        }
    }
}

/// Σ weight · f(value).
fn weighted_sum(points: &[(f64, f64)], f: impl Fn(f64) -> f64) -> f64 {
    points.iter().map(|&(value, weight)| weight * f(value)).sum()
}

/// The distribution function of Student's t with a small whole number ν of degrees of freedom, an
/// order of magnitude faster than the incomplete beta function: with sin θ = z/√(ν + z²),
///
/// ```text
/// ½ + ½ sin θ (1 + ½ cos² θ + 1·3/2·4 cos⁴ θ + …)                  ν even, ν/2 terms
/// ½ + 1/π (θ + sin θ cos θ (1 + 2/3 cos² θ + 2·4/3·5 cos⁴ θ + …))  ν odd, (ν − 1)/2 terms
/// ```
///
/// (Abramowitz & Stegun, 26.7.3 and 26.7.4). `None` for other ν, and for z that is not finite.
fn short_sum(z: f64, nu: f64) -> Option<f64> {
    if !(1.0..=SHORT_SUM).contains(&nu) || nu.fract() != 0.0 || !z.is_finite() {
        return None;
    }
    let (degrees, hypotenuse) = (nu as u32, (nu + z * z).sqrt());
    let sine = z / hypotenuse;
    let square = nu / (hypotenuse * hypotenuse);
    let odd = degrees % 2;
    let (mut term, mut sum) = (1.0, 0.0);
    for k in 0..(degrees - odd) / 2 {
        sum += term;
        let next = f64::from(2 * k + 1 + odd);
        term *= square * next / (next + 1.0);
    }
    let above = match odd {
        0 => 0.5 * sine * sum,
        _ => FRAC_1_PI * ((z / nu.sqrt()).atan() + sine * square.sqrt() * sum),
    };
    Some((0.5 + above).clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_densities_are_those_of_the_logarithms() {
        let points = [(0.3, 0.25), (-2.0, 0.5), (7.5, 0.25)];
        let kernels = [1.0, 2.0, 3.0, 4.0, 5.0, 10.0, 20.0, 2.5, 400.0]
            .map(|degrees_of_freedom| Kernel::StudentT { degrees_of_freedom });
        for kernel in kernels.into_iter().chain([Kernel::Normal]) {
            let z = |value: f64| (1.1 - value) / 0.7;
            let found = kernel.sum_relative_densities(&points, z);
            let relative =
                |value: f64| (kernel.ln_density(z(value)) - kernel.ln_density(0.0)).exp();
            let expected: f64 = points.iter().map(|point| point.1 * relative(point.0)).sum();
            assert!((found / expected - 1.0).abs() < 1e-12, "{kernel:?}: {found} {expected}");
        }
    }

    #[test]
    fn short_sums_agree_with_the_incomplete_beta_function() {
        for nu in 1..=30 {
            for step in -40..=40 {
                let (z, nu) = (0.37 * f64::from(step), f64::from(nu));
                let (short, long) = (short_sum(z, nu).unwrap(), student_t_cdf(z, nu));
                assert!((short - long).abs() < 1e-13, "ν {nu}, z {z}: {short}, {long}");
            }
        }
        assert_eq!(short_sum(1.0, 2.5), None);
        assert_eq!(short_sum(f64::INFINITY, 2.0), None);
        assert_eq!(Kernel::StudentT { degrees_of_freedom: 2.0 }.cdf(f64::INFINITY), 1.0);
    }
}
