//! Estimate the variance of a score over splits of the data and over seeds of the method.
//!
//! The score y_ij of split i = 1, …, S with seed j = 1, …, K is taken as y_ij = μ + a_i + e_ij with
//! independent a_i of variance σ²_split and e_ij of variance σ²_seed: a one-way random-effects
//! model, because each fit has random streams of its own. With ȳ_i the mean of split i and ȳ that
//! of all,
//!
//! ```text
//! MS_between = K Σ_i (ȳ_i − ȳ)² / (S − 1)                               (1)
//! MS_within  = Σ_ij (y_ij − ȳ_i)² / (S (K − 1))                         (2)
//! σ²_seed    = MS_within                                                (3)
//! σ²_split   = max(0, (MS_between − MS_within) / K)                     (4)
//! ```
//!
//! # References
//! S. R. Searle, G. Casella, C. E. McCulloch: *Variance Components*, Wiley, 1992, chapter 3.

/// Estimated variances of a score, in the square of its unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Components {
    /// Variance over splits of the data, σ²_split.
    pub split: f64,
    /// Variance over seeds of the method on one split, σ²_seed.
    pub seed: f64,
}

impl Components {
    /// The share of the variance of one score that is over seeds; `None` where nothing varies.
    pub fn seed_share(&self) -> Option<f64> {
        let total = self.split + self.seed;
        (total > 0.0).then(|| self.seed / total)
    }
}

/// Estimates the components from the scores of S splits (rows) with K seeds each.
///
/// `None` with fewer than two splits or two seeds, with rows of different lengths, or with a score
/// that is not finite.
pub fn components(scores: &[Vec<f64>]) -> Option<Components> {
    let (s, k) = (scores.len(), scores.first()?.len());
    if s < 2
        || k < 2
        || scores.iter().any(|row| row.len() != k || row.iter().any(|y| !y.is_finite()))
    {
        return None;
    }
    let (s, k) = (s as f64, k as f64);
    let means: Vec<f64> = scores.iter().map(|row| row.iter().sum::<f64>() / k).collect();
    let grand = means.iter().sum::<f64>() / s;
    // (1)
    let between = k * means.iter().map(|mean| (mean - grand).powi(2)).sum::<f64>() / (s - 1.0);
    let squares = scores
        .iter()
        .zip(&means)
        .flat_map(|(row, mean)| row.iter().map(move |y| (y - mean).powi(2)));
    let within = squares.sum::<f64>() / (s * (k - 1.0)); // (2)
    Some(Components { seed: within, split: ((between - within) / k).max(0.0) }) // (3), (4)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::random::Rng;
    use proptest::prelude::{prop_assert, proptest};
    use rand::{RngExt, SeedableRng};

    #[test]
    fn two_splits_of_two_seeds_by_hand() {
        // Means 2 and 6, all 4: MS_between = 2 (4 + 4) / 1 = 16; MS_within = (1 + 1 + 1 + 1) / 2 =
        // 2; (16 − 2) / 2 = 7.
        let found = components(&[vec![1.0, 3.0], vec![5.0, 7.0]]).unwrap();
        assert_eq!(found, Components { split: 7.0, seed: 2.0 });
        assert!((found.seed_share().unwrap() - 2.0 / 9.0).abs() < 1e-15);
    }

    #[test]
    fn three_splits_of_three_seeds_by_hand() {
        // Means 2, 4, 9, all 5: MS_between = 3 (9 + 1 + 16) / 2 = 39; MS_within = (2 + 8 + 2) / 6 =
        // 2; (39 − 2) / 3.
        let found =
            components(&[vec![1.0, 2.0, 3.0], vec![2.0, 4.0, 6.0], vec![8.0, 9.0, 10.0]]).unwrap();
        assert_eq!(found.seed, 2.0);
        assert!((found.split - 37.0 / 3.0).abs() < 1e-14);
    }

    #[test]
    fn an_absent_effect_has_variance_zero() {
        let no_split = components(&[vec![1.0, 3.0], vec![3.0, 1.0]]).unwrap();
        assert_eq!(
            (no_split.split, no_split.seed_share()),
            (0.0, Some(1.0)),
            "(0 − 2) / 2 is cut to 0"
        );
        let no_seed = components(&[vec![1.0, 1.0], vec![3.0, 3.0]]).unwrap();
        assert_eq!(
            (no_seed, no_seed.seed_share()),
            (Components { split: 2.0, seed: 0.0 }, Some(0.0))
        );
        assert_eq!(components(&[vec![1.0, 1.0], vec![1.0, 1.0]]).unwrap().seed_share(), None);
    }

    #[test]
    fn scores_without_a_variance_give_none() {
        for scores in [
            vec![],
            vec![vec![1.0, 2.0]],
            vec![vec![1.0], vec![2.0]],
            vec![vec![1.0, 2.0], vec![3.0]],
            vec![vec![1.0, f64::INFINITY], vec![3.0, 4.0]],
        ] {
            assert_eq!(components(&scores), None, "{scores:?}");
        }
    }

    #[test]
    fn simulated_components_are_recovered() {
        let mut rng = Rng::seed_from_u64(5);
        // Uniform on ±√3 has variance 1; the estimates are unbiased for any distribution.
        let mut draw = |sd: f64| sd * 3.0_f64.sqrt() * (2.0 * rng.random::<f64>() - 1.0);
        for (split, seed) in [(2.0, 1.0), (1.0, 3.0), (0.0, 1.0)] {
            let mut one_split = |_| {
                let a = draw(split);
                (0..5).map(|_| a + draw(seed)).collect::<Vec<f64>>()
            };
            let scores: Vec<Vec<f64>> = (0..2000).map(&mut one_split).collect();
            let found = components(&scores).unwrap();
            // Normal theory bounds the standard errors: √(2/8000) σ²_seed, and √(2/2000) (σ²_split
            // + σ²_seed/5) and its like.
            let (v_split, v_seed) = (split * split, seed * seed);
            assert!(
                (found.seed - v_seed).abs() < 5.0 * (2.0_f64 / 8000.0).sqrt() * v_seed,
                "{found:?}"
            );
            assert!(
                (found.split - v_split).abs()
                    < 5.0 * (2.0_f64 / 2000.0).sqrt() * (v_split + v_seed / 4.0),
                "{found:?}"
            );
        }
    }

    proptest! {
        #[test]
        fn a_change_of_unit_multiplies_by_its_square(
            scores in proptest::collection::vec(
                proptest::collection::vec(-1.0..1.0_f64, 3),
                2..6
            ),
            scale in 0.1..10.0_f64,
            shift in -1.0..1.0_f64,
        ) {
            let one = components(&scores).unwrap();
            let moved: Vec<Vec<f64>> =
                scores.iter().map(|row| row.iter().map(|y| scale * y + shift).collect()).collect();
            let other = components(&moved).unwrap();
            let near = |a: f64, b: f64| (a - b).abs() <= 1e-12 * scale * scale;
            prop_assert!(near(other.seed, scale * scale * one.seed));
            prop_assert!(near(other.split, scale * scale * one.split));
        }
    }
}
