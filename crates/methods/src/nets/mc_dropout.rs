//! Predict by many passes through a network whose inputs and hidden units are dropped at random.
//!
//! ```text
//! ŷ_t(x) = (z₂ ⊙ a((z₁ ⊙ x) W₁ + b₁)) W₂ + b₂,   each z = 0 with probability p, else 1/(1 − p)
//! loss   = mean of ½ (y_i − ŷ(x_i))² + λ (‖W₁‖² + ‖W₂‖²),   λ = (1 − p) l² / 2Nτ
//! p(y | x) = (1/T) Σ_t N(y; ŷ_t(x), τ⁻¹)
//! ```
//!
//! (Equations 6 to 8 of the paper, whose p is the probability of *keeping*, in standardised units.)
//! The noise τ⁻¹ is the aleatoric variance, the variance of the ŷ_t(x) the epistemic one: their sum
//! is the variance of the mixture.
//!
//! Rate p and precision τ are chosen as in the authors' program of 2018 (`experiment.py:132-163`):
//! a fifth of the training rows is held out; a network is trained on the others for each pair of
//! the `rates` and `precisions`, and the pair with the greatest log-likelihood of the held-out rows
//! is taken. A network with this pair is then trained on all rows (`experiment.py:186-188`; here
//! `refit`). The networks of the search are trained side by side, on the same batches and with
//! common random numbers for their masks. Without `precisions`, which the program always has, one
//! network a rate is trained, and a line search over ln τ finds its best one.
//!
//! The program's precisions are three for each dataset, in the target's own units
//! (`UCI_Datasets/*/data/tau_values.txt`). They bind: on energy, yacht and naval the largest is
//! taken in every split, so that its likelihoods there are those of the grid. For a target without
//! printed values the line search takes their place.
//!
//! As in the program there are 50 hidden units, 100 on protein (`n_hidden.txt`); inputs and hidden
//! units are dropped (`net/net.py:75,80`); weights start as Keras draws them (Glorot, biases 0);
//! Adam has a step of 0.001 and batches of
//! 128. The numbers that its authors print and later papers reprint are of 4000 epochs, 2000 on
//!      protein (`experiment.py:157,187`, result files named `100_xepochs`); the paper's own table
//!      is of 400 and 200 (program of 2016, `experiment.py:71`), which are the default here. Its
//!      numbers are met by some 1000 (`errata.md`, Baselines 13).
//!
//! A pass is one draw of masks, made when fitting, which all rows share: ŷ_t is a function of x,
//! the prediction of a row does not depend on other rows, and predicting draws nothing. In training
//! each row of a batch has masks of its own, as usual.
//!
//! *Departures:*
//! - T = 100 passes, not 10 000 (`net/net.py:126`), which take a hundred times the time. The
//!   logarithm of an average of T densities is too small by about s²/2T, s² being their relative
//!   variance: by 0.003 at T = 100 for an outcome one standard deviation off where the passes
//!   spread as much as the noise, by 0.02 two off. Any T above 32 is stored as a summary (exact
//!   mean, variance, density at the outcome, CRPS; quantiles on a grid).
//! - The program draws masks for each row and pass anew. Each row's distribution is the same, but a
//!   pass is not a function of x.
//! - The rows that are held out are drawn at random; the program takes the last fifth of a random
//!   order.
//! - The program trains without the ½ of the squared error, and mixes τ in the target's units with
//!   an error in standardised ones (`net/net.py:72`); here both are standardised. Without
//!   `precisions` the decay of the search is that of τ = 1. With the program's l = 0.01, a hundred
//!   rows or more and τ ≥ 1 the decay is below 1e-6 in every case.
//! - In training the probability of dropping a unit is rounded to 2⁻¹⁶. A batch has nearly n / ⌈n /
//!   128⌉ rows; the program's last one has what is left.
//!
//! Without `noise` the prediction is the passes alone, and intervals are percentiles of them: so
//! Tagasovska and Lopez-Paz take them, whose network drops hidden units only
//! (`drop_inputs = false`; class `Dropout` of their `regression_experiment.py`). With `alone` one fit
//! is read with the noise and without it (`members.rs`).
//!
//! # References
//! Y. Gal, Z. Ghahramani: *Dropout as a Bayesian approximation: representing model uncertainty in
//! deep learning*, ICML 2016, and the authors' code, `DropoutUncertaintyExps` (commits a6259f1 of
//! 2016 and 6eb4497 of 2018). N. Tagasovska, D. Lopez-Paz: *Single-model uncertainties for deep
//! learning*, NeurIPS 2019; code: github.com/facebookresearch/SingleModelUncertainty at 4acae57.

