//! Estimate mean and variance by networks that are trained in turn, the variance with an
//! inverse-Gamma distribution of its own.
//!
//! ```text
//! y | σ² ~ N(μ(x), σ²),  σ² ~ Inverse-Gamma(α(x), β(x)):  y ~ μ(x) + √(β/α) t with 2α degrees of freedom  (1)
//! far from the training rows:   s²(x) = (1 − ν(δ(x))) β(x)/α(x) + ν(δ(x)) η                    (2)
//!                 ν(δ) = sigmoid((δ + a)/γ),  a = −γ ln 999, so that ν(0) = 0.001              (3)
//!                       degrees of freedom 2α/w²,  w = (1 − ν)(β/α) / s²                       (4)
//! ```
//!
//! μ, α and β are networks; δ(x) is the distance to the nearest inducing point (k-means of the
//! training rows), η a prior variance, and γ is learned with α and β. Training is that of Skafte,
//! Jørgensen & Hauberg. First the mean network alone learns from shuffled batches by squared error
//! (the likelihood with one variance for all rows), for half of the iterations. Then variance and
//! mean learn in turn, one iteration each, while the other is held fixed, from batches of
//! neighbouring rows in which each row's loss is divided by the probability π that it is in the
//! batch. Target and features are standardised on the training rows, whatever the protocol does; a
//! feature that is constant in them is left out. The paper has one predictive variance and does not
//! divide it into an aleatoric and an epistemic part, so none is set.
//!
//! *Where the defaults are from:* the authors' code (`experiment_regression.py`, function `john`,
//! of their repository `john`): 10 000 iterations, half of them for the mean alone with 512 rows a
//! batch; step sizes 0.01 of the mean and 0.0001 of the variance; batches of 40 of the 50 nearest
//! rows of one row for the mean, of the 10 nearest rows of two rows for the variance; 500 inducing
//! points; γ = softplus(1.5) at the start; 50 hidden units, 100 for protein.
//!
//! *Departures:*
//! - A tenth of the training rows decides which parameters are kept (in the first half: those of
//!   the smallest squared error there; in turns: those of the smallest negative log-likelihood);
//!   the code keeps the last ones. `validation = 0` does as the code.
//! - α is 1 + softplus, so that every predictive distribution has a variance; the paper's and the
//!   code's is softplus, which is `smallest_shape = 0` here. A distribution with 2α ≤ 1 has no
//!   mean, and its squared error is undefined.
//! - The code averages the density over draws of σ², 20 in training and 1000 in prediction; (1) is
//!   their limit. Under (2) it mixes each draw with η; (4) keeps a Student's t instead, with the
//!   spread of ln s² to first order: exact at ν = 0, and at ν = 1, where it is a normal
//!   distribution of variance η (2α / (w² + 10⁻⁸) degrees of freedom, in fact).
//! - η is the variance of the training target, 1 in standardised units; the code takes the target's
//!   variance in *its own* units and scales it once more, so that its prior depends on the unit:
//!   `prior_variance` = σ_y² does as the code.
//! - δ is the distance, as the paper says; the code squares it.
//! - π is exact. The code divides by the expected number of times that a row is drawn, which is π
//!   for one primary row only: a row that was drawn twice counts once. Primary rows are drawn
//!   without replacement, in the code with it.
//! - In every eleventh iteration the code repeats the turn of the same network; here the turns
//!   strictly alternate.
//! - k-means takes 10 000 random rows at most, from one seeding; the code does so for its largest
//!   table only, and keeps the best of ten.
//!
//! *Results on the validation parts* (kin8nm, protein): turns of the mean with the code's step of
//! 0.01 on batches from one place undo what it learned alone, and 5000 turns with 0.0001 do not
//! finish the variance. `turn_rate` and `variance_rate` should be searched, from 0.0001 to 0.01
//! each; on boston the code's steps are better.
//!
//! # References
//! N. Skafte, M. Jørgensen, S. Hauberg: *Reliable training and estimation of variance networks*,
//! NeurIPS 2019.

mod alternation;
mod locality;
mod networks;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use ndarray::{ArrayView2, Axis};
use serde::{Deserialize, Serialize};

use self::alternation::{Alternation, Learned};
pub use self::locality::LocalityUnits;
use self::locality::{Locality, Surroundings};
use self::networks::{Networks, Rows};
use super::{AdamSettings, Mlp, Parts, Start, TrainingSettings, train};
use crate::engine::scales::{Scales, standardise};
use crate::engine::standardised::{Standardised, StandardisedModel};
use crate::entry::{DEFAULTS, Tried, layer};
use crate::parameter::{Choices, Group, above, parameters};
use crate::state::require;
use crate::{
    Configured, Context, FitError, FitResult, Fitted, MethodParameters, Request, Restored,
    SideTable,
};
use uq_core::Table;
use uq_core::predictive::{Form, Predictive};
use uq_math::autodiff::Activation;
use uq_math::k_means::k_means;
use uq_math::neighbours::Neighbours;

