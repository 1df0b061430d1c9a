//! Rank several methods within each dataset, and test whether their mean ranks differ.
//!
//! With rank r_ij of method j of k on dataset i of N (1 is best, ties share the mean of their
//! places), rank sums R_j and mean ranks R̄_j = R_j/N:
//!
//! ```text
//! χ²_F = (k − 1) Σ_j (R_j − N(k + 1)/2)² / [Σ_ij r_ij² − N k (k + 1)²/4]    (1)
//! F_F  = (N − 1) χ²_F / [N (k − 1) − χ²_F]                                  (2)
//! CD   = q_α √(k (k + 1) / (6 N))                                           (3)
//! ```
//!
//! (1) is Friedman's statistic corrected for ties; without ties it is 12N/(k(k + 1)) Σ_j (R̄_j −
//! (k + 1)/2)², which Demšar prints and which is too small with ties. It is compared with χ² of k −
//! 1 degrees of freedom, and (2), which is less conservative, with F of k − 1 and (k − 1)(N − 1).
//! Where all datasets rank the methods alike, (2) has no value, and its p-value is the exact one,
//! (Π t!/k!)^(N−1) over the groups of t tied methods. By Nemenyi's test two methods differ where
//! their mean ranks differ by (3) or more; q_α is the upper quantile of the studentised range of k
//! numbers, over √2.
//!
//! *References:* Friedman (1937), JASA 32, 675-701; (1) and exact agreement: Conover (1999),
//! *Practical Nonparametric Statistics*, 3rd edition, 5.8; (2): Iman & Davenport (1980),
//! Communications in Statistics A 9, 571-595; (3): Nemenyi (1963), *Distribution-free multiple
//! comparisons*, Princeton; cliques and example: Demšar (2006), JMLR 7, 1-30.

use statrs::function::beta::beta_reg;
use statrs::function::gamma::gamma_ur;

use crate::math::ranks::average_ranks;
use crate::math::studentised_range::studentised_range_quantile;
use crate::metrics::Direction;

/// Mean ranks of k methods over N datasets, and the tests that they are equal.
#[derive(Clone, Debug, PartialEq)]
pub struct Friedman {
    /// Mean rank of each method; 1 is best.
    pub mean_ranks: Vec<f64>,
    /// Number of datasets N.
    pub blocks: usize,
    /// Friedman's statistic, corrected for ties, equation 1; zero where all methods tie everywhere.
    pub chi_squared: f64,
    /// Its p-value by χ² of k − 1 degrees of freedom.
    pub p_chi_squared: f64,
    /// Iman and Davenport's statistic, equation 2; absent where all datasets rank the methods
    /// alike.
    pub f: Option<f64>,
    /// Its p-value by F of k − 1 and (k − 1)(N − 1) degrees of freedom; exact where the statistic
    /// is absent.
    pub p_f: f64,
}

/// The rank of each score, 1 for the best; equal scores share the mean of their places. An
/// undefined score (NaN) has no rank (NaN) and takes no place.
///
/// Distances from a target are equal when they differ by no more than rounding: 0.93 and 0.97 are
/// equally far from 0.95.
pub fn ranks(scores: &[f64], direction: Direction) -> Vec<f64> {
    let badness: Vec<f64> = scores
        .iter()
        .map(|score| match direction {
            Direction::Lower => *score,
            Direction::Higher => -score,
            Direction::Target(aim) => (score - aim).abs(),
        })
        .collect();
    average_ranks(&badness, |least| match direction {
        Direction::Target(aim) => 8.0 * f64::EPSILON * (aim.abs() + least),
        Direction::Lower | Direction::Higher => 0.0,
    })
}

