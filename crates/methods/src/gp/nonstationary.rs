//! Model the target by a Gaussian process whose length scale, signal and noise depend on the input:
//! the (ℓ, σ, ω)-GP.
//!
//! ```text
//! y(x) = f(x) + ε(x),   ε(x) ~ N(0, ω(x)²)                                                     (1)
//! f ~ GP(m, K_f)                                                                               (2)
//! K_f(x, x') = σ(x) σ(x') ∏_d √(2 ℓ_d ℓ_d' / (ℓ_d² + ℓ_d'²)) exp(−Σ_d (x_d − x_d')² / (ℓ_d² + ℓ_d'²))  (3, corrected)
//! ln h ~ GP(μ_h, v_h exp(−|x − x'|² / (2 ℓ_h²))) for each h of ℓ_1 … ℓ_D, σ, ω                 (4)
//! ln h(x) = μ_h + k_h(x, X̄) K_h(X̄, X̄)⁻¹ L γ_h,   K_h(X̄, X̄) = L Lᵀ                         (5)
//! minimise −[log p(y | X, φ) + log p(φ)] over m, X̄, μ_h, ℓ_h, v_h, γ_h                        (7)
//! ```
//!
//! The M inducing inputs X̄ are shared by all functions. A function that is switched off is a
//! learned constant; with all three off it is the stationary homoscedastic process. Adam descends
//! (7) from several starts, and the best point of all is kept. Of the variance at a row, var f(x)
//! is epistemic and ω(x)² aleatoric; the jitter is part of neither.
//!
//! With `latent_values = "every-row"` the values are those at the n training rows under latent
//! kernels that are fixed: the maximum a posteriori of (2 + D) n whitened values, after Heinonen et
//! al.
//!
//! The authors' program evaluates σ at inputs that are divided by the length scale; so does
//! `signal_at = "x/length-scale"` (`scaled_signal.rs` names the lines).
//!
//! *Departures from the paper:* Eq. (3) as printed is indefinite for more than one input; here each
//! ℓ_d is a function of the whole input. Eq. (5) as printed has no μ_h. m is a learned constant,
//! not zero, the inducing inputs start uniformly in the range and not on rows, as in the authors'
//! code. Gamma(½, 1) is a density of ln v_h: as one of v_h it makes (7) unbounded below
//! ([`PriorMeasure`]). Target and features are standardised on the training rows unless
//! `standardise` is off. With D inputs there are MD + M(D + 2) + 3(D + 2) + 1 parameters, for the
//! paper's 2MD + 2M + 9.
//!
//! # References
//! Z. B. Patel, N. Batra, K. Murphy: *Uncertainty disentanglement with non-stationary
//! heteroscedastic Gaussian processes for active learning*, NeurIPS workshop on Gaussian processes,
//! 2022 (equation numbers). M. Heinonen, H. Mannerström, J. Rousu, S. Kaski, H. Lähdesmäki:
//! *Non-stationary Gaussian process regression with Hamiltonian Monte Carlo*, AISTATS 2016. C. J.
//! Paciorek, M. J. Schervish: *Spatial modelling using a new class of nonstationary covariance
//! functions*, Environmetrics 17, 2006.

mod gibbs;
mod inducing;
mod latent;
mod layout;
mod objective;
mod parameters;
mod posterior;
mod priors;
mod scaled_signal;
mod side_tables;
#[cfg(test)]
mod tests;
mod tiles;
mod training;

use std::sync::Arc;

use ndarray::{Array2, ArrayView2};
use serde::{Deserialize, Serialize};

pub use parameters::{LatentValues, NoiseIs, NonstationaryGpParameters, SignalAt, Start};
pub use priors::PriorMeasure;

use self::layout::Layout;
use self::posterior::{Model, Posterior};
use self::training::{Training, train};
use crate::engine::rows;
use crate::engine::scales::Scales;
use crate::engine::standardised::{Standardised, StandardisedModel};
use crate::entry::{DEFAULTS, Tried};
use crate::parameter::ParameterError;
use crate::{
    Configured, Context, FitError, Fitted, MethodParameters, Request, Restored, SideTable,
};
use uq_core::Table;
use uq_core::predictive::{Form, Gaussian, Predictive, Split};

const ID: &str = "nonstationary-gp";

/// Largest number of rows: a step takes the cube of their number.
const MOST_ROWS: usize = 2000;

/// Largest number of rows where σ has a value for each pair of rows, each of which needs all
/// inducing inputs.
const MOST_ROWS_IN_PAIRS: usize = 500;

