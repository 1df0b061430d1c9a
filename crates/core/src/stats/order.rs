//! Test whether numbers depend on their order: the rank version of von Neumann's ratio.
//!
//! RVN = Σ (R_i − R_{i+1})² / Σ (R_i − R̄)² of the ranks R_1 … R_n (1)
//!
//! is near 2 for exchangeable numbers, and near 0 where neighbours are alike. Reference: Bartels
//! (1982), *The rank version of von Neumann's ratio test for randomness*, JASA 77, Section 3, with
//! the normal approximation N(2, 20/(5n + 7)) there.

use statrs::distribution::{ContinuousCDF, Normal};

use crate::math::ranks::average_ranks;

/// Dependence on the order is told where chance gives as much with a lower probability.
const BY_CHANCE: f64 = 1e-3;
/// Numbers are as those of a series below this ratio, where the correlation of neighbouring ranks
/// is about 3/4.
const SERIES: f64 = 0.5;

/// The ratio and its test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Order {
    /// The ratio (1).
    pub ratio: f64,
    /// Probability of a ratio that is as small, of exchangeable numbers.
    pub p: f64,
}

impl Order {
    /// The test of numbers in their order; `None` below 20 of them, where all are equal, and where
    /// one is not finite.
    pub fn test(numbers: &[f64]) -> Option<Self> {
        let n = numbers.len();
        if n < 20 || numbers.iter().any(|number| !number.is_finite()) {
            return None;
        }
        let ranks = average_ranks(numbers, |_| 0.0);
        let mean = (n + 1) as f64 / 2.0;
        let spread: f64 = ranks.iter().map(|rank| (rank - mean).powi(2)).sum();
        if spread == 0.0 {
            return None;
        }
        let ratio = ranks.windows(2).map(|pair| (pair[1] - pair[0]).powi(2)).sum::<f64>() / spread;
        let normal = Normal::new(2.0, (20.0 / (5 * n + 7) as f64).sqrt()).ok()?;
        Some(Self { ratio, p: normal.cdf(ratio) })
    }

    /// Whether neighbours are more alike than chance explains.
    pub fn is_beyond_chance(&self) -> bool {
        self.p < BY_CHANCE
    }

    /// Whether neighbours are as alike as those of a series.
    pub fn is_series(&self) -> bool {
        self.is_beyond_chance() && self.ratio < SERIES
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::random::{Streams, permutation};

    #[test]
    fn ratios_of_a_trend_and_of_alternating_halves_have_closed_forms() {
        let n = 50_u32;
        // Σ 1 over n(n² − 1)/12.
        let trend = Order::test(&(0..n).map(f64::from).collect::<Vec<_>>()).unwrap();
        assert!(
            (trend.ratio - 12.0 / f64::from(n * (n + 1))).abs() < 1e-12 && trend.p < 1e-10,
            "{trend:?}"
        );
        let alternate: Vec<f64> =
            (0..n).map(|i| if i % 2 == 0 { f64::from(i) } else { f64::from(1000 + i) }).collect();
        let found = Order::test(&alternate).unwrap();
        // Ranks 1, 26, 2, 27, …: 25 steps of 25 and 24 of −24.
        assert!(
            (found.ratio - f64::from(25 * 625 + 24 * 576) / 10_412.5).abs() < 1e-12
                && found.p > 0.998,
            "{found:?}"
        );
        assert!(trend.is_series() && !found.is_beyond_chance());
        assert_eq!(Order::test(&[1.0; 30]), None);
        assert_eq!(Order::test(&[1.0, f64::NAN]), None);
    }

    #[test]
    fn small_groups_are_beyond_chance_and_no_series() {
        // Pairs of equal numbers: only every other step is one.
        let pairs: Vec<f64> = (0..200).map(|i| f64::from((i / 2) * 37 % 100)).collect();
        let order = Order::test(&pairs).unwrap();
        assert!(order.is_beyond_chance() && !order.is_series(), "{order:?}");
    }

    #[test]
    fn exchangeable_numbers_are_suspected_as_often_as_the_level_says() {
        let mut rng = Streams::new(1, "order").stream("permutation", 0);
        let mut rejected = 0;
        for _ in 0..4000 {
            let numbers: Vec<f64> =
                permutation(40, &mut rng).into_iter().map(|place| (place / 2) as f64).collect();
            rejected += usize::from(Order::test(&numbers).unwrap().p < 0.05);
        }
        // 200 ± 4 standard errors of 14.
        assert!((145..=255).contains(&rejected), "{rejected}");
    }
}
