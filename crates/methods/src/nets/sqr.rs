//! Predict all quantiles by one network that takes the level as a further input: simultaneous
//! quantile regression.
//!
//! ```text
//! ℓ_τ(y, ŷ) = τ (y − ŷ)         if y ≥ ŷ                                       (1)
//!             (1 − τ) (ŷ − y)   else
//! f̂ = argmin_f  E_{(x, y)} E_{τ ~ U(0, 1)}  ℓ_τ(f(x, τ), y)                     (2)
//! ```
//!
//! Each row of each batch draws a level of its own. The network's input is 12 (τ − ½), as in the
//! authors' code, which has about the spread of three standardised features. Nothing keeps its
//! quantiles in order: where they cross, they are sorted. Two side tables hold the share of rows
//! for which the network's quantiles at neighbouring levels are in the wrong order before that:
//! `crossings` for the training rows of the validation part (without one: all training rows),
//! `predicted-crossings` for the rows that a trial predicts. Quantiles at the requested levels are
//! the network's; a grid of levels is predicted too, so that the mean of their interpolation is
//! good.
//!
//! Target and features are standardised on the training rows; a feature that is constant in them is
//! left out.
//!
//! *Departures:* Early stopping by the loss (2) of a validation part, at eight levels for each row,
//! one in each eighth of (0, 1) and the same ones in each epoch; the authors choose among fixed
//! numbers of epochs. Their code for the tables of intervals learns the two ends of one interval
//! only, and calls it conditional quantiles; here (2) is learned, as their paper says and as their
//! code for the joint estimation does. `intervals` learns what that code does: a network for each
//! interval, trained at the levels of its two ends alone. The answer is then the quantiles at these
//! ends, sorted where they cross, whatever levels are requested. No dropout. Weights start as
//! PyTorch draws them, in which their code is written. The mean of a row is that of its quantiles,
//! not the middle of an interval. Orthonormal certificates, their epistemic uncertainty, are left
//! out, and so is the split.
//!
//! # References
//! N. Tagasovska, D. Lopez-Paz: *Single-model uncertainties for deep learning*, NeurIPS 2019,
//! section 2, its equations (1) and (2) in this order; code:
//! github.com/facebookresearch/SingleModelUncertainty, `regression_experiment.py`, class
//! `ConditionalQuantile`.

mod slope;

use ndarray::{Array2, ArrayView2, Axis};
use rand::RngExt;
use serde::{Deserialize, Serialize};

use self::slope::QuantileLoss;
use super::{Mlp, Part, Parts, Start, Trained, TrainingSettings, descend};
use crate::engine::scales::{Scales, standardise};
use crate::engine::standardised::{Standardised, StandardisedModel};
use crate::entry::{DEFAULTS, Tried, layer};
use crate::parameter::{Choices, Group, above, is_default, parameters};
use crate::side_tables::Crossings;
use crate::state::require;
use crate::{
    Configured, Context, FitError, Fitted, MethodParameters, ParameterError, Request, Restored,
    SideTable, levels,
};
use uq_core::Table;
use uq_core::predictive::{Form, Predictive, Quantiles, central_levels};
use uq_math::autodiff::Activation;

const ID: &str = "sqr";

/// The factor of τ − ½ in the network's input.
const LEVEL_SCALE: f64 = 12.0;

/// Levels at which the loss of a row of the validation part is measured.
const VALIDATION_LEVELS: usize = 8;

parameters! {
    /// Parameters of the network.
    #[derive(Clone, Debug, PartialEq)]
    pub struct SqrParameters {
        /// Hidden units (the authors: 64).
        hidden: usize = 50, in 1..=10_000;
        /// Activation of the hidden units.
        activation: Activation = Activation::Relu, in Choices;
        /// How its weights are drawn before training.
        start: Start = Start::FanIn, in Choices;
        /// How it is trained.
        training: TrainingSettings = TrainingSettings::default(), in Group;
        /// Levels of central intervals, increasing: a network for each learns its two ends alone;
        /// with none one network learns all quantiles.
        intervals: Vec<f64> = Vec::new(), in above(0.0).below(1.0), added "is_default";
    }
}

/// Simultaneous quantile regression as a method.
pub type Sqr = Configured<SqrParameters>;