const ID: &str = "combined";

parameters! {
    /// Parameters of the combined variance networks.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct CombinedParameters {
        /// Hidden units of each network (the tables: 100 for protein).
        hidden: usize = 50, in 1..=10_000;
        /// Activation of the hidden units.
        activation: Activation = Activation::Relu, in Choices;
        /// How their weights are drawn before training.
        start: Start = Start::FanIn, in Choices;
        /// Number of training batches.
        iterations: usize = 10_000, in 1..=1_000_000;
        /// Share of them that train the mean alone.
        warm_up: f64 = 0.5, in 0.0..=1.0;
        /// Largest number of rows in a batch while the mean learns alone.
        batch: usize = 512, in 1..=1_000_000;
        /// Adam's step size of the mean while it learns alone.
        mean_rate: f64 = 0.01, in above(0.0).to(1.0);
        /// Adam's step size of the mean in its turns; with 0 the mean does not change in them.
        turn_rate: f64 = 0.01, in 0.0..=1.0;
        /// Adam's step size of the variance.
        variance_rate: f64 = 1e-4, in above(0.0).to(1.0);
        /// Batches of neighbouring rows that train the mean.
        mean_units: LocalityUnits = LocalityUnits { primary: 1, secondary: 40, neighbours: 50 }, in Group;
        /// Batches of neighbouring rows that train the variance.
        variance_units: LocalityUnits = LocalityUnits { primary: 2, secondary: 10, neighbours: 10 }, in Group;
        /// Number of inducing points, to which the distance of a row is measured.
        inducing_points: usize = 500, in 1..=10_000;
        /// Prior variance η, in variances of the training target.
        prior_variance: f64 = 1.0, in above(0.0).to(1e6);
        /// Lower bound of α: what is added to softplus.
        smallest_shape: f64 = 1.0, in 0.0..=10.0;
        /// Lower bound of β, which is also added to α: what is added to softplus.
        variance_floor: f64 = 1e-8, in above(0.0).to(1.0);
        /// Share of the training rows that decide which parameters are kept.
        validation: f64 = 0.1, in 0.0..=0.9;
        /// Restarts with a tenth of the step size where numbers are not finite.
        restarts: usize = 3, in 0..=10;
    }
}

/// The combined variance networks as a method.
pub type Combined = Configured<CombinedParameters>;

impl CombinedParameters {
    /// Training of the mean alone; `None` where there is none.
    fn warm_up(&self, training_rows: usize) -> Option<TrainingSettings> {
        let p = *self;
        let iterations = (p.warm_up * p.iterations as f64).round() as usize;
        let epochs = iterations.div_ceil(training_rows.div_ceil(p.batch).max(1));
        let adam = AdamSettings { learning_rate: p.mean_rate, ..AdamSettings::default() };
        let settings = TrainingSettings {
            epochs,
            batch: p.batch,
            validation: p.validation,
            ..Default::default()
        };
        (epochs > 0).then_some(TrainingSettings {
            patience: epochs,
            restarts: p.restarts,
            adam,
            ..settings
        })
    }
}

impl MethodParameters for CombinedParameters {
    const ID: &'static str = ID;
    const TITLE: &'static str =
        "mean and variance networks in turn on neighbouring rows, with a prior far from them";
    const TRIED: Option<Tried> = Some(Tried {
        settings: "networks of 50 hidden units for mean and variance, trained in turn on \
                   neighbouring rows",
        cost: |n, d| 0.3 + 2.5e-4 * layer(n, d),
        parameters: DEFAULTS,
    });
    const VERSION: u32 = 2;

    fn restore(&self, state: &[u8]) -> Restored {
        Standardised::<CombinedModel>::restored(state)
    }

    fn fit(&self, train_rows: &Table, context: &Context) -> Result<Box<dyn Fitted>, FitError> {
        self.prepare(train_rows, context)?.fit(self, context)
    }

    /// Shares all before the turns where the settings differ in the step sizes of the turns alone.
    fn fit_settings(
        settings: &[Self],
        train_rows: &Table,
        context: &Context,
    ) -> Option<Vec<FitResult>> {
        let first = settings.first()?;
        let alike = |p: &Self| {
            Self { turn_rate: first.turn_rate, variance_rate: first.variance_rate, ..*p } == *first
        };
        settings.iter().all(alike).then(|| match first.prepare(train_rows, context) {
            Ok(prepared) => settings.iter().map(|p| prepared.fit(p, context)).collect(),
            Err(error) => settings.iter().map(|_| Err(error.clone())).collect(),
        })
    }
}

