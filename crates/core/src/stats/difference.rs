//! Estimate the difference of two means: from paired values, or from two samples of which one is
//! known by its mean and its standard error alone.
//!
//! For means m₁, m₂ with standard errors e₁, e₂ over n₁, n₂ independent values, Welch's test takes
//!
//! ```text
//! t = (m₁ − m₂) / √(e₁² + e₂²),   ν = (e₁² + e₂²)² / [e₁⁴/(n₁ − 1) + e₂⁴/(n₂ − 1)]    (1)
//! ```
//!
//! as Student's with ν degrees of freedom. Two methods on the same splits have scores that
//! correlate positively. The test then finds fewer differences than its level allows, because it
//! takes the samples for independent ones.
//!
//! *Reference:* (1): Welch (1947), Biometrika 34, 28-35.

use super::summary::Summary;
use crate::math::special::{student_t_cdf, student_t_quantile};

/// A mean over repetitions as a table prints it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// Its standard error.
    pub error: f64,
    /// Number of values, n.
    pub n: usize,
}

/// The difference of two means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// The difference.
    pub mean: f64,
    /// Its standard error.
    pub error: f64,
    /// Degrees of freedom ν of Student's distribution.
    pub degrees: f64,
}

impl Difference {
    /// The mean of paired differences; `None` for fewer than two, or one that is not finite.
    pub fn paired(differences: &[f64]) -> Option<Self> {
        let summary = Summary::from_values(differences)?;
        Some(Self {
            mean: summary.mean,
            error: summary.standard_error()?,
            degrees: (summary.n - 1) as f64,
        })
    }

    /// `a` less `b` by Welch's test, equation 1; `None` where one of them has fewer than two
    /// values.
    pub fn welch(a: Mean, b: Mean) -> Option<Self> {
        if a.n < 2 || b.n < 2 {
            return None;
        }
        let [va, vb] = [a, b].map(|sample| sample.error.powi(2));
        let [fa, fb] = [a, b].map(|sample| (sample.n - 1) as f64);
        let share = if va + vb > 0.0 { va / (va + vb) } else { 0.5 };
        let degrees = 1.0 / (share.powi(2) / fa + (1.0 - share).powi(2) / fb); // (1)
        Some(Self { mean: a.mean - b.mean, error: (va + vb).sqrt(), degrees })
    }

    /// Half width of the interval that does not contain the difference with probability `alpha`.
    pub fn half_width(&self, alpha: f64) -> f64 {
        if self.error == 0.0 {
            0.0
        } else {
            -student_t_quantile(0.5 * alpha, self.degrees) * self.error
        }
    }

    /// Two-sided p-value of the hypothesis that the true difference is `distance` ≥ 0 away from the
    /// estimate.
    pub fn p_value(&self, distance: f64) -> f64 {
        match (distance > 0.0, self.error > 0.0) {
            (false, _) => 1.0,
            (true, false) => 0.0,
            (true, true) => 2.0 * student_t_cdf(-distance / self.error, self.degrees),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[f64]) -> Mean {
        let summary = Summary::from_values(values).unwrap();
        Mean { mean: summary.mean, error: summary.standard_error().unwrap(), n: summary.n }
    }

    #[test]
    fn welch_agrees_with_an_independent_computation() {
        // By hand from (1), and scipy.stats.ttest_ind(a, b, equal_var=False).
        let (a, b) = ([1.0, 2.0, 3.0, 4.0, 5.0], [2.0, 4.0, 9.0]);
        let found = Difference::welch(of(&a), of(&b)).unwrap();
        assert_eq!(found.mean, -2.0);
        // e₁² = 2.5/5, e₂² = 13/3; ν = (29/6)² / (0.25/4 + (13/3)²/2).
        assert!((found.error - (29.0_f64 / 6.0).sqrt()).abs() < 1e-14);
        assert!(
            (found.degrees - (29.0_f64 / 6.0).powi(2) / (0.0625 + (13.0_f64 / 3.0).powi(2) / 2.0))
                .abs()
                < 1e-12
        );
    }

    #[test]
    fn equal_samples_have_the_degrees_of_both() {
        let sample = Mean { mean: 1.0, error: 0.1, n: 20 };
        let found = Difference::welch(sample, Mean { mean: 0.5, ..sample }).unwrap();
        assert!((found.degrees - 38.0).abs() < 1e-12);
        let exact = Difference::welch(sample, Mean { mean: 0.5, error: 0.0, n: 5 }).unwrap();
        assert!((exact.degrees - 19.0).abs() < 1e-12, "a mean without error adds none");
        assert_eq!(Difference::welch(sample, Mean { n: 1, ..sample }), None);
    }

    #[test]
    fn the_p_value_of_a_distance_is_the_level_of_the_interval_that_ends_there() {
        let found = Difference::paired(&[0.1, 0.5, 0.3, 0.2, 0.4]).unwrap();
        let plain = Summary::from_values(&[0.1, 0.5, 0.3, 0.2, 0.4]).unwrap();
        assert!((found.half_width(0.05) - plain.half_width(0.05).unwrap()).abs() < 1e-9);
        assert!((found.p_value(found.mean) - plain.p_value().unwrap()).abs() < 1e-9);
        for alpha in [0.05, 0.01, 0.001] {
            assert!((found.p_value(found.half_width(alpha)) - alpha).abs() < 1e-9);
        }
        let exact = Difference::paired(&[1.0, 1.0]).unwrap();
        assert_eq!(
            (exact.half_width(0.05), exact.p_value(0.5), exact.p_value(0.0)),
            (0.0, 0.0, 1.0)
        );
        assert_eq!(Difference::paired(&[1.0]), None);
    }
}
