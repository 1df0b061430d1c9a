//! Test whether one method is better than another over datasets: Wilcoxon's signed-rank test of
//! paired differences.
//!
//! Differences of zero are dropped, as Wilcoxon does; the sizes of the n others are ranked, ties
//! share the mean of their places, and W⁺ and W⁻ sum the ranks of positive and of negative
//! differences. If both signs are equally probable, W⁺ has
//!
//! ```text
//! P(W⁺ = w) = #{subsets of the ranks that sum to w} / 2ⁿ                    (1)
//! mean = Σ r_i / 2,  variance = Σ r_i² / 4                                  (2)
//! ```
//!
//! Up to 50 differences the p-value is the exact one of (1) given the ties; above, it is that of
//! the normal distribution of (2), whose variance includes the correction for ties, with a
//! continuity correction of half a step.
//!
//! *References:* Wilcoxon (1945), Biometrics Bulletin 1, 80-83; ties and zeros: Conover (1999),
//! *Practical Nonparametric Statistics*, 3rd edition, 5.7; use over datasets: Demšar (2006), JMLR
//! 7, 1-30, who divides the ranks of zeros between both sums instead.

use crate::math::ranks::average_ranks;
use crate::math::special::normal_cdf;

/// Up to this number of differences the p-value is exact: 2⁵⁰ subsets are counted without rounding.
const EXACT: usize = 50;

/// Sizes are tied if their relative difference is at most this: scores of few digits give equal
/// differences that rounding makes unequal.
const TIED: f64 = 1e-10;

/// A signed-rank test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SignedRank {
    /// Sum of the ranks of positive differences.
    pub w_plus: f64,
    /// Sum of the ranks of negative differences.
    pub w_minus: f64,
    /// Number of differences that are not zero.
    pub n: usize,
    /// Two-sided p-value; 1 where all differences are zero.
    pub p: f64,
    /// Whether the p-value is that of the exact distribution.
    pub exact: bool,
}

/// Tests that differences are symmetric about zero; `None` for no difference, or one that is not
/// finite.
pub fn signed_rank(differences: &[f64]) -> Option<SignedRank> {
    if differences.is_empty() || differences.iter().any(|d| !d.is_finite()) {
        return None;
    }
    let other: Vec<f64> = differences.iter().copied().filter(|d| *d != 0.0).collect();
    let sizes: Vec<f64> = other.iter().map(|d| d.abs()).collect();
    let ranks = average_ranks(&sizes, |least| TIED * least);
    let sum = |positive: bool| {
        ranks.iter().zip(&other).filter(|(_, d)| (**d > 0.0) == positive).map(|(r, _)| r).sum()
    };
    let (w_plus, w_minus): (f64, f64) = (sum(true), sum(false));
    let (n, least) = (ranks.len(), w_plus.min(w_minus));
    let exact = n <= EXACT;
    let p = if exact { exact_p(&ranks, least) } else { normal_p(&ranks, least) };
    Some(SignedRank { w_plus, w_minus, n, p, exact })
}

/// The smallest two-sided p-value that n differences without ties and zeros can reach: 2/2ⁿ, at
/// most 1.
pub fn smallest_p(n: usize) -> f64 {
    (2.0 * 0.5_f64.powi(i32::try_from(n).unwrap_or(i32::MAX))).min(1.0)
}

/// Twice the probability (1) of a rank sum of `least` or less.
fn exact_p(ranks: &[f64], least: f64) -> f64 {
    // Twice the rank of a tie is a whole number.
    let doubled: Vec<usize> = ranks.iter().map(|rank| (2.0 * rank) as usize).collect();
    let mut subsets = vec![0.0_f64; doubled.iter().sum::<usize>() + 1];
    subsets[0] = 1.0;
    for &rank in &doubled {
        for sum in (rank..subsets.len()).rev() {
            subsets[sum] += subsets[sum - rank];
        }
    }
    let below: f64 = subsets.iter().take((2.0 * least) as usize + 1).sum();
    (below * smallest_p(ranks.len())).min(1.0)
}

