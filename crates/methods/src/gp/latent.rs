//! Explain several outputs by few latent inputs: the Gaussian process latent variable model on
//! random Fourier features.
//!
//! ```text
//! y_n ~ N(f(x_n), diag(σ_1², …, σ_D²)),  f_d ~ GP(0, α_d κ),  x_n ~ N(0, I),  κ the RBF kernel of length scale ℓ  (8, 9)
//! f_d(x) = φ(x)ᵀ θ_d                                                                     (14 – 16)
//! p(X, θ, Σ | Y) ∝ p(Y | X, θ, Σ) p(X) p(θ)                                                   (10)
//! p(y_d* | y_o*, Y) = N(μ_d*, σ_d*²),   σ_d*² = epistemic + aleatoric                      (13, 1)
//! ```
//!
//! As a method of tables the target and the features that vary are the outputs, standardised on the
//! training rows; at a new row the target is the missing output, and so is any feature that is NaN.
//! [`LatentModel`] itself predicts any output. Training is in [`training`], the closed forms in
//! [`weights`], the features in [`features`], the variances (24) to (32) in [`model`].
//!
//! | reading | epistemic variance |
//! | --- | --- |
//! | `main` | (31) with a variance as its last term, which is what (24) says |
//! | `second-moment` | (31) as printed: the mean square of φᵀE θ, in the units of the method's rows, about zero |
//! | `centred-second-moment` | the same about the target's training mean, as for an output that was centred first |
//!
//! # What the paper leaves open
//! q(X), the prior of the weights, σ² of x, ℓ and the sampler of x*. Here q(X) is the best of all
//! mean-field posteriors, each q(x_n) a distribution over the nodes of a grid over [−4, 4]^q, q ≤
//! 2, which may have several modes; ℓ, α_d and σ_d² maximise the variational bound; given X^(m),
//! σ_d² has its posterior mean (29). x* is drawn from (11) on the same grid, exactly and with all
//! its modes; (17), a MAP objective with the weights at their mean, is not used. Frequencies are
//! drawn once a fit.
//!
//! # Limits
//! Noise below the change of f from one node to the next (spacing 0.4 by default) cannot be
//! distinguished from that change: where the latent points are known to fewer than two nodes in the
//! mean, the fit is refused. The noise of a single output is not identified: the latent inputs can
//! take its place, as in factor analysis. The mean-field bound drops an output that shares little
//! with the others: λ then goes to its upper end, all of the output is noise, and its epistemic
//! variance is 0, though f is not known.
//!
//! # References
//! M. Ajirak, A. Ravishankar, P. M. Djurić: *Uncertainty quantification in probabilistic machine
//! learning models: theory, methods, and insights*, 2025. M. K. Titsias, N. D. Lawrence: *Bayesian
//! Gaussian process latent variable model*, AISTATS 2010. A. Rahimi, B. Recht: *Random features for
//! large-scale kernel machines*, NIPS 2007. C. M. Bishop, M. Svensén, C. K. I. Williams: *GTM: the
//! generative topographic mapping*, Neural Computation 10, 1998, for latent points on a grid.

pub mod basis;
pub mod features;
pub mod grid;
pub mod model;
pub mod nodes;
pub mod training;
pub mod weights;

use ndarray::{Array1, Array2, ArrayView2};
use serde::{Deserialize, Serialize};

pub use self::model::{LatentModel, Uncertainty};
use crate::engine::question;
use crate::engine::scales::{Scale, Scales};
use crate::engine::shared::{Shared, SharedModel};
use crate::entry::{DEFAULTS, Tried};
use crate::parameter::parameters;
use crate::side_tables::{Capped, OutputNoise};
use crate::state::require;
use crate::{
    Configured, Context, FitError, Fitted, MethodParameters, Reading, Request, Restored, SideTable,
};
use uq_core::Table;
use uq_core::predictive::{Form, Gaussian, Predictive, Split};

const ID: &str = "rff-gplvm";

/// Readings besides `main`.
const SECOND_MOMENT: &str = "second-moment";
const CENTRED: &str = "centred-second-moment";

/// Most draws of the latent points, and of a new one.
const MOST_SAMPLES: usize = 10_000;

parameters! {
    /// Parameters of the latent variable model.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct RffGplvmParameters {
        /// Frequencies J; each makes two features.
        frequencies: usize = 100, in 1..=10_000;
        /// Dimensions of the latent space.
        dimensions: usize = 2, in 1..=2;
        /// Nodes of the grid along each axis.
        nodes: usize = 21, in 9..=101;
        /// Draws M of X.
        samples: usize = 100, in 1..=MOST_SAMPLES;
        /// Draws L of x* for each of them.
        test_samples: usize = 100, in 1..=MOST_SAMPLES;
        /// Climbs, of which the highest is continued to its end: the first from the principal
        /// components, the others from random starts.
        starts: usize = 4, in 1..=100;
        /// Largest number of turns of a climb.
        steps: usize = 200, in 1..=100_000;
        /// A climb ends where a turn raises the bound by less than this for each row, in nats.
        tolerance: f64 = 1e-5, in 0.0..=1.0;
        /// Smallest noise variance σ_d², in units of the output's variance.
        noise_floor: f64 = 1e-6, in 1e-12..=1.0;
    }
}

/// The latent variable model as a method.
pub type RffGplvm = Configured<RffGplvmParameters>;

