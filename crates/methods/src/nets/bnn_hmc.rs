//! Sample the posterior of a neural network's weights by Hamiltonian Monte Carlo.
//!
//! ```text
//! W_ij ~ N(0, σ_w² / d_l),   b_j ~ N(0, σ_w²)       of each layer with d_l inputs              (1)
//! ln σ_y ~ N(ln m, s²)                                                                        (2)
//! y | x ~ N(f(x), σ_y²),     f of two layers with tanh                                        (3)
//! p(y | x) ≈ (1/T) Σ_t N(y | f_t(x), σ_t²)          over draws from the posterior             (4)
//! ```
//!
//! The sampler is the No-U-Turn sampler with a diagonal mass matrix, on parameters that are N(0, 1)
//! under the prior. Chains start at draws from the prior. The prediction (4) is a mixture over T
//! draws, evenly spaced over all chains; aleatoric is the mean of σ_t², epistemic the variance of
//! f_t. T is 32 by default: 2 T numbers a row are as many as a store keeps exactly.
//!
//! Hidden units can be permuted, so that weights of different chains are not comparable. Mixing is
//! measured on ln p and on f at 64 fixed inputs: the largest split R-hat and the smallest effective
//! sample size are a side table of the fit. A fit whose R-hat exceeds 1.05 is marked, and is no
//! failure.
//!
//! Target and features are standardised on the training rows; a feature that is constant in them is
//! left out. A refit keeps the scales, starts each chain where it ended, and adapts for
//! `refit_warm_up` draws.
//!
//! # References
//! R. M. Neal: *Bayesian Learning for Neural Networks*, Springer, 1996, Section 2.1, for the prior
//! (1). M. D. Hoffman, A. Gelman: *The No-U-Turn sampler*, JMLR 15, 2014. Y. L. Li, T. G. J.
//! Rudner, A. G. Wilson: *A study of Bayesian neural network surrogates for Bayesian optimization*,
//! ICLR 2024.

mod chains;
mod posterior;

use ndarray::{Array1, Array2, ArrayView2, Axis};
use serde::{Deserialize, Serialize};

use self::chains::{Budget, Drawn, sample};
use self::posterior::{Posterior, Rows};
use crate::engine::scales::{Scales, standardise};
use crate::engine::standardised::{Standardised, StandardisedModel};
use crate::entry::{DEFAULTS, Tried};
use crate::parameter::{above, parameters};
use crate::state::{as_json, require};
use crate::{
    Configured, Context, FitError, Fitted, MethodParameters, Request, Restored, SideTable,
};
use uq_core::Table;
use uq_core::predictive::{Form, Mixture, Predictive, Split};

const ID: &str = "bnn-hmc";

parameters! {
    /// Parameters of the network and of its sampler.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct BnnHmcParameters {
        /// Units of each of the two hidden layers.
        hidden: usize = 50, in 1..=1000;
        /// Standard deviation σ_w of the prior.
        prior_sd: f64 = 1.0, in above(0.0).to(1000.0);
        /// Median m of the noise σ_y under the prior, in standardised units.
        noise_median: f64 = 0.1, in above(0.0).to(100.0);
        /// Standard deviation s of ln σ_y under the prior.
        noise_spread: f64 = 1.0, in above(0.0).to(10.0);
        /// Chains.
        chains: usize = 4, in 1..=64;
        /// Draws of each chain that adapt the sampler, and are left out.
        warm_up: usize = 300, in 10..=100_000;
        /// Draws of each chain after them.
        draws: usize = 250, in 8..=100_000;
        /// Most doublings of a trajectory.
        depth: usize = 7, in 1..=12;
        /// Draws T of the prediction.
        samples: usize = 32, in 1..=10_000;
        /// Draws of each chain that adapt the sampler of a refit.
        refit_warm_up: usize = 50, in 10..=100_000;
    }
}

/// The network as a method.
pub type BnnHmc = Configured<BnnHmcParameters>;