/// Friedman's test of the scores of k methods on N datasets: `blocks` holds a list of k scores for
/// each dataset.
///
/// `None` for fewer than two methods or datasets, lists of different lengths, or an undefined
/// score: a dataset cannot be ranked if a method did not finish on it.
pub fn friedman(blocks: &[Vec<f64>], direction: Direction) -> Option<Friedman> {
    let (n, k) = (blocks.len(), blocks.first()?.len());
    let complete =
        blocks.iter().all(|block| block.len() == k && block.iter().all(|score| !score.is_nan()));
    if n < 2 || k < 2 || !complete {
        return None;
    }
    let ranked: Vec<Vec<f64>> = blocks.iter().map(|block| ranks(block, direction)).collect();
    let sums: Vec<f64> = (0..k).map(|j| ranked.iter().map(|ranks| ranks[j]).sum()).collect();
    let (datasets, methods) = (n as f64, k as f64);
    let mean = 0.5 * (methods + 1.0);
    let between: f64 = sums.iter().map(|sum| (sum - datasets * mean).powi(2)).sum();
    let within = ranked.iter().flatten().map(|rank| rank * rank).sum::<f64>()
        - datasets * methods * mean * mean;
    let freedom = methods - 1.0;
    let chi_squared = if within > 0.0 { freedom * between / within } else { 0.0 }; // (1)
    let (f, p_f) = if ranked.windows(2).all(|pair| pair[0] == pair[1]) {
        (None, (-(datasets - 1.0) * ln_arrangements(&ranked[0])).exp())
    } else {
        let f = (datasets - 1.0) * chi_squared / (datasets * freedom - chi_squared); // (2)
        (Some(f), f_upper_tail(f, freedom, freedom * (datasets - 1.0)))
    };
    Some(Friedman {
        mean_ranks: sums.iter().map(|sum| sum / datasets).collect(),
        blocks: n,
        chi_squared,
        p_chi_squared: if chi_squared > 0.0 {
            gamma_ur(0.5 * freedom, 0.5 * chi_squared)
        } else {
            1.0
        },
        f,
        p_f,
    })
}

/// ln of the number of ways, k!/Π t!, in which one dataset can order its methods given its ties.
fn ln_arrangements(ranks: &[f64]) -> f64 {
    let ln_factorial = |n: usize| (2..=n).map(|i| (i as f64).ln()).sum::<f64>();
    let mut sorted = ranks.to_vec();
    sorted.sort_by(f64::total_cmp);
    ln_factorial(ranks.len())
        - sorted.chunk_by(|a, b| a == b).map(|group| ln_factorial(group.len())).sum::<f64>()
}

/// Probability that F of `above` and `below` degrees of freedom exceeds `f` ≥ 0.
fn f_upper_tail(f: f64, above: f64, below: f64) -> f64 {
    beta_reg(0.5 * below, 0.5 * above, below / (below + above * f))
}

/// Nemenyi's critical difference of mean ranks at level `alpha`, equation 3: 0 for fewer than two
/// methods, infinite for no dataset, NaN for a level outside \[0, 1\].
pub fn critical_difference(methods: usize, blocks: usize, alpha: f64) -> f64 {
    let k = methods as f64;
    match (methods, blocks) {
        (0 | 1, _) => 0.0,
        (_, 0) => f64::INFINITY,
        _ => {
            studentised_range_quantile(1.0 - alpha, methods)
                * (k * (k + 1.0) / (12.0 * blocks as f64)).sqrt()
        } // (3)
    }
}

