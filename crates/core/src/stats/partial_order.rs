//! Fit distributions that increase with a partial order: isotonic distributional regression where
//! some rows are not comparable with each other.
//!
//! At each threshold z the fit minimises Σ (1{y_i ≤ z} − p_i)² among p with p_i ≥ p_j wherever row i
//! is at most row j. A group of rows that one mean p fits leaves p(1 − p) a row, and the CRPS is the
//! integral of these squares over z, so that the fitted distributions themselves are not needed.
//!
//! One mean fits a group of a ones (y ≤ z) and b zeros if, and only if, each one can send b units to
//! zeros at most itself, and each zero takes a units of them: a flow. Where no flow sends all, what
//! it reaches is the part of the group whose mean is larger, and either part is fitted apart.
//!
//! *References:* R. Luss, S. Rosset, M. Shahar (2012), *Efficient regularized isotonic regression
//! with application to gene-gene interaction search*, Annals of Applied Statistics 6, 253-283 (the
//! division); E. A. Dinic (1970), *Algorithm for solution of a problem of maximum flow in networks
//! with power estimation*, Soviet Mathematics Doklady 11, 1277-1280 (the flow).

mod bits;
mod flow;

use self::bits::BitRows;
use self::flow::Group;

/// Which of n rows are at most which others.
#[derive(Clone, Debug)]
pub struct PartialOrder {
    /// `below.row(j)` has the rows i ≤ j, j itself among them.
    below: BitRows,
    rows: usize,
}

impl PartialOrder {
    /// The order of `rows` rows in which row i is at most row j where `is_at_most(i, j)`, which must
    /// be reflexive and transitive. Two rows may each be at most the other one.
    pub fn new(rows: usize, is_at_most: impl Fn(usize, usize) -> bool) -> Self {
        let mut below = BitRows::new(rows, rows);
        for j in 0..rows {
            (0..rows).filter(|&i| is_at_most(i, j)).for_each(|i| below.set(j, i));
        }
        Self { below, rows }
    }

    /// The share of pairs of rows of which one is at most the other; 1 for fewer than two rows.
    pub fn comparable_pairs(&self) -> f64 {
        let mut comparable = 0_usize;
        for j in 0..self.rows {
            let is_comparable = |i: &usize| self.below.is_set(j, *i) || self.below.is_set(*i, j);
            comparable += (0..j).filter(is_comparable).count();
        }
        let pairs = self.rows * self.rows.saturating_sub(1) / 2;
        if pairs == 0 { 1.0 } else { comparable as f64 / pairs as f64 }
    }

    /// The mean CRPS of the distributions that are fitted to the outcomes y (n), scored by the same
    /// outcomes, in their units. Zero without a row.
    ///
    /// # Panics
    /// If there is not one outcome for each row.
    pub fn fitted_crps(&self, y: &[f64]) -> f64 {
        assert_eq!(y.len(), self.rows, "a fit needs one outcome for each row");
        let mut ascending: Vec<usize> = (0..y.len()).collect();
        ascending.sort_unstable_by(|&a, &b| y[a].total_cmp(&y[b]));
        let mut sum = 0.0;
        for (below, pair) in (1..).zip(ascending.windows(2)) {
            let gap = y[pair[1]] - y[pair[0]];
            if gap > 0.0 {
                let (ones, zeros) = ascending.split_at(below);
                sum += gap * self.squares(Group { ones: ones.to_vec(), zeros: zeros.to_vec() });
            }
        }
        sum / y.len().max(1) as f64
    }

