//! Summarise repetitions: mean, standard deviation, Student's interval.

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

/// Quantile of Student's t with `degrees` degrees of freedom; `None` for zero degrees.
pub fn t_quantile(level: f64, degrees: usize) -> Option<f64> {
    (degrees > 0).then(|| StudentsT::new(0.0, 1.0, degrees as f64).ok()).flatten().map(|t| t.inverse_cdf(level))
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
