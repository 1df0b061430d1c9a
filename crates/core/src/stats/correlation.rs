//! Correlate two samples.

use crate::math::correlation::pearson;

/// Pearson's correlation of paired values; 0 where one side does not vary.
pub fn correlation(a: &[f64], b: &[f64]) -> f64 {
    // Rounding makes a constant vary in its last digits.
    pearson(a, b, 1e-12 * a.len() as f64).unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn correlations_are_those_of_the_textbook() {
        // Sums about the means: 7 of products, 5 and 14 of squares: 7/√70.
        let found = correlation(&[1.0, 2.0, 3.0, 4.0], &[1.0, 3.0, 2.0, 6.0]);
        assert!((found - 7.0 / 70.0_f64.sqrt()).abs() < 1e-15, "{found}");
        assert!((correlation(&[1.0, 2.0, 4.0], &[-1.0, -2.0, -4.0]) + 1.0).abs() < 1e-15);
        assert_eq!(correlation(&[0.1; 7], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]), 0.0, "a constant");
    }
}
