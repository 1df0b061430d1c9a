//! Give features to linfa's trees as ranks among the training rows' distinct values.
//!
//! A tree uses only the order of values, so that it loses nothing. linfa does not split between two
//! values less than 1e-5 apart, whatever their unit; ranks are 1 apart, and neither a small unit
//! nor an outlier hides a split.

use ndarray::ArrayView2;
use ndarray16::Array2 as LinfaMatrix;
use serde::{Deserialize, Serialize};

/// The distinct values of each feature in the training rows, in ascending order.
#[derive(Serialize, Deserialize)]
pub(super) struct Ranks(Vec<Vec<f64>>);

impl Ranks {
    /// Reads the features of the training rows, n × d, all of them finite.
    pub fn new(features: ArrayView2<f64>) -> Self {
        let of_column = |column: ndarray::ArrayView1<f64>| {
            let mut values = column.to_vec();
            values.sort_unstable_by(f64::total_cmp);
            values.dedup();
            values
        };
        Self(features.columns().into_iter().map(of_column).collect())
    }

    /// Number of features.
    pub fn columns(&self) -> usize {
        self.0.len()
    }

    /// The ranks from 0 of these features, m × d; between two values the rank grows linearly,
    /// beyond the ends it is the end's.
    pub fn apply(&self, features: ArrayView2<f64>) -> LinfaMatrix<f64> {
        LinfaMatrix::from_shape_fn(features.dim(), |(i, j)| rank(&self.0[j], features[(i, j)]))
    }
}

fn rank(values: &[f64], x: f64) -> f64 {
    let reached = values.partition_point(|value| *value <= x);
    let Some(last) = reached.checked_sub(1) else { return 0.0 };
    let low = values[last];
    // Halves, so that the difference of large numbers does not overflow.
    let part =
        values.get(reached).map_or(0.0, |high| (0.5 * x - 0.5 * low) / (0.5 * high - 0.5 * low));
    last as f64 + part
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn ranks_count_distinct_values_and_are_linear_between_them() {
        let ranks = Ranks::new(array![[5.0, -0.0], [1.0, 0.0], [5.0, 0.0], [2.0, 0.0]].view());
        let found = ranks.apply(
            array![[1.0, 0.0], [2.0, 9.0], [5.0, -9.0], [3.5, 0.0], [0.0, 0.0], [6.0, 0.0]].view(),
        );
        assert_eq!(found.column(0).to_vec(), [0.0, 1.0, 2.0, 1.5, 0.0, 2.0]);
        assert_eq!(found.column(1).to_vec(), [0.0; 6]);
        let wide = Ranks::new(array![[-f64::MAX], [f64::MAX]].view());
        assert_eq!(wide.apply(array![[0.0]].view())[(0, 0)], 0.5);
    }
}
