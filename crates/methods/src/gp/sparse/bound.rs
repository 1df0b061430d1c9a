//! Evaluate the collapsed bound and its gradient, block of rows by block of rows.
//!
//! With K_uu = L Lᵀ (jitter included), A = L⁻¹ K_uf / s, B = I + A Aᵀ = R Rᵀ, a = A y / s and β =
//! B⁻¹ a:
//!
//! ```text
//! F = −½ n ln 2π s² − Σ ln R_ii − ½ yᵀy / s² + ½ aᵀβ − ½ n σ² / s² + ½ tr A Aᵀ                 (1)
//! P = I − B⁻¹ − β βᵀ
//! ∂F/∂K_uf = L⁻ᵀ P L⁻¹ K_uf / s² + L⁻ᵀ β yᵀ / s²                                              (2)
//! ∂F/∂K_uu = −½ L⁻ᵀ (B − 2 I + B⁻¹ + β βᵀ) L⁻¹                                                (3)
//! ∂F/∂ln s² = ½ (yᵀy / s² + n σ² / s² − n − aᵀβ − tr B + 2 m − tr B⁻¹ − βᵀβ)                   (4)
//! ∂F/∂σ² = −½ n / s² besides the terms of K_uf and K_uu                                        (5)
//! ```
//!
//! (1) is Titsias' Eq. (9) after the matrix inversion and determinant lemmas, the others are its
//! derivatives. Two passes over the rows compute K_uf again, m × [`BLOCK`] numbers at a time: n m²
//! operations for L⁻¹ K_uf, as many for the lower half of A Aᵀ, and 2 n m² for (2). Blocks are
//! added up in their order, on one thread or on many.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::inverse::{inverse, inverse_scratch};
use faer::linalg::matmul::matmul;
use faer::linalg::matmul::triangular::{self, BlockStructure};
use faer::linalg::triangular_solve::{
    solve_lower_triangular_in_place, solve_upper_triangular_in_place,
};
use faer::{Accum, MatMut, MatRef, Par};
use serde::{Deserialize, Serialize};

use crate::gp::jitter::{Scratch, factorise};
use crate::gp::kernels::{Kernel, Points, Workspace};
use crate::{Context, FitError};

/// Rows whose kernel with the inducing points is stored at once.
pub const BLOCK: usize = 512;

/// The training rows, standardised, and room for one evaluation at a time. Matrices are m × m,
/// column by column; lower halves where they are symmetric.
pub struct Bound<'a> {
    kernel: Kernel,
    x: Points<'a>,
    y: &'a [f64],
    /// yᵀy.
    yy: f64,
    /// Inducing points, m.
    count: usize,
    /// Always added to the diagonal of K_uu, in units of σ².
    jitter: f64,
    /// m × [`BLOCK`]: K_uf, then L⁻¹ K_uf.
    block: Vec<f64>,
    /// ∂F/∂K_uf.
    by_block: Vec<f64>,
    factors: Factors,
    /// K_uu without jitter, B, and room for the inverse or a derivative of either.
    square: Vec<f64>,
    inner: Vec<f64>,
    spare: Vec<f64>,
    scratch: Scratch,
    workspace: Workspace,
}

/// The quantities of the last evaluation that a prediction needs.
#[derive(Clone, Serialize, Deserialize)]
pub struct Factors {
    /// L.
    pub kernel: Vec<f64>,
    /// R.
    pub inner: Vec<f64>,
    /// β.
    pub weights: Vec<f64>,
    /// What was added to the diagonal of K_uu, in units of σ².
    pub jitter: f64,
}

impl<'a> Bound<'a> {
    /// Room for `count` inducing points over these rows and targets.
    ///
    /// # Panics
    /// If there is not one target for each row.
    pub fn new(kernel: Kernel, x: Points<'a>, y: &'a [f64], count: usize, jitter: f64) -> Self {
        assert_eq!(x.rows(), y.len(), "one target for each row");
        let square = || vec![0.0; count * count];
        let block = count * BLOCK.min(y.len());
        Self {
            kernel,
            x,
            y,
            yy: y.iter().map(|y| y * y).sum(),
            count,
            jitter,
            block: vec![0.0; block],
            by_block: vec![0.0; block],
            factors: Factors {
                kernel: square(),
                inner: square(),
                weights: vec![0.0; count],
                jitter,
            },
            square: square(),
            inner: square(),
            spare: square(),
            scratch: Scratch::default(),
            workspace: Workspace::default(),
        }
    }

    /// The factors at the last evaluation.
    pub fn factors(&self) -> &Factors {
        &self.factors
    }

