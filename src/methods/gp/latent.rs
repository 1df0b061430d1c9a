//! Explain several outputs by few latent inputs: the Gaussian process latent variable model on random Fourier features.
//!
//! ```text
//! y_n ~ N(f(x_n), diag(σ_1², …, σ_D²)),   f_d ~ GP(0, α_d κ),   x_n ~ N(0, I),   κ the RBF kernel of length scale ℓ     (8, 9)
//! f_d(x) = φ(x)ᵀ θ_d                                                                                           (14 – 16)
//! p(X, θ, Σ | Y) ∝ p(Y | X, θ, Σ) p(X) p(θ)                                                                            (10)
//! p(y_d* | y_o*, Y) = N(μ_d*, σ_d*²),   σ_d*² = epistemic + aleatoric                                            (13, 1)
//! ```
//!
//! As a method of tables the target and the features that vary are the outputs, standardised on the training rows; at a new row the target
//! is the missing output, and so is any feature that is NaN. [`LatentModel`] itself answers for any output. Training is in
//! [`training`], the closed forms in [`weights`], the features in [`features`], the variances (24) to (32) in [`model`].
//!
//! | reading | epistemic variance |
//! | --- | --- |
//! | `main` | (31) with a variance as its last term, which is what (24) says |
//! | `second-moment` | (31) as printed: the mean square of φᵀE θ, in the units of the method's rows, about zero |
//! | `centred-second-moment` | the same about the target's training mean, as for an output that was centred first |
//!
//! # What the paper leaves open
//! q(X), the prior of the weights, σ² of x, ℓ and the sampler of x*. Here q(X) is the best of all mean-field posteriors, each q(x_n) a
//! distribution over the nodes of a grid over [−4, 4]^q, q ≤ 2, which may have several modes; ℓ, α_d and σ_d² maximise the variational bound; given
//! X^(m), σ_d² has its posterior mean (29). x* is drawn from (11) on the same grid, exactly and with all its modes; (17), a MAP
//! objective with the weights at their mean, is not used. Frequencies are drawn once a fit.
//!
//! # Limits
//! Noise below the change of f from one node to the next (spacing 0.4 by default) cannot be told from that change: where the latent points are
//! known to fewer than two nodes in the mean, the fit is refused. Nothing fixes the noise of each output by itself: an output whose noise the
//! latent inputs can explain lends it to them, as in factor analysis. The mean-field bound gives up an output that shares little with the
//! others: λ then goes to its upper end, all of the output is noise, and its epistemic variance is 0, though f is not known.
//!
//! # References
//! M. Ajirak, A. Ravishankar, P. M. Djurić: *Uncertainty quantification in probabilistic machine learning models: theory, methods, and
//! insights*, 2025. M. K. Titsias, N. D. Lawrence: *Bayesian Gaussian process latent variable model*, AISTATS 2010. A. Rahimi,
//! B. Recht: *Random features for large-scale kernel machines*, NIPS 2007. C. M. Bishop, M. Svensén, C. K. I. Williams: *GTM: the
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
use crate::data::Table;
use crate::methods::scales::{Scale, Scales};
use crate::methods::{Context, FitError, Fitted, Method, ParameterError, Reading, Request, SideTable};
use crate::predictive::{Form, Gaussian, Predictive, Split};

const ID: &str = "rff-gplvm";

/// Readings besides `main`.
const SECOND_MOMENT: &str = "second-moment";
const CENTRED: &str = "centred-second-moment";

