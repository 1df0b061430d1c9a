//! Fill in missing features by what the training rows show.

use ndarray::{Array2, ArrayView1, Axis};
use serde::{Deserialize, Serialize};

use crate::math::median::median;

/// The median of each feature over training rows. Whatever a fit sees of missing values comes from its training rows
/// alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Imputation {
    medians: Vec<f64>,
}

impl Imputation {
    /// The medians of training rows (n × d), in which NaN is missing; `None` where neither they nor the `others` miss
    /// anything. The median of a feature that all of them miss is 0.
    pub fn of(train: &Array2<f64>, others: &Array2<f64>) -> Option<Self> {
        let misses = |features: &Array2<f64>| features.iter().any(|value| value.is_nan());
        (misses(train) || misses(others)).then(|| Self::by(train))
    }

    /// The medians of training rows, for whatever rows follow.
    pub fn by(train: &Array2<f64>) -> Self {
        let present = |column: ArrayView1<f64>| column.iter().copied().filter(|value| !value.is_nan()).collect();
        Self { medians: train.columns().into_iter().map(|column| median(present(column)).unwrap_or(0.0)).collect() }
    }

    /// Number of features.
    pub fn columns(&self) -> usize {
        self.medians.len()
    }

    /// Replaces each missing value (n × d).
    pub fn fill(&self, features: &mut Array2<f64>) {
        for (mut column, median) in features.axis_iter_mut(Axis(1)).zip(&self.medians) {
            column.iter_mut().filter(|value| value.is_nan()).for_each(|value| *value = *median);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    const MISSING: f64 = f64::NAN;

    #[test]
    fn the_median_of_the_training_rows_is_filled_in_everywhere() {
        let mut train =
            array![[1.0, MISSING, 5.0], [9.0, MISSING, MISSING], [MISSING, MISSING, 7.0], [2.0, MISSING, 0.0]];
        let mut test = array![[MISSING, 3.0, MISSING]];
        let imputation = Imputation::of(&train, &test).unwrap();
        imputation.fill(&mut train);
        imputation.fill(&mut test);
        assert_eq!(train, array![[1.0, 0.0, 5.0], [9.0, 0.0, 5.0], [2.0, 0.0, 7.0], [2.0, 0.0, 0.0]]);
        assert_eq!(test, array![[2.0, 3.0, 5.0]], "the test row has no part in the median");
    }

    #[test]
    fn whole_tables_are_left_as_they_are() {
        assert_eq!(Imputation::of(&array![[1.0]], &array![[2.0]]), None);
        assert!(Imputation::of(&array![[1.0]], &array![[MISSING]]).is_some());
    }
}
