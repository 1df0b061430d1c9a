//! Predict from the inducing points of a fit.
//!
//! ```text
//! E f(x) = k(x)ᵀ L⁻ᵀ β,   var f(x) = σ² − |L⁻¹ k(x)|² + |R⁻¹ L⁻¹ k(x)|²,   k(x) = K(Z, x)      (1)
//! ```
//!
//! Titsias' Eq. (6) with the optimal distribution (10), in the names of [`super::bound`].

use faer::linalg::matmul::matmul;
use faer::linalg::triangular_solve::{
    solve_lower_triangular_in_place, solve_upper_triangular_in_place,
};
use faer::{Accum, MatMut, MatRef};
use ndarray::{Array1, ArrayView2};
use serde::{Deserialize, Serialize};

use super::bound::{BLOCK, Factors, lower, split};
use crate::gp::kernels::{Kernel, Points, Workspace};
use crate::state::require;
use crate::{Context, FitError};

/// The posterior of the function f.
#[derive(Serialize, Deserialize)]
pub struct Posterior {
    kernel: Kernel,
    /// m × d, row by row.
    points: Vec<f64>,
    factors: Factors,
    /// L⁻ᵀ β.
    weights: Vec<f64>,
}

impl Posterior {
    /// The posterior at θ (see [`super::bound::Bound::evaluate`]) with the factors of the
    /// evaluation there.
    pub fn new(mut kernel: Kernel, theta: &[f64], factors: Factors, context: &Context) -> Self {
        let (own, _, points) = split(theta, kernel.parameters());
        kernel.set_log_parameters(own);
        let mut weights = factors.weights.clone();
        let m = weights.len();
        let right = MatMut::from_column_major_slice_mut(&mut weights, m, 1);
        solve_upper_triangular_in_place(
            lower(&factors.kernel, m).transpose(),
            right,
            context.par(),
        );
        Self { kernel, points: points.to_vec(), factors, weights }
    }

    /// Checks a posterior that was read: kernel and inducing points have the `features`, and the
    /// factors are of these points.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn check(&self, features: usize) -> Result<(), String> {
        let m = self.weights.len();
        self.kernel.check(features)?;
        let square = m.checked_mul(m);
        let factors = [&self.factors.kernel, &self.factors.inner]
            .into_iter()
            .all(|of| Some(of.len()) == square);
        let points = m.checked_mul(features) == Some(self.points.len());
        require(m > 0 && factors && points, "factors of other inducing points")
    }

    /// Mean and variance of f at each row of `x`, n × d, block by block of rows.
    ///
    /// # Errors
    /// When `context` stops the work.
    pub fn predict(
        &self,
        x: ArrayView2<f64>,
        context: &Context,
    ) -> Result<(Array1<f64>, Array1<f64>), FitError> {
        let (n, d) = x.dim();
        let (m, par) = (self.weights.len(), context.par());
        let points = Points::new(&self.points, m, d);
        let x = x.as_standard_layout();
        let x = x.as_slice().unwrap_or(&[]);
        let (root, inner) = (lower(&self.factors.kernel, m), lower(&self.factors.inner, m));
        let prior = self.kernel.variance();
        let mut workspace = Workspace::default();
        let (mut means, mut variances) = (vec![0.0; n], Vec::with_capacity(n));
        let mut block = vec![0.0; m * BLOCK.min(n)];
        for (i, means) in means.chunks_mut(BLOCK).enumerate() {
            context.checkpoint()?;
            let count = means.len();
            let block = &mut block[..m * count];
            let x = Points::new(&x[i * BLOCK * d..][..count * d], count, d);
            self.kernel.matrix(x, points, block, &mut workspace);
            let mut kernel = MatMut::from_column_major_slice_mut(block, m, count);
            let weights = MatRef::from_row_major_slice(&self.weights, 1, m);
            let means = MatMut::from_row_major_slice_mut(means, 1, count);
            matmul(means, Accum::Replace, weights, kernel.as_ref(), 1.0, par); // (1)
            solve_lower_triangular_in_place(root, kernel.as_mut(), par);
            let explained: Vec<f64> = squares(kernel.as_ref()).collect();
            solve_lower_triangular_in_place(inner, kernel.as_mut(), par);
            let left = squares(kernel.as_ref()).zip(explained);
            // Rounding may leave a slightly negative number.
            // (1)
            variances.extend(left.map(|(left, explained)| (prior - explained + left).max(0.0)));
        }
        Ok((means.into(), variances.into()))
    }
}

/// The squared length of each column.
fn squares(columns: MatRef<'_, f64>) -> impl Iterator<Item = f64> + '_ {
    (0..columns.ncols()).map(move |j| columns.col(j).iter().map(|x| x * x).sum())
}
