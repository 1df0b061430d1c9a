//! Measure how far rows lie from the training rows, by the nearest of the training rows' means.

use ndarray::{Array1, ArrayView2};

use crate::math::k_means::k_means;
use crate::math::neighbours::Neighbours;
use crate::math::random::Rng;

/// Points to which the distance of a row is measured.
pub(super) struct Inducing(Neighbours);

impl Inducing {
    /// At most `count` means of the rows of `points` (n × d, n ≥ 1); fewer where fewer rows differ.
    pub fn new(points: ArrayView2<f64>, count: usize, rng: &mut Rng) -> Self {
        Self(Neighbours::new(k_means(points, count, rng).view()))
    }

    /// The Euclidean distance of each row of `points` to the nearest inducing point, n.
    pub fn distances(&self, points: ArrayView2<f64>) -> Array1<f64> {
        let mut found = Vec::new();
        points.rows().into_iter().map(|row| self.0.first(&row.to_vec(), &mut found).0.sqrt()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::{Array2, array};
    use rand::SeedableRng;

    #[test]
    fn far_groups_have_their_means() {
        let offsets = [-0.5, 0.0, 0.5];
        let points =
            Array2::from_shape_fn((9, 2), |(i, j)| [0.0, 10.0, 30.0][i / 3] * (1.0 + j as f64) + offsets[i % 3]);
        let inducing = Inducing::new(points.view(), 3, &mut Rng::seed_from_u64(2));
        let found = inducing.distances(array![[0.0, 0.0], [10.0, 23.0], [34.0, 60.0]].view());
        for (found, expected) in found.iter().zip([0.0, 3.0, 4.0]) {
            assert!((found - expected).abs() < 1e-12, "{found} against {expected}");
        }
    }

    #[test]
    fn there_are_at_most_as_many_points_as_distinct_rows() {
        let points = array![[1.0], [1.0], [2.0], [1.0]];
        let inducing = Inducing::new(points.view(), 500, &mut Rng::seed_from_u64(2));
        assert_eq!(inducing.distances(array![[1.0], [2.0], [5.0]].view()), array![0.0, 0.0, 3.0]);
        let nothing = Inducing::new(Array2::zeros((7, 0)).view(), 4, &mut Rng::seed_from_u64(2));
        assert_eq!(nothing.distances(Array2::zeros((2, 0)).view()), array![0.0, 0.0]);
    }
}