/// Parameters of the latent variable model.
///
/// | name | default | range | meaning |
/// | --- | --- | --- | --- |
/// | `frequencies` | 100 | 1 to 10000 | J: frequencies, of which each makes two features |
/// | `dimensions` | 2 | 1 or 2 | of the latent space |
/// | `nodes` | 21 | 9 to 101 | of the grid, along each axis |
/// | `samples` | 100 | 1 to 10000 | M: draws of X |
/// | `test_samples` | 100 | 1 to 10000 | L: draws of x* for each of them |
/// | `starts` | 4 | 1 to 100 | climbs, of which the highest is ended: from the principal components, then from random ones |
/// | `steps` | 200 | 1 to 100000 | turns of a climb at most |
/// | `tolerance` | 1e-5 | 0 to 1 | a climb ends where a turn raises the bound by less than this for each row |
/// | `noise_floor` | 1e-6 | 1e-12 to 1 | smallest σ_d², in units of the output's variance |
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RffGplvmParameters {
    /// J.
    pub frequencies: usize,
    /// Dimensions of the latent space.
    pub dimensions: usize,
    /// Nodes along each axis.
    pub nodes: usize,
    /// M.
    pub samples: usize,
    /// L.
    pub test_samples: usize,
    /// Climbs.
    pub starts: usize,
    /// Turns of a climb at most.
    pub steps: usize,
    /// Smallest rise of the bound in a turn, in nats a row.
    pub tolerance: f64,
    /// Smallest σ_d², in units of the output's variance.
    pub noise_floor: f64,
}

impl Default for RffGplvmParameters {
    fn default() -> Self {
        Self {
            frequencies: 100,
            dimensions: 2,
            nodes: 21,
            samples: 100,
            test_samples: 100,
            starts: 4,
            steps: 200,
            tolerance: 1e-5,
            noise_floor: 1e-6,
        }
    }
}

/// The latent variable model as a method.
#[derive(Clone, Debug)]
pub struct RffGplvm {
    parameters: RffGplvmParameters,
}

impl RffGplvm {
    /// The method with these parameters.
    ///
    /// # Errors
    /// [`ParameterError`] for a parameter out of its range.
    pub fn new(parameters: RffGplvmParameters) -> Result<Self, ParameterError> {
        let RffGplvmParameters { frequencies, dimensions, nodes, samples, test_samples, .. } = parameters;
        let RffGplvmParameters { starts, steps, tolerance, noise_floor, .. } = parameters;
        let whole = |value: usize, (low, high): (usize, usize), name: &str| {
            let expected = format!("a whole number from {low} to {high}");
            ParameterError::check((low..=high).contains(&value), name, value, &expected)
        };
        whole(frequencies, (1, 10_000), "frequencies")?;
        whole(dimensions, (1, 2), "dimensions")?;
        whole(nodes, (9, 101), "nodes")?;
        whole(samples, (1, 10_000), "samples")?;
        whole(test_samples, (1, 10_000), "test_samples")?;
        whole(starts, (1, 100), "starts")?;
        whole(steps, (1, 100_000), "steps")?;
        ParameterError::check((0.0..=1.0).contains(&tolerance), "tolerance", tolerance, "a number from 0 to 1")?;
        let floor = (1e-12..=1.0).contains(&noise_floor);
        ParameterError::check(floor, "noise_floor", noise_floor, "a number from 1e-12 to 1")?;
        Ok(Self { parameters })
    }
}

impl Method for RffGplvm {
    fn id(&self) -> &'static str {
        ID
    }

    fn version(&self) -> u32 {
        1
    }

    fn parameters(&self) -> serde_json::Value {
        serde_json::json!(self.parameters)
    }

    fn readings(&self) -> Vec<Reading> {
        vec![Reading::MAIN, Reading::new(SECOND_MOMENT), Reading::new(CENTRED)]
    }

    fn fit(&self, train: &Table, context: &Context) -> Result<Box<dyn Fitted>, FitError> {
        context.checkpoint()?;
        let scales = Scales::new(ID, train)?;
        let named = |error| match error {
            FitError::Unsupported(why) => FitError::Unsupported(format!("{ID}: {why}")),
            FitError::Diverged(why) => FitError::Diverged(format!("{ID}: {why}")),
            other => other,
        };
        let model = LatentModel::fit(scales.joint(train).view(), &self.parameters, context).map_err(named)?;
        Ok(Box::new(FittedRffGplvm { scales, model, parameters: self.parameters }))
    }
}

/// A fitted model and its columns' scales; output 0 is the target.
struct FittedRffGplvm {
    scales: Scales,
    model: LatentModel,
    parameters: RffGplvmParameters,
}

