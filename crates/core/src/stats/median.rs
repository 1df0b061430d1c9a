//! State the interval of a median without any assumption on the distribution.

use super::binomial::binomial_quantiles;

/// The interval of the median of a distribution, from independent values of it. Its ends are two of
/// the sorted values: the innermost ones that miss the median with a probability of at most `alpha`.
/// That holds for every distribution (David and Nagaraja 2003, Order Statistics, 7.1).
///
/// `None` for so few values that not even the smallest and the largest are far enough apart, as are
/// five at 5 %, and for values that are NaN.
pub fn median_interval(values: &[f64], alpha: f64) -> Option<(f64, f64)> {
    if values.iter().any(|value| value.is_nan()) {
        return None;
    }
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    // Of values on one side of the median, the number that chance leaves there.
    let (places, _) = binomial_quantiles(sorted.len(), 0.5, 0.5 * alpha);
    let low = places.checked_sub(1)?;
    Some((sorted[low], sorted[sorted.len() - places]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::random::Streams;
    use rand::RngExt;

    #[test]
    fn ends_are_those_of_tables_of_the_sign_test() {
        let to = |n: usize| (1..=n).rev().map(|value| value as f64).collect::<Vec<_>>();
        assert_eq!(median_interval(&[], 0.05), None);
        assert_eq!(median_interval(&to(5), 0.05), None, "2/32 is more than 5 %");
        assert_eq!(median_interval(&to(6), 0.05), Some((1.0, 6.0)));
        assert_eq!(median_interval(&to(10), 0.05), Some((2.0, 9.0)));
        assert_eq!(median_interval(&to(17), 0.05), Some((5.0, 13.0)));
        assert_eq!(median_interval(&to(23), 0.05), Some((7.0, 17.0)));
        assert_eq!(median_interval(&[1.0, f64::NAN, 2.0, 3.0, 4.0, 5.0], 0.05), None);
    }

    #[test]
    fn the_interval_keeps_what_it_promises() {
        let mut stream = Streams::new(0, "median").stream("draws", 0);
        let mut missed = 0;
        for _ in 0..2000 {
            // Skewed, with the median ln 2.
            let values: Vec<f64> = (0..17).map(|_| -(1.0 - stream.random::<f64>()).ln()).collect();
            let (low, high) = median_interval(&values, 0.05).unwrap();
            missed += usize::from(low > 2f64.ln() || high < 2f64.ln());
        }
        // 4.9 % of 17 values: 98 of 2000, with a standard deviation of 10.
        assert!((60..140).contains(&missed), "{missed}");
    }
}
