//! Condition the process on rows at given hyperparameters, and answer at other rows.
//!
//! ```text
//! E f(x) = m + k(x, X) K⁻¹ (y − m),   var f(x) = σ(x)² − k(x, X) K⁻¹ k(X, x)
//! var y(x) = var f(x) + ω(x)²
//! ```

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::{cholesky_in_place, cholesky_in_place_scratch};
use faer::linalg::triangular_solve::solve_lower_triangular_in_place;
use faer::{Mat, Par, Spec};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2};

use super::latent::Latent;
use super::layout::{Layout, MEAN};
use super::objective::input_lanes;
use super::tiles::SIDE;
use super::{ID, NonstationaryGpParameters};
use crate::methods::FitError;

/// The model at given hyperparameters, without rows.
#[derive(Clone, Debug)]
pub(super) struct Model {
    pub parameters: NonstationaryGpParameters,
    pub layout: Layout,
    pub theta: Vec<f64>,
    /// Inducing inputs, M × D.
    pub inducing: Array2<f64>,
}

/// The hyper-functions at rows.
#[derive(Clone, Debug)]
pub(super) struct HyperFunctions {
    /// ℓ_d, n × D.
    pub length_scale: Array2<f64>,
    /// σ, n.
    pub signal: Array1<f64>,
    /// ω², n.
    pub noise: Array1<f64>,
}

impl Model {
    /// The hyper-functions at the rows x (n × D).
    pub fn hyper_functions(&self, x: ArrayView2<f64>) -> HyperFunctions {
        let ((n, dims), inputs) = (x.dim(), input_lanes(x));
        let count = n.div_ceil(SIDE);
        let mut latent = Latent::new(
            &self.layout,
            self.parameters.jitter,
            self.parameters.fixed_latent(self.inducing.view()),
            count,
        );
        let mut logs = vec![[0.0; SIDE]; self.layout.functions.len() * count];
        latent.evaluate(&self.theta, &inputs, &mut logs);
        let at = |function: usize, i: usize| logs[function * count + i / SIDE][i % SIDE];
        let power = self.parameters.noise_is.power();
        HyperFunctions {
            length_scale: Array2::from_shape_fn((n, dims), |(i, d)| at(d, i).exp()),
            signal: Array1::from_shape_fn(n, |i| at(dims, i).exp()),
            noise: Array1::from_shape_fn(n, |i| (power * at(dims + 1, i)).exp()),
        }
    }
}

/// The model and the rows that it knows.
#[derive(Clone, Debug)]
pub(super) struct Posterior {
    pub model: Model,
    /// n × D.
    pub inputs: Array2<f64>,
    pub functions: HyperFunctions,
    /// What was added to the diagonal beyond ω² and the model's jitter.
    pub extra_jitter: f64,
    factor: Mat<f64>,
    /// K⁻¹ (y − m).
    alpha: Vec<f64>,
}

impl Posterior {
    /// Conditions the model on the rows x (n × D) with targets y (n).
    ///
    /// # Errors
    /// [`FitError::Diverged`] where K is not numerically positive definite even with 1e-4 of its mean diagonal added.
    pub fn new(model: Model, x: ArrayView2<f64>, y: ArrayView1<f64>) -> Result<Self, FitError> {
        let (n, functions) = (x.nrows(), model.hyper_functions(x));
        let kernel = |i: usize, j: usize| gibbs((x.row(i), &functions, i), (x.row(j), &functions, j));
        let jitter = model.parameters.jitter;
        let covariance = Mat::from_fn(n, n, |i, j| {
            let diagonal = if i == j { functions.noise[i] + jitter } else { 0.0 };
            if i < j { 0.0 } else { kernel(i, j) + diagonal }
        });
        let (factor, extra_jitter) = factorise(covariance)?;
        let mean = model.theta[MEAN];
        let mut residual = Mat::from_fn(n, 1, |i, _| y[i] - mean);
        solve_lower_triangular_in_place(factor.as_ref(), residual.as_mut(), Par::Seq);
        faer::linalg::triangular_solve::solve_upper_triangular_in_place(
            factor.transpose(),
            residual.as_mut(),
            Par::Seq,
        );
        let alpha = residual.col(0).iter().copied().collect();
        Ok(Self { model, inputs: x.to_owned(), functions, extra_jitter, factor, alpha })
    }

    /// E f, var f and ω² at the rows x (m × D).
    pub fn predict(&self, x: ArrayView2<f64>) -> (Array1<f64>, Array1<f64>, Array1<f64>) {
        let (n, m) = (self.inputs.nrows(), x.nrows());
        let there = self.model.hyper_functions(x);
        let mut cross =
            Mat::from_fn(n, m, |i, j| gibbs((self.inputs.row(i), &self.functions, i), (x.row(j), &there, j)));
        let weighted = |j: usize| cross.col(j).iter().zip(&self.alpha).map(|(k, a)| k * a).sum::<f64>();
        let mean = Array1::from_shape_fn(m, |j| self.model.theta[MEAN] + weighted(j));
        solve_lower_triangular_in_place(self.factor.as_ref(), cross.as_mut(), Par::Seq);
        let variance = Array1::from_shape_fn(m, |j| {
            let known: f64 = cross.col(j).iter().map(|v| v * v).sum();
            // Rounding may leave less than nothing.
            (there.signal[j].powi(2) - known).max(0.0)
        });
        (mean, variance, there.noise)
    }
}

/// K_f of two rows.   (3, corrected)
fn gibbs(
    (x, at, i): (ArrayView1<f64>, &HyperFunctions, usize),
    (y, other, j): (ArrayView1<f64>, &HyperFunctions, usize),
) -> f64 {
    let (mut product, mut exponent) = (1.0, 0.0);
    for d in 0..x.len() {
        let (l, k) = (at.length_scale[(i, d)], other.length_scale[(j, d)]);
        let q = 1.0 / (l * l + k * k);
        product *= 2.0 * l * k * q;
        exponent += (x[d] - y[d]).powi(2) * q;
    }
    at.signal[i] * other.signal[j] * product.sqrt() * f64::exp(-exponent)
}

/// L of K = L Lᵀ, and what had to be added to the diagonal: nothing, or 1e-10, 1e-9, … 1e-4 of its mean.
fn factorise(covariance: Mat<f64>) -> Result<(Mat<f64>, f64), FitError> {
    let n = covariance.nrows();
    let mean = (0..n).map(|i| covariance[(i, i)]).sum::<f64>() / n as f64;
    let mut room = MemBuffer::new(cholesky_in_place_scratch::<f64>(n, Par::Seq, Spec::default()));
    let ladder = std::iter::once(0.0).chain((4..=10).rev().map(|power| 10_f64.powi(-power)));
    for part in ladder {
        let mut factor = covariance.clone();
        (0..n).for_each(|i| factor[(i, i)] += part * mean);
        let found =
            cholesky_in_place(factor.as_mut(), Default::default(), Par::Seq, MemStack::new(&mut room), Spec::default());
        if found.is_ok() && (0..n).all(|i| factor[(i, i)].is_finite()) {
            return Ok((factor, part * mean));
        }
    }
    Err(FitError::Diverged(format!(
        "{ID}: the covariance of {n} rows (mean diagonal {mean:e}) has no Cholesky factor, even with 1e-4 of its mean diagonal \
         added; raise `jitter`"
    )))
}
