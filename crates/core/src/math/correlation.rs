//! Correlate two samples.

/// Pearson's correlation of paired values; `None` where the root of the product of their sums of
/// squares about the means is at most `least`, as for a constant.
pub fn pearson(a: &[f64], b: &[f64], least: f64) -> Option<f64> {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let (mean_a, mean_b) = (mean(a), mean(b));
    let sum = |f: &dyn Fn(f64, f64) -> f64| {
        a.iter().zip(b).map(|(a, b)| f(a - mean_a, b - mean_b)).sum::<f64>()
    };
    let spread = (sum(&|a, _| a * a) * sum(&|_, b| b * b)).sqrt();
    (spread > least).then(|| sum(&|a, b| a * b) / spread)
}

#[cfg(test)]
mod tests {
    use super::pearson;

    #[test]
    fn the_correlation_is_that_of_the_textbook() {
        // Sums about the means: 7 of products, 5 and 14 of squares: 7/√70.
        let found = pearson(&[1.0, 2.0, 3.0, 4.0], &[1.0, 3.0, 2.0, 6.0], 0.0).unwrap();
        assert!((found - 7.0 / 70.0_f64.sqrt()).abs() < 1e-15, "{found}");
        assert_eq!(pearson(&[2.0; 3], &[1.0, 2.0, 3.0], 0.0), None, "a constant");
        assert_eq!(pearson(&[], &[], 0.0), None);
        assert_eq!(pearson(&[1.0, f64::NAN], &[1.0, 2.0], 0.0), None);
    }
}
