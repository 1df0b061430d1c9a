//! Predict quantiles at many levels with one ensemble of boosted trees.
//!
//! Quantile q_k at level τ_k begins as the training targets' own. Round m grows one tree for all
//! levels and moves the quantiles of each of its leaves L towards the leaf's,
//!
//! ```text
//! q_k^m(x) = q_k^{m−1}(x) + ν v_k(L(x)),  v_k(L) the τ_k-quantile of y_i − q_k^{m−1}(x_i) over the round's rows in L.
//! ```
//!
//! The tree is the one that fits the gradients of the pinball losses best (`grow.rs`, `ranks.rs`):
//! Friedman's gradient boosting, with one tree for several losses. The prediction is the monotone
//! rearrangement of q_1(x), …, q_K(x): they are sorted, so that none cross, and no pinball loss
//! over all levels grows by it (Chernozhukov et al. 2010).
//!
//! Boosting stops when the pinball loss of held-out training rows, a mean over all levels, has not
//! decreased for `patience` rounds. A small table holds out several shares of its rows, each in a
//! search of its own, and their mean decides ([`Rounds`]). The number of rounds of the lowest loss
//! is then used once more on all training rows. A quantile of a leaf of n rows lies at the place τ
//! (n + 1) of the ordered residuals, interpolated.
//!
//! A missing value (NaN) of a feature takes the side of a split that fits the training rows better,
//! or that of more rows where no training row misses the feature. A category reaches a method as
//! columns of 0 and 1.
//!
//! *Departures:* LightGBM's `quantile` objective grows one ensemble for each level. Here one
//! ensemble has all levels: splits look at [`STRUCTURE`] of them, spread over the list, and the
//! leaves have values of all.
//!
//! # References
//! J. H. Friedman: *Greedy function approximation: a gradient boosting machine*, Annals of
//! Statistics 29, 2001; G. Ke et al.: *LightGBM: a highly efficient gradient boosting decision
//! tree*, NeurIPS 30, 2017; V. Chernozhukov, I. Fernández-Val, A. Galichon: *Quantile and
//! probability curves without crossing*, Econometrica 78, 2010.

use ndarray::{Array2, ArrayView2};
use serde::{Deserialize, Serialize};

use super::bins::Bins;
use super::grow::{Limits, grow};
use super::ranks::Ranks;
use super::rounds::{Boosting, Rounds, Search};
use super::tree::Tree;
use crate::engine::own_units::{OwnUnits, OwnUnitsModel};
use crate::engine::rows;
use crate::entry::{DEFAULTS, Tried};
use crate::parameter::{Group, Such, above, parameters};
use crate::state::require;
use crate::{
    Configured, Context, Facts, FitError, Fitted, MethodParameters, Request, Restored, SideTable,
};
use uq_core::Table;
use uq_core::predictive::{Form, Predictive, Quantiles};

const ID: &str = "boosting-quantiles";

/// Most levels that splits look at.
pub const STRUCTURE: usize = 8;

/// The default levels.
const LEVELS: [f64; 25] = [
    0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65,
    0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.975, 0.99, 0.995,
];

/// Lists of levels that increase.
const INCREASING: Such<Vec<f64>> =
    Such("one or more increasing numbers between 0 and 1, both excluded", |levels| {
        let inside = levels.iter().all(|level| *level > 0.0 && *level < 1.0);
        inside && !levels.is_empty() && levels.windows(2).all(|pair| pair[0] < pair[1])
    });

parameters! {
    /// Parameters of quantile boosting.
    #[derive(Clone, Debug, PartialEq)]
    pub struct BoostingQuantilesParameters {
        /// Probability levels of the quantiles. Others between them are interpolated.
        levels: Vec<f64> = LEVELS.to_vec(), in INCREASING;
        /// Share ν of a leaf's quantile that a round adds.
        rate: f64 = 0.05, in above(0.0).to(1.0);
        /// Most leaves of a tree.
        leaves: usize = 31, in 2..=65_536;
        /// Fewest rows of a leaf.
        min_leaf: usize = 20, in 1..;
        /// What each tree sees, and when boosting stops.
        rounds: Rounds = Rounds::default(), in Group;
    }
}

/// Approximate seconds of one fit to n rows with d features. More rows and features end the rounds
/// earlier, so that the time grows by less than their product; trees of fewer than some 400 rows
/// have fewer leaves.
pub(crate) fn seconds(n: f64, d: f64) -> f64 {
    4e-4 * n.powf(0.8) * (n / 400.0).min(1.0) * d.powf(0.55) * Rounds::default().relative_cost(n)
}

