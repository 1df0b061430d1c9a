//! Cut a sequence into contiguous bins whose sizes differ by at most one.

use std::ops::Range;

/// `bins` contiguous ranges that cover `0..n` in order, the longer ones first: numpy's `array_split`.
///
/// With more bins than items the last `bins − n` ranges are empty (`n..n`).
pub fn near_equal_bins(n: usize, bins: usize) -> Vec<Range<usize>> {
    let Some((short, longer)) = n.checked_div(bins).zip(n.checked_rem(bins)) else { return Vec::new() };
    let start = |bin: usize| bin * short + bin.min(longer);
    (0..bins).map(|bin| start(bin)..start(bin + 1)).collect()
}

#[cfg(test)]
mod tests {
    use super::near_equal_bins;
    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

    #[test]
    fn longer_bins_come_first_and_surplus_bins_are_empty() {
        assert_eq!(near_equal_bins(7, 3), [0..3, 3..5, 5..7]);
        assert_eq!(near_equal_bins(2, 4), [0..1, 1..2, 2..2, 2..2]);
        assert_eq!(near_equal_bins(0, 2), [0..0, 0..0]);
        assert!(near_equal_bins(5, 0).is_empty());
    }

    proptest! {
        #[test]
        fn bins_cover_everything_once(n in 0usize..500, bins in 1usize..120) {
            let ranges = near_equal_bins(n, bins);
            prop_assert_eq!(ranges.len(), bins);
            prop_assert_eq!(ranges.iter().cloned().flatten().collect::<Vec<_>>(), (0..n).collect::<Vec<_>>());
            prop_assert!(ranges.windows(2).all(|w| w[0].len() == w[1].len() || w[0].len() == w[1].len() + 1));
            prop_assert!(ranges[0].len() <= ranges[bins - 1].len() + 1);
        }
    }
}