    /// F (1) at θ = (logarithms of the kernel's parameters, ln s², inducing points row by row), and
    /// its gradient, which is as long as θ or ends before the points. A value that is not finite
    /// means that θ is out of range; the gradient is then meaningless.
    ///
    /// # Errors
    /// When `context` stops the work.
    ///
    /// # Panics
    /// If θ has another length.
    pub fn evaluate(
        &mut self,
        theta: &[f64],
        gradient: Option<&mut [f64]>,
        context: &Context,
    ) -> Result<f64, FitError> {
        let (n, m, par) = (self.y.len() as f64, self.count, context.par());
        let (own, noise, points) = split(theta, self.kernel.parameters());
        self.kernel.set_log_parameters(own);
        let (points, ln_noise, noise) =
            (Points::new(points, m, self.x.columns()), noise, noise.exp());
        if !self.factorise_kernel(points, par) {
            return Ok(f64::NAN);
        }
        let mut projected = vec![0.0; m];
        self.project(points, &mut projected, context)?;
        // a and B.
        projected.iter_mut().for_each(|value| *value /= noise);
        self.inner.iter_mut().for_each(|value| *value /= noise);
        let mut trace = 0.0;
        for diagonal in self.inner.iter_mut().step_by(m + 1) {
            trace += *diagonal;
            *diagonal += 1.0;
        }
        let Factors { inner: root, weights, .. } = &mut self.factors;
        if factorise(&self.inner, m, root, &mut self.scratch, par).is_err() {
            return Ok(f64::NAN);
        }
        weights.copy_from_slice(&projected);
        let (root, solution) = (lower(root, m), MatMut::from_column_major_slice_mut(weights, m, 1));
        solve_both(root, solution, par);
        let explained: f64 = weights.iter().zip(&projected).map(|(beta, a)| beta * a).sum();
        let ln_root: f64 = (0..m).map(|i| root[(i, i)].ln()).sum();
        let (total, prior) = (self.yy / noise, n * self.kernel.variance() / noise);
        let ln_noises = n * (std::f64::consts::TAU.ln() + ln_noise);
        let bound = -ln_root + 0.5 * (explained - ln_noises - total - prior + trace); // (1)
        if let Some(gradient) = gradient
            && bound.is_finite()
        {
            let squares: f64 = weights.iter().map(|beta| beta * beta).sum();
            let mut memory = MemBuffer::new(inverse_scratch::<f64>(m, par));
            let of_inner = MatMut::from_column_major_slice_mut(&mut self.spare, m, m);
            inverse(of_inner, root, par, MemStack::new(&mut memory));
            let of_inverse: f64 = self.spare.iter().step_by(m + 1).sum();
            let place = self.kernel.parameters();
            gradient.fill(0.0);
            // tr B is trace + m.
            gradient[place] =
                // (4)
                0.5 * (total + prior - n - explained - trace + m as f64 - of_inverse - squares);
            self.kernel.pull_back_variance(-0.5 * n / noise, &mut gradient[..place]); // (5)
            self.pull_back(points, noise, gradient, context)?;
        }
        Ok(bound)
    }

    /// L of K_uu; false where there is none.
    fn factorise_kernel(&mut self, points: Points, par: Par) -> bool {
        let m = self.count;
        self.kernel.matrix_upper(points, &mut self.square, &mut self.workspace);
        // Row by row the upper half is, column by column the lower one.
        self.spare.copy_from_slice(&self.square);
        let variance = self.kernel.variance();
        self.spare
            .iter_mut()
            .step_by(m + 1)
            .for_each(|diagonal| *diagonal += self.jitter * variance);
        match factorise(&self.spare, m, &mut self.factors.kernel, &mut self.scratch, par) {
            Ok(found) => {
                self.factors.jitter = self.jitter + found.jitter / variance;
                true
            }
            Err(_) => false,
        }
    }

    /// Writes the lower half of L⁻¹ K_uf K_fu L⁻ᵀ where B will be, and adds L⁻¹ K_uf y to
    /// `projected`.
    fn project(
        &mut self,
        points: Points,
        projected: &mut [f64],
        context: &Context,
    ) -> Result<(), FitError> {
        let (m, par) = (self.count, context.par());
        let mut outer = MatMut::from_column_major_slice_mut(&mut self.inner, m, m);
        outer.fill(0.0);
        for (x, y) in blocks(self.x, self.y) {
            context.checkpoint()?;
            let block = &mut self.block[..m * y.len()];
            // Row by row one row's kernels follow those of another: column by column it is m ×
            // rows.
            self.kernel.matrix(x, points, block, &mut self.workspace);
            let mut block = MatMut::from_column_major_slice_mut(block, m, y.len());
            solve_lower_triangular_in_place(lower(&self.factors.kernel, m), block.as_mut(), par);
            let (half, full) = (BlockStructure::TriangularLower, BlockStructure::Rectangular);
            let block = block.as_ref();
            triangular::matmul(
                outer.as_mut(),
                half,
                Accum::Add,
                block,
                full,
                block.transpose(),
                full,
                1.0,
                par,
            );
            let sum = MatMut::from_column_major_slice_mut(projected, m, 1);
            matmul(
                sum,
                Accum::Add,
                block,
                MatRef::from_column_major_slice(y, y.len(), 1),
                1.0,
                par,
            );
        }
        Ok(())
    }

