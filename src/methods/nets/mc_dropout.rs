//! Predict by many passes through a network whose inputs and hidden units are dropped at random.
//!
//! ```text
//! ŷ_t(x) = (z₂ ⊙ a((z₁ ⊙ x) W₁ + b₁)) W₂ + b₂,   each z = 0 with probability p, else 1/(1 − p)
//! loss   = mean of ½ (y_i − ŷ(x_i))² + λ (‖W₁‖² + ‖W₂‖²),   λ = (1 − p) l² / 2Nτ
//! p(y | x) = (1/T) Σ_t N(y; ŷ_t(x), τ⁻¹)
//! ```
//!
//! (Equations 6 to 8 of the paper, whose p is the probability of *keeping*, in standardised units.) The noise τ⁻¹ is the aleatoric
//! variance, the variance of the ŷ_t(x) the epistemic one: their sum is the variance of the mixture.
//!
//! Rate p and precision τ are chosen as in the authors' code: a fifth of the training rows is held out; a network is trained on the
//! others for each of the `rates`, and the pair with the greatest log-likelihood of the held-out rows is taken. The
//! code tries three values of τ for each dataset, with a network of its own for each; here a line search over ln τ finds it, or
//! `precisions` are tried, all with one network. The code's values bind: on energy, yacht and naval the largest is taken in every
//! split, so that its likelihoods there are those of the grid.
//!
//! A pass is one draw of masks, made when fitting, which all rows share: ŷ_t is a function of x, the prediction of a
//! row does not depend on other rows, and predicting draws nothing. In training each row of a batch has masks of its
//! own, as usual.
//!
//! *Departures:*
//! - T = 100 passes, not 10 000, which take a hundred times the time. The logarithm of an average of T densities is too small by about
//!   s²/2T, s² being their relative variance: by 0.003 at T = 100 for an outcome one standard deviation off where the passes spread
//!   as much as the noise, by 0.02 two off. Any T above 32 is stored as a summary (exact mean, variance, density at the outcome, CRPS;
//!   quantiles on a grid).
//! - The code draws masks for each row and pass anew. Each row's distribution is the same, but a pass is not a function
//!   of x.
//! - The code trains without the ½ of the squared error, and mixes τ in the target's units with an error in standardised ones; here
//!   both are standardised. The decay depends on τ before τ is known: while rows are held out it takes τ = 1, for the last network the
//!   τ found. With the code's l = 0.01, a hundred rows or more and τ ≥ 1 it is below 1e-6 in either case.
//!
//! Without `noise` the prediction is the passes alone, and intervals are percentiles of them: so Tagasovska and Lopez-Paz take them,
//! whose network drops hidden units only (`drop_inputs = false`; class `Dropout` of their `regression_experiment.py`).
//!
//! As in the code, the rate and τ that were found are used for a network that is trained on all rows (`refit`), and weights start as
//! Keras draws them. 400 epochs are the code's 40 times its multiplier 10: the setting of the paper's table, 200 on protein. The
//! numbers that later papers reprint are of multiplier 100: 4000 epochs, 2000 on protein.
//!
//! # References
//! Y. Gal, Z. Ghahramani: *Dropout as a Bayesian approximation: representing model uncertainty in deep learning*, ICML 2016, and
//! the authors' code, `DropoutUncertaintyExps` (commits a6259f1 of 2016 and 6eb4497 of 2018).
//! N. Tagasovska, D. Lopez-Paz: *Single-model uncertainties for deep learning*, NeurIPS 2019; code:
//! github.com/facebookresearch/SingleModelUncertainty at 4acae57.

mod mask;
mod precision;

use ndarray::{Array1, Array2, ArrayView2};
use serde::{Deserialize, Deserializer, Serialize};