/// Twice the probability of a rank sum of `least` or less, by the normal distribution of (2).
fn normal_p(ranks: &[f64], least: f64) -> f64 {
    let mean = 0.5 * ranks.iter().sum::<f64>();
    let sd = 0.5 * ranks.iter().map(|rank| rank * rank).sum::<f64>().sqrt();
    (2.0 * normal_cdf((least + 0.5 - mean) / sd)).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

    /// Differences of sizes 1 to n whose negative ranks sum to `w`.
    fn with_rank_sum(n: usize, w: usize) -> Vec<f64> {
        let mut left = w;
        let mut signed: Vec<f64> = (1..=n)
            .rev()
            .map(|size| {
                let negative = size <= left;
                left -= if negative { size } else { 0 };
                if negative { -(size as f64) } else { size as f64 }
            })
            .collect();
        assert_eq!(left, 0);
        signed.reverse();
        signed
    }

    #[test]
    fn critical_values_are_those_of_the_textbook() {
        // Largest W of two-sided p ≤ 0.05 (Conover 1999, table A12; Wilcoxon & Wilcox 1964).
        for (n, critical) in [
            (6, 0),
            (7, 2),
            (8, 3),
            (9, 5),
            (10, 8),
            (12, 13),
            (15, 25),
            (20, 52),
            (25, 89),
            (50, 434),
        ] {
            let p = |w| signed_rank(&with_rank_sum(n, w)).unwrap().p;
            assert!(
                p(critical) <= 0.05 && p(critical + 1) > 0.05,
                "{n}: {} {}",
                p(critical),
                p(critical + 1)
            );
        }
    }

    #[test]
    fn the_worked_example_of_demsar_is_reproduced() {
        // Demšar (2006), table 2: AUC of C4.5 and of C4.5+m, with two differences of zero and one
        // tie.
        let pairs = [
            (0.763, 0.768),
            (0.599, 0.591),
            (0.954, 0.971),
            (0.628, 0.661),
            (0.882, 0.888),
            (0.936, 0.931),
            (0.661, 0.668),
            (0.583, 0.583),
            (0.775, 0.838),
            (1.000, 1.000),
            (0.940, 0.962),
            (0.619, 0.666),
            (0.972, 0.981),
            (0.957, 0.978),
        ];
        let differences: Vec<f64> = pairs.iter().map(|(plain, tuned)| tuned - plain).collect();
        let found = signed_rank(&differences).unwrap();
        assert_eq!((found.w_plus, found.w_minus, found.n, found.exact), (71.5, 6.5, 12, true));
        // He keeps the two zeros: they take the first two places, and their ranks go half to either
        // side.
        assert_eq!(
            (found.w_plus + 10.0 * 2.0 + 1.5, found.w_minus + 2.0 * 2.0 + 1.5),
            (93.0, 12.0)
        );
        // Enumeration of all 2¹² signs (Python) finds 15 with a sum of 6.5 or less.
        assert_eq!(found.p, 2.0 * 15.0 / 4096.0);
    }

    #[test]
    fn small_samples_are_counted_by_hand() {
        // Sums of subsets of {1, 2, 3}: 0, 1, 2, 3, 3, 4, 5, 6.
        let p = |d: &[f64]| signed_rank(d).unwrap().p;
        assert_eq!(
            (p(&[1.0, 2.0, 3.0]), p(&[-1.0, 2.0, 3.0]), p(&[-1.0, -2.0, 3.0])),
            (0.25, 0.5, 1.0)
        );
        // Ties: {1.5, 1.5, 3} has one subset of sum 0 and two of sum 1.5.
        assert_eq!(p(&[-2.0, 2.0, 5.0]), 2.0 * 3.0 / 8.0);
        assert_eq!(p(&[0.0, 0.0]), 1.0);
        assert_eq!(signed_rank(&[]), None);
        assert_eq!(signed_rank(&[1.0, f64::NAN]), None);
    }

    #[test]
    fn the_normal_distribution_takes_over_within_a_thousandth() {
        // Exact by whole numbers in Python, normal by mpmath: where the exact p-value is 0.05 or
        // less, the other is larger.
        let values = [
            (50, 434, 0.049_446_406_800_601_75, 0.050_040_740_024_607_19),
            (50, 300, 0.000_847_570_898_365_290_8, 0.001_141_312_577_967_917),
            (51, 500, 0.128_492_767_422_554_44, 0.127_711_585_888_759_76),
            (60, 690, 0.098_628_849_676_601_64, 0.098_396_032_563_151_59),
        ];
        for (n, w, exact, normal) in values {
            let ranks: Vec<f64> = (1..=n).map(f64::from).collect();
            let (found, other) = (exact_p(&ranks, f64::from(w)), normal_p(&ranks, f64::from(w)));
            assert!(
                (found - exact).abs() < 1e-15 && (other - normal).abs() < 1e-13,
                "{n} {w}: {found} {other}"
            );
            assert!((exact - normal).abs() < 1e-3);
        }
        // Ties narrow the distribution: 60 equal sizes are a sign test, of mean 30.5 · 30 and
        // variance 30.5² · 15.
        let tied = [30.5; 60];
        let expected =
            2.0 * normal_cdf((30.5 * 20.0 + 0.5 - 30.5 * 30.0) / (30.5 * 15.0_f64.sqrt()));
        assert!((normal_p(&tied, 30.5 * 20.0) - expected).abs() < 1e-15);
        let long: Vec<f64> = (1..=51).map(f64::from).collect();
        assert!(!signed_rank(&long).unwrap().exact);
    }

    #[test]
    fn the_smallest_p_value_is_reached_by_equal_signs() {
        assert_eq!((smallest_p(0), smallest_p(1), smallest_p(6)), (1.0, 1.0, 0.03125));
        for n in [1, 5, 20, 50] {
            let found = signed_rank(&with_rank_sum(n, 0)).unwrap();
            assert_eq!(found.p, smallest_p(n));
        }
    }

    proptest! {
        #[test]
        fn exact_p_values_are_those_of_all_signs(
            sizes in proptest::collection::vec(-4i8..5, 1..10),
        ) {
            let differences: Vec<f64> = sizes.iter().map(|v| f64::from(*v)).collect();
            let found = signed_rank(&differences).unwrap();
            let other: Vec<f64> =
                differences.iter().map(|d| d.abs()).filter(|d| *d > 0.0).collect();
            let ranks = average_ranks(&other, |_| 0.0);
            let all = 1u32 << other.len();
            let least = found.w_plus.min(found.w_minus);
            let sum = |signs: u32| -> f64 {
                ranks.iter().enumerate().filter(|(i, _)| signs >> i & 1 == 1).map(|(_, r)| r).sum()
            };
            let below = (0..all).filter(|signs| sum(*signs) <= least).count();
            prop_assert!((found.p - (2.0 * below as f64 / f64::from(all)).min(1.0)).abs() < 1e-15);
            prop_assert_eq!(found.w_plus + found.w_minus, 0.5 * (found.n * (found.n + 1)) as f64);
        }

        #[test]
        fn the_test_is_symmetric_and_free_of_units(
            d in proptest::collection::vec(-1.0f64..1.0, 1..70),
            unit in 0.001f64..1e3,
        ) {
            let found = signed_rank(&d).unwrap();
            let turned = signed_rank(&d.iter().map(|v| -unit * v).collect::<Vec<_>>()).unwrap();
            prop_assert_eq!(
                (turned.w_plus, turned.w_minus, turned.p),
                (found.w_minus, found.w_plus, found.p)
            );
        }
    }
}
