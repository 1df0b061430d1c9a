//! NGBoost as a method: its parameters, its rounds and its prediction.

use ndarray::{Array1, Array2, ArrayView2};
use serde::{Deserialize, Deserializer, Serialize};

use super::family::{Family, Law, Theta};
use crate::boosting::bins::Bins;
use crate::boosting::gradients::Gradients;
use crate::boosting::grow::{Limits, grow};
use crate::boosting::rounds::{Boosting, Rounds, Search, over};
use crate::boosting::tree::Tree;
use crate::engine::own_units::{OwnUnits, OwnUnitsModel};
use crate::engine::{question, rows};
use crate::entry::{DEFAULTS, Tried};
use crate::parameter::{Choices, Group, above, parameters};
use crate::{
    Configured, Context, Facts, FitError, Fitted, MethodParameters, Request, Restored, SideTable,
    levels,
};
use uq_core::Table;
use uq_core::math::special::normal_quantile;
use uq_core::predictive::{Form, Gaussian, Predictive, Quantiles, Split, StudentT};

const ID: &str = "ngboost";

/// The largest step scale of the line search.
const LARGEST_SCALE: f64 = 256.0;

/// The largest mean size of a step, in units of the targets' scale.
const LARGEST_STEP: f64 = 5.0;

/// A step of a smaller mean size, in the same units, is taken even where it does not lower the
/// loss.
const SMALLEST_STEP: f64 = 1e-4;

/// The paper's held-out share; all rows and features, as the package.
const ROUNDS: Rounds = Rounds {
    most: 2000,
    patience: 100,
    held_out: 0.2,
    choosing_rows: 500,
    rows: 1.0,
    features: 1.0,
};

fn rounds_over_defaults<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Rounds, D::Error> {
    over(ROUNDS, deserializer)
}

parameters! {
    /// Parameters of natural-gradient boosting.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct NgBoostParameters {
        /// Distribution of the target.
        distribution: Family = Family::Normal, in Choices;
        /// Degrees of freedom ν of the Student-t distribution.
        degrees_of_freedom: f64 = 3.0, in above(0.0).to(1e6);
        /// Share η of a step that a round takes.
        rate: f64 = 0.01, in above(0.0).to(1.0);
        /// Most splits between root and leaf.
        depth: usize = 3, in 1..=16;
        /// Fewest rows of a leaf.
        min_leaf: usize = 1, in 1..;
        /// What each tree sees, and when boosting stops.
        rounds: Rounds = ROUNDS, in Group, over "rounds_over_defaults";
    }
}

/// Natural-gradient boosting as a method.
pub type NgBoost = Configured<NgBoostParameters>;

impl NgBoostParameters {
    /// The distribution of the target, or of its logarithm.
    fn law(&self) -> Law {
        match self.distribution {
            Family::Normal | Family::LogNormal => Law::Normal,
            Family::StudentT => Law::StudentT(self.degrees_of_freedom),
        }
    }

    /// The target, or its logarithm.
    fn transformed(&self, train: &Table) -> Result<Vec<f64>, FitError> {
        rows::finite_target(ID, "training row", train.target.view())?;
        if self.distribution != Family::LogNormal {
            return Ok(train.target.to_vec());
        }
        if let Some((row, y)) = train.target.iter().enumerate().find(|(_, y)| **y <= 0.0) {
            return Err(FitError::Unsupported(format!(
                "{ID} needs a target above zero for a log-normal distribution, found {y} in \
                 training row {row} (from 0)"
            )));
        }
        Ok(train.target.mapv(f64::ln).to_vec())
    }
}

impl MethodParameters for NgBoostParameters {
    const ID: &'static str = ID;
    const TITLE: &'static str =
        "natural-gradient boosting of a normal, log-normal or Student-t distribution";
    const TRIED: Option<Tried> = Some(Tried {
        settings: "boosted trees of depth 3 for mean and variance, stopped by a fifth of the \
                   training rows",
        cost: |n, d| (8e-5 + 1.5e-5 * d) * n * ROUNDS.relative_cost(n),
        parameters: DEFAULTS,
    });
    const VERSION: u32 = 2;

    fn facts(&self) -> Facts {
        Facts { takes_missing: true, ..Facts::default() }
    }