mod mask;
mod side_by_side;

use ndarray::{Array2, ArrayView2, Axis};
use serde::{Deserialize, Deserializer, Serialize};

use self::mask::Passes;
use self::side_by_side::{Setting, SideBySide};
use super::overlay::over;
use super::precision::best_variance;
use super::{AdamSettings, Mlp, Parts, Start, Trained, TrainingSettings, descend, members};
use crate::engine::scales::{Scales, standardise};
use crate::engine::search::{Search, side_table};
use crate::engine::shared::{Shared, SharedModel};
use crate::engine::standardised::{Standardised, StandardisedModel};
use crate::entry::{DEFAULTS, Tried, layer};
use crate::parameter::{Choices, Group, above, is_default, is_true, one_or_more, parameters};
use crate::side_tables::{Candidates, Outcome};
use crate::{
    Configured, Context, FitError, Fitted, MethodParameters, ParameterError, Reading, Request,
    Restored, SideTable,
};
use uq_core::Table;
use uq_core::predictive::{Form, Predictive, Samples, Split};
use uq_math::autodiff::Activation;

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
        /// Precisions τ that are tried with each rate; with none a line search finds the best one.
        precisions: Vec<f64> = Vec::new(), in above(0.0).to(1e12);
        /// The units of these precisions: of the standardised target, or of the target itself as in
        /// the code.
        precision_units: PrecisionUnits = PrecisionUnits::Standardised, in Choices;
        /// Share of the rows on which rate and precision are chosen; none is held out if there is
        /// no choice.
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
        /// Whether the noise τ⁻¹ is part of the prediction; without it the prediction is the passes
        /// alone, of a single rate.
        noise: bool = true, in Choices, added "is_true";
        /// Whether the same fit has the passes without noise as further readings: `members` and
        /// `percentiles`.
        alone: bool = false, in Choices, added "is_default";
    }
}

