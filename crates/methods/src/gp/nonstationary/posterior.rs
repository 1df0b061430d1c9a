//! Condition the process on rows at given hyperparameters, and predict at other rows.
//!
//! ```text
//! E f(x) = m + k(x, X) K⁻¹ (y − m),   var f(x) = σ(x)² − k(x, X) K⁻¹ k(X, x)
//! var y(x) = var f(x) + ω(x)²
//! ```
//!
//! With [`SignalAt::ScaledInputs`] σ(x)² stands for k(x, x) = σ(x/ℓ(x))².

use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis};
use serde::{Deserialize, Serialize};

use super::latent::Latent;
use super::layout::{Layout, MEAN};
use super::objective::input_lanes;
use super::tiles::SIDE;
use super::{ID, NonstationaryGpParameters, SignalAt};
use crate::FitError;
use crate::gp::conditioning::Conditioning;
use crate::gp::kernels::Points;
use crate::gp::kernels::gibbs::{Scaled, matrix};
use crate::state::{as_json, require};

/// The model at given hyperparameters, without rows.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Model {
    #[serde(with = "as_json")]
    pub parameters: NonstationaryGpParameters,
    pub layout: Layout,
    pub theta: Vec<f64>,
    /// Inducing inputs, M × D.
    pub inducing: Array2<f64>,
}

/// The hyper-functions at rows.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct HyperFunctions {
    /// ℓ_d, n × D.
    pub length_scale: Array2<f64>,
    /// σ at the row, or at the row divided by ℓ ([`SignalAt`]): the prior standard deviation of f,
    /// n.
    pub signal: Array1<f64>,
    /// ω², n.
    pub noise: Array1<f64>,
}

impl Model {
    /// Checks a model that was read: it is over `dims` inputs, and each parameter has its place.
    ///
    /// # Errors
    /// What is wrong, in words.
    fn check(&self, dims: usize) -> Result<(), String> {
        let Self { parameters, layout, theta, inducing } = self;
        let known = Layout::new(parameters, inducing.nrows(), dims);
        let placed = layout.inputs.is_none() || inducing.nrows() == layout.inducing;
        let fits = inducing.ncols() == dims && theta.len() == layout.len && placed;
        require(*layout == known && fits, "parameters of another model")
    }

    /// The hyper-functions at the rows x (n × D).
    pub fn hyper_functions(&self, x: ArrayView2<f64>) -> HyperFunctions {
        let (logs, dims) = (self.logs(x), self.layout.dims);
        let length_scale = logs.view().split_at(Axis(1), dims).0.mapv(f64::exp);
        let signal = match self.parameters.signal_at {
            SignalAt::Inputs => logs.column(dims).mapv(f64::exp),
            SignalAt::ScaledInputs => {
                self.logs((&x / &length_scale).view()).column(dims).mapv(f64::exp)
            }
        };
        let power = self.parameters.noise_is.power();
        HyperFunctions {
            length_scale,
            signal,
            noise: logs.column(dims + 1).mapv(|ln| (power * ln).exp()),
        }
    }

    /// ln h of every function ℓ_1 … ℓ_D, σ, ω at x (n × D), a column each.
    fn logs(&self, x: ArrayView2<f64>) -> Array2<f64> {
        let (n, functions, inputs) = (x.nrows(), self.layout.functions.len(), input_lanes(x));
        if n == 0 {
            return Array2::zeros((0, functions));
        }
        let count = n.div_ceil(SIDE);
        let mut latent = Latent::new(
            &self.layout,
            self.parameters.jitter,
            self.parameters.fixed_latent(self.inducing.view()),
            count,
        );
        let mut logs = vec![[0.0; SIDE]; functions * count];
        latent.evaluate(&self.theta, &inputs, &mut logs);
        Array2::from_shape_fn((n, functions), |(i, function)| {
            logs[function * count + i / SIDE][i % SIDE]
        })
    }