/// Quantile boosting as a method.
pub type BoostingQuantiles = Configured<BoostingQuantilesParameters>;

impl MethodParameters for BoostingQuantilesParameters {
    const ID: &'static str = ID;
    const TITLE: &'static str =
        "gradient boosting: quantiles at many levels from one ensemble of trees";
    const TRIED: Option<Tried> = Some(Tried {
        settings: "boosted trees with quantiles at 25 levels, stopped by 15 % of the training rows",
        cost: seconds,
        parameters: DEFAULTS,
    });
    const VERSION: u32 = 3;

    /// A first quantile is a target where many rows share it, and stays there in leaves that have
    /// it as their quantile.
    fn facts(&self) -> Facts {
        Facts { predicts_targets: true, takes_missing: true, ..Facts::default() }
    }

    fn restore(&self, state: &[u8]) -> Restored {
        OwnUnits::<FittedQuantiles>::restored(state)
    }

    fn fit(&self, train: &Table, context: &Context) -> Result<Box<dyn Fitted>, FitError> {
        context.checkpoint()?;
        rows::at_least(ID, 1, train.rows())?;
        rows::finite_target(ID, "training row", train.target.view())?;
        let bins = Bins::new(train.features.view());
        let target = train.target.to_vec();
        let data = Data { bins: &bins, target: &target, parameters: self };
        let n = train.rows();
        // Too few rows to make two leaves are predicted by their own quantiles.
        let search = if n > 1 && n >= 2 * self.min_leaf {
            let divisions = self.rounds.divide(train, context).into_iter();
            self.rounds.search(
                divisions.map(|(fit, held_out)| Ensemble::new(data, fit, held_out)).collect(),
                context,
            )?
        } else {
            Search::none()
        };
        let mut last = Ensemble::new(data, (0..n as u32).collect(), Vec::new());
        while last.trees.len() < search.rounds && last.round(&context.child("fit", 0))? {}
        let Ensemble { start, trees, .. } = last;
        let model = FittedQuantiles { levels: self.levels.clone(), start, trees, search };
        Ok(Box::new(OwnUnits { columns: train.columns(), model }))
    }
}

/// What boosting learns from.
#[derive(Clone, Copy)]
struct Data<'a> {
    bins: &'a Bins,
    target: &'a [f64],
    parameters: &'a BoostingQuantilesParameters,
}

/// An ensemble that grows, and its quantiles at the rows of its table.
struct Ensemble<'a> {
    data: Data<'a>,
    /// Rows that fit.
    fit: Vec<u32>,
    /// Rows that only tell the loss.
    held_out: Vec<u32>,
    /// The first quantiles, K.
    start: Vec<f64>,
    trees: Vec<Tree>,
    /// The quantiles of all rows, K × n.
    quantiles: Vec<Vec<f64>>,
}

impl<'a> Ensemble<'a> {
    fn new(data: Data<'a>, fit: Vec<u32>, held_out: Vec<u32>) -> Self {
        let mut targets: Vec<f64> = fit.iter().map(|&row| data.target[row as usize]).collect();
        let levels = &data.parameters.levels;
        let start: Vec<f64> = levels.iter().map(|&level| quantile(&mut targets, level)).collect();
        let quantiles = start.iter().map(|&q| vec![q; data.target.len()]).collect();
        Self { data, fit, held_out, start, trees: Vec::new(), quantiles }
    }
}

