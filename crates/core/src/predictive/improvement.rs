//! Say how likely, and by how much, the target exceeds the best value that is known.
//!
//! ```text
//! PI = P(y > b) = Σ_c w_c Φ(z_c),   z_c = (m_c − b)/s_c
//! EI = E max(0, y − b) = Σ_c w_c s_c h(z_c),   h(z) = φ(z) + z Φ(z)
//! ```
//!
//! for a mixture of normal distributions N(m_c, s_c²). Both are returned as logarithms, so that
//! points far below b are still ranked (S. Ament, S. Daulton, D. Eriksson, M. Balandat, E. Bakshy:
//! *Unexpected improvements to expected improvement for Bayesian optimization*, NeurIPS 2023).
//!
//! References: H. J. Kushner, Journal of Basic Engineering 86, 1964 (PI); D. R. Jones, M. Schonlau,
//! W. J. Welch: *Efficient global optimization of expensive black-box functions*, Journal of Global
//! Optimization 13, 1998 (EI).

use ndarray::Array1;

use super::mixture::ln_sum_exp;
use super::{Form, Predictive};
use crate::math::special::{LN_SQRT_2PI, normal_cdf};

/// Below this z the asymptotic series of h is exact to rounding, and φ(z) underflows a little
/// further down.
const ASYMPTOTIC: f64 = -30.0;

impl Predictive {
    /// ln P(y > best) at each of the n points; −∞ for probability zero. `None` where a distribution
    /// defines no probabilities.
    pub fn ln_probabilities_above(&self, best: f64) -> Option<Array1<f64>> {
        (0..self.len())
            .map(|i| self.distribution().ln_probability(i, best, f64::INFINITY))
            .collect()
    }

    /// ln E max(0, y − best) at each of the n points; −∞ for an improvement of zero. `None` for
    /// other forms than normal distributions and mixtures of them.
    pub fn ln_expected_improvements(&self, best: f64) -> Option<Array1<f64>> {
        let of_normal = |mean: f64, variance: f64| ln_improvement(mean - best, variance.sqrt());
        match &self.form {
            Form::Gaussian(gaussian) => Some(
                gaussian
                    .mean
                    .iter()
                    .zip(&gaussian.variance)
                    .map(|(mean, variance)| of_normal(*mean, *variance))
                    .collect(),
            ),
            Form::Mixture(mixture) => {
                let at = |i: usize| {
                    let terms = mixture
                        .components(i)
                        .map(|(w, mean, variance)| w.ln() + of_normal(mean, variance));
                    ln_sum_exp(terms)
                };
                Some((0..self.len()).map(at).collect())
            }
            _ => None,
        }
    }
}

/// ln E max(0, x) for x ~ N(mean, sd²).
fn ln_improvement(mean: f64, sd: f64) -> f64 {
    if sd == 0.0 { mean.max(0.0).ln() } else { sd.ln() + ln_h(mean / sd) }
}