impl BnnHmcParameters {
    fn budget(&self, warm_up: usize) -> Budget {
        let Self { chains, draws, depth, samples, .. } = *self;
        Budget { chains, warm_up, draws, depth, kept: samples.min(chains * draws) }
    }
}

impl MethodParameters for BnnHmcParameters {
    const ID: &'static str = ID;
    const TITLE: &'static str = "Bayesian neural network by Hamiltonian Monte Carlo";
    const TRIED: Option<Tried> = Some(Tried {
        settings: "two layers of 50 hidden units with tanh, four chains of 550 draws",
        // Some 60 gradients a draw, each of six operations for a row and a weight.
        cost: |n, d| 2200.0 * 60.0 * 6.0 * n * (50.0 * d + 2600.0) / 8e9,
        parameters: DEFAULTS,
    });
    const VERSION: u32 = 1;

    fn restore(&self, state: &[u8]) -> Restored {
        Standardised::<HmcModel>::restored(state)
    }

    fn fit(&self, train_rows: &Table, context: &Context) -> Result<Box<dyn Fitted>, FitError> {
        let (scales, x, y) = standardise(ID, train_rows, context)?;
        let widths = [x.ncols(), self.hidden, self.hidden, 1];
        let posterior =
            Posterior::new(&widths, self.prior_sd, (self.noise_median, self.noise_spread));
        let rows = Rows { x: x.view(), y: y.view() };
        let drawn = sample(&posterior, rows, &self.budget(self.warm_up), &[], context)?;
        Ok(Box::new(Standardised { scales, model: HmcModel { settings: *self, posterior, drawn } }))
    }
}

/// Draws from a posterior.
#[derive(Serialize, Deserialize)]
struct HmcModel {
    #[serde(with = "as_json")]
    settings: BnnHmcParameters,
    posterior: Posterior,
    drawn: Drawn,
}

impl StandardisedModel for HmcModel {
    const ID: &'static str = ID;

    fn check(&self, features: usize) -> Result<(), String> {
        let Drawn { thetas, ends, .. } = &self.drawn;
        require(!thetas.is_empty(), "no draw")?;
        thetas.iter().chain(ends).try_for_each(|theta| self.posterior.check(features, theta.len()))
    }

    fn answer(
        &self,
        x: ArrayView2<f64>,
        request: &Request,
        context: &Context,
    ) -> Result<Predictive, FitError> {
        let Self { posterior, drawn: Drawn { thetas, .. }, .. } = self;
        let mut means = Array2::zeros((x.nrows(), thetas.len()));
        for (theta, mut column) in thetas.iter().zip(means.columns_mut()) {
            context.checkpoint()?;
            column.assign(&posterior.function(theta, x));
        }
        let noise: Array1<f64> =
            thetas.iter().map(|theta| posterior.noise_variance(theta)).collect();
        let split = request.split.then(|| Split {
            aleatoric: Some(Array1::from_elem(x.nrows(), noise.mean().unwrap_or(f64::NAN))),
            epistemic: Some(means.var_axis(Axis(1), 0.0)),
        });
        let weights = Array2::from_elem((1, thetas.len()), 1.0 / thetas.len() as f64);
        let variances = Array2::from_shape_fn(means.dim(), |(_, t)| noise[t]);
        Ok(Predictive { form: Form::Mixture(Mixture { weights, means, variances }), split }) // (4)
    }

    fn refit(&self, x: Array2<f64>, y: Array2<f64>, context: &Context) -> Result<Self, FitError> {
        let Self { settings, posterior, drawn } = self;
        let budget = settings.budget(settings.refit_warm_up);
        let drawn =
            sample(posterior, Rows { x: x.view(), y: y.view() }, &budget, &drawn.ends, context)?;
        Ok(Self { settings: *settings, posterior: posterior.clone(), drawn })
    }

    fn side_tables(&self, _: &Scales) -> Vec<SideTable> {
        vec![self.drawn.sampled.to_table()]
    }
}

#[cfg(test)]
mod tests;
