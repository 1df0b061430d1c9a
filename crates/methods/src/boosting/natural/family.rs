//! State the distributions that natural gradients boost: loss, natural gradient and start.

use serde::{Deserialize, Serialize};

use crate::FitError;
use uq_core::math::special::{LN_SQRT_2PI, student_t_log_density};

/// Location μ and log scale ln σ.
pub(super) type Theta = [f64; 2];

/// Iterations of the start of a Student-t distribution; each is a reweighted mean.
const STARTS: usize = 100;

/// A distribution with a location and a scale.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Family {
    /// Normal.
    #[default]
    Normal,
    /// The logarithm of the target is normal; the target is above zero.
    LogNormal,
    /// Student t.
    StudentT,
}

/// What the rounds need of a distribution of the target, or of its logarithm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Law {
    /// Normal.
    Normal,
    /// Student t with this many degrees of freedom ν.
    StudentT(f64),
}

impl Law {
    /// −ln p(y), in nats.
    pub(super) fn loss(self, [location, log_scale]: Theta, y: f64) -> f64 {
        let z = (y - location) * (-log_scale).exp();
        match self {
            Self::Normal => LN_SQRT_2PI + log_scale + 0.5 * z * z,
            Self::StudentT(nu) => log_scale - student_t_log_density(z, nu),
        }
    }

    /// The natural gradient of the loss.
    pub(super) fn natural_gradient(self, [location, log_scale]: Theta, y: f64) -> Theta {
        let error = y - location;
        let z = error * (-log_scale).exp();
        match self {
            Self::Normal => [-error, 0.5 * (1.0 - z * z)],
            Self::StudentT(nu) => {
                let weight = 1.0 / (nu + z * z);
                let of_scale = 1.0 - (nu + 1.0) * z * z * weight;
                [-error * (nu + 3.0) * weight, of_scale * (nu + 3.0) / (2.0 * nu)]
            }
        }
    }

    /// The parameters of the targets (n ≥ 2) without features: mean and standard deviation, or the
    /// t distribution's maximum likelihood by reweighting, from there.
    ///
    /// # Errors
    /// [`FitError::Unsupported`] where all targets are equal.
    pub(super) fn start(self, id: &str, target: &[f64]) -> Result<Theta, FitError> {
        let n = target.len() as f64;
        let first = target.first().copied().unwrap_or(0.0);
        if target.iter().all(|&y| y == first) {
            return Err(FitError::Unsupported(format!(
                "{id} needs a target that varies, found {first} in every row"
            )));
        }
        let mut location = target.iter().map(|y| y / n).sum::<f64>();
        let mut square = target.iter().map(|y| (y - location).powi(2) / n).sum::<f64>();
        if let Self::StudentT(nu) = self {
            for _ in 0..STARTS {
                let weight = |y: f64| (nu + 1.0) / (nu + (y - location).powi(2) / square);
                let total: f64 = target.iter().map(|&y| weight(y)).sum();
                let centre = target.iter().map(|&y| weight(y) / total * y).sum::<f64>();
                square = target.iter().map(|&y| weight(y) * (y - centre).powi(2) / n).sum();
                location = centre;
            }
        }
        let log_scale = 0.5 * square.ln();
        if log_scale.is_finite() && location.is_finite() {
            Ok([location, log_scale])
        } else {
            Err(FitError::Diverged(format!("{id}: the targets have no finite location and scale")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uq_core::math::special::normal_quantile;

    const LAWS: [Law; 3] = [Law::Normal, Law::StudentT(3.0), Law::StudentT(1.0)];

    /// The gradient by central differences.
    fn gradient(law: Law, theta: Theta, y: f64) -> Theta {
        let h = 1e-5;
        std::array::from_fn(|k| {
            let at = |step: f64| {
                let mut moved = theta;
                moved[k] += step;
                law.loss(moved, y)
            };
            (at(h) - at(-h)) / (2.0 * h)
        })
    }

    /// The Fisher information is the mean square of the gradient, here over a fine grid of the
    /// distribution's quantiles.
    #[test]
    fn a_natural_gradient_is_the_gradient_over_the_fisher_information() {
        let theta = [0.7, -0.4];
        let scale = f64::exp(theta[1]);
        for law in LAWS {
            let draws = 20_000;
            let mut information = [0.0; 2];
            for i in 0..draws {
                let p = (f64::from(i) + 0.5) / f64::from(draws);
                let z = match law {
                    Law::Normal => normal_quantile(p),
                    Law::StudentT(nu) => uq_core::math::special::student_t_quantile(p, nu),
                };
                let found = gradient(law, theta, theta[0] + scale * z);
                information
                    .iter_mut()
                    .zip(found)
                    .for_each(|(sum, g)| *sum += g * g / f64::from(draws));
            }
            for y in [-3.0, 0.5, 0.7, 4.0] {
                let (plain, natural) = (gradient(law, theta, y), law.natural_gradient(theta, y));
                for k in 0..2 {
                    let expected = plain[k] / information[k];
                    assert!(
                        (natural[k] - expected).abs() < 0.01 * (1.0 + expected.abs()),
                        "{law:?} {y} {k}: {natural:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn many_degrees_of_freedom_are_normal() {
        let (theta, law) = ([0.3, 0.2], Law::StudentT(1e9));
        for y in [-2.0, 0.3, 5.0] {
            assert!((law.loss(theta, y) - Law::Normal.loss(theta, y)).abs() < 1e-6);
            let (a, b) = (law.natural_gradient(theta, y), Law::Normal.natural_gradient(theta, y));
            assert!((a[0] - b[0]).abs() < 1e-6 && (a[1] - b[1]).abs() < 1e-6);
        }
    }

    #[test]
    fn a_start_has_no_gradient_left() {
        let target = [1.0, 2.0, 2.5, 4.0, 40.0];
        for law in LAWS {
            let theta = law.start("it", &target).unwrap();
            let sums = target
                .map(|y| gradient(law, theta, y))
                .iter()
                .fold([0.0; 2], |a, b| [a[0] + b[0], a[1] + b[1]]);
            assert!(sums.iter().all(|sum| sum.abs() < 1e-6), "{law:?}: {sums:?}");
        }
        let words = Law::Normal.start("it", &[2.0, 2.0]).unwrap_err().to_string();
        assert_eq!(words, "unsupported: it needs a target that varies, found 2 in every row");
    }
}