    /// K_f between rows, row by row.   (3, corrected)
    fn kernel(
        &self,
        x: &Array2<f64>,
        at: &HyperFunctions,
        y: &Array2<f64>,
        other: &HyperFunctions,
    ) -> Vec<f64> {
        let (values, others): (Vec<f64>, Vec<f64>) =
            (x.iter().copied().collect(), y.iter().copied().collect());
        let scales: Vec<f64> = at.length_scale.iter().copied().collect();
        let other_scales: Vec<f64> = other.length_scale.iter().copied().collect();
        let (n, m, dims) = (x.nrows(), y.nrows(), x.ncols());
        let mut k = vec![0.0; n * m];
        let left = Scaled::new(Points::new(&values, n, dims), &scales);
        matrix(left, Scaled::new(Points::new(&others, m, dims), &other_scales), &mut k);
        for (i, row) in k.chunks_exact_mut(m).enumerate() {
            let signals = match self.parameters.signal_at {
                SignalAt::Inputs => at.signal[i] * &other.signal,
                SignalAt::ScaledInputs => {
                    let scale = |j, d| {
                        (0.5 * (at.length_scale[(i, d)].powi(2)
                            + other.length_scale[(j, d)].powi(2)))
                        .sqrt()
                    };
                    let own = Array2::from_shape_fn((m, dims), |(j, d)| x[(i, d)] / scale(j, d));
                    let theirs = Array2::from_shape_fn((m, dims), |(j, d)| y[(j, d)] / scale(j, d));
                    (&self.logs(own.view()).column(dims) + &self.logs(theirs.view()).column(dims))
                        .mapv(f64::exp)
                }
            };
            row.iter_mut().zip(&signals).for_each(|(k, signal)| *k *= signal);
        }
        k
    }
}

/// The model and the rows that it is conditioned on.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Posterior {
    pub model: Model,
    /// n × D.
    pub inputs: Array2<f64>,
    functions: HyperFunctions,
    conditioning: Conditioning,
}

impl Posterior {
    /// Conditions the model on the rows x (n × D) with targets y (n).
    ///
    /// # Errors
    /// [`FitError::Diverged`] where K has no Cholesky factor at any rung of the
    /// [jitter](crate::gp::jitter).
    pub fn new(model: Model, x: ArrayView2<f64>, y: ArrayView1<f64>) -> Result<Self, FitError> {
        let (n, functions) = (x.nrows(), model.hyper_functions(x));
        let inputs = x.as_standard_layout().into_owned();
        let mut covariance = model.kernel(&inputs, &functions, &inputs, &functions);
        for (i, noise) in functions.noise.iter().enumerate() {
            covariance[i * n + i] += noise + model.parameters.jitter;
        }
        let residual: Vec<f64> = y.iter().map(|y| y - model.theta[MEAN]).collect();
        let mut conditioning = Conditioning::new(n, faer::Par::Seq);
        conditioning.condition(&covariance, &residual).map_err(|error| {
            FitError::Diverged(format!(
                "{ID}: {error}; raise `jitter`{}",
                model.parameters.indefinite()
            ))
        })?;
        Ok(Self { model, inputs, functions, conditioning })
    }

    /// Checks a process that was read: model, rows and functions have `dims` inputs, and the factor
    /// is of these rows.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn check(&self, dims: usize) -> Result<(), String> {
        let HyperFunctions { length_scale, signal, noise } = &self.functions;
        let (n, columns) = self.inputs.dim();
        self.model.check(dims)?;
        self.conditioning.check(n)?;
        let fits = columns == dims
            && length_scale.dim() == (n, dims)
            && [signal.len(), noise.len()] == [n; 2];
        require(fits, "functions of other rows")
    }

    /// What was added to the diagonal beyond ω² and the model's jitter.
    pub fn extra_jitter(&self) -> f64 {
        self.conditioning.factored().jitter
    }

    /// E f, var f and ω² at the rows x (b × D).
    pub fn predict(&self, x: ArrayView2<f64>) -> (Array1<f64>, Array1<f64>, Array1<f64>) {
        let (b, there) = (x.nrows(), self.model.hyper_functions(x));
        let x = x.as_standard_layout().into_owned();
        let mut cross = self.model.kernel(&x, &there, &self.inputs, &self.functions);
        let (mut mean, mut explained) = (vec![0.0; b], vec![0.0; b]);
        self.conditioning.answer(&mut cross, &mut mean, &mut explained);
        let mean = Array1::from(mean) + self.model.theta[MEAN];
        // Rounding may leave a negative number.
        let variance =
            Array1::from_shape_fn(b, |i| (there.signal[i].powi(2) - explained[i]).max(0.0));
        (mean, variance, there.noise)
    }
}