use self::mask::{Passes, fill_mask};
use self::precision::best_variance;
use super::overlay::over;
use super::variance::variance_of;
use super::{AdamSettings, Mlp, Parts, Start, Trained, TrainingSettings, train};
use crate::data::Table;
use crate::math::autodiff::Activation;
use crate::methods::engine::scales::{Scales, standardise};
use crate::methods::engine::search::{Search, side_table};
use crate::methods::engine::standardised::{Standardised, StandardisedModel};
use crate::methods::entry::{DEFAULTS, Tried, layer};
use crate::methods::parameter::{Choices, Group, above, is_true, one_or_more, parameters};
use crate::methods::{Configured, Context, FitError, Fitted, MethodParameters, ParameterError, Request, SideTable};
use crate::predictive::{Form, Mixture, Predictive, Samples, Split};
use crate::side_tables::{Candidates, Outcome};

const ID: &str = "mc-dropout";

parameters! {
    /// Parameters of the network and its passes.
    #[derive(Clone, Debug, PartialEq)]
    pub struct McDropoutParameters {
        /// Hidden units (the tables: 100 for protein).
        hidden: usize = 50, in 1..=10_000;
        /// Activation of the hidden units.
        activation: Activation = Activation::Relu, in Choices;
        /// How its weights are drawn before training.
        start: Start = Start::Glorot, in Choices;
        /// Probabilities p of dropping a unit that are tried.
        rates: Vec<f64> = vec![0.005, 0.01, 0.05, 0.1], in one_or_more(0.0..=0.95);
        /// Precisions τ that are tried; with none a line search finds the best one.
        precisions: Vec<f64> = Vec::new(), in above(0.0).to(1e12);
        /// The units of these precisions: of the standardised target, or of the target itself as in the code.
        precision_units: PrecisionUnits = PrecisionUnits::Standardised, in Choices;
        /// Share of the rows on which rate and precision are chosen; none is held out if there is no choice.
        held_out: f64 = 0.2, in above(0.0).to(0.9);
        /// Whether the network is trained again on all rows after the choice.
        refit: bool = true, in Choices;
        /// Prior length scale l.
        length_scale: f64 = 1e-2, in 0.0..=1e6;
        /// Passes T.
        passes: usize = 100, in 1..=100_000;
        /// How it is trained.
        training: TrainingSettings = TrainingSettings {
            epochs: 400,
            batch: 128,
            validation: 0.0,
            adam: AdamSettings::default(),
            ..TrainingSettings::default()
        }, in Group, over "training_over_defaults";
        /// Whether inputs are dropped like hidden units.
        drop_inputs: bool = true, in Choices, added "is_true";
        /// Whether the noise τ⁻¹ is part of the prediction; without it the prediction is the passes alone, of a single rate.
        noise: bool = true, in Choices, added "is_true";
    }
}

fn training_over_defaults<'de, D: Deserializer<'de>>(deserializer: D) -> Result<TrainingSettings, D::Error> {
    over(McDropoutParameters::default().training, deserializer)
}

/// The units of given precisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PrecisionUnits {
    /// One over the variance of the standardised target.
    Standardised,
    /// One over the variance of the target as the method gets it.
    Target,
}

/// MC-dropout as a method.
pub type McDropout = Configured<McDropoutParameters>;