/// ln (φ(z) + z Φ(z)).
fn ln_h(z: f64) -> f64 {
    let ln_density = -0.5 * z * z - LN_SQRT_2PI;
    if z > 0.0 {
        return (ln_density.exp() + z * normal_cdf(z)).ln();
    }
    if z > ASYMPTOTIC {
        // Φ has relative precision in this tail, so that the difference loses three digits at most.
        return ln_density + (z * (normal_cdf(z).ln() - ln_density).exp()).ln_1p();
    }
    let r = 1.0 / (z * z);
    ln_density + r.ln() + (-r * (3.0 - r * (15.0 - 105.0 * r))).ln_1p()
}

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;
    use crate::predictive::{Gaussian, Mixture};

    /// ∫ f over [low, high] by Simpson's rule on 200 000 pieces.
    fn simpson(low: f64, high: f64, f: impl Fn(f64) -> f64) -> f64 {
        let n = 200_000;
        let h = (high - low) / f64::from(n);
        let weight = |i: i32| {
            if i == 0 || i == n {
                1.0
            } else if i % 2 == 1 {
                4.0
            } else {
                2.0
            }
        };
        (0..=n).map(|i| weight(i) * f(low + h * f64::from(i))).sum::<f64>() * h / 3.0
    }

    fn mixture() -> Predictive {
        Predictive::new(Form::Mixture(Mixture {
            weights: array![[0.5, 0.3, 0.2], [0.1, 0.9, 0.0]],
            means: array![[-1.0, 0.5, 2.0], [0.0, 0.1, 9.0]],
            variances: array![[0.04, 1.0, 0.25], [4.0, 0.01, 1.0]],
        }))
    }

    #[test]
    fn improvement_and_its_probability_agree_with_quadrature() {
        let predictive = mixture();
        for best in [-2.0, 0.0, 1.5, 4.0] {
            let (ei, pi) = (
                predictive.ln_expected_improvements(best),
                predictive.ln_probabilities_above(best),
            );
            let (ei, pi) = (ei.unwrap(), pi.unwrap());
            for i in 0..2 {
                let density =
                    |y: f64| predictive.distribution().log_density(i, y).map_or(0.0, f64::exp);
                let expected = simpson(best, 30.0, |y| (y - best) * density(y));
                assert!(
                    (ei[i].exp() - expected).abs() < 1e-9,
                    "EI {i} {best}: {} {expected}",
                    ei[i].exp()
                );
                let expected = simpson(best, 30.0, density);
                assert!(
                    (pi[i].exp() - expected).abs() < 1e-9,
                    "PI {i} {best}: {} {expected}",
                    pi[i].exp()
                );
            }
        }
    }

    #[test]
    fn the_entropy_of_a_mixture_agrees_with_quadrature_and_of_one_component_with_its_formula() {
        let predictive = mixture();
        let Form::Mixture(mixture) = &predictive.form else { panic!("a mixture") };
        for i in 0..2 {
            let expected = simpson(-30.0, 30.0, |y| {
                let ln = predictive.distribution().log_density(i, y).unwrap_or(f64::NEG_INFINITY);
                if ln.is_finite() { -ln * ln.exp() } else { 0.0 }
            });
            assert!(
                (mixture.entropy(i) - expected).abs() < 1e-6,
                "{i}: {} {expected}",
                mixture.entropy(i)
            );
            assert!(mixture.entropy(i) >= mixture.pairwise_entropy(i), "a lower bound");
        }
        let one =
            Mixture { weights: array![[1.0]], means: array![[3.0]], variances: array![[0.09]] };
        let expected = 0.5 * (2.0 * std::f64::consts::PI * std::f64::consts::E * 0.09).ln();
        assert!((one.entropy(0) - expected).abs() < 1e-9);
    }

    #[test]
    fn improvements_too_small_for_a_float_are_still_ranked() {
        let normal = |mean| {
            Predictive::new(Form::Gaussian(Gaussian { mean: array![mean], variance: array![1.0] }))
        };
        let ei = |mean: f64| normal(mean).ln_expected_improvements(0.0).unwrap()[0];
        assert!(ei(-60.0) < ei(-50.0) && ei(-50.0) < ei(-40.0) && ei(-60.0).is_finite());
        // Both formulas agree where one takes over.
        assert!((ei(-30.0 + 1e-9) - ei(-30.0 - 1e-9)).abs() < 1e-6);
        // h(0) = φ(0); far above, the improvement is the mean.
        assert!((ei(0.0) + LN_SQRT_2PI).abs() < 1e-14 && (ei(50.0) - 50_f64.ln()).abs() < 1e-14);
        let certain = Predictive::new(Form::Gaussian(Gaussian {
            mean: array![2.0, -1.0],
            variance: array![0.0, 0.0],
        }));
        assert_eq!(
            certain.ln_expected_improvements(0.0).unwrap().to_vec(),
            [2_f64.ln(), f64::NEG_INFINITY]
        );
    }
}
