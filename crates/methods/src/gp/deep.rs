//! Compose layers of sparse Gaussian processes: a deep Gaussian process by doubly stochastic
//! variational inference.
//!
//! ```text
//! p(y, {f^l, u^l}) = Π_i p(y_i | f_i^L) Π_l p(f^l | u^l; f^{l−1}, z^{l−1}) p(u^l; z^{l−1})     (6)
//! q({f^l, u^l}) = Π_l p(f^l | u^l; f^{l−1}, z^{l−1}) q(u^l)                                    (9)
//! f_i^l = μ(f_i^{l−1}) + ε_i^l ∘ √Σ(f_i^{l−1}, f_i^{l−1}),  ε ~ N(0, I)                       (15)
//! L = Σ_i E_q ln p(y_i | f_i^L) − Σ_l KL(q(u^l) ‖ p(u^l; z^{l−1}))                            (17)
//! q(f_*^L) ≈ (1/S) Σ_s q(f_*^L | m^L, S^L; f_*^{(s) L−1}, z^{L−1})                            (19)
//! ```
//!
//! Equation numbers are Salimbeni & Deisenroth's, as far as their text numbers them. Each inner
//! layer has min(`width`, d) outputs, independent processes with one squared-exponential kernel and
//! one set of inducing inputs, around a linear mean function: the identity, or principal components
//! where the width shrinks. The last layer's mean function is zero. Inducing variables are
//! whitened. Noise is normal with one learned variance.
//!
//! The prediction is a mixture of S normals at each row; aleatoric is the noise's variance,
//! epistemic the rest by the law of total variance. Draws are independent from row to row, as in
//! training.
//!
//! The side table `convergence` says how training ended: `converged` is 1 for a fit whose bound,
//! two standard errors of its slope included, rose or fell by less than `tolerance` over the last
//! windows before its steps were used up. Such a bound mostly still rises a little.
//!
//! # Cost
//! For a batch of B rows, M inducing inputs and D outputs, a layer needs 3 D M² B operations
//! (multiplications and additions) for S_dᵀ A, S_d T̄_d and A T̄_dᵀ, 3 M² B for A, Ā's two
//! products, and some 3 M³ for the kernel matrix's factor and its gradient; all of it runs as
//! matrix products. Blocks of w columns of S_d cost (1 + w / M) times the first part. With five
//! layers, M = 100, B = 1000 and d = 8 a step takes 1.16 Gflop, of which five sixths are the first
//! part of the inner layers. `cargo bench --bench gp_deep` measures them against the processor's
//! matrix-multiply peak.
//!
//! # Settings
//! They are those of the authors' program, `demos/run_regression.py` of their repository
//! ICL-SML/Doubly-Stochastic-DGP at 31527b5: five layers, 100 points (line 57), likelihood variance
//! 0.05 (74), one sample a step, 100 at the test rows (69, 110), min(n, 10 000) rows a step (47,
//! 68), 10 000 steps of Adam of 0.01 (45, 83), inner q of standard deviation 10⁻⁵ (72), which is
//! the variance 10⁻¹⁰; the paper's text has the variance 10⁻⁵. The program's white noise of 2 ·
//! 10⁻⁶ between layers (65) is added to a copy of each kernel that it does not use, so that
//! `inner_noise` is 0 and jitter 10⁻⁶ remains.
//!
//! *Departures from the authors' program*: With `ard`, the default, each input of a layer has a
//! length scale, from √d; with `ard = false`, as in every program of the authors, all share one,
//! from 1 (from √d in their later benchmark). Positive parameters are learned as logarithms, not
//! through softplus. Training ends before its last step where the bound is level
//! ([`ClimbSettings`]); `training.tolerance = 0` takes all steps. Jitter is a share of the signal's
//! variance, so that the whitened kernel matrix does not depend on it. Fewer inducing inputs where
//! fewer rows differ; the code pads with random ones. Natural gradients (a later paper) are not
//! used. Whitened inducing variables are those of the program at the paper's time (59d3ac7,
//! `dgp.py:31`); later it is an option.
//!
//! # References
//! H. Salimbeni, M. P. Deisenroth: *Doubly stochastic variational inference for deep Gaussian
//! processes*, NeurIPS 2017.

mod backward;
pub(super) mod climb;
mod elementwise;
pub(super) mod fit;
mod layer;
pub(super) mod network;
pub(super) mod plateau;
pub(super) mod start;

use ndarray::{Array1, Array2, ArrayView2, Axis};
use serde::{Deserialize, Deserializer, Serialize};

pub use self::climb::{ClimbSettings, Precision};
use self::fit::VariationalFit;
use self::start::Start;
use crate::engine::scales::{Scales, standardise};
use crate::engine::standardised::{Standardised, StandardisedModel};
use crate::entry::Tried;
use crate::parameter::{Choices, Group, above, parameters};
use crate::state::require;
use crate::{
    Configured, Context, FitError, Fitted, MethodParameters, Request, Restored, SideTable,
};
use uq_core::Table;
use uq_core::predictive::{Form, Mixture, Predictive, Split};

const ID: &str = "deep-gp";

/// Most samples of a prediction.
const MOST_SAMPLES: usize = 10_000;

