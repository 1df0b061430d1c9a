//! Cut a row of items into contiguous, near-equal bins.

use std::ops::Range;

/// `bins` contiguous ranges that cover `0..n` in order, with sizes that differ by at most one,
/// larger ones first.
///
/// The rule of numpy's `array_split`. If `bins` exceeds `n`, the last ranges are empty; zero bins
/// give no range.
pub fn near_equal_bins(n: usize, bins: usize) -> Vec<Range<usize>> {
    let (size, longer) = (n.checked_div(bins).unwrap_or(0), n.checked_rem(bins).unwrap_or(0));
    let mut start = 0;
    (0..bins)
        .map(|bin| {
            let end = start + size + usize::from(bin < longer);
            let range = start..end;
            start = end;
            range
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::near_equal_bins;
    use proptest::prelude::{ProptestConfig, prop_assert, prop_assert_eq, proptest};

    #[test]
    fn bins_are_those_of_array_split() {
        assert_eq!(near_equal_bins(10, 3), [0..4, 4..7, 7..10]);
        assert_eq!(near_equal_bins(2, 4), [0..1, 1..2, 2..2, 2..2]);
        assert_eq!(near_equal_bins(0, 2), [0..0, 0..0]);
        assert!(near_equal_bins(5, 0).is_empty());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn bins_cover_all_items_once(n in 0usize..500, bins in 1usize..120) {
            let ranges = near_equal_bins(n, bins);
            prop_assert_eq!(ranges.len(), bins);
            prop_assert_eq!(ranges[0].start, 0);
            prop_assert_eq!(ranges[bins - 1].end, n);
            for pair in ranges.windows(2) {
                prop_assert_eq!(pair[0].end, pair[1].start);
                prop_assert!(pair[0].len() == pair[1].len() || pair[0].len() == pair[1].len() + 1);
            }
            prop_assert!(ranges[0].len() <= ranges[bins - 1].len() + 1);
        }
    }
}