    /// Adds the terms of (2) and (3) to the gradient; `spare` holds the lower half of B⁻¹.
    fn pull_back(
        &mut self,
        points: Points,
        noise: f64,
        gradient: &mut [f64],
        context: &Context,
    ) -> Result<(), FitError> {
        let (m, par) = (self.count, context.par());
        let Self { kernel, factors: Factors { kernel: root, weights, jitter, .. }, .. } = self;
        let (inner, spare, root) = (&mut self.inner, &mut self.spare, lower(root, m));
        for j in 0..m {
            for i in j..m {
                let one = if i == j { 1.0 } else { 0.0 };
                let known = spare[j * m + i] + weights[i] * weights[j];
                let by_points = -0.5 * (inner[j * m + i] - 2.0 * one + known);
                for at in [j * m + i, i * m + j] {
                    inner[at] = by_points;
                    spare[at] = (one - known) / noise;
                }
            }
        }
        sandwich(root, inner, m, par); // (3)
        sandwich(root, spare, m, par);
        let mut linear: Vec<f64> = weights.iter().map(|beta| beta / noise).collect();
        let column = MatMut::from_column_major_slice_mut(&mut linear, m, 1);
        solve_upper_triangular_in_place(root.transpose(), column, par);
        let linear = MatRef::from_column_major_slice(&linear, m, 1);
        let (of_parameters, rest) = gradient.split_at_mut(kernel.parameters());
        let mut of_points = rest.get_mut(1..).filter(|points| !points.is_empty());
        for (x, y) in blocks(self.x, self.y) {
            context.checkpoint()?;
            let (block, by_block) =
                (&mut self.block[..m * y.len()], &mut self.by_block[..m * y.len()]);
            kernel.matrix(x, points, block, &mut self.workspace);
            let mut by = MatMut::from_column_major_slice_mut(&mut *by_block, m, y.len());
            let cross = MatRef::from_column_major_slice(&*block, m, y.len());
            matmul(
                by.as_mut(),
                Accum::Replace,
                MatRef::from_column_major_slice(spare, m, m),
                cross,
                1.0,
                par,
            );
            // (2)
            matmul(by, Accum::Add, linear, MatRef::from_row_major_slice(y, 1, y.len()), 1.0, par);
            kernel.pull_back(
                x,
                points,
                block,
                by_block,
                of_parameters,
                of_points.as_deref_mut(),
                &mut self.workspace,
            );
        }
        // A point enters K_uu twice, as the first argument and as the second.
        for j in 0..m {
            for i in j..m {
                let both = inner[j * m + i] + inner[i * m + j];
                for at in [j * m + i, i * m + j] {
                    inner[at] = both;
                }
                self.square[i * m + j] = self.square[j * m + i];
            }
        }
        let trace: f64 = inner.iter().step_by(m + 1).sum();
        kernel.pull_back_variance(0.5 * trace * *jitter, of_parameters);
        let mut of_kernel = vec![0.0; of_parameters.len()];
        kernel.pull_back(
            points,
            points,
            &self.square,
            inner,
            &mut of_kernel,
            of_points,
            &mut self.workspace,
        );
        of_parameters.iter_mut().zip(of_kernel).for_each(|(sum, slope)| *sum += 0.5 * slope);
        Ok(())
    }
}

/// The kernel's parameters, ln s², and the points.
pub fn split(theta: &[f64], parameters: usize) -> (&[f64], f64, &[f64]) {
    (&theta[..parameters], theta[parameters], &theta[parameters + 1..])
}

/// Rows and targets, [`BLOCK`] at a time.
fn blocks<'a>(x: Points<'a>, y: &'a [f64]) -> impl Iterator<Item = (Points<'a>, &'a [f64])> {
    let d = x.columns();
    y.chunks(BLOCK).enumerate().map(move |(i, y)| {
        let values = &x.values()[i * BLOCK * d..][..y.len() * d];
        (Points::new(values, y.len(), d), y)
    })
}

/// A factor that lies column by column.
pub fn lower(values: &[f64], m: usize) -> MatRef<'_, f64> {
    MatRef::from_column_major_slice(values, m, m)
}

/// (R Rᵀ)⁻¹ of the right-hand side, in its place.
fn solve_both(root: MatRef<f64>, mut right: MatMut<f64>, par: Par) {
    solve_lower_triangular_in_place(root, right.as_mut(), par);
    solve_upper_triangular_in_place(root.transpose(), right, par);
}

/// L⁻ᵀ C L⁻¹ of a symmetric C, in its place.
fn sandwich(root: MatRef<f64>, middle: &mut [f64], m: usize, par: Par) {
    let mut middle = MatMut::from_column_major_slice_mut(middle, m, m);
    solve_upper_triangular_in_place(root.transpose(), middle.as_mut(), par);
    solve_upper_triangular_in_place(root.transpose(), middle.transpose_mut(), par);
}
