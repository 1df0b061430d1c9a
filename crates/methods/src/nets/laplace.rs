//! Approximate a neural network's posterior by a normal distribution about its trained weights: the
//! Laplace approximation.
//!
//! ```text
//! y = f(x, θ) + ε,   ε ~ N(0, σ²),   θ ~ N(0, I/δ)
//! θ* = argmin Σ (y_i − f(x_i, θ))² + δ σ² ‖θ‖²                                               (1)
//! G = Σ J_iᵀ J_i,   J_i = ∂f(x_i, θ*)/∂θ,   Σ = (G/σ² + δ I)⁻¹                                (2)
//! γ = Σ_k λ_k / (λ_k + δ σ²),   δ = γ / ‖θ*‖²,   σ² = Σ (y_i − f(x_i, θ*))² / (n − γ)         (3)
//! y | x ~ N(f(x, θ*), σ² + J(x) Σ J(x)ᵀ)                                                     (4)
//! ```
//!
//! λ_k are the eigenvalues of G, the generalised Gauss-Newton matrix (GGN). (3) are MacKay's
//! updates of prior and noise, at which the evidence of the linearised network has its maximum;
//! they are repeated until they settle. Training (1) and updates (3) alternate `rounds` times, from
//! δ = σ² = 1 on; each training goes on from the last weights. (4) is the linearised predictive of
//! Immer et al. (2021): aleatoric variance σ², epistemic variance J Σ Jᵀ. Without a hidden layer it
//! is Bayesian linear regression.
//!
//! **Cost.** All weights have a posterior with full covariance where there are at most
//! [`MOST_OF_AUTO`] of them and n times their square is at most [`MOST_WORK`]; else those of the
//! last layer alone, whose J are the hidden units and 1. `weights` chooses one of both; more than
//! [`MOST_WEIGHTS`] are refused. With the last layer, ‖θ*‖² and γ are its own, and δ is the prior
//! of the others in (1), too.
//!
//! Target and features are standardised on the training rows; a feature that is constant in them is
//! left out. All rows train, without early stopping: the prior takes its place. The side table
//! `evidence` has δ, σ², γ and the log evidence of each round.
//!
//! *Departures:* Daxberger et al. take δ and σ² by gradient steps on the evidence, after training;
//! MacKay trains by a second-order method. Here Adam minimises (1).
//!
//! # References
//! D. J. C. MacKay: *A practical Bayesian framework for backpropagation networks*, Neural
//! Computation 4, 1992, for (2) and (3). E. Daxberger, A. Kristiadi, A. Immer, R. Eschenhagen, M.
//! Bauer, P. Hennig: *Laplace redux – effortless Bayesian deep learning*, NeurIPS 2021. A. Immer,
//! M. Korzepa, M. Bauer: *Improving predictions of Bayesian neural nets via local linearization*,
//! AISTATS 2021, for (4).

mod posterior;
mod slopes;
#[cfg(test)]
mod tests;

use ndarray::{Array1, ArrayView2, Axis};
use serde::{Deserialize, Deserializer, Serialize};

use self::posterior::{Misfit, Posterior, PriorAndNoise};
use self::slopes::{BLOCK, Slopes, second_moments};
use super::overlay::over;
use super::{Mlp, Parts, Schedule, Start, Trained, TrainingSettings, train};
use crate::engine::scales::{Scales, standardise};
use crate::engine::standardised::{Standardised, StandardisedModel};
use crate::entry::{DEFAULTS, Tried, layer};
use crate::parameter::{Choices, Group, above, parameters};
use crate::{
    Configured, Context, FitError, Fitted, MethodParameters, ParameterError, Request, Restored,
    SideTable,
};
use uq_core::Table;
use uq_core::predictive::{Form, Gaussian, Predictive, Split};
use uq_math::autodiff::Activation;

const ID: &str = "laplace";

/// Most weights of which all have a posterior by default.
const MOST_OF_AUTO: usize = 1000;

/// Most rows times squared weights of which all have a posterior by default: some seconds a round.
const MOST_WORK: u64 = 10_000_000_000;

/// Most weights with a posterior: their covariance takes 72 MB.
const MOST_WEIGHTS: usize = 3000;

/// The weights that have a posterior.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LaplaceWeights {
    /// All of them where that is cheap enough, else those of the last layer.
    #[default]
    Auto,
    /// All of them.
    All,
    /// The weights of the last layer.
    LastLayer,
}