impl MethodParameters for RffGplvmParameters {
    const ID: &'static str = ID;
    const TITLE: &'static str = "Gaussian process latent variable model on random features: target \
                                 and features share latent inputs";
    const TRIED: Option<Tried> = Some(Tried {
        settings: "target and features as outputs of two latent inputs, 100 random frequencies",
        // 0.09 s with 100 rows of 4 features, 0.15 s with 100 of 10, and 0.30 s with 400 of 4.
        cost: |n, d| 5e-4 * n * (1.0 + 0.2 * d),
        parameters: DEFAULTS,
    });
    const VERSION: u32 = 1;

    fn readings(&self) -> Vec<Reading> {
        readings().to_vec()
    }

    fn restore(&self, state: &[u8]) -> Restored {
        Shared::<FittedRffGplvm>::restored(state)
    }

    fn fit(&self, train: &Table, context: &Context) -> Result<Box<dyn Fitted>, FitError> {
        context.checkpoint()?;
        let scales = Scales::new(ID, train)?;
        let named = |error| match error {
            FitError::Unsupported(why) => FitError::Unsupported(format!("{ID}: {why}")),
            FitError::Diverged(why) => FitError::Diverged(format!("{ID}: {why}")),
            other => other,
        };
        let model = LatentModel::fit(scales.joint(train).view(), self, context).map_err(named)?;
        Ok(Box::new(Shared(FittedRffGplvm { scales, model, test_samples: self.test_samples })))
    }
}

fn readings() -> [Reading; 3] {
    [Reading::MAIN, Reading::new(SECOND_MOMENT), Reading::new(CENTRED)]
}

/// A fitted model and its columns' scales; output 0 is the target.
#[derive(Serialize, Deserialize)]
struct FittedRffGplvm {
    scales: Scales,
    model: LatentModel,
    test_samples: usize,
}

impl SharedModel for FittedRffGplvm {
    const ID: &'static str = ID;

    fn check(&self) -> Result<(), String> {
        self.scales.check()?;
        let samples = self.test_samples > 0 && self.test_samples <= MOST_SAMPLES;
        require(
            samples && self.model.outputs() == self.scales.varying.len() + 1,
            "outputs of another table",
        )?;
        self.model.check()
    }
    type Found = Uncertainty;

    fn readings(&self) -> Vec<Reading> {
        readings().to_vec()
    }

    fn find(&self, features: ArrayView2<f64>, context: &Context) -> Result<Uncertainty, FitError> {
        let given = self.scales.checked(ID, features)?;
        let observed =
            Array2::from_shape_fn((given.nrows(), given.ncols() + 1), |(i, j)| match j {
                0 => f64::NAN,
                _ => given[(i, j - 1)],
            });
        self.model.uncertainty(observed.view(), 0, self.test_samples, context)
    }

    fn read(
        &self,
        reading: &Reading,
        found: &Uncertainty,
        request: &Request,
    ) -> Result<Predictive, FitError> {
        let Scale { shift, scale } = self.scales.target;
        let mean = found.mean.mapv(|f| shift + scale * f);
        // The mean square about zero: a variance and the square of a mean.
        let last = match reading.as_str() {
            SECOND_MOMENT => mean.mapv(|f| f * f),
            CENTRED => found.mean.mapv(|f| scale * scale * f * f),
            _ => Array1::zeros(mean.len()),
        };
        let epistemic = (&found.weights + &found.latent) * (scale * scale) + last; // (31)
        let aleatoric = Array1::from_elem(mean.len(), found.aleatoric * scale * scale); // (32)
        let variance = &epistemic + &aleatoric; // (1)
        let split = request
            .split
            .then_some(Split { aleatoric: Some(aleatoric), epistemic: Some(epistemic) });
        // (13)
        question::valid(ID, Predictive { form: Form::Gaussian(Gaussian { mean, variance }), split })
    }

    /// `fit` in the latent space's units; `noise` in the outputs' own, the target first.
    fn side_tables(&self) -> Vec<SideTable> {
        let LatentModel { draws, climb, start, perplexity, .. } = &self.model;
        let one = |name: &str, value: f64| (name.into(), vec![value]);
        let mut fit = vec![
            one("length_scale", climb.length_scale),
            one("bound", climb.bound()),
            one("turns", climb.trace.len() as f64),
        ];
        fit.extend(Capped { cap_reached: !climb.converged }.to_columns());
        fit.extend([
            one("start", *start as f64),
            one("rank", climb.basis.rank as f64),
            one("nodes_a_latent_point", *perplexity),
        ]);
        let features = self.scales.varying.iter().map(|(column, scale)| (*column as f64, *scale));
        let outputs: Vec<(f64, Scale)> =
            std::iter::once((-1.0, self.scales.target)).chain(features).collect();
        let mean =
            |d: usize| draws.iter().map(|draw| draw.noise[d]).sum::<f64>() / draws.len() as f64;
        let squared = |(d, (_, scale)): (usize, &(f64, Scale))| mean(d) * scale.scale * scale.scale;
        let noise = OutputNoise {
            feature: outputs.iter().map(|(column, _)| *column).collect(),
            variance: outputs.iter().enumerate().map(squared).collect(),
            ratio: climb.posterior.ratio.clone(),
        };
        let turns = (1..=climb.trace.len()).map(|turn| turn as f64).collect();
        let trace = vec![("turn".into(), turns), ("bound".into(), climb.trace.clone())];
        vec![
            SideTable { name: Capped::NAME.into(), columns: fit },
            noise.to_table(),
            SideTable { name: "bound_trace".into(), columns: trace },
        ]
    }
}

#[cfg(test)]
mod tests;
