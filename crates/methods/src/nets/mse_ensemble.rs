//! Predict by networks fitted by squared error: by what they say alone, or with the noise of rows
//! that they have not seen.
//!
//! ```text
//! loss = mean of ½ (y_i − μ_m(x_i))²
//! p(y | x) = (1/M) Σ_m N(y; μ_m(x), σ²)
//! ```
//!
//! Each of M networks has one output and differs from the others by its start and the order of its
//! batches. σ² is one number: with M networks trained on the other rows, it makes a `held_out` share
//! of the training rows most probable; then M networks are trained on all rows. With `held_out` 0 it
//! is the mean square of the training rows' errors, which is too small for a network that follows
//! them.
//!
//! σ² is the aleatoric variance, the variance of the μ_m(x) the epistemic one. The readings of one
//! fit are `main`, the mixture; `members`, the M predictions alone, without noise; and `percentiles`,
//! quantiles of them, which the intervals of Kompa et al. are. `members.rs` says more of them.
//!
//! One network (`members` 1) is the plain regression network, a base method for wrappers.
//!
//! *Departures:* `training.l2` decays biases, too.
//!
//! # References
//! B. Kompa, J. Snoek, A. L. Beam: *Empirical frequentist coverage of deep learning uncertainty
//! quantification procedures*, Entropy 23(12), 2021; code: github.com/beamlab-hsph/
//! coverage_quantification at 901b417.

use ndarray::{Array2, ArrayView2, Axis};
use serde::{Deserialize, Deserializer, Serialize};

use super::members;
use super::overlay::over;
use super::precision::best_variance;
use super::{Mlp, Parts, Start, Trained, TrainingSettings, train};
use crate::engine::scales::{Scales, standardise};
use crate::engine::shared::{Shared, SharedModel};
use crate::entry::{DEFAULTS, Tried, layer};
use crate::parameter::{Choices, Group, parameters};
use crate::state::require;
use crate::{
    Configured, Context, FitError, Fitted, MethodParameters, Reading, Request, Restored, SideTable,
};
use uq_core::Table;
use uq_core::predictive::Predictive;
use uq_math::autodiff::Activation;

const ID: &str = "mse-ensemble";

parameters! {
    /// Parameters of the ensemble.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct MseEnsembleParameters {
        /// Networks M.
        members: usize = 5, in 1..=1000;
        /// Hidden layers of each.
        layers: usize = 1, in 1..=10;
        /// Units of each hidden layer.
        hidden: usize = 50, in 1..=10_000;
        /// Activation of the hidden units.
        activation: Activation = Activation::Relu, in Choices;
        /// How weights are drawn before training.
        start: Start = Start::Glorot, in Choices;
        /// Share of the training rows on which the noise is measured; 0: on all of them, which the
        /// networks have seen.
        held_out: f64 = 0.2, in 0.0..=0.9;
        /// How each network is trained.
        training: TrainingSettings =
            TrainingSettings { epochs: 40, batch: 32, validation: 0.0, ..TrainingSettings::default() },
            in Group, over "training_over_defaults";
    }
}

fn training_over_defaults<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<TrainingSettings, D::Error> {
    over(MseEnsembleParameters::default().training, deserializer)
}

/// The ensemble as a method.
pub type MseEnsemble = Configured<MseEnsembleParameters>;

impl MseEnsembleParameters {
    /// Trains the networks on these rows of x (n × d) and y (n × 1).
    fn networks(
        &self,
        x: ArrayView2<f64>,
        y: ArrayView2<f64>,
        context: &Context,
    ) -> Result<Networks, FitError> {
        let Self { members, layers, hidden, activation, start, training, .. } = *self;
        let widths: Vec<usize> = std::iter::once(x.ncols())
            .chain(std::iter::repeat_n(hidden, layers))
            .chain(std::iter::once(1))
            .collect();
        let net = Mlp::new(&widths, activation);
        let member = |m: u64| {
            let context = context.child("member", m);
            let mut drawn = vec![0.0; net.end()];
            net.draw_start(start, &mut drawn, &mut context.stream("start", 0));
            let parts = Parts::draw(x.nrows(), training.validation, &context);
            train(&training, &parts, &drawn, &context, |tape, theta, batch| {
                let input = tape.constant_rows(x, batch.rows);
                let target = tape.constant_rows(y, batch.rows);
                let mean = net.forward(tape, theta, input);
                let errors = tape.squared_error(mean, target);
                let loss = tape.mean(errors);
                tape.scale(loss, 0.5)
            })
        };
        let trained = (0..members as u64).map(member).collect::<Result<_, _>>()?;
        Ok(Networks { net, trained })
    }

