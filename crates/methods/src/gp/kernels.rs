//! Compute the covariance of the function at two points: stationary kernels with a length scale for
//! each feature, their sums and products, with derivatives by hand.
//!
//! Matrices are row-major slices. A symmetric matrix is kept in its *upper* triangle, which read by
//! columns is the lower triangle that faer factorises; the numbers below the diagonal are
//! unspecified. Nothing is allocated once a [`Workspace`] has been used for the same sizes.
//!
//! # References
//! C. E. Rasmussen, C. K. I. Williams: *Gaussian Processes for Machine Learning*, MIT Press, 2006,
//! Chapter 4.

mod composition;
pub mod gibbs;
mod panels;
mod profile;
mod stationary;

pub use composition::{Composition, Kernel};
use panels::Lane;
pub use stationary::{Shape, Stationary};

/// n points of d features, row by row.
#[derive(Clone, Copy, Debug)]
pub struct Points<'a> {
    values: &'a [f64],
    rows: usize,
    columns: usize,
}

impl<'a> Points<'a> {
    /// The points in `values`, n · d numbers.
    ///
    /// # Panics
    /// If there are not as many numbers.
    pub fn new(values: &'a [f64], rows: usize, columns: usize) -> Self {
        assert_eq!(values.len(), rows * columns, "{rows} points of {columns} features");
        Self { values, rows, columns }
    }

    /// The numbers, row by row.
    pub fn values(&self) -> &'a [f64] {
        self.values
    }

    /// Number of points, n.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of features, d.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The `i`-th point.
    pub fn row(&self, i: usize) -> &'a [f64] {
        &self.values[i * self.columns..][..self.columns]
    }
}

/// Memory for the computation of matrices and their derivatives.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    /// Points divided by the length scales, row by row.
    scaled: Vec<f64>,
    /// Points divided by the length scales, transposed: a lane of points for each feature.
    panels: Vec<Lane>,
    squares: Vec<Lane>,
    moves: Vec<Lane>,
    /// Whole matrices, for sums and products.
    spare: Vec<Vec<f64>>,
}

impl Workspace {
    /// A matrix of `size` numbers; give it back with [`Workspace::put`].
    fn take(&mut self, size: usize) -> Vec<f64> {
        let mut matrix = self.spare.pop().unwrap_or_default();
        matrix.resize(size, 0.0);
        matrix
    }

    fn put(&mut self, matrix: Vec<f64>) {
        self.spare.push(matrix);
    }
}

#[cfg(test)]
mod tests;