parameters! {
    /// Parameters of the network and its approximation.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct LaplaceParameters {
        /// Hidden units; 0: a linear model.
        hidden: usize = 50, in 0..=10_000;
        /// Activation of the hidden units.
        activation: Activation = Activation::Tanh, in Choices;
        /// How its weights are drawn before training.
        start: Start = Start::FanIn, in Choices;
        /// The weights with a posterior: all, those of the last layer, or all where that is cheap
        /// enough.
        weights: LaplaceWeights = LaplaceWeights::Auto, in Choices;
        /// Trainings, each followed by updates of prior and noise.
        rounds: usize = 3, in 1..=100;
        /// Smallest noise variance σ², in standardised units.
        variance_floor: f64 = 1e-6, in above(0.0).to(1.0);
        /// How each round is trained. There is no validation part, and the prior takes the place of
        /// `l2`.
        training: TrainingSettings =
            TrainingSettings { epochs: 200, validation: 0.0, schedule: Schedule::Cosine, ..TrainingSettings::default() },
            in Group, over "training_over_defaults";
    }
}

fn training_over_defaults<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<TrainingSettings, D::Error> {
    over(LaplaceParameters::default().training, deserializer)
}

/// The Laplace approximation as a method.
pub type Laplace = Configured<LaplaceParameters>;

impl LaplaceParameters {
    /// The slopes of the weights with a posterior.
    ///
    /// # Errors
    /// [`FitError::Unsupported`] where there are more than [`MOST_WEIGHTS`].
    fn slopes(&self, net: &Mlp, rows: usize) -> Result<Slopes, FitError> {
        let all = net.end();
        let cheap =
            all <= MOST_OF_AUTO && (rows as u64).saturating_mul((all * all) as u64) <= MOST_WORK;
        let last_alone = match self.weights {
            LaplaceWeights::Auto => !cheap,
            LaplaceWeights::All => false,
            LaplaceWeights::LastLayer => true,
        };
        let slopes = Slopes::new(net, last_alone);
        let found = slopes.places().len();
        if found <= MOST_WEIGHTS {
            return Ok(slopes);
        }
        Err(FitError::Unsupported(format!(
            "{ID} takes at most {MOST_WEIGHTS} weights with a posterior, found {found}; take fewer \
             hidden units, or `weights = \"last-layer\"`"
        )))
    }
}

impl MethodParameters for LaplaceParameters {
    const ID: &'static str = ID;
    const TITLE: &'static str = "Bayesian neural network by the Laplace approximation";
    const TRIED: Option<Tried> = Some(Tried {
        settings: "network of 50 hidden units, normal about its trained weights; prior and noise \
                   by the evidence",
        cost: |n, d| {
            let weights = 50.0 * (d + 2.0) + 1.0;
            let all = weights <= MOST_OF_AUTO as f64 && n * weights * weights <= MOST_WORK as f64;
            2e-4 * layer(n, d)
                + if all { 1.5e-10 * weights * weights * (2.0 * n + weights) } else { 0.0 }
        },
        parameters: DEFAULTS,
    });
    const VERSION: u32 = 1;

    fn check_coupled(&self) -> Result<(), ParameterError> {
        let TrainingSettings { validation, l2, .. } = self.training;
        ParameterError::check(l2 == 0.0, "training.l2", l2, "0, because the prior is the decay")?;
        ParameterError::check(
            validation == 0.0,
            "training.validation",
            validation,
            "0, because all rows train",
        )
    }

    fn restore(&self, state: &[u8]) -> Restored {
        Standardised::<LaplaceModel>::restored(state)
    }

    fn fit(&self, train_rows: &Table, context: &Context) -> Result<Box<dyn Fitted>, FitError> {
        let (scales, x, y) = standardise(ID, train_rows, context)?;
        let model = self.approximate(x.view(), y.view(), context)?;
        Ok(Box::new(Standardised { scales, model }))
    }
}