    /// The variance σ² of the noise about the networks' predictions of rows that they have not
    /// seen, or of the rows of `networks` where none is held out.
    fn noise(
        &self,
        networks: &Networks,
        x: ArrayView2<f64>,
        y: ArrayView2<f64>,
        context: &Context,
    ) -> Result<f64, FitError> {
        let parts = Parts::draw(x.nrows(), self.held_out, &context.child("held out", 0));
        let (means, unseen) = if parts.validation.is_empty() {
            (networks.means(x), y.to_owned())
        } else {
            let rows = |of: ArrayView2<f64>, rows: &[usize]| of.select(Axis(0), rows);
            let (some_x, some_y) = (rows(x, &parts.training), rows(y, &parts.training));
            let context = context.child("noise", 0);
            let others = self.networks(some_x.view(), some_y.view(), &context)?;
            (others.means(rows(x, &parts.validation).view()), rows(y, &parts.validation))
        };
        let found = best_variance(means.view(), unseen.column(0), None);
        found.map(|(variance, _)| variance).ok_or_else(|| {
            FitError::Diverged(format!("{ID}: the rows held out have no finite likelihood"))
        })
    }
}

impl MethodParameters for MseEnsembleParameters {
    const ID: &'static str = ID;
    const TITLE: &'static str =
        "neural networks fitted by squared error, with one noise variance or without";
    const TRIED: Option<Tried> = Some(Tried {
        settings: "five networks of 50 hidden units fitted by squared error, 40 epochs each, with the \
                   noise of a fifth of the training rows",
        cost: |n, d| 7e-5 * layer(n, d),
        parameters: DEFAULTS,
    });
    const VERSION: u32 = 1;

    fn readings(&self) -> Vec<Reading> {
        members::readings()
    }

    fn restore(&self, state: &[u8]) -> Restored {
        Shared::<Ensemble>::restored(state)
    }

    fn fit(&self, train_rows: &Table, context: &Context) -> Result<Box<dyn Fitted>, FitError> {
        let (scales, x, y) = standardise(ID, train_rows, context)?;
        let networks = self.networks(x.view(), y.view(), &context.child("all rows", 0))?;
        let noise = self.noise(&networks, x.view(), y.view(), context)?;
        Ok(Box::new(Shared(Ensemble { scales, noise, networks })))
    }
}

/// Trained networks of one shape.
#[derive(Serialize, Deserialize)]
struct Networks {
    net: Mlp,
    trained: Vec<Trained>,
}

impl Networks {
    /// What each network predicts at each row of the standardised `x`, n × M, in standardised
    /// units.
    fn means(&self, x: ArrayView2<f64>) -> Array2<f64> {
        let mut means = Array2::zeros((x.nrows(), self.trained.len()));
        for (mut column, member) in means.columns_mut().into_iter().zip(&self.trained) {
            column.assign(&self.net.predict(&member.parameters, x).column(0));
        }
        means
    }
}

/// Networks of standardised columns, with their noise.
#[derive(Serialize, Deserialize)]
struct Ensemble {
    scales: Scales,
    /// σ², standardised.
    noise: f64,
    networks: Networks,
}

impl SharedModel for Ensemble {
    const ID: &'static str = ID;
    /// The mixture with its split, in the target's units.
    type Found = Predictive;

    fn check(&self) -> Result<(), String> {
        self.scales.check()?;
        let Networks { net, trained } = &self.networks;
        require(!trained.is_empty(), "no network")?;
        require(self.noise.is_finite() && self.noise > 0.0, "a noise that is not above zero")?;
        let features = self.scales.varying.len();
        trained.iter().try_for_each(|one| net.check(features, 1, one.parameters.len()))
    }

    fn readings(&self) -> Vec<Reading> {
        members::readings()
    }

    fn find(&self, features: ArrayView2<f64>, context: &Context) -> Result<Predictive, FitError> {
        let x = self.scales.checked(ID, features)?;
        context.checkpoint()?;
        let means = self.networks.means(x.view());
        self.scales.in_target_units(ID, &members::mixture(means, self.noise))
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
        let traces = self.networks.trained.iter().enumerate();
        traces.map(|(m, member)| member.side_table(&format!("trace-{m}"))).collect()
    }
}

#[cfg(test)]
mod tests;