/// The network's input of a level.
fn level_input(level: f64) -> f64 {
    LEVEL_SCALE * (level - 0.5)
}

impl MethodParameters for SqrParameters {
    const ID: &'static str = ID;
    const TITLE: &'static str =
        "simultaneous quantile regression: one neural network for all quantiles";
    const TRIED: Option<Tried> = Some(Tried {
        settings: "network of 50 hidden units with the quantile's level as an input, stopped by a \
                   tenth of the training rows",
        cost: |n, d| 1.5e-5 * layer(n, d),
        parameters: DEFAULTS,
    });
    const VERSION: u32 = 4;

    fn check_coupled(&self) -> Result<(), ParameterError> {
        let increasing = self.intervals.is_sorted_by(|a, b| a < b);
        ParameterError::check(
            increasing,
            "intervals",
            format!("{:?}", self.intervals),
            "increasing numbers",
        )
    }

    fn restore(&self, state: &[u8]) -> Restored {
        Standardised::<SqrModel>::restored(state)
    }

    fn fit(&self, train_rows: &Table, context: &Context) -> Result<Box<dyn Fitted>, FitError> {
        let (scales, x, y) = standardise(ID, train_rows, context)?;
        let net = Mlp::new(&[x.ncols() + 1, self.hidden, 1], self.activation);
        let parts = Parts::draw(x.nrows(), self.training.validation, context);
        let trained = |ends: &[f64]| self.network(&net, ends, x.view(), y.view(), &parts, context);
        let networks = match self.intervals.as_slice() {
            [] => vec![trained(&[])?],
            intervals => {
                let ends = intervals.iter().map(|&level| <[f64; 2]>::from(central_levels(level)));
                ends.map(|ends| trained(&ends)).collect::<Result<_, _>>()?
            }
        };
        let mut model = SqrModel { net, networks, crossings: Crossings::default() };
        let asked = model.levels(&Request::default().quantile_levels)?;
        let rows = if parts.validation.is_empty() { &parts.training } else { &parts.validation };
        let found = model.quantiles(x.select(Axis(0), rows).view(), &asked, context)?;
        model.crossings = crossings(found.view(), &asked);
        Ok(Box::new(Standardised { scales, model }))
    }
}

impl SqrParameters {
    /// Trains a network on standardised rows x (n × d) and y (n × 1): at the levels `ends`, or,
    /// where there are none, at drawn levels.
    fn network(
        &self,
        net: &Mlp,
        ends: &[f64],
        x: ArrayView2<f64>,
        y: ArrayView2<f64>,
        parts: &Parts,
        context: &Context,
    ) -> Result<Network, FitError> {
        let mut drawn_start = vec![0.0; net.end()];
        net.draw_start(self.start, &mut drawn_start, &mut context.stream("start", 0));
        let mut loss = QuantileLoss::new(x, y, net);
        let mut drawn = Vec::new();
        let trained =
            descend(&self.training, parts, &drawn_start, context, |theta, batch, gradient| {
                let each = match (ends.len(), batch.part) {
                    (0, Part::Training) => 1,
                    (0, Part::Validation) => VALIDATION_LEVELS,
                    (ends, _) => ends,
                };
                drawn.clear();
                drawn.extend((0..batch.rows.len() * each).map(|i| match ends {
                    [] => ((i % each) as f64 + batch.rng.random::<f64>()) / each as f64,
                    _ => ends[i % each],
                }));
                let gradient = (batch.part == Part::Training).then_some(gradient);
                loss.mean(theta, batch.rows, &drawn, gradient) // (2)
            })?;
        Ok(Network { ends: ends.to_vec(), trained })
    }
}

/// A trained network.
#[derive(Serialize, Deserialize)]
struct Network {
    /// The levels that it was trained at; empty for all.
    ends: Vec<f64>,
    trained: Trained,
}

/// The trained networks, of one shape: one for all levels, or one for each interval.
#[derive(Serialize, Deserialize)]
struct SqrModel {
    net: Mlp,
    networks: Vec<Network>,
    crossings: Crossings,
}

