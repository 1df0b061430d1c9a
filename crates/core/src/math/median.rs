//! Find the middle of a sample.

/// The median: the middle one of an odd number of values, the mean of the middle two of an even
/// number; `None` without any. NaN counts as the largest or smallest value, by its sign.
pub fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_unstable_by(f64::total_cmp);
    match values.len() {
        0 => None,
        odd if !odd.is_multiple_of(2) => Some(values[odd / 2]),
        even => Some(0.5 * values[even / 2 - 1] + 0.5 * values[even / 2]),
    }
}

#[cfg(test)]
mod tests {
    use super::median;

    #[test]
    fn medians_by_hand() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(median(vec![1e308, 1.5e308]), Some(1.25e308), "the sum would be infinite");
        assert_eq!(median(Vec::new()), None);
    }
}