impl CombinedParameters {
    /// Trains the mean alone, and finds each row's neighbours and its distance to the inducing
    /// points.
    fn prepare(&self, train_rows: &Table, context: &Context) -> Result<Prepared, FitError> {
        let p = *self;
        let (scales, x, y) = standardise(ID, train_rows, context)?;
        let parts = Parts::draw(x.nrows(), p.validation, context);
        let mean = Mlp::new(&[x.ncols(), p.hidden, 1], p.activation);
        let shape = p.smallest_shape + p.variance_floor;
        let networks = Networks::new(mean, shape, p.variance_floor, p.prior_variance);
        let mut start = networks.draw_start(p.start, &mut context.stream("start", 0));
        let mut warm_up = None;
        if let Some(settings) = self.warm_up(parts.training.len()) {
            let net = &networks.mean;
            let warm =
                train(&settings, &parts, &start[..net.end()], context, |tape, theta, batch| {
                    let input = tape.constant_rows(x.view(), batch.rows);
                    let target = tape.constant_rows(y.view(), batch.rows);
                    let mean = net.forward(tape, theta, input);
                    let loss = tape.squared_error(mean, target);
                    tape.mean(loss)
                })?;
            start[..net.end()].copy_from_slice(&warm.parameters);
            warm_up = Some(warm.side_table("warm-up"));
        }
        let given = x.select(Axis(0), &parts.training);
        let points =
            k_means(given.view(), p.inducing_points, &mut context.stream("inducing points", 0));
        let inducing = Arc::new(Neighbours::new(points.view()));
        context.checkpoint()?;
        let neighbours = p.mean_units.neighbours.max(p.variance_units.neighbours);
        let surroundings = Surroundings::new(given.view(), neighbours);
        let rows = |part: &[usize]| {
            let (features, target) = (x.select(Axis(0), part), y.select(Axis(0), part));
            let distances = inducing.distances(features.view());
            Rows { features, target, distances }
        };
        let learned = Learned {
            rows: rows(&parts.training),
            mean: Locality::new(&surroundings, p.mean_units),
            variance: Locality::new(&surroundings, p.variance_units),
        };
        let validation = (!parts.validation.is_empty()).then(|| rows(&parts.validation));
        Ok(Prepared { scales, networks, start, warm_up, inducing, learned, validation })
    }
}

/// What a fit has before its turns.
struct Prepared {
    scales: Scales,
    networks: Networks,
    start: Vec<f64>,
    warm_up: Option<SideTable>,
    inducing: Arc<Neighbours>,
    learned: Learned,
    validation: Option<Rows>,
}

impl Prepared {
    /// Trains in turns, with parameters that differ from those of the preparation in the turns'
    /// step sizes alone.
    fn fit(&self, p: &CombinedParameters, context: &Context) -> FitResult {
        let alternation = Alternation {
            iterations: p.iterations
                - ((p.warm_up * p.iterations as f64).round() as usize).min(p.iterations),
            mean_rate: p.turn_rate,
            variance_rate: p.variance_rate,
            restarts: p.restarts,
        };
        let networks = self.networks.clone();
        let trained = alternation.run(
            &networks,
            &self.start,
            &self.learned,
            self.validation.as_ref(),
            context,
        )?;
        let mut side_tables: Vec<SideTable> = self.warm_up.iter().cloned().collect();
        side_tables.push(trained.side_table());
        let width = networks.width(&trained.parameters);
        side_tables.push(SideTable {
            name: "extrapolation".into(),
            columns: vec![("gamma".into(), vec![width])],
        });
        let inducing = Arc::clone(&self.inducing);
        let model =
            CombinedModel { networks, inducing, parameters: trained.parameters, side_tables };
        Ok(Box::new(Standardised { scales: self.scales.clone(), model }))
    }
}

/// Trained networks and the inducing points.
#[derive(Serialize, Deserialize)]
struct CombinedModel {
    networks: Networks,
    inducing: Arc<Neighbours>,
    parameters: Vec<f64>,
    side_tables: Vec<SideTable>,
}

impl StandardisedModel for CombinedModel {
    const ID: &'static str = ID;

    fn check(&self, features: usize) -> Result<(), String> {
        require(self.inducing.columns() == features, "inducing points of other features")?;
        self.networks.check(features, self.parameters.len())
    }

    fn answer(&self, x: ArrayView2<f64>, _: &Request, _: &Context) -> Result<Predictive, FitError> {
        let distances = self.inducing.distances(x);
        Ok(Predictive::new(Form::StudentT(self.networks.predict(
            &self.parameters,
            x,
            distances.view(),
        ))))
    }

    fn side_tables(&self, _: &Scales) -> Vec<SideTable> {
        self.side_tables.clone()
    }
}
