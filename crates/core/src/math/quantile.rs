//! Find quantiles of a sample.

/// The quantile of ascending numbers at a level from 0 to 1, by linear interpolation at (n − 1)
/// `level`: definition 7 of Hyndman & Fan (1996, *Sample quantiles in statistical packages*, The
/// American Statistician 50(4)), numpy's and R's default. `None` without a number.
pub fn interpolated_quantile(sorted: &[f64], level: f64) -> Option<f64> {
    let position = sorted.len().checked_sub(1)? as f64 * level;
    let below = position.floor() as usize;
    let lower = *sorted.get(below)?;
    let upper = sorted.get(below + 1).copied().unwrap_or(lower);
    Some(lower + (position - position.floor()) * (upper - lower))
}

#[cfg(test)]
mod tests {
    use super::interpolated_quantile;

    #[test]
    fn quantiles_are_numpys() {
        // numpy.quantile([1, 2, 4, 8], [0, 0.1, 0.5, 0.9, 1]).
        let sorted = [1.0, 2.0, 4.0, 8.0];
        for (level, expected) in [(0.0, 1.0), (0.1, 1.3), (0.5, 3.0), (0.9, 6.8), (1.0, 8.0)] {
            let found = interpolated_quantile(&sorted, level).unwrap();
            assert!((found - expected).abs() < 1e-14, "{level}: {found}");
        }
        assert_eq!(interpolated_quantile(&[7.0], 0.3), Some(7.0));
        assert_eq!(interpolated_quantile(&[], 0.5), None);
    }
}