fn training_over_defaults<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<TrainingSettings, D::Error> {
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
    /// Trains a network for each pair of rate and precision, side by side, on the given rows of x
    /// (n × d) and y (n × 1), and draws the masks of its passes. The precision is that of the
    /// decay.
    fn networks(
        &self,
        x: ArrayView2<f64>,
        y: ArrayView2<f64>,
        rows: &[usize],
        pairs: &[(f64, f64)],
        context: &Context,
    ) -> Result<Vec<Network>, FitError> {
        let McDropoutParameters {
            hidden,
            activation,
            start,
            length_scale,
            passes,
            training,
            drop_inputs,
            ..
        } = *self;
        let net = Mlp::new(&[x.ncols(), hidden, 1], activation);
        let mut drawn = vec![0.0; net.end() * pairs.len()];
        for (place, parameters) in drawn.chunks_exact_mut(net.end()).enumerate() {
            net.draw_start(start, parameters, &mut context.stream("start", place as u64));
        }
        let within = Parts::draw(rows.len(), training.validation, context);
        let chosen = |part: &[usize]| part.iter().map(|&i| rows[i]).collect::<Vec<usize>>();
        let parts =
            Parts { training: chosen(&within.training), validation: chosen(&within.validation) };
        let decay =
            |rate: f64, precision: f64| (1.0 - rate) * length_scale.powi(2) / (2.0 * precision);
        let settings: Vec<Setting> = pairs
            .iter()
            .map(|&(rate, precision)| Setting { rate, decay: decay(rate, precision) })
            .collect();
        let mut networks = SideBySide::new(x, y, &net, &settings, drop_inputs);
        let trained = descend(&training, &parts, &drawn, context, |theta, batch, slope| {
            networks.slope(theta, batch, slope)
        })?;
        let each = trained.parameters.chunks_exact(net.end()).zip(pairs).enumerate();
        Ok(each
            .map(|(place, (parameters, &(rate, _)))| {
                let passes = Passes::draw(
                    &net,
                    rate,
                    drop_inputs,
                    passes,
                    &context.child("passes", place as u64),
                );
                Network {
                    net: net.clone(),
                    passes,
                    trained: Trained { parameters: parameters.to_vec(), ..trained.clone() },
                }
            })
            .collect())
    }

    /// Chooses rate and τ on held-out rows, from the children `held out` and `search`.
    fn choose(
        &self,
        x: ArrayView2<f64>,
        y: ArrayView2<f64>,
        context: &Context,
    ) -> Result<Choice, FitError> {
        let parts = Parts::draw(x.nrows(), self.held_out, &context.child("held out", 0));
        let (held_x, held_y) =
            (x.select(Axis(0), &parts.validation), y.select(Axis(0), &parts.validation));
        // Where τ is searched for, it is not known yet: the decay is that of τ = 1.
        let decayed = if self.precisions.is_empty() { &[1.0][..] } else { &self.precisions };
        let pairs: Vec<(f64, f64)> = self
            .rates
            .iter()
            .flat_map(|&rate| decayed.iter().map(move |&precision| (rate, precision)))
            .collect();
        let networks = self.networks(x, y, &parts.training, &pairs, &context.child("search", 0))?;
        let mut search = Search::default();
        let mut best = None;
        for (place, (network, &(rate, precision))) in networks.into_iter().zip(&pairs).enumerate() {
            let means = network.means(held_x.view(), context)?;
            let given = if self.precisions.is_empty() { None } else { Some(precision) };
            let found = best_variance(means.view(), held_y.column(0), given);
            let (variance, loss) = found.ok_or_else(|| {
                FitError::Diverged(format!(
                    "{ID}: the rows held out have no finite likelihood at rate {rate}"
                ))
            })?;
            let candidate = Candidate { place, rate, variance };
            if search.add(candidate, Ok(-loss))? {
                best = Some((candidate, network));
            }
        }
        let (chosen, network) =
            best.ok_or_else(|| FitError::Unsupported(format!("{ID}: no candidate has a score")))?;
        let losses = search.scored().map(|(candidate, score)| (candidate, -score));
        let numbers = |candidate: &Candidate| vec![candidate.rate, 1.0 / candidate.variance];
        let columns = ["rate", Outcome::Precision.column()];
        let side_table = side_table(
            Candidates::CHOICE,
            &columns,
            numbers,
            Outcome::ValidationLoss,
            losses,
            &chosen,
        );
        Ok(Choice { rate: chosen.rate, variance: chosen.variance, network, side_table })
    }
}

/// A rate and a noise τ⁻¹.
#[derive(Clone, Copy, PartialEq)]
struct Candidate {
    /// Index among the pairs.
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
#[derive(Serialize, Deserialize)]
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
        settings: "network of 50 hidden units in 100 passes, rate and noise chosen on a fifth of \
                   the training rows",
        cost: |n, d| 2.4e-4 * layer(n, d),
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
        )?;
        ParameterError::check(
            self.noise || !self.alone,
            "alone",
            true,
            "false where `noise` is false: the prediction is the passes alone already",
        )
    }

    fn readings(&self) -> Vec<Reading> {
        if self.alone { members::readings() } else { vec![Reading::MAIN] }
    }

    fn restore(&self, state: &[u8]) -> Restored {
        match self.alone {
            true => Shared::<WithMembers>::restored(state),
            false => Standardised::<Dropout>::restored(state),
        }
    }

    fn fit(&self, train_rows: &Table, context: &Context) -> Result<Box<dyn Fitted>, FitError> {
        let (scales, x, y) = standardise(ID, train_rows, context)?;
        if self.precision_units == PrecisionUnits::Target {
            let precisions = self
                .precisions
                .iter()
                .map(|precision| precision * scales.target.scale.powi(2))
                .collect();
            let standardised =
                Self { precisions, precision_units: PrecisionUnits::Standardised, ..self.clone() };
            return standardised.fit(train_rows, context);
        }
        let on_all_rows = |rate, variance: f64| {
            let all: Vec<usize> = (0..x.nrows()).collect();
            let pair = [(rate, 1.0 / variance)];
            let mut networks =
                self.networks(x.view(), y.view(), &all, &pair, &context.child("all rows", 0))?;
            networks
                .pop()
                .ok_or_else(|| FitError::Unsupported(format!("{ID}: no network was trained")))
        };
        let known = match (self.rates.as_slice(), self.precisions.as_slice()) {
            (&[rate], &[precision]) => Some((rate, 1.0 / precision)),
            // Without noise τ only decays weights; it is 1 where it is not given, as in a search.
            (&[rate], _) if !self.noise => Some((rate, 1.0)),
            _ => None,
        };
        if let Some((rate, variance)) = known {
            let (network, side_tables) = (on_all_rows(rate, variance)?, Vec::new());
            let model = Dropout { noise: self.noise.then_some(variance), network, side_tables };
            return Ok(self.fitted(scales, model));
        }
        let choice = self.choose(x.view(), y.view(), context)?;
        let (variance, side_tables) = (choice.variance, vec![choice.side_table]);
        let network = if self.refit { on_all_rows(choice.rate, variance)? } else { choice.network };
        Ok(self.fitted(scales, Dropout { noise: Some(variance), network, side_tables }))
    }
}