impl SqrModel {
    /// The levels of the answer to a request: those of all ends, or, where a network learned all
    /// levels, the requested ones and a grid.
    fn levels(&self, asked: &[f64]) -> Result<Vec<f64>, FitError> {
        let mut ends: Vec<f64> =
            self.networks.iter().flat_map(|network| &network.ends).copied().collect();
        if ends.is_empty() {
            return levels::with_grid(ID, asked);
        }
        ends.sort_unstable_by(f64::total_cmp);
        Ok(ends)
    }

    /// The parameters of the network that learned a level.
    fn parameters(&self, level: f64) -> &[f64] {
        let learned = |network: &&Network| network.ends.is_empty() || network.ends.contains(&level);
        self.networks.iter().find(learned).map_or(&[], |network| &network.trained.parameters)
    }

    /// The networks' quantiles at standardised features (n × d) and these of [`Self::levels`], n ×
    /// levels, in standardised units; they may cross.
    fn quantiles(
        &self,
        x: ArrayView2<f64>,
        levels: &[f64],
        context: &Context,
    ) -> Result<Array2<f64>, FitError> {
        let last = x.ncols();
        let mut inputs = Array2::zeros((x.nrows(), last + 1));
        inputs.slice_axis_mut(Axis(1), (0..last).into()).assign(&x);
        let mut values = Array2::zeros((x.nrows(), levels.len()));
        for (l, level) in levels.iter().enumerate() {
            context.checkpoint()?;
            inputs.column_mut(last).fill(level_input(*level));
            values
                .column_mut(l)
                .assign(&self.net.predict(self.parameters(*level), inputs.view()).column(0));
        }
        Ok(values)
    }
}

impl StandardisedModel for SqrModel {
    const ID: &'static str = ID;

    fn check(&self, features: usize) -> Result<(), String> {
        require(!self.networks.is_empty(), "no network")?;
        let inputs = features.checked_add(1).ok_or("too many features")?;
        self.networks
            .iter()
            .try_for_each(|network| self.net.check(inputs, 1, network.trained.parameters.len()))
    }

    fn answer(
        &self,
        x: ArrayView2<f64>,
        request: &Request,
        context: &Context,
    ) -> Result<Predictive, FitError> {
        let levels = self.levels(&request.quantile_levels)?;
        let mut values = self.quantiles(x, &levels, context)?;
        for mut row in values.rows_mut() {
            let mut sorted = row.to_vec();
            sorted.sort_unstable_by(f64::total_cmp);
            row.iter_mut().zip(sorted).for_each(|(to, from)| *to = from);
        }
        Ok(Predictive::new(Form::Quantiles(Quantiles { levels, values })))
    }

    /// `trace` (with several networks also `trace-2`, …), then `crossings`.
    fn side_tables(&self, _: &Scales) -> Vec<SideTable> {
        let name = |k: usize| if k == 0 { "trace".to_owned() } else { format!("trace-{}", k + 1) };
        let traces = self
            .networks
            .iter()
            .enumerate()
            .map(|(k, network)| network.trained.side_table(&name(k)));
        traces.chain([self.crossings.to_table(Crossings::TRAINING)]).collect()
    }

    fn side_tables_at(
        &self,
        x: ArrayView2<f64>,
        request: &Request,
        context: &Context,
    ) -> Result<Vec<SideTable>, FitError> {
        let levels = self.levels(&request.quantile_levels)?;
        let values = self.quantiles(x, &levels, context)?;
        Ok(vec![crossings(values.view(), &levels).to_table(Crossings::PREDICTED)])
    }
}

/// Counts the rows of `quantiles` (n × levels) that are in the wrong order at neighbouring levels.
fn crossings(quantiles: ArrayView2<f64>, levels: &[f64]) -> Crossings {
    let share = |l: usize| {
        let crossed = quantiles.rows().into_iter().filter(|row| row[l + 1] < row[l]).count();
        crossed as f64 / quantiles.nrows().max(1) as f64
    };
    let pairs = levels.windows(2);
    Crossings {
        level: pairs.clone().map(|pair| pair[0]).collect(),
        next_level: pairs.clone().map(|pair| pair[1]).collect(),
        share_of_rows: (0..pairs.len()).map(share).collect(),
    }
}

#[cfg(test)]
mod tests;