    /// Σ (b_i − p_i)² of the fit of these ones and zeros.
    fn squares(&self, group: Group) -> f64 {
        let (mut sum, mut left) = (0.0, vec![group]);
        while let Some(group) = left.pop() {
            if group.is_pure() {
                continue;
            }
            match group.divide(&self.below) {
                Some(parts) => left.extend(parts),
                None => sum += group.squares(),
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::isotonic::IsotonicDistributions;
    use proptest::prelude::*;

    /// Points in the plane; one is at most another if both of its coordinates are.
    fn planar(points: &[(i8, i8)]) -> PartialOrder {
        PartialOrder::new(points.len(), |i, j| {
            points[i].0 <= points[j].0 && points[i].1 <= points[j].1
        })
    }

    /// Σ (b − p)² where p is found from all sets: p_i is the largest, of the sets L that hold i and
    /// all rows below their rows, of the smallest mean over the rows that L shares with a set that
    /// holds i and all rows above its rows.
    fn squares_of_all_sets(order: &PartialOrder, is_one: &[bool]) -> f64 {
        let n = is_one.len();
        let sets = || 0_u32..1 << n;
        let has = |set: u32, row: usize| set >> row & 1 == 1;
        let lower: Vec<u32> = sets()
            .filter(|&set| {
                (0..n).all(|j| {
                    !has(set, j) || (0..n).all(|i| !order.below.is_set(j, i) || has(set, i))
                })
            })
            .collect();
        let full = (1_u32 << n) - 1;
        let mean = |set: u32| {
            let ones = (0..n).filter(|&row| has(set, row) && is_one[row]).count();
            ones as f64 / f64::from(set.count_ones())
        };
        let fit = |row: usize| {
            let best = |chosen: u32| {
                // The complement of a lower set is an upper one.
                let uppers = lower.iter().map(|set| full & !set).filter(|set| has(*set, row));
                uppers.map(|upper| mean(chosen & upper)).fold(f64::INFINITY, f64::min)
            };
            let lowers = lower.iter().copied().filter(|set| has(*set, row));
            lowers.map(best).fold(f64::NEG_INFINITY, f64::max)
        };
        (0..n).map(|row| (f64::from(u8::from(is_one[row])) - fit(row)).powi(2)).sum()
    }

    proptest! {
        #[test]
        fn a_fit_is_that_of_all_sets(
            rows in prop::collection::vec(((0_i8..5, 0_i8..5), any::<bool>()), 1..8),
        ) {
            let (points, is_one): (Vec<(i8, i8)>, Vec<bool>) = rows.into_iter().unzip();
            let order = planar(&points);
            let pick = |one: bool| (0..is_one.len()).filter(|&row| is_one[row] == one).collect();
            let found = order.squares(Group { ones: pick(true), zeros: pick(false) });
            let expected = squares_of_all_sets(&order, &is_one);
            prop_assert!((found - expected).abs() < 1e-9, "{found} {expected}");
        }

        #[test]
        fn where_all_rows_are_comparable_the_fit_is_the_pooled_one(
            rows in prop::collection::vec((0_i8..9, 0_i8..7), 1..90),
        ) {
            let (x, y): (Vec<f64>, Vec<f64>) =
                rows.iter().map(|&(x, y)| (f64::from(x), f64::from(y))).unzip();
            let order = PartialOrder::new(x.len(), |i, j| x[i] <= x[j]);
            let pooled = IsotonicDistributions::new(&x, &y).unwrap().fitted_crps();
            let found = order.fitted_crps(&y);
            prop_assert!((found - pooled).abs() < 1e-9, "{found} {pooled}");
            prop_assert_eq!(order.comparable_pairs(), 1.0);
        }

        #[test]
        fn a_new_comparison_never_lowers_the_crps(
            rows in prop::collection::vec(((0_i8..30, 0_i8..30), 0_i8..30), 2..60),
        ) {
            let (points, y): (Vec<(i8, i8)>, Vec<i8>) = rows.into_iter().unzip();
            let y: Vec<f64> = y.into_iter().map(f64::from).collect();
            let partial = planar(&points).fitted_crps(&y);
            // Lexicographic order is an extension of the planar one.
            let total = PartialOrder::new(y.len(), |i, j| points[i] <= points[j]).fitted_crps(&y);
            prop_assert!(partial <= total + 1e-12, "{partial} {total}");
        }
    }

    #[test]
    fn rows_that_are_not_comparable_are_fitted_apart() {
        let order = PartialOrder::new(3, |i, j| i == j);
        assert_eq!(order.fitted_crps(&[3.0, 1.0, 2.0]), 0.0);
        assert_eq!(order.comparable_pairs(), 0.0);
    }

    #[test]
    fn equal_rows_share_one_distribution() {
        // That of both outcomes: at either its CRPS is 2 · ½² = ½.
        let order = PartialOrder::new(2, |_, _| true);
        assert_eq!(order.fitted_crps(&[1.0, 3.0]), 0.5);
    }

    #[test]
    fn without_a_row_there_is_no_error() {
        let order = PartialOrder::new(0, |_, _| true);
        assert_eq!((order.fitted_crps(&[]), order.comparable_pairs()), (0.0, 1.0));
    }
}
