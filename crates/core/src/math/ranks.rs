//! Rank numbers, equal ones alike.

/// Ranks of numbers, 1 for the smallest; numbers are tied if they exceed the smallest of their
/// group by no more than `slack` of the smallest, and share the mean of their places. NaN has no
/// rank (NaN) and takes no place.
pub fn average_ranks(values: &[f64], slack: impl Fn(f64) -> f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).filter(|&i| !values[i].is_nan()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![f64::NAN; values.len()];
    let mut before = 0;
    while before < order.len() {
        let least = values[order[before]];
        // Infinite numbers are equal although their difference is undefined.
        let tied = |&&i: &&usize| values[i] == least || values[i] - least <= slack(least);
        let group = order[before..].iter().take_while(tied).count();
        for &i in &order[before..before + group] {
            ranks[i] = before as f64 + 0.5 * (group + 1) as f64;
        }
        before += group;
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::average_ranks;

    #[test]
    fn equal_values_share_their_ranks() {
        let ranks = |values: &[f64]| average_ranks(values, |_| 0.0);
        assert_eq!(ranks(&[3.0, 1.0, 3.0, 2.0, 3.0]), [4.0, 1.0, 4.0, 2.0, 4.0]);
        assert_eq!(ranks(&[0.0, f64::INFINITY, -0.0, f64::INFINITY]), [1.5, 3.5, 1.5, 3.5]);
        assert_eq!(average_ranks(&[1.0, 1.1, 2.0], |_| 0.2), [1.5, 1.5, 3.0]);
        assert!(ranks(&[]).is_empty() && ranks(&[f64::NAN])[0].is_nan());
    }
}