impl McDropoutParameters {
    /// Trains a network with dropout at `rate` on the given rows of x (n × d) and y (n × 1), the decay being that of
    /// `precision`, and draws the masks of its passes.
    fn network(
        &self,
        (x, y): (ArrayView2<f64>, ArrayView2<f64>),
        rows: Vec<usize>,
        (rate, precision): (f64, f64),
        context: &Context,
    ) -> Result<Network, FitError> {
        let McDropoutParameters { hidden, activation, start, length_scale, passes, training, drop_inputs, .. } = *self;
        let net = Mlp::new(&[x.ncols(), hidden, 1], activation);
        let mut drawn = vec![0.0; net.end()];
        net.draw_start(start, &mut drawn, &mut context.stream("start", 0));
        let within = Parts::draw(rows.len(), training.validation, context);
        let chosen = |part: &[usize]| part.iter().map(|&i| rows[i]).collect::<Vec<usize>>();
        let parts = Parts { training: chosen(&within.training), validation: chosen(&within.validation) };
        let trained = train(&training, &parts, &drawn, context, |tape, theta, batch| {
            let mut activations = tape.constant_rows(x, batch.rows);
            let mut squares = tape.constant(1, 1, &[0.0]);
            for (place, layer) in net.layers().enumerate() {
                if place > 0 || drop_inputs {
                    let fill = |mask: &mut [f64]| fill_mask(mask, rate, batch.rng);
                    let mask = tape.constant_from(batch.rows.len(), layer.inputs, fill);
                    activations = tape.multiply(activations, mask);
                }
                activations = net.layer(tape, theta, layer, activations);
                let weights = tape.parameter(theta, layer.weights, layer.inputs, layer.units);
                let square = tape.square(weights);
                let sum = tape.sum(square);
                squares = tape.add(squares, sum);
            }
            let target = tape.constant_rows(y, batch.rows);
            let error = tape.squared_error(activations, target);
            let error = tape.mean(error);
            let error = tape.scale(error, 0.5);
            let decay = (1.0 - rate) * length_scale.powi(2) / (2.0 * batch.training_rows as f64 * precision);
            let decay = tape.scale(squares, decay);
            tape.add(error, decay)
        })?;
        let passes = Passes::draw(&net, rate, drop_inputs, passes, context);
        Ok(Network { net, passes, trained })
    }

    /// The τ of the decay while rows are held out: it is 1 where it is not known yet.
    fn decay_precision(&self) -> f64 {
        if let &[only] = self.precisions.as_slice() { only } else { 1.0 }
    }

    /// Chooses rate and τ on held-out rows, from the streams `held out` and one child for each rate.
    fn choose(&self, x: ArrayView2<f64>, y: ArrayView2<f64>, context: &Context) -> Result<Choice, FitError> {
        let parts = Parts::draw(x.nrows(), self.held_out, &context.child("held out", 0));
        let (held_x, held_y) =
            (x.select(ndarray::Axis(0), &parts.validation), y.select(ndarray::Axis(0), &parts.validation));
        let mut search = Search::new();
        let mut best = None;
        for (place, &rate) in self.rates.iter().enumerate() {
            let child = context.child("rate", place as u64);
            let network = self.network((x, y), parts.training.clone(), (rate, self.decay_precision()), &child)?;
            let means = network.means(held_x.view(), context)?;
            let found = best_variance(means.view(), held_y.column(0), &self.precisions);
            let (variance, loss) = found.ok_or_else(|| {
                FitError::Diverged(format!("{ID}: the rows held out have no finite likelihood at rate {rate}"))
            })?;
            let candidate = Candidate { place, rate, variance };
            if search.add(candidate, Ok(-loss))? {
                best = Some((candidate, network));
            }
        }
        let (chosen, network) = best.ok_or_else(|| FitError::Unsupported(format!("{ID}: no candidate has a score")))?;
        let losses = search.scored().map(|(candidate, score)| (candidate, -score));
        let numbers = |candidate: &Candidate| vec![candidate.rate, 1.0 / candidate.variance];
        let columns = ["rate", Outcome::Precision.column()];
        let side_table = side_table(Candidates::CHOICE, (&columns, numbers), Outcome::ValidationLoss, losses, &chosen);
        Ok(Choice { rate: chosen.rate, variance: chosen.variance, network, side_table })
    }
}

/// A rate with its best noise τ⁻¹.
#[derive(Clone, Copy, PartialEq)]
struct Candidate {
    /// Index among the rates.
    place: usize,
    rate: f64,
    variance: f64,
}

/// The choice on held-out rows.
struct Choice {
    rate: f64,
    variance: f64,
    network: Network,
    side_table: SideTable,
}

/// A trained network and the masks of its passes.
struct Network {
    net: Mlp,
    passes: Passes,
    trained: Trained,
}

