//! Summarise repetitions: mean, standard deviation, Student's interval.

use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::math::median::median;

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
    pub fn from_values(values: &[f64]) -> Option<Self> {
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

    /// Half width of Student's interval, which does not contain the mean with probability `alpha`.
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

/// Share of the squared deviations above which one value decides mean and spread.
const LONE: f64 = 0.75;

/// Largest spread, as a share of the mean, that is taken for rounding.
const ROUNDING: f64 = 1e-7;

/// The median of values of which one decides mean and spread, because it has more than three
/// quarters of the squared deviations from the mean; `None` where none does, as with up to four
/// values, where the spread is no more than rounding, or where one is not finite. Of ten normal
/// values one does less than once in a hundred samples.
pub fn median_beside_lone(values: &[f64]) -> Option<f64> {
    let Summary { mean, sd, .. } = Summary::from_values(values)?;
    if sd? <= ROUNDING * mean.abs() {
        return None;
    }
    let squares = values.iter().map(|v| (v - mean).powi(2));
    let lone = squares.clone().fold(0.0, f64::max) > LONE * squares.sum::<f64>();
    // Four values cannot exceed three quarters but by rounding.
    median(values.to_vec()).filter(|_| lone && values.len() > 4)
}

/// Quantile of Student's t with `degrees` degrees of freedom; `None` for zero degrees.
pub fn t_quantile(level: f64, degrees: usize) -> Option<f64> {
    (degrees > 0)
        .then(|| StudentsT::new(0.0, 1.0, degrees as f64).ok())
        .flatten()
        .map(|t| t.inverse_cdf(level))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::random::Rng;
    use crate::math::special::normal_quantile;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn summary_of_a_known_sample() {
        let s = Summary::from_values(&[1.0, 2.0, 3.0, 4.0]).unwrap();
        assert_eq!((s.mean, s.n), (2.5, 4));
        assert!((s.sd.unwrap() - (5.0_f64 / 3.0).sqrt()).abs() < 1e-15);
        // t(0.975, 3) = 3.182446305284263
        assert!(
            (s.half_width(0.05).unwrap() - 3.182_446_305_284_263 * (5.0_f64 / 12.0).sqrt()).abs()
                < 1e-9
        );
        assert_eq!(
            Summary::from_values(&[2.0]).unwrap().half_width(0.05),
            None,
            "one value has no spread"
        );
        assert_eq!(Summary::from_values(&[]), None);
        assert_eq!(Summary::from_values(&[1.0, f64::NAN]), None);
    }

    #[test]
    fn a_median_stands_beside_a_mean_that_one_value_decides() {
        let nine = [4.4, 4.5, 4.5, 4.6, 4.6, 4.6, 4.7, 4.7, 4.4];
        assert_eq!(median_beside_lone(&nine), None);
        let ten = [&nine[..], &[6.43]].concat();
        assert_eq!(median_beside_lone(&ten), Some(4.6));
        assert_eq!(
            median_beside_lone(&[1.0, 1.0, 1.0, 1.0, 9.0]),
            Some(1.0),
            "four fifths of the squares"
        );
        assert_eq!(
            median_beside_lone(&[1.0, 1.0, 1.0, 9.0]),
            None,
            "three quarters are not exceeded"
        );
        assert_eq!(
            [
                median_beside_lone(&[2.0; 10]),
                median_beside_lone(&[]),
                median_beside_lone(&[f64::NAN; 9])
            ],
            [None; 3]
        );
        let rounded = [75.0, 75.0, 75.0, 75.0, 75.0 + 1e-8];
        assert_eq!(median_beside_lone(&rounded), None, "the spread is rounding");
        let mut rng = Rng::seed_from_u64(2);
        let mut normal = || normal_quantile(rng.random_range(1e-9..1.0));
        let samples = (0..5000).filter(|_| {
            median_beside_lone(&std::array::from_fn::<f64, 10, _>(|_| normal())).is_some()
        });
        assert!(samples.count() < 50, "less than one in a hundred");
    }

    #[test]
    fn p_value_matches_the_interval() {
        let s = Summary::from_values(&[0.1, 0.5, 0.3, 0.2, 0.4]).unwrap();
        let p = s.p_value().unwrap();
        assert!((s.half_width(p).unwrap() - s.mean).abs() < 1e-9);
        assert_eq!(Summary::from_values(&[0.0, 0.0]).unwrap().p_value(), Some(1.0));
        assert_eq!(Summary::from_values(&[1.0, 1.0]).unwrap().p_value(), Some(0.0));
    }
}
