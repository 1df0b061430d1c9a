//! Make small problems for a check, without random numbers.

use ndarray::{Array1, Array2};

use uq_core::Table;

/// Training rows, and the features of test rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// Training rows.
    pub train: Table,
    /// Test rows × 3.
    pub test: Array2<f64>,
}

/// Numbers in [0, 1) that look random: multiples of the golden ratio without their whole part.
fn scattered(i: usize, salt: usize) -> f64 {
    ((i + 1) as f64 * 0.618_033_988_749_894_9 + salt as f64 * 0.414_213_562_373_095).fract()
}

impl Problem {
    /// y = 2 x₁ − x₂ + x₃ + noise in [−0.25, 0.25], with x₁ and x₂ in [0, 1) and x₃ either 0 or 1.
    pub fn new(train: usize, test: usize) -> Self {
        let row = |i: usize, j: usize, salt: usize| match j {
            2 => f64::from(scattered(i, salt + 5) < 0.5),
            _ => scattered(i * (j + 3), salt + j),
        };
        let features = Array2::from_shape_fn((train, 3), |(i, j)| row(i, j, 0));
        let target: Array1<f64> = features
            .rows()
            .into_iter()
            .enumerate()
            .map(|(i, x)| 2.0 * x[0] - x[1] + x[2] + 0.5 * (scattered(i * 7, 11) - 0.5))
            .collect();
        Self {
            train: Table::unnamed(features, target),
            test: Array2::from_shape_fn((test, 3), |(i, j)| row(i, j, 17)),
        }
    }

    /// This problem with targets that are this many times as large.
    #[must_use]
    pub fn with_target_times(mut self, factor: f64) -> Self {
        self.train.target *= factor;
        self
    }

    /// This problem with this number added to all targets.
    #[must_use]
    pub fn with_target_plus(mut self, offset: f64) -> Self {
        self.train.target += offset;
        self
    }

    /// This problem with the training rows from the last to the first.
    #[must_use]
    pub fn with_rows_backward(mut self) -> Self {
        let backward: Vec<usize> = (0..self.train.rows()).rev().collect();
        self.train = self.train.select(&backward);
        self
    }

    /// This problem with a second feature that is 1 everywhere.
    #[must_use]
    pub fn with_constant_column(mut self) -> Self {
        self.train.features.column_mut(1).fill(1.0);
        self.test.column_mut(1).fill(1.0);
        self
    }

    /// This problem with a target that is 3 everywhere.
    #[must_use]
    pub fn with_constant_target(mut self) -> Self {
        self.train.target.fill(3.0);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_differ_and_the_third_feature_has_two_values() {
        let problem = Problem::new(40, 12);
        assert_eq!((problem.train.rows(), problem.test.dim()), (40, (12, 3)));
        assert_eq!(uqbench_data::splits::distinct_rows(&problem.train), 40);
        let ones = problem.train.features.column(2).iter().filter(|x| **x == 1.0).count();
        assert!((10..=30).contains(&ones), "{ones} of 40");
        let constant = problem.clone().with_constant_column().with_constant_target();
        assert!(
            constant.train.target.iter().all(|y| *y == 3.0)
                && constant.test.column(1).iter().all(|x| *x == 1.0)
        );
    }
}