    fn restore(&self, state: &[u8]) -> Restored {
        OwnUnits::<FittedNgBoost>::restored(state)
    }

    fn fit(&self, train: &Table, context: &Context) -> Result<Box<dyn Fitted>, FitError> {
        context.checkpoint()?;
        rows::at_least(ID, 3, train.rows())?;
        let target = self.transformed(train)?;
        let bins = Bins::new(train.features.view());
        let data = Data { bins: &bins, target: &target, parameters: self };
        let divisions = self.rounds.divide(train, context).into_iter();
        let searched: Result<_, _> =
            divisions.map(|(fit, held_out)| Ensemble::new(data, fit, held_out)).collect();
        let search = self.rounds.search(searched?, context)?;
        let mut last = Ensemble::new(data, (0..target.len() as u32).collect(), Vec::new())?;
        while last.steps.len() < search.rounds && last.round(&context.child("fit", 0))? {}
        let Ensemble { start, steps, .. } = last;
        let NgBoostParameters { distribution, degrees_of_freedom, .. } = *self;
        let model = FittedNgBoost { distribution, degrees_of_freedom, start, steps, search };
        Ok(Box::new(OwnUnits { columns: train.columns(), model }))
    }
}

/// What boosting learns from.
#[derive(Clone, Copy)]
struct Data<'a> {
    bins: &'a Bins,
    target: &'a [f64],
    parameters: &'a NgBoostParameters,
}

/// An ensemble that grows, and its parameters θ at the rows of its table.
struct Ensemble<'a> {
    data: Data<'a>,
    law: Law,
    /// Rows that fit.
    fit: Vec<u32>,
    /// Rows that only tell the loss.
    held_out: Vec<u32>,
    start: Theta,
    /// A tree for each parameter and round; leaves hold what is added.
    steps: Vec<[Tree; 2]>,
    theta: Vec<Theta>,
}

impl<'a> Ensemble<'a> {
    fn new(data: Data<'a>, fit: Vec<u32>, held_out: Vec<u32>) -> Result<Self, FitError> {
        let law = data.parameters.law();
        let targets: Vec<f64> = fit.iter().map(|&row| data.target[row as usize]).collect();
        let start = law.start(ID, &targets)?;
        Ok(Self {
            data,
            law,
            fit,
            held_out,
            start,
            steps: Vec::new(),
            theta: vec![start; data.target.len()],
        })
    }

    /// The scale ρ of a step; `None` where no step lowers the loss of the rows.
    fn line_search(&self, rows: &[u32], moves: &[Theta]) -> Option<f64> {
        let unit = self.start[1].exp();
        let size = |&row: &u32| (moves[row as usize][0] / unit).hypot(moves[row as usize][1]);
        let size = rows.iter().map(size).sum::<f64>() / rows.len() as f64;
        let loss = |scale: f64| {
            let at = |&row: &u32| {
                let ([location, log_scale], [by, log_by]) =
                    (self.theta[row as usize], moves[row as usize]);
                self.law.loss(
                    [location - scale * by, log_scale - scale * log_by],
                    self.data.target[row as usize],
                )
            };
            rows.iter().map(at).sum::<f64>() / rows.len() as f64
        };
        let before = loss(0.0);
        let mut scale = 1.0;
        while scale <= LARGEST_SCALE && loss(scale) <= before {
            scale *= 2.0;
        }
        loop {
            let found = loss(scale);
            if found.is_finite()
                && (found < before || size * scale < SMALLEST_STEP)
                && size * scale < LARGEST_STEP
            {
                return Some(scale);
            }
            if !(before.is_finite() && size.is_finite()) {
                return None;
            }
            scale *= 0.5;
        }
    }
}