/// Approximate seconds of one fit to n rows with d features. Each of 1000 steps from 10 starts has
/// a constant part, a kernel between all rows, and its factor. Measured beside other work: 0.65 s
/// with 40 rows of 4 features, 2.2 s with 100, 7.6 s with 200, 37 s with 400, and 3.9 s with 100
/// rows of 10.
fn seconds(n: f64, d: f64) -> f64 {
    let rows = n.min(MOST_ROWS as f64);
    0.4 + (6e-5 + 2.7e-5 * d) * rows.powi(2) + 1e-7 * rows.powi(3)
}

/// The (ℓ, σ, ω)-GP as a method.
pub type NonstationaryGp = Configured<NonstationaryGpParameters>;

impl MethodParameters for NonstationaryGpParameters {
    const ID: &'static str = ID;
    const TITLE: &'static str =
        "Gaussian process whose length scale, signal and noise depend on the input";
    const TRIED: Option<Tried> = Some(Tried {
        settings: "Gaussian process whose length scale, signal and noise depend on the input, 10 \
                   starts, at most 2000 rows",
        cost: seconds,
        parameters: DEFAULTS,
    });
    const VERSION: u32 = 2;

    fn check_coupled(&self) -> Result<(), ParameterError> {
        self.check_signal()
    }

    fn restore(&self, state: &[u8]) -> Restored {
        Standardised::<FittedGp>::restored(state)
    }

    fn fit(&self, table: &Table, context: &Context) -> Result<Box<dyn Fitted>, FitError> {
        context.checkpoint()?;
        let parameters = self;
        let measured = Scales::new(ID, table)?;
        let scales = if parameters.standardise { measured } else { measured.without_scaling() };
        refuse_many(parameters, table.rows())?;
        let (x, y) = (scales.standardised(table.features.view()), scales.targets(table));
        let layout = Layout::new(parameters, x.nrows(), x.ncols());
        let y: Vec<f64> = y.into_iter().collect();
        let training = train(parameters, &layout, x.view(), &y, context)?;
        let theta = training.descents[training.best].theta.clone();
        let inducing = match layout.inputs {
            Some(at) => Array2::from_shape_fn((layout.inducing, layout.dims), |(m, d)| {
                theta[at + m * layout.dims + d]
            }),
            None => x.clone(),
        };
        let model = Model { parameters: *parameters, layout, theta, inducing };
        let posterior = Posterior::new(model, x.view(), ndarray::ArrayView1::from(&y))?;
        Ok(Box::new(Standardised {
            scales,
            model: FittedGp { training: Arc::new(training), posterior },
        }))
    }
}

/// # Errors
/// [`FitError::Unsupported`] for more than [`MOST_ROWS`] rows, or [`MOST_ROWS_IN_PAIRS`].
fn refuse_many(parameters: &NonstationaryGpParameters, found: usize) -> Result<(), FitError> {
    match parameters.signal_at {
        SignalAt::Inputs => rows::at_most(ID, MOST_ROWS, found, "a sparse process takes more"),
        SignalAt::ScaledInputs => {
            rows::at_most(ID, MOST_ROWS_IN_PAIRS, found, "`signal_at` = \"x\" takes more")
        }
    }
}

/// A trained model and its rows.
#[derive(Serialize, Deserialize)]
struct FittedGp {
    training: Arc<Training>,
    posterior: Posterior,
}

impl StandardisedModel for FittedGp {
    const ID: &'static str = ID;

    fn check(&self, features: usize) -> Result<(), String> {
        self.posterior.check(features)
    }

    fn answer(
        &self,
        x: ArrayView2<f64>,
        request: &Request,
        _: &Context,
    ) -> Result<Predictive, FitError> {
        let (mean, epistemic, aleatoric) = self.posterior.predict(x);
        let variance = &epistemic + &aleatoric;
        let split =
            request.split.then(|| Split { aleatoric: Some(aleatoric), epistemic: Some(epistemic) });
        Ok(Predictive { form: Form::Gaussian(Gaussian { mean, variance }), split })
    }

    /// Keeps every hyperparameter and the inducing inputs.
    fn refit(&self, x: Array2<f64>, y: Array2<f64>, _: &Context) -> Result<Self, FitError> {
        refuse_many(&self.posterior.model.parameters, x.nrows())?;
        let posterior = Posterior::new(self.posterior.model.clone(), x.view(), y.column(0))?;
        Ok(Self { training: self.training.clone(), posterior })
    }

    fn side_tables(&self, scales: &Scales) -> Vec<SideTable> {
        side_tables::side_tables(scales, &self.training, &self.posterior)
    }
}