/// The largest groups of two or more methods whose mean ranks differ by less than the critical
/// difference, best group first; within a group by rank.
pub fn cliques(mean_ranks: &[f64], critical_difference: f64) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..mean_ranks.len()).collect();
    order.sort_by(|&a, &b| mean_ranks[a].total_cmp(&mean_ranks[b]));
    let mut found = Vec::new();
    let mut reached = 0;
    for (start, &best) in order.iter().enumerate() {
        let near = |&&i: &&usize| mean_ranks[i] - mean_ranks[best] < critical_difference;
        let end = start + order[start..].iter().take_while(near).count();
        // A group that ends where an earlier one ends lies inside it.
        if end > start + 1 && end > reached {
            found.push(order[start..end].to_vec());
            reached = end;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

    /// Demšar (2006), table 6: AUC of C4.5, C4.5+m, C4.5+cf, C4.5+m+cf on 14 datasets. The paper
    /// ranks "voting" by more digits than it prints: its third method is 2nd and its fourth 3rd, so
    /// the former gets half a unit more here.
    const AUC: [[f64; 4]; 14] = [
        [0.763, 0.768, 0.771, 0.798],
        [0.599, 0.591, 0.590, 0.569],
        [0.954, 0.971, 0.968, 0.967],
        [0.628, 0.661, 0.654, 0.657],
        [0.882, 0.888, 0.886, 0.898],
        [0.936, 0.931, 0.916, 0.931],
        [0.661, 0.668, 0.609, 0.685],
        [0.583, 0.583, 0.563, 0.625],
        [0.775, 0.838, 0.866, 0.875],
        [1.000, 1.000, 1.000, 1.000],
        [0.940, 0.962, 0.965, 0.962],
        [0.619, 0.666, 0.614, 0.669],
        [0.972, 0.981, 0.975_5, 0.975],
        [0.957, 0.978, 0.946, 0.970],
    ];

    fn blocks<const K: usize>(rows: &[[f64; K]]) -> Vec<Vec<f64>> {
        rows.iter().map(|row| row.to_vec()).collect()
    }

    #[test]
    fn ranks_follow_the_direction_and_share_ties() {
        assert_eq!(ranks(&[3.0, 1.0, 2.0], Direction::Lower), [3.0, 1.0, 2.0]);
        assert_eq!(ranks(&[3.0, 1.0, 2.0], Direction::Higher), [1.0, 3.0, 2.0]);
        assert_eq!(ranks(&[0.5, 0.2, 0.5, 0.5, 0.9], Direction::Lower), [3.0, 1.0, 3.0, 3.0, 5.0]);
        // 0.93 and 0.97 miss 0.95 by distances that differ in the last digits.
        assert_ne!((0.93_f64 - 0.95).abs(), (0.97_f64 - 0.95).abs());
        assert_eq!(ranks(&[0.97, 0.93, 0.94, 0.99], Direction::Target(0.95)), [2.5, 2.5, 1.0, 4.0]);
        assert_eq!(ranks(&[0.0, -0.0], Direction::Lower), [1.5, 1.5]);
    }

    #[test]
    fn infinite_scores_rank_and_undefined_ones_do_not() {
        let worst = f64::NEG_INFINITY;
        assert_eq!(ranks(&[worst, -2.0, worst], Direction::Higher), [2.5, 1.0, 2.5]);
        assert_eq!(ranks(&[f64::INFINITY, 0.9], Direction::Target(0.95)), [2.0, 1.0]);
        let found = ranks(&[2.0, f64::NAN, 1.0], Direction::Lower);
        assert_eq!((found[0], found[2]), (2.0, 1.0));
        assert!(found[1].is_nan());
    }

    #[test]
    fn the_worked_example_of_demsar_is_reproduced() {
        let found = friedman(&blocks(&AUC), Direction::Higher).unwrap();
        for (found, printed) in found.mean_ranks.iter().zip([3.143, 2.0, 2.893, 1.964]) {
            assert!((found - printed).abs() < 5e-4, "{found}");
        }
        // Three pairs and one group of four tie: 1 − Σ(t³ − t)/(N k (k² − 1)) = 1 − 78/840 turns
        // the corrected statistic into that of the paper.
        let printed = found.chi_squared * (1.0 - 78.0 / 840.0);
        assert!((printed - 9.28).abs() < 5e-3, "{printed}");
        assert!((13.0 * printed / (42.0 - printed) - 3.69).abs() < 5e-3);
        // The corrected values by mpmath (incomplete gamma and beta functions).
        assert!((found.chi_squared - 10.228_346_456_692_913).abs() < 1e-12);
        assert!((found.p_chi_squared - 0.016_721_580_328_441_404).abs() < 1e-12);
        assert!((found.f.unwrap() - 4.185_130_111_524_164).abs() < 1e-12);
        assert!((found.p_f - 0.011_620_659_515_311_04).abs() < 1e-12);

        let ranks = &found.mean_ranks;
        let (five, ten) = (critical_difference(4, 14, 0.05), critical_difference(4, 14, 0.1));
        assert!((five - 1.25).abs() < 5e-3 && (ten - 1.12).abs() < 5e-3, "{five} {ten}");
        // "Even the difference between the best and the worst is already smaller" at 5 %; at 10 %
        // pure C4.5 differs from both with m, and nothing can be said of C4.5+cf.
        assert_eq!(cliques(ranks, five), [[3, 1, 2, 0]]);
        assert_eq!(cliques(ranks, ten), [vec![3, 1, 2], vec![2, 0]]);
    }

    #[test]
    fn without_ties_it_is_the_textbook_statistic() {
        // Rank sums 6, 10, 14 of N = 5: χ² = 12/(5·3·4)·(36 + 100 + 196) − 3·5·4 = 6.4, F =
        // 4·6.4/(10 − 6.4); p by mpmath.
        let rows =
            [[1.0, 2.0, 3.0], [1.1, 2.5, 2.0], [0.5, 0.9, 1.4], [3.0, 2.0, 4.0], [1.0, 5.0, 7.0]];
        let found = friedman(&blocks(&rows), Direction::Lower).unwrap();
        assert_eq!((found.mean_ranks.as_slice(), found.blocks), (&[1.2, 2.0, 2.8][..], 5));
        assert!(
            (found.chi_squared - 6.4).abs() < 1e-13
                && (found.f.unwrap() - 64.0 / 9.0).abs() < 1e-12
        );
        // Two degrees of freedom: P(χ² > x) = exp(−x/2).
        assert!((found.p_chi_squared - (-3.2_f64).exp()).abs() < 1e-13);
        assert!((found.p_f - 0.016_796_16).abs() < 1e-13);
    }

    #[test]
    fn perfect_agreement_has_an_exact_probability() {
        let found = friedman(&blocks(&[[1.0, 2.0, 3.0]; 4]), Direction::Lower).unwrap();
        assert!((found.chi_squared - 8.0).abs() < 1e-14, "N (k − 1)");
        assert_eq!(found.f, None);
        assert!(
            (found.p_f - 6.0_f64.powi(-3)).abs() < 1e-15,
            "the first dataset sets the order, the others 1 in 3!"
        );
        let tied = friedman(&blocks(&[[1.0, 1.0, 2.0]; 4]), Direction::Lower).unwrap();
        assert!((tied.p_f - 3.0_f64.powi(-3)).abs() < 1e-15, "3!/2! orders");
        let equal = friedman(&blocks(&[[1.0, 1.0, 1.0]; 4]), Direction::Lower).unwrap();
        assert_eq!((equal.chi_squared, equal.p_chi_squared, equal.p_f), (0.0, 1.0, 1.0));
    }

    #[test]
    fn incomplete_designs_are_refused() {
        assert_eq!(friedman(&[], Direction::Lower), None);
        assert_eq!(friedman(&blocks(&[[1.0, 2.0]]), Direction::Lower), None);
        assert_eq!(friedman(&blocks(&[[1.0], [2.0]]), Direction::Lower), None);
        assert_eq!(friedman(&[vec![1.0, 2.0], vec![1.0]], Direction::Lower), None);
        assert_eq!(friedman(&blocks(&[[1.0, 2.0], [f64::NAN, 1.0]]), Direction::Lower), None);
    }

    #[test]
    fn critical_difference_has_its_limits() {
        assert_eq!(
            (critical_difference(1, 5, 0.05), critical_difference(3, 0, 0.05)),
            (0.0, f64::INFINITY)
        );
        // Two methods: the normal quantile over √N.
        assert!((critical_difference(2, 16, 0.05) - 1.959_963_984_540_054 / 4.0).abs() < 1e-12);
        assert!(critical_difference(3, 5, 1.5).is_nan());
    }

    #[test]
    fn cliques_are_the_largest_groups() {
        let ranks = [4.0, 1.0, 1.5, 2.2, 3.9];
        assert_eq!(cliques(&ranks, 1.0), [vec![1, 2], vec![2, 3], vec![4, 0]]);
        assert_eq!(cliques(&ranks, 0.05), Vec::<Vec<usize>>::new());
        assert_eq!(cliques(&ranks, 10.0), [vec![1, 2, 3, 4, 0]]);
        assert!(
            cliques(&[1.0, 2.0], 1.0).is_empty(),
            "a difference as large as the critical one counts"
        );
    }

    proptest! {
        #[test]
        fn ranks_sum_to_that_of_their_places(scores in proptest::collection::vec(0u8..6, 1..20)) {
            let scores: Vec<f64> = scores.into_iter().map(f64::from).collect();
            let n = scores.len() as f64;
            let (up, down) = (ranks(&scores, Direction::Lower), ranks(&scores, Direction::Higher));
            prop_assert_eq!(up.iter().sum::<f64>(), 0.5 * n * (n + 1.0));
            for (up, down) in up.iter().zip(down) {
                prop_assert_eq!(up + down, n + 1.0);
            }
        }

        #[test]
        fn ranks_do_not_depend_on_the_unit_or_the_order_of_methods(
            rows in proptest::collection::vec(proptest::collection::vec(0.0f64..1.0, 4), 2..10),
        ) {
            let found = friedman(&rows, Direction::Lower).unwrap();
            let stretched: Vec<Vec<f64>> =
                rows.iter().map(|row| row.iter().map(|v| (5.0 * v).exp()).collect()).collect();
            prop_assert_eq!(&friedman(&stretched, Direction::Lower).unwrap(), &found);
            let swapped: Vec<Vec<f64>> =
                rows.iter().map(|row| row.iter().rev().copied().collect()).collect();
            let reversed = friedman(&swapped, Direction::Lower).unwrap();
            prop_assert!((reversed.chi_squared - found.chi_squared).abs() < 1e-12);
            prop_assert!(found.chi_squared <= rows.len() as f64 * 3.0 + 1e-12);
        }
    }
}