impl Boosting for Ensemble<'_> {
    /// Adds a step. Round m draws its rows and its features from the stream `("round", m)`. Returns
    /// whether there was a step.
    fn round(&mut self, context: &Context) -> Result<bool, FitError> {
        let NgBoostParameters { rounds, depth, min_leaf, rate, .. } = *self.data.parameters;
        if self.data.bins.columns() == 0 {
            return Ok(false);
        }
        let mut rng = context.stream("round", self.steps.len() as u64);
        let (inside, left_out) = rounds.draw_rows(&self.fit, &mut rng);
        let features = rounds.draw_features(self.data.bins.columns(), &mut rng);
        let limits = Limits { leaves: 1 << depth, depth: Some(depth), min_leaf };
        let mut moves = vec![[0.0; 2]; self.theta.len()];
        let mut grown = Vec::with_capacity(2);
        for k in [0, 1] {
            let gradient = |(theta, &y): (&Theta, &f64)| self.law.natural_gradient(*theta, y)[k];
            let gradients =
                Gradients(self.theta.iter().zip(self.data.target).map(gradient).collect());
            let outside = [left_out.as_slice(), &self.held_out].concat();
            let tree = grow(
                self.data.bins,
                &gradients,
                inside.clone(),
                outside,
                &features,
                limits,
                context,
            )?;
            let mean = |rows: &[u32]| {
                rows.iter().map(|&row| gradients.0[row as usize]).sum::<f64>() / rows.len() as f64
            };
            let values: Vec<f64> =
                tree.leaves.iter().map(|(of, _)| mean(&tree.inside[of.clone()])).collect();
            tree.each_row(|leaf, row| moves[row][k] = values[leaf]);
            grown.push((tree.nodes, values));
        }
        let Some(scale) = self.line_search(&inside, &moves) else { return Ok(false) };
        let step = rate * scale;
        self.theta.iter_mut().zip(&moves).for_each(|(theta, moved)| {
            theta.iter_mut().zip(moved).for_each(|(parameter, by)| *parameter -= step * by);
        });
        let mut trees = grown.into_iter().map(|(nodes, values)| {
            Tree::new(nodes, values.into_iter().map(|value| -step * value).collect(), 1)
        });
        let (Some(location), Some(scale)) = (trees.next(), trees.next()) else { return Ok(false) };
        self.steps.push([location, scale]);
        Ok(true)
    }

    fn loss(&self) -> f64 {
        let of =
            |&row: &u32| self.law.loss(self.theta[row as usize], self.data.target[row as usize]);
        self.held_out.iter().map(of).sum::<f64>() / self.held_out.len() as f64
    }
}

/// A fitted ensemble.
#[derive(Serialize, Deserialize)]
struct FittedNgBoost {
    distribution: Family,
    /// Of a Student-t distribution.
    degrees_of_freedom: f64,
    start: Theta,
    steps: Vec<[Tree; 2]>,
    search: Search,
}

impl OwnUnitsModel for FittedNgBoost {
    const ID: &'static str = ID;

    fn check(&self, columns: usize) -> Result<(), String> {
        self.steps.iter().flatten().try_for_each(|tree| tree.check(columns, 1))
    }

    fn answer(
        &self,
        features: ArrayView2<f64>,
        request: &Request,
        context: &Context,
    ) -> Result<Predictive, FitError> {
        let n = features.nrows();
        let (mut location, mut scale) = (Array1::zeros(n), Array1::zeros(n));
        for (i, x) in features.rows().into_iter().enumerate() {
            context.checkpoint()?;
            let mut theta = self.start;
            for trees in &self.steps {
                theta
                    .iter_mut()
                    .zip(trees)
                    .for_each(|(parameter, tree)| *parameter += tree.at(x)[0]);
            }
            (location[i], scale[i]) = (theta[0], theta[1].exp());
        }
        let answer = match self.distribution {
            Family::Normal => {
                let variance = &scale * &scale;
                let split = request
                    .split
                    .then(|| Split { aleatoric: Some(variance.clone()), epistemic: None });
                Predictive { form: Form::Gaussian(Gaussian { mean: location, variance }), split }
            }
            Family::StudentT => {
                let degrees_of_freedom = Array1::from_elem(n, self.degrees_of_freedom);
                Predictive::new(Form::StudentT(StudentT { location, scale, degrees_of_freedom }))
            }
            Family::LogNormal => {
                let levels = levels::with_grid(ID, &request.quantile_levels)?;
                let at = |(i, l): (usize, usize)| {
                    (location[i] + scale[i] * normal_quantile(levels[l])).exp()
                };
                let values = Array2::from_shape_fn((n, levels.len()), at);
                Predictive::new(Form::Quantiles(Quantiles { levels, values }))
            }
        };
        question::valid(ID, answer)
    }

    fn side_tables(&self) -> Vec<SideTable> {
        vec![self.search.side_table()]
    }
}

#[cfg(test)]
mod tests;
