//! Place inducing points where the rows are: all distinct rows where they are few enough, else
//! their k-means.
//!
//! A row that occurs twice gets one point: equal points make the kernel matrix singular and add no
//! information. Features should be standardised, since k-means weighs all columns alike.

use std::collections::BTreeSet;

use ndarray::{Array2, ArrayView2, Axis};

use uq_core::math::random::Rng;
use uq_math::k_means::k_means;

/// Where inducing points start.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct InducingStart {
    /// m × d, no two rows equal; m is the smaller of the requested number and the number of
    /// distinct rows.
    pub points: Array2<f64>,
    /// Whether the points are the distinct rows themselves: moving them gains nothing.
    pub every_row: bool,
}

impl InducingStart {
    /// At most `count` ≥ 1 points for the rows of `features`, n × d, finite, n ≥ 1.
    pub fn new(features: ArrayView2<f64>, count: usize, rng: &mut Rng) -> Self {
        let rows = distinct_rows(features);
        let points = features.select(Axis(0), &rows);
        if rows.len() <= count {
            return Self { points, every_row: true };
        }
        let means = k_means(points.view(), count, rng);
        let points = means.select(Axis(0), &distinct_rows(means.view()));
        Self { points, every_row: false }
    }
}

/// The first of each set of equal rows, in order.
pub(super) fn distinct_rows(rows: ArrayView2<f64>) -> Vec<usize> {
    let mut seen = BTreeSet::new();
    // Adding zero makes the two zeros one.
    let bits =
        |row: usize| -> Vec<u64> { rows.row(row).iter().map(|x| (x + 0.0).to_bits()).collect() };
    (0..rows.nrows()).filter(|row| seen.insert(bits(*row))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;
    use rand::SeedableRng;

    #[test]
    fn few_rows_are_the_points_themselves_each_once() {
        let features = array![[0.0, 1.0], [2.0, 1.0], [-0.0, 1.0], [2.0, 1.0], [2.0, 0.0]];
        let start = InducingStart::new(features.view(), 3, &mut Rng::seed_from_u64(1));
        assert_eq!(
            start,
            InducingStart { points: array![[0.0, 1.0], [2.0, 1.0], [2.0, 0.0]], every_row: true }
        );
        let none = InducingStart::new(Array2::zeros((5, 0)).view(), 3, &mut Rng::seed_from_u64(1));
        assert_eq!((none.points.dim(), none.every_row), ((1, 0), true));
    }

    #[test]
    fn many_rows_give_the_requested_number_of_distinct_points_inside_their_range() {
        let mut rng = Rng::seed_from_u64(3);
        // Three quarters of the rows are copies.
        let features =
            Array2::from_shape_fn((400, 2), |(i, j)| ((i % 100 * (7 + 4 * j)) % 101) as f64);
        for count in [1, 2, 40, 99] {
            let start = InducingStart::new(features.view(), count, &mut rng);
            assert_eq!((start.points.dim(), start.every_row), ((count, 2), false));
            assert_eq!(distinct_rows(start.points.view()).len(), count);
            assert!(start.points.iter().all(|x| (0.0..=101.0).contains(x)));
        }
    }
}