parameters! {
    /// Parameters of the deep Gaussian process.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct DeepGpParameters {
        /// Layers L.
        layers: usize = 5, in 1..=20;
        /// Largest number of inducing inputs of each layer.
        inducing: usize = 100, in 1..=2000;
        /// Largest number of outputs of an inner layer.
        width: usize = 30, in 1..=1000;
        /// Whether each input of a layer has a length scale of its own, which starts at √d;
        /// otherwise all share one, which starts at 1 as in the authors' program.
        ard: bool = true, in Choices;
        /// Variance of q at the inducing inputs of inner layers at the start.
        inner_variance: f64 = 1e-10, in above(0.0).to(1.0);
        /// White noise of inner layers, as a share of the signal's variance.
        inner_noise: f64 = 0.0, in 0.0..=1.0;
        /// Noise variance at the start, in standardised units.
        noise: f64 = 0.05, in above(0.0).to(10.0);
        /// Smallest noise variance, in standardised units.
        noise_floor: f64 = 1e-6, in 0.0..=1.0;
        /// What is added to the diagonals of kernel matrices, as a share of the signal's variance;
        /// more where the factorisation fails.
        jitter: f64 = 1e-6, in above(0.0).to(0.01);
        /// Normal distributions S of the prediction.
        samples: usize = 100, in 1..=MOST_SAMPLES;
        /// How the bound is climbed.
        training: ClimbSettings = ClimbSettings { steps: 10_000, batch: 10_000, ..ClimbSettings::default() },
            in Group, over "training_over_defaults";
    }
}

fn training_over_defaults<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<ClimbSettings, D::Error> {
    DeepGpParameters::default().training.with(deserializer)
}

/// Approximate seconds of one fit to n rows with d features. All steps are taken on tables of any
/// size: each of the layers factorises the kernel of m inducing inputs, and multiplies it with the
/// rows of a batch for each of its outputs, of which inner layers have d. Measured beside other
/// work: 4.5 s with 40 rows of 4 features, 41 s with 100, 67 s with 200, and 76 s with 100 rows of
/// 10.
fn seconds(n: f64, d: f64) -> f64 {
    let (inducing, batch) = (n.min(100.0), n.min(1000.0));
    2.0 + (3.0 + d.min(30.0)) * inducing.powi(2) * (2.1e-6 * inducing + 3.7e-6 * batch)
}

/// The deep Gaussian process as a method.
pub type DeepGp = Configured<DeepGpParameters>;

impl MethodParameters for DeepGpParameters {
    const ID: &'static str = ID;
    const TITLE: &'static str = "deep Gaussian process by doubly stochastic variational inference";
    const TRIED: Option<Tried> = Some(Tried {
        settings: "five layers of Gaussian processes with 100 inducing points each, 10000 steps on \
                   batches of 1000 rows at most",
        cost: seconds,
        parameters: || serde_json::json!({ "training": { "batch": 1000 } }),
    });
    const VERSION: u32 = 2;

    fn restore(&self, state: &[u8]) -> Restored {
        Standardised::<DeepModel>::restored(state)
    }

    fn fit(&self, train_rows: &Table, context: &Context) -> Result<Box<dyn Fitted>, FitError> {
        let DeepGpParameters {
            layers,
            inducing,
            width,
            inner_variance,
            inner_noise,
            samples,
            training,
            ..
        } = *self;
        let DeepGpParameters { noise, noise_floor, jitter, ard, .. } = *self;
        let start =
            Start { layers, width, inner_variance, inner_noise, noise, noise_floor, jitter, ard };
        let (scales, x, y) = standardise(ID, train_rows, context)?;
        let fit = VariationalFit::new(ID, &start, inducing, &training, x, y, context)?;
        // One layer draws nothing.
        let samples = if layers == 1 { 1 } else { samples };
        Ok(Box::new(Standardised { scales, model: DeepModel { fit, samples } }))
    }
}

/// A trained network, and the number of samples of a prediction.
#[derive(Serialize, Deserialize)]
struct DeepModel {
    fit: VariationalFit,
    samples: usize,
}

/// The mixture (19) of f's `means` and `variances` (n × S) with noise, and its split by the law of
/// total variance.
fn predictive(means: Array2<f64>, variances: Array2<f64>, noise: f64) -> Predictive {
    let within = variances.mean_axis(Axis(1)).unwrap_or_else(|| Array1::zeros(0));
    let split = Split {
        aleatoric: Some(Array1::from_elem(means.nrows(), noise)),
        epistemic: Some(within + means.var_axis(Axis(1), 0.0)),
    };
    let weights = Array2::from_elem((1, means.ncols()), 1.0 / means.ncols() as f64);
    let form = Form::Mixture(Mixture { weights, means, variances: variances + noise });
    Predictive { form, split: Some(split) }
}

impl StandardisedModel for DeepModel {
    const ID: &'static str = ID;

    fn check(&self, features: usize) -> Result<(), String> {
        require(
            self.samples > 0 && self.samples <= MOST_SAMPLES,
            "a number of samples that no fit has",
        )?;
        self.fit.check(features)
    }

    fn answer(
        &self,
        x: ArrayView2<f64>,
        request: &Request,
        context: &Context,
    ) -> Result<Predictive, FitError> {
        let (means, variances) = self.fit.function(x, self.samples, context)?;
        let answer = predictive(means, variances, self.fit.noise());
        Ok(if request.split { answer } else { Predictive { split: None, ..answer } })
    }

    fn side_tables(&self, _: &Scales) -> Vec<SideTable> {
        self.fit.side_tables()
    }
}

#[cfg(test)]
mod tests;
