//! Compare two methods over overlapping splits of one dataset: the corrected resampled t-test and
//! its Bayesian reading.
//!
//! For n paired differences with mean d̄ and variance s² (divisor n − 1), where each split tests n₂
//! rows and trains on n₁:
//!
//! ```text
//! scale² = (1/n + n₂/n₁) s²                                                (1)
//! t      = d̄ / scale,  Student with n − 1 degrees of freedom               (2)
//! μ | d  ~ d̄ + scale · T(n − 1)                                            (3)
//! ```
//!
//! The share n₂/n₁ accounts for the correlation that common training rows cause. Without it the
//! interval is too narrow, and more splits would make any difference significant. (3) is the
//! posterior of the mean difference under a flat prior when differences correlate by n₂/(n₁ + n₂);
//! its probabilities outside and inside a region of practical equivalence (rope) distinguish a
//! negligible difference from an undecided comparison. A p-value does not. They look at one
//! comparison alone.
//!
//! *References:* (1), (2): Nadeau & Bengio (2003), *Inference for the generalization error*,
//! Machine Learning 52, 239-281. (3): Corani & Benavoli (2015), *A Bayesian approach for comparing
//! cross-validated algorithms on multiple data sets*, Machine Learning 100, 285-304; regions:
//! Benavoli et al. (2017), JMLR 18 (77), 1-36.

use super::summary::Summary;
use crate::math::special::{student_t_cdf, student_t_ln_probability, student_t_quantile};

/// The mean of paired differences over overlapping splits, with its corrected scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corrected {
    /// Mean and standard deviation of the differences, and their number.
    pub summary: Summary,
    /// Standard error of the mean that allows for the overlap, equation 1, in the differences'
    /// unit.
    pub scale: f64,
    /// Degrees of freedom, n − 1.
    pub degrees: usize,
}

impl Corrected {
    /// The comparison of these differences, from splits with `test_to_train` test rows for each
    /// training row.
    ///
    /// `None` for fewer than two differences, one that is not finite, and a ratio that is negative
    /// or not finite.
    pub fn compare(differences: &[f64], test_to_train: f64) -> Option<Self> {
        let summary = Summary::from_values(differences)?;
        let sd = summary.sd?;
        if !test_to_train.is_finite() || test_to_train < 0.0 {
            return None;
        }
        let scale = sd * (1.0 / summary.n as f64 + test_to_train).sqrt(); // (1)
        Some(Self { summary, scale, degrees: summary.n - 1 })
    }

    /// Half width of the interval that does not contain the mean with probability `alpha`.
    pub fn half_width(&self, alpha: f64) -> f64 {
        -student_t_quantile(0.5 * alpha, self.degrees as f64) * self.scale
    }

    /// Two-sided p-value of the hypothesis that the mean is zero. Where the differences do not vary
    /// it is 1 if they are zero and 0 otherwise.
    pub fn p_value(&self) -> f64 {
        if self.scale == 0.0 {
            return if self.summary.mean == 0.0 { 1.0 } else { 0.0 };
        }
        2.0 * student_t_cdf(-(self.summary.mean / self.scale).abs(), self.degrees as f64) // (2)
    }

    /// Posterior probabilities that the mean difference lies below −`rope`, within ±`rope` and
    /// above `rope`; they sum to one. NaN for a rope that is negative or NaN.
    pub fn probabilities(&self, rope: f64) -> [f64; 3] {
        if rope.is_nan() || rope < 0.0 {
            return [f64::NAN; 3];
        }
        let mean = self.summary.mean;
        if self.scale == 0.0 {
            let [below, above] =
                [mean < -rope, mean > rope].map(|beside| f64::from(u8::from(beside)));
            return [below, 1.0 - below - above, above];
        }
        let (low, high) = ((-rope - mean) / self.scale, (rope - mean) / self.scale); // (3)
        let nu = self.degrees as f64;
        [
            student_t_cdf(low, nu),
            student_t_ln_probability(low, high, nu).exp(),
            student_t_cdf(-high, nu),
        ]
    }