impl Network {
    /// ŷ_t at each row of the standardised features, n × T, in standardised units.
    fn means(&self, features: ArrayView2<f64>, context: &Context) -> Result<Array2<f64>, FitError> {
        self.passes.predict(&self.net, &self.trained.parameters, features, context)
    }
}

impl MethodParameters for McDropoutParameters {
    const ID: &'static str = ID;
    const TITLE: &'static str = "neural network whose units are dropped at random in many passes";
    const TRIED: Option<Tried> = Some(Tried {
        settings: "network of 50 hidden units in 100 passes, rate and noise chosen on a fifth of the training rows",
        unasked: false,
        cost: |n, d| 5e-4 * layer(n, d),
        parameters: DEFAULTS,
    });
    const VERSION: u32 = 2;

    fn check_coupled(&self) -> Result<(), ParameterError> {
        let possible = self.noise || self.rates.len() == 1;
        ParameterError::check(
            possible,
            "noise",
            false,
            "true where several `rates` are tried: a likelihood needs noise",
        )
    }

    fn fit(&self, train_rows: &Table, context: &Context) -> Result<Box<dyn Fitted>, FitError> {
        let (scales, x, y) = standardise(ID, train_rows, context)?;
        if self.precision_units == PrecisionUnits::Target {
            let precisions = self.precisions.iter().map(|precision| precision * scales.target.scale.powi(2)).collect();
            let standardised = Self { precisions, precision_units: PrecisionUnits::Standardised, ..self.clone() };
            return standardised.fit(train_rows, context);
        }
        let on_all_rows = |rate, variance: f64| {
            let all = (0..x.nrows()).collect();
            self.network((x.view(), y.view()), all, (rate, 1.0 / variance), &context.child("all rows", 0))
        };
        let known = match (self.rates.as_slice(), self.precisions.as_slice()) {
            (&[rate], &[precision]) => Some((rate, 1.0 / precision)),
            (&[rate], _) if !self.noise => Some((rate, 1.0 / self.decay_precision())),
            _ => None,
        };
        if let Some((rate, variance)) = known {
            let (network, side_tables) = (on_all_rows(rate, variance)?, Vec::new());
            let model = Dropout { noise: self.noise.then_some(variance), network, side_tables };
            return Ok(Box::new(Standardised { scales, model }));
        }
        let choice = self.choose(x.view(), y.view(), context)?;
        let (variance, side_tables) = (choice.variance, vec![choice.side_table]);
        let network = if self.refit { on_all_rows(choice.rate, variance)? } else { choice.network };
        Ok(Box::new(Standardised { scales, model: Dropout { noise: Some(variance), network, side_tables } }))
    }
}

/// A trained network and its noise.
struct Dropout {
    /// τ⁻¹, standardised; `None` where it is no part of the prediction.
    noise: Option<f64>,
    network: Network,
    side_tables: Vec<SideTable>,
}

impl StandardisedModel for Dropout {
    const ID: &'static str = ID;

    fn answer(&self, x: ArrayView2<f64>, request: &Request, context: &Context) -> Result<Predictive, FitError> {
        let means = self.network.means(x, context)?;
        let (rows, passes) = means.dim();
        let split = request.split.then(|| Split {
            aleatoric: self.noise.map(|variance| Array1::from_elem(rows, variance)),
            epistemic: Some(means.rows().into_iter().map(variance_of).collect()),
        });
        let Some(variance) = self.noise else {
            return Ok(Predictive { form: Form::Samples(Samples { values: means }), split });
        };
        let weights = Array2::from_elem((1, passes), 1.0 / passes as f64);
        let variances = Array2::from_elem((rows, passes), variance);
        Ok(Predictive { form: Form::Mixture(Mixture { weights, means, variances }), split })
    }

    fn side_tables(&self, _: &Scales) -> Vec<SideTable> {
        let mut all = vec![self.network.trained.side_table("trace")];
        all.extend(self.side_tables.iter().cloned());
        all
    }
}

#[cfg(test)]
mod tests;