impl Boosting for Ensemble<'_> {
    /// Adds a tree. Round m draws its rows and its features from the stream `("round", m)`. Returns
    /// whether the tree could be split.
    fn round(&mut self, context: &Context) -> Result<bool, FitError> {
        let BoostingQuantilesParameters { levels, rate, leaves, min_leaf, rounds } =
            self.data.parameters;
        if self.data.bins.columns() == 0 {
            return Ok(false);
        }
        let mut rng = context.stream("round", self.trees.len() as u64);
        let (inside, mut outside) = rounds.draw_rows(&self.fit, &mut rng);
        outside.extend(&self.held_out);
        let features = rounds.draw_features(self.data.bins.columns(), &mut rng);
        let seen: Vec<&[f64]> =
            structure(levels.len()).map(|k| self.quantiles[k].as_slice()).collect();
        let ranks = Ranks::new(self.data.target, &seen);
        let limits = Limits { leaves: *leaves, depth: None, min_leaf: *min_leaf };
        let grown = grow(self.data.bins, &ranks, inside, outside, &features, limits, context)?;
        let mut values = vec![0.0; grown.leaves.len() * levels.len()];
        let mut residuals = Vec::with_capacity(grown.inside.len());
        for (leaf, (inside, _)) in grown.leaves.iter().enumerate() {
            let rows = &grown.inside[inside.clone()];
            for (k, (&level, quantiles)) in levels.iter().zip(&self.quantiles).enumerate() {
                residuals.clear();
                residuals.extend(
                    rows.iter()
                        .map(|&row| self.data.target[row as usize] - quantiles[row as usize]),
                );
                values[leaf * levels.len() + k] = rate * quantile(&mut residuals, level);
            }
        }
        for (k, quantiles) in self.quantiles.iter_mut().enumerate() {
            grown.each_row(|leaf, row| quantiles[row] += values[leaf * levels.len() + k]);
        }
        let has_split = grown.leaves.len() > 1;
        self.trees.push(Tree::new(grown.nodes, values, levels.len()));
        Ok(has_split)
    }

    /// Mean pinball loss of the held-out rows over all levels, before the quantiles are rearranged.
    fn loss(&self) -> f64 {
        let mut sum = 0.0;
        for (&level, quantiles) in self.data.parameters.levels.iter().zip(&self.quantiles) {
            for &row in &self.held_out {
                let error = self.data.target[row as usize] - quantiles[row as usize];
                sum += (level * error).max((level - 1.0) * error);
            }
        }
        sum / (self.data.parameters.levels.len() * self.held_out.len()) as f64
    }
}

/// The places of at most [`STRUCTURE`] of K levels, spread evenly.
fn structure(levels: usize) -> impl Iterator<Item = usize> {
    let seen = levels.min(STRUCTURE);
    (0..seen).map(move |s| (2 * s + 1) * levels / (2 * seen))
}

/// The quantile at the place `level` (n + 1) of the n ≥ 1 numbers in ascending order, interpolated;
/// it moves them.
fn quantile(numbers: &mut [f64], level: f64) -> f64 {
    let last = numbers.len() - 1;
    let place = (level * (numbers.len() + 1) as f64 - 1.0).clamp(0.0, last as f64);
    let below = place.floor();
    let (_, low, above) = numbers.select_nth_unstable_by(below as usize, f64::total_cmp);
    let next = above.iter().copied().fold(f64::INFINITY, f64::min);
    if next.is_finite() { *low + (place - below) * (next - *low) } else { *low }
}

/// A fitted ensemble.
#[derive(Serialize, Deserialize)]
struct FittedQuantiles {
    levels: Vec<f64>,
    start: Vec<f64>,
    trees: Vec<Tree>,
    search: Search,
}

impl OwnUnitsModel for FittedQuantiles {
    const ID: &'static str = ID;

    fn check(&self, columns: usize) -> Result<(), String> {
        let outputs = self.levels.len();
        let increasing = self.levels.is_sorted_by(|a, b| a < b);
        require(
            outputs > 0 && self.start.len() == outputs && increasing,
            "quantiles of other levels",
        )?;
        self.trees.iter().try_for_each(|tree| tree.check(columns, outputs))
    }

    fn answer(
        &self,
        features: ArrayView2<f64>,
        request: &Request,
        context: &Context,
    ) -> Result<Predictive, FitError> {
        let ends = self.levels.first().zip(self.levels.last());
        let outside =
            |level: &&f64| ends.is_none_or(|(first, last)| **level < *first || **level > *last);
        if let (Some(level), Some((first, last))) =
            (request.quantile_levels.iter().find(outside), ends)
        {
            return Err(FitError::Unsupported(format!(
                "{ID}: asked for the quantile at {level}, expected a level from {first} to {last}; \
                 name it in `levels`"
            )));
        }
        let mut values = Array2::zeros((features.nrows(), self.levels.len()));
        for (x, mut into) in features.rows().into_iter().zip(values.rows_mut()) {
            context.checkpoint()?;
            let mut own = self.start.clone();
            for tree in &self.trees {
                own.iter_mut().zip(tree.at(x)).for_each(|(q, step)| *q += step);
            }
            own.sort_unstable_by(f64::total_cmp);
            into.iter_mut().zip(own).for_each(|(value, q)| *value = q);
        }
        Ok(Predictive::new(Form::Quantiles(Quantiles { levels: self.levels.clone(), values })))
    }

    fn side_tables(&self) -> Vec<SideTable> {
        vec![self.search.side_table()]
    }
}

#[cfg(test)]
mod tests;