    /// The smallest mean difference in either direction that would be significant at level `alpha`
    /// in this design.
    pub fn detectable(&self, alpha: f64) -> f64 {
        self.half_width(alpha)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{prop_assert, proptest};

    const DIFFERENCES: [f64; 8] = [0.02, -0.01, 0.05, 0.03, 0.0, 0.04, 0.01, 0.02];

    #[test]
    fn a_sample_has_the_values_of_an_independent_computation() {
        // mpmath with 30 digits: incomplete beta function, root search.
        let c = Corrected::compare(&DIFFERENCES, 1.0 / 9.0).unwrap();
        assert!((c.scale - 0.009_718_253_158_075_5).abs() < 1e-16);
        assert!((c.half_width(0.05) - 0.022_980_017_100_703_504).abs() < 1e-14);
        assert!((c.p_value() - 0.078_598_760_973_845_5).abs() < 1e-13);
        let expected =
            [0.008_820_875_594_876_448, 0.160_039_398_244_677_08, 0.831_139_726_160_446_5];
        for (found, expected) in c.probabilities(0.01).into_iter().zip(expected) {
            assert!((found - expected).abs() < 1e-13, "{found} {expected}");
        }
        assert_eq!(c.detectable(0.05), c.half_width(0.05));
    }

    #[test]
    fn without_overlap_it_is_the_plain_test() {
        let (c, s) = (
            Corrected::compare(&DIFFERENCES, 0.0).unwrap(),
            Summary::from_values(&DIFFERENCES).unwrap(),
        );
        assert!((c.half_width(0.05) - s.half_width(0.05).unwrap()).abs() < 1e-12);
        assert!((c.p_value() - s.p_value().unwrap()).abs() < 1e-12);
    }

    #[test]
    fn more_splits_do_not_narrow_it_below_the_overlap() {
        // With 90/10 splits the variance of the mean never falls below s²/9.
        let many: Vec<f64> = DIFFERENCES.iter().copied().cycle().take(80_000).collect();
        let c = Corrected::compare(&many, 1.0 / 9.0).unwrap();
        let sd = c.summary.sd.unwrap();
        assert!((c.scale / sd - 1.0 / 3.0).abs() < 1e-4, "{}", c.scale / sd);
    }

    #[test]
    fn constant_differences_have_probabilities_of_zero_and_one() {
        let zero = Corrected::compare(&[0.0; 5], 0.1).unwrap();
        assert_eq!(
            (zero.p_value(), zero.probabilities(0.01), zero.half_width(0.05)),
            (1.0, [0.0, 1.0, 0.0], 0.0)
        );
        let shifted = Corrected::compare(&[-0.5; 4], 0.1).unwrap();
        assert_eq!((shifted.p_value(), shifted.probabilities(0.1)), (0.0, [1.0, 0.0, 0.0]));
        assert_eq!(shifted.probabilities(0.5), [0.0, 1.0, 0.0], "the region includes its ends");
    }

    #[test]
    fn differences_that_cannot_be_compared_give_none() {
        assert_eq!(Corrected::compare(&[0.3], 0.1), None);
        assert_eq!(Corrected::compare(&[0.3, f64::INFINITY], 0.1), None);
        assert_eq!(Corrected::compare(&[0.3, 0.4], -0.1), None);
        assert_eq!(Corrected::compare(&[0.3, 0.4], f64::NAN), None);
        assert!(
            Corrected::compare(&[0.3, 0.4], 0.1)
                .unwrap()
                .probabilities(-1.0)
                .iter()
                .all(|p| p.is_nan())
        );
    }

    proptest! {
        #[test]
        fn probabilities_sum_to_one_and_mirror(
            d in proptest::collection::vec(-1.0f64..1.0, 2..15),
            ratio in 0.0f64..1.0,
            rope in 0.0f64..0.5,
        ) {
            let p = Corrected::compare(&d, ratio).unwrap().probabilities(rope);
            prop_assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            let mirrored: Vec<f64> = d.iter().map(|v| -v).collect();
            let q = Corrected::compare(&mirrored, ratio).unwrap().probabilities(rope);
            prop_assert!((p[0] - q[2]).abs() < 1e-12 && (p[1] - q[1]).abs() < 1e-12);
        }

        #[test]
        fn interval_and_p_value_agree(
            d in proptest::collection::vec(-1.0f64..1.5, 2..15),
            ratio in 0.0f64..1.0,
        ) {
            let c = Corrected::compare(&d, ratio).unwrap();
            let p = c.p_value();
            prop_assert!((c.half_width(p) - c.summary.mean.abs()).abs() < 1e-9);
        }
    }
}
