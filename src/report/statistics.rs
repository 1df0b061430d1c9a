//! Summarise repetitions: mean, standard deviation, Student's interval, Holm's correction.

use statrs::distribution::{ContinuousCDF, StudentsT};

/// Mean, standard deviation (divisor n − 1; absent for one value) and number of finite values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// Mean.
    pub mean: f64,
    /// Standard deviation.
    pub sd: Option<f64>,
    /// Number of values.
    pub n: usize,
}

impl Summary {
    /// The summary of these values; `None` where there are none or one of them is not finite.
    pub fn of(values: &[f64]) -> Option<Self> {
        let n = values.len();
        if n == 0 || values.iter().any(|v| !v.is_finite()) {
            return None;
        }
        let mean = values.iter().sum::<f64>() / n as f64;
        let squares: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
        Some(Self { mean, sd: (n > 1).then(|| (squares / (n - 1) as f64).sqrt()), n })
    }

    /// Standard error of the mean.
    pub fn standard_error(&self) -> Option<f64> {
        self.sd.map(|sd| sd / (self.n as f64).sqrt())
    }

    /// Half width of Student's interval of the mean that misses it with probability `alpha`.
    pub fn half_width(&self, alpha: f64) -> Option<f64> {
        Some(t_quantile(1.0 - alpha / 2.0, self.n - 1)? * self.standard_error()?)
    }

    /// Two-sided p-value of Student's test that the mean is zero; 1 where all values are zero.
    pub fn p_value(&self) -> Option<f64> {
        let error = self.standard_error()?;
        if error == 0.0 {
            return Some(if self.mean == 0.0 { 1.0 } else { 0.0 });
        }
        let t = StudentsT::new(0.0, 1.0, (self.n - 1) as f64).ok()?;
        Some(2.0 * t.cdf(-(self.mean / error).abs()))
    }
}

/// Quantile of Student's t with so many degrees of freedom; `None` for none.
pub fn t_quantile(level: f64, degrees: usize) -> Option<f64> {
    (degrees > 0).then(|| StudentsT::new(0.0, 1.0, degrees as f64).ok()).flatten().map(|t| t.inverse_cdf(level))
}

/// The level at which Holm's step-down procedure tests each hypothesis, given their p-values and the level of the
/// family: hypothesis i is rejected exactly when `p[i] <= levels[i]`.
///
/// Those after the first that is not rejected are tested at its level, so that an interval of that level excludes zero
/// exactly when its hypothesis is rejected. Source: Holm (1979), Scand. J. Statist. 6, 65-70.
pub fn holm_levels(p: &[f64], alpha: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
    let mut levels = vec![0.0; p.len()];
    let mut stopped = None;
    for (rank, &i) in order.iter().enumerate() {
        let level = alpha / (p.len() - rank) as f64;
        levels[i] = stopped.unwrap_or(level);
        if p[i] > level {
            stopped.get_or_insert(level);
        }
    }
    levels
}

/// Holm's adjusted p-values: hypothesis i is rejected at the level α of the family exactly when `adjusted[i] <= α`.
///
/// The r-th smallest of m p-values is multiplied by m − r + 1, and no hypothesis gets less than one with a smaller
/// p-value; at most 1. Source: Holm (1979), Scand. J. Statist. 6, 65-70.
pub fn holm_adjusted(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
    let mut adjusted = vec![0.0; p.len()];
    let mut largest = 0.0_f64;
    for (rank, &i) in order.iter().enumerate() {
        largest = largest.max(p[i] * (p.len() - rank) as f64).min(1.0);
        adjusted[i] = largest;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{prop_assert_eq, proptest};

    #[test]
    fn summary_of_a_known_sample() {
        let s = Summary::of(&[1.0, 2.0, 3.0, 4.0]).unwrap();
        assert_eq!((s.mean, s.n), (2.5, 4));
        assert!((s.sd.unwrap() - (5.0_f64 / 3.0).sqrt()).abs() < 1e-15);
        // t(0.975, 3) = 3.182446305284263
        assert!((s.half_width(0.05).unwrap() - 3.182_446_305_284_263 * (5.0_f64 / 12.0).sqrt()).abs() < 1e-9);
        assert_eq!(Summary::of(&[2.0]).unwrap().half_width(0.05), None, "one value has no spread");
        assert_eq!(Summary::of(&[]), None);
        assert_eq!(Summary::of(&[1.0, f64::NAN]), None);
    }

    #[test]
    fn p_value_matches_the_interval() {
        let s = Summary::of(&[0.1, 0.5, 0.3, 0.2, 0.4]).unwrap();
        let p = s.p_value().unwrap();
        assert!((s.half_width(p).unwrap() - s.mean).abs() < 1e-9);
        assert_eq!(Summary::of(&[0.0, 0.0]).unwrap().p_value(), Some(1.0));
        assert_eq!(Summary::of(&[1.0, 1.0]).unwrap().p_value(), Some(0.0));
    }

    #[test]
    fn holm_steps_down() {
        // Holm's rule by hand at 5 %: 0.01 <= 0.05/4, 0.015 <= 0.05/3, 0.03 > 0.05/2: stop.
        let p = [0.03, 0.01, 0.04, 0.015];
        let rejected: Vec<bool> = p.iter().zip(holm_levels(&p, 0.05)).map(|(p, level)| *p <= level).collect();
        assert_eq!(rejected, [false, true, false, true]);
    }

    #[test]
    fn holm_adjusts_by_hand() {
        // Sorted: 4 × 0.01, 3 × 0.015, 2 × 0.03, 1 × 0.04 held up at 0.06.
        let adjusted = holm_adjusted(&[0.03, 0.01, 0.04, 0.015]);
        for (found, expected) in adjusted.iter().zip([0.06, 0.04, 0.06, 0.045]) {
            assert!((found - expected).abs() < 1e-15, "{adjusted:?}");
        }
        assert_eq!(holm_adjusted(&[0.7, 0.6]), [1.0, 1.0]);
        assert!(holm_adjusted(&[]).is_empty());
    }

    proptest! {
        #[test]
        fn holm_equals_its_adjusted_p_values(p in proptest::collection::vec(0.0f64..0.1, 1..12)) {
            let adjusted = holm_adjusted(&p);
            let levels = holm_levels(&p, 0.05);
            for i in 0..p.len() {
                // Products and quotients round differently right at the level.
                if (adjusted[i] - 0.05).abs() > 1e-12 {
                    prop_assert_eq!(p[i] <= levels[i], adjusted[i] <= 0.05);
                }
            }
        }
    }
}