impl LaplaceParameters {
    /// Trains, and approximates the posterior, in turn.
    fn approximate(
        &self,
        x: ArrayView2<f64>,
        y: ArrayView2<f64>,
        context: &Context,
    ) -> Result<LaplaceModel, FitError> {
        let (n, d) = x.dim();
        let widths = if self.hidden == 0 { vec![d, 1] } else { vec![d, self.hidden, 1] };
        let net = Mlp::new(&widths, self.activation);
        let slopes = self.slopes(&net, n)?;
        let mut parameters = vec![0.0; net.end()];
        net.draw_start(self.start, &mut parameters, &mut context.stream("start", 0));
        let parts = Parts::draw(n, 0.0, context);
        let mut now = PriorAndNoise { prior: 1.0, noise: 1.0 };
        let mut rounds = Vec::new();
        let mut last = None;
        for round in 0..self.rounds as u64 {
            // (1) / 2n; the decay is its gradient's second part.
            let training =
                TrainingSettings { l2: now.prior * now.noise / n as f64, ..self.training };
            let trained = train(
                &training,
                &parts,
                &parameters,
                &context.child("round", round),
                |tape, theta, batch| {
                    let input = tape.constant_rows(x, batch.rows);
                    let target = tape.constant_rows(y, batch.rows);
                    let output = net.forward(tape, theta, input);
                    let error = tape.squared_error(output, target);
                    let mean = tape.mean(error);
                    tape.scale(mean, 0.5)
                },
            )?;
            parameters.clone_from(&trained.parameters);
            let moments = second_moments(&slopes, &parameters, x, || context.checkpoint())?;
            let posterior = Posterior::new(&moments)?;
            let errors = &y.column(0) - &net.predict(&parameters, x).column(0);
            let weights = parameters[slopes.places()].iter().map(|w| w * w).sum();
            let misfit = Misfit { rows: n, squares: errors.mapv(|e| e * e).sum(), weights };
            now = posterior.reestimated(&misfit, now, self.variance_floor);
            let evidence = posterior.ln_evidence(&misfit, now);
            rounds.push([now.prior, now.noise, posterior.determined(now), evidence]);
            last = Some((posterior, trained));
        }
        let (posterior, trained) =
            last.ok_or_else(|| FitError::Unsupported(format!("{ID} needs a round")))?;
        Ok(LaplaceModel {
            net,
            last_alone: slopes.last_alone(),
            posterior,
            strengths: now,
            rounds,
            trained,
        })
    }
}

/// A trained network and its posterior.
#[derive(Serialize, Deserialize)]
struct LaplaceModel {
    net: Mlp,
    /// Whether the weights of the last layer alone have a posterior.
    last_alone: bool,
    posterior: Posterior,
    strengths: PriorAndNoise,
    /// δ, σ², γ and the log evidence after each round.
    rounds: Vec<[f64; 4]>,
    /// The last training.
    trained: Trained,
}

impl StandardisedModel for LaplaceModel {
    const ID: &'static str = ID;

    fn check(&self, features: usize) -> Result<(), String> {
        self.net.check(features, 1, self.trained.parameters.len())?;
        self.posterior.check(Slopes::new(&self.net, self.last_alone).places().len())
    }

    fn answer(
        &self,
        x: ArrayView2<f64>,
        request: &Request,
        context: &Context,
    ) -> Result<Predictive, FitError> {
        let parameters = &self.trained.parameters;
        let slopes = Slopes::new(&self.net, self.last_alone);
        let mut epistemic = Vec::with_capacity(x.nrows());
        for rows in x.axis_chunks_iter(Axis(0), BLOCK) {
            context.checkpoint()?;
            epistemic
                .extend(self.posterior.variances(&slopes.at(parameters, rows), self.strengths));
        }
        let epistemic = Array1::from(epistemic);
        let mean = self.net.predict(parameters, x).column(0).to_owned();
        let form = Form::Gaussian(Gaussian { mean, variance: &epistemic + self.strengths.noise });
        let aleatoric = Array1::from_elem(x.nrows(), self.strengths.noise);
        let split =
            request.split.then(|| Split { aleatoric: Some(aleatoric), epistemic: Some(epistemic) });
        Ok(Predictive { form, split }) // (4)
    }

    /// `trace` of the last training, and `evidence`: numbers in standardised units.
    fn side_tables(&self, _: &Scales) -> Vec<SideTable> {
        let names = ["prior_precision", "noise_variance", "determined_weights", "ln_evidence"];
        let column = |place: usize| self.rounds.iter().map(|round| round[place]).collect();
        let columns = names
            .iter()
            .enumerate()
            .map(|(place, name)| ((*name).to_owned(), column(place)))
            .collect();
        vec![self.trained.side_table("trace"), SideTable { name: "evidence".into(), columns }]
    }
}