impl Fitted for FittedRffGplvm {
    fn predict(
        &self,
        reading: &Reading,
        features: ArrayView2<f64>,
        request: &Request,
        context: &Context,
    ) -> Result<Predictive, FitError> {
        let mut all = self.predict_all(std::slice::from_ref(reading), features, request, context)?;
        all.pop().ok_or_else(|| FitError::Unsupported(format!("{ID} was asked for no reading")))
    }

    fn predict_all(
        &self,
        readings: &[Reading],
        features: ArrayView2<f64>,
        request: &Request,
        context: &Context,
    ) -> Result<Vec<Predictive>, FitError> {
        self.scales.check(ID, features)?;
        let given = self.scales.given(features);
        let observed = Array2::from_shape_fn((given.nrows(), given.ncols() + 1), |(i, j)| match j {
            0 => f64::NAN,
            _ => given[(i, j - 1)],
        });
        let found = self.model.uncertainty(observed.view(), 0, self.parameters.test_samples, context)?;
        readings.iter().map(|reading| self.read(reading, &found, request)).collect()
    }

    fn readings_share_work(&self) -> bool {
        true
    }

    /// `fit` in the latent space's units; `noise` in the outputs' own, the target first.
    fn side_tables(&self) -> Vec<SideTable> {
        let LatentModel { draws, climb, start, perplexity, .. } = &self.model;
        let one = |name: &str, value: f64| (name.into(), vec![value]);
        let fit = vec![
            one("length_scale", climb.length_scale),
            one("bound", climb.bound()),
            one("turns", climb.trace.len() as f64),
            one("cap_reached", f64::from(!climb.converged)),
            one("start", *start as f64),
            one("rank", climb.basis.rank as f64),
            one("nodes_a_latent_point", *perplexity),
        ];
        let features = self.scales.varying.iter().map(|(column, scale)| (*column as f64, *scale));
        let outputs: Vec<(f64, Scale)> = std::iter::once((-1.0, self.scales.target)).chain(features).collect();
        let mean = |d: usize| draws.iter().map(|draw| draw.noise[d]).sum::<f64>() / draws.len() as f64;
        let squared = |(d, (_, scale)): (usize, &(f64, Scale))| mean(d) * scale.scale * scale.scale;
        let noise = vec![
            ("feature".into(), outputs.iter().map(|(column, _)| *column).collect()),
            ("variance".into(), outputs.iter().enumerate().map(squared).collect()),
            ("ratio".into(), climb.posterior.ratio.clone()),
        ];
        let turns = (1..=climb.trace.len()).map(|turn| turn as f64).collect();
        let trace = vec![("turn".into(), turns), ("bound".into(), climb.trace.clone())];
        [("fit", fit), ("noise", noise), ("bound_trace", trace)]
            .into_iter()
            .map(|(name, columns)| SideTable { name: name.into(), columns })
            .collect()
    }
}

impl FittedRffGplvm {
    /// What one reading makes of the draws, in the target's units.
    fn read(&self, reading: &Reading, found: &Uncertainty, request: &Request) -> Result<Predictive, FitError> {
        let Scale { shift, scale } = self.scales.target;
        let mean = found.mean.mapv(|f| shift + scale * f);
        // The mean square about zero: a variance and the square of a mean.
        let last = match reading.as_str() {
            "main" => Array1::zeros(mean.len()),
            SECOND_MOMENT => mean.mapv(|f| f * f),
            CENTRED => found.mean.mapv(|f| scale * scale * f * f),
            _ => {
                let all = format!("main, {SECOND_MOMENT} and {CENTRED}");
                return Err(FitError::Unsupported(format!("{ID} has the readings {all}, asked for '{reading}'")));
            }
        };
        let epistemic = (&found.weights + &found.latent) * (scale * scale) + last; // (31)
        let aleatoric = Array1::from_elem(mean.len(), found.aleatoric * scale * scale); // (32)
        let variance = &epistemic + &aleatoric; // (1)
        let split = request.split.then_some(Split { aleatoric: Some(aleatoric), epistemic: Some(epistemic) });
        let predictive = Predictive { form: Form::Gaussian(Gaussian { mean, variance }), split }; // (13)
        predictive.validate().map_err(|error| FitError::Diverged(format!("{ID}: {error}")))?;
        Ok(predictive)
    }
}

#[cfg(test)]
mod tests;
