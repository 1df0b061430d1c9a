//! Fill in missing features by what the training rows show.

use ndarray::{Array2, ArrayView1, Axis};
use serde::{Deserialize, Serialize};

use uq_core::math::median::median;

/// The median of each feature over training rows; NaN for a feature that stays missing. Whatever a
/// fit sees of missing values comes from its training rows alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Imputation {
    medians: Vec<f64>,
}

impl Imputation {
    /// The medians of training rows (n × d), in which NaN is missing. The median of a feature that
    /// all of them miss is 0.
    ///
    /// For a method that takes missing values, a feature that some training row misses has none: it
    /// stays missing. One that only later rows miss has its median, because nothing can be learned
    /// of what a missing value of it means.
    pub fn by(train: &Array2<f64>, takes_missing: bool) -> Self {
        let median_of = |column: ArrayView1<f64>| {
            let present: Vec<f64> =
                column.iter().copied().filter(|value| !value.is_nan()).collect();
            let is_left = takes_missing && present.len() < column.len();
            if is_left { f64::NAN } else { median(present).unwrap_or(0.0) }
        };
        Self { medians: train.columns().into_iter().map(median_of).collect() }
    }

    /// Number of features.
    pub fn columns(&self) -> usize {
        self.medians.len()
    }

    /// Replaces each missing value (n × d) of a feature that has a median.
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
        let mut train = array![
            [1.0, MISSING, 5.0],
            [9.0, MISSING, MISSING],
            [MISSING, MISSING, 7.0],
            [2.0, MISSING, 0.0]
        ];
        let mut test = array![[MISSING, 3.0, MISSING]];
        let imputation = Imputation::by(&train, false);
        imputation.fill(&mut train);
        imputation.fill(&mut test);
        assert_eq!(
            train,
            array![[1.0, 0.0, 5.0], [9.0, 0.0, 5.0], [2.0, 0.0, 7.0], [2.0, 0.0, 0.0]]
        );
        assert_eq!(test, array![[2.0, 3.0, 5.0]], "the test row has no part in the median");
    }

    #[test]
    fn what_training_rows_miss_stays_missing_where_the_method_takes_it() {
        let train = array![[1.0, MISSING], [9.0, 4.0], [2.0, 0.0]];
        let imputation = Imputation::by(&train, true);
        let (mut same, mut test) = (train.clone(), array![[MISSING, MISSING], [3.0, 5.0]]);
        imputation.fill(&mut same);
        imputation.fill(&mut test);
        assert!(same[(0, 1)].is_nan() && same.iter().filter(|value| value.is_nan()).count() == 1);
        assert!(test[(0, 0)] == 2.0 && test[(0, 1)].is_nan(), "{test}");
        assert_eq!(test.row(1), array![3.0, 5.0]);
    }
}