impl McDropoutParameters {
    /// The fit with one reading, or with all of them.
    fn fitted(&self, scales: Scales, model: Dropout) -> Box<dyn Fitted> {
        match self.alone {
            true => Box::new(Shared(WithMembers { scales, model })),
            false => Box::new(Standardised { scales, model }),
        }
    }
}

/// A trained network and its noise.
#[derive(Serialize, Deserialize)]
struct Dropout {
    /// τ⁻¹, standardised; `None` where it is no part of the prediction.
    noise: Option<f64>,
    network: Network,
    side_tables: Vec<SideTable>,
}

impl StandardisedModel for Dropout {
    const ID: &'static str = ID;

    fn check(&self, features: usize) -> Result<(), String> {
        let Network { net, passes, trained } = &self.network;
        net.check(features, 1, trained.parameters.len())?;
        passes.check(net)
    }

    fn answer(
        &self,
        x: ArrayView2<f64>,
        request: &Request,
        context: &Context,
    ) -> Result<Predictive, FitError> {
        let means = self.network.means(x, context)?;
        let mut found = match self.noise {
            Some(variance) => members::mixture(means, variance),
            None => {
                let epistemic = Some(members::spread(means.view()));
                let split = Some(Split { aleatoric: None, epistemic });
                Predictive { form: Form::Samples(Samples { values: means }), split }
            }
        };
        found.split = found.split.filter(|_| request.split);
        Ok(found)
    }

    fn side_tables(&self, _: &Scales) -> Vec<SideTable> {
        let mut all = vec![self.network.trained.side_table("trace")];
        all.extend(self.side_tables.iter().cloned());
        all
    }
}

/// A network whose passes are read with their noise and without it.
#[derive(Serialize, Deserialize)]
struct WithMembers {
    scales: Scales,
    model: Dropout,
}

impl SharedModel for WithMembers {
    const ID: &'static str = ID;
    /// The mixture with its split, in the target's units.
    type Found = Predictive;

    fn check(&self) -> Result<(), String> {
        self.scales.check()?;
        self.model.check(self.scales.varying.len())
    }

    fn readings(&self) -> Vec<Reading> {
        members::readings()
    }

    fn find(&self, features: ArrayView2<f64>, context: &Context) -> Result<Predictive, FitError> {
        let x = self.scales.checked(ID, features)?;
        let request = Request { split: true, ..Request::default() };
        self.scales.in_target_units(ID, &self.model.answer(x.view(), &request, context)?)
    }

    fn read(
        &self,
        reading: &Reading,
        found: &Predictive,
        request: &Request,
    ) -> Result<Predictive, FitError> {
        Ok(members::read(reading, found, request))
    }

    fn side_tables(&self) -> Vec<SideTable> {
        self.model.side_tables(&self.scales)
    }
}

#[cfg(test)]
mod tests;
