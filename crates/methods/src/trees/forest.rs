//! Predict the whole conditional distribution with a quantile regression forest (Meinshausen,
//! 2006).
//!
//! Each of k trees T(θ_t) is grown on a bootstrap sample, trying a random choice of features at
//! each split. A leaf keeps all its observations, not their mean alone. With R(x, θ_t) the leaf
//! that x falls into,
//!
//! ```text
//! w_i(x, θ_t) = b_i(θ_t) 1{X_i ∈ R(x, θ_t)} / Σ_j b_j(θ_t) 1{X_j ∈ R(x, θ_t)}     (4)
//! w_i(x) = 1/k Σ_t w_i(x, θ_t)                                                    (5)
//! F(y | X = x) = Σ_i w_i(x) 1{Y_i ≤ y}                                            (6)
//! Q_α(x) = inf{y : F(y | X = x) ≥ α}                                              (2)
//! ```
//!
//! where b_i counts how often row i was drawn. The prediction is the weighted atoms of (6), equal
//! targets merged: its mean is the random forest's, any quantile and the CRPS are exact, and there
//! is no density. Where the atoms of all requested rows would take more than [`ATOM_CELLS`]
//! numbers, the prediction is exact quantiles at the requested levels and a fixed grid instead.
//!
//! A quantile is an observed target, so both ends of an interval are targets and belong to it: [l,
//! u] is closed. On an integer target, where outcomes fall on the ends, coverage is therefore above
//! the level, and the level is not guaranteed.
//!
//! # Departures
//! From the paper: (4) weighs the bootstrap sample, copies counted, as the Python package
//! `quantile-forest` does; the paper lets i run over all training rows. Without this the mean would
//! not be the random forest's.
//!
//! From `quantile-forest` 1.4.2 (with `max_samples_leaf=None`, so that leaves keep all members): on
//! the same trees the weights are those of its `weighted_leaves=True`. Its default, here
//! `weighted_leaves = false`, puts the members of all leaves side by side, so that a tree counts in
//! proportion to its leaf: neither (5), nor with the random forest's mean. Its quantiles
//! interpolate between neighbours among the W = Σ_t Σ_j b_j 1{X_j ∈ R(x, θ_t)} members: they differ
//! from (2) where α lies within 1/W of a step of F, and only there. Its defaults are 100 trees, all
//! features and leaves of one row; those here are of the first release of the author's R package
//! `quantregForest`: 1000 trees, ⌈d/3⌉ features, 10 rows. `min_leaf` counts copies, as R does;
//! scikit-learn counts a repeated row once.
//!
//! # References
//! N. Meinshausen: Quantile regression forests, *Journal of Machine Learning Research* 7, 983–999,
//! 2006.

mod distributional;
mod grown;
mod honest;
mod validated;

use std::marker::PhantomData;

use ndarray::{Array2, ArrayView2};
use serde::{Deserialize, Serialize};

pub use distributional::{DistributionalForest, DistributionalForestParameters};
pub use grown::{Forest, Weights};
pub use validated::{QuantileForestValidated, QuantileForestValidatedParameters};

use super::parameters::{CartParameters, SplitFeatures};
use crate::engine::own_units::{OwnUnits, OwnUnitsModel};
use crate::entry::{DEFAULTS, Tried, sorted};
use crate::parameter::{Choices, Such, parameters};
use crate::state::require;
use crate::{
    Configured, Context, Facts, FitError, Fitted, MethodParameters, ParameterError, Request,
    Restored, SideTable, levels,
};
use grown::Ground;
use uq_core::Table;
use uq_core::predictive::{Form, Predictive, Quantiles};

const ID: &str = "quantile-forest";

/// Largest number of numbers (rows × atoms) of a prediction in atoms: 128 MiB of values, and as
/// much of weights.
pub const ATOM_CELLS: usize = 1 << 24;

/// Levels of the quantiles in the side table `out-of-bag`.
const OUT_OF_BAG_LEVELS: [f64; 5] = [0.025, 0.1, 0.5, 0.9, 0.975];

parameters! {
    /// Parameters of a quantile regression forest.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct QuantileForestParameters {
        /// Number of trees, k.
        trees: usize = 1000, in 1..;
        /// Smallest number of rows in a leaf, repeated rows counted as often as they were drawn.
        min_leaf: usize = 10, in 1..;
        /// Largest number of splits between root and leaf; null: no limit.
        max_depth: Option<usize> = None, in 0..;
        /// Features tried at each split: ⌈d/3⌉, all, or this many.
        features: ForestFeatures = ForestFeatures::Third, in ForestFeatures::ALLOWED;
        /// Whether every tree counts the same, as in (5), or in proportion to its leaf's members.
        weighted_leaves: bool = true, in Choices;
        /// Whether a tree is grown on a bootstrap sample, or on all rows.
        bootstrap: bool = true, in Choices;
        /// Whether a fit stores intervals of its training rows, by the trees that were grown
        /// without them, as the side table `out-of-bag`; needs `bootstrap`.
        out_of_bag: bool = false, in Choices;
    }
}

/// Features that a forest tries at each split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(expecting = "features is \"third\", \"all\" or a whole number")]
pub enum ForestFeatures {
    /// ⌈d/3⌉, drawn anew at each node.
    #[serde(rename = "third")]
    Third,
    /// All of them.
    #[serde(rename = "all")]
    All,
    /// This many, drawn anew at each node; all where there are fewer.
    #[serde(untagged)]
    Count(usize),
}

impl ForestFeatures {
    /// The choices.
    pub const ALLOWED: Such<Self> =
        Such("\"third\", \"all\" or a whole number of at least 1", Self::some);

    /// Lists of them.
    const LIST: Such<Vec<Self>> =
        Such("one or more of \"third\", \"all\" and whole numbers of at least 1", |all| {
            !all.is_empty() && all.iter().all(Self::some)
        });

    fn some(&self) -> bool {
        *self != Self::Count(0)
    }

    /// Features tried at each split, of `columns`.
    pub fn count(self, columns: usize) -> usize {
        match self {
            Self::Third => columns.div_ceil(3),
            Self::All => columns,
            Self::Count(count) => count.min(columns),
        }
    }
}

impl QuantileForestParameters {
    /// The parameters of one tree over `columns` features.
    fn tree(&self, columns: usize) -> CartParameters {
        // Trying all features in their order draws nothing; a table without features has one leaf
        // in any case.
        let features = match self.features.count(columns) {
            all if all == columns => SplitFeatures::All,
            count => SplitFeatures::Count(count),
        };
        CartParameters { max_depth: self.max_depth, min_leaf: self.min_leaf, features }
    }

    /// Grows the forest. Tree t draws its rows from the stream `("bootstrap", t)` and its features
    /// from `("features", t)`.
    ///
    /// # Errors
    /// [`FitError::Unsupported`] without rows, or for numbers that are not finite; [`FitError`]
    /// when the run is stopped.
    fn grow(&self, train: &Table, context: &Context) -> Result<Forest, FitError> {
        let ground = Ground::new(ID, train)?;
        let mut forest = Forest::new(&ground);
        forest.grow_to(self.trees, &ground, self, context)?;
        Ok(forest)
    }
}

/// Approximate seconds of one fit of 1000 trees to n rows with d features, of which each split sees
/// a third. Each feature's values are ordered once for all trees, so that the time grows by less
/// than the number of features.
pub(crate) fn seconds(n: f64, d: f64) -> f64 {
    7.5e-6 * sorted(n, 1.0) * d.powf(0.75)
}

/// The quantile regression forest as a method.
pub type QuantileForest = Configured<QuantileForestParameters>;

impl MethodParameters for QuantileForestParameters {
    const ID: &'static str = ID;
    const TITLE: &'static str = "quantile regression forest: weighted targets of the leaves";
    const TRIED: Option<Tried> = Some(Tried {
        settings: "1000 trees, a third of the features at each split, 10 rows a leaf",
        cost: seconds,
        parameters: DEFAULTS,
    });
    const VERSION: u32 = 2;

    fn check_coupled(&self) -> Result<(), ParameterError> {
        let possible = self.bootstrap || !self.out_of_bag;
        let expected = "false where `bootstrap` is false: every tree sees every row";
        ParameterError::check(possible, "out_of_bag", true, expected)
    }

    fn facts(&self) -> Facts {
        let deterministic = !self.bootstrap && self.features == ForestFeatures::All;
        Facts { deterministic, predicts_targets: true, ..Facts::default() }
    }

    fn restore(&self, state: &[u8]) -> Restored {
        OwnUnits::<FittedForest<Self>>::restored(state)
    }

    fn fit(&self, train: &Table, context: &Context) -> Result<Box<dyn Fitted>, FitError> {
        context.checkpoint()?;
        let forest = self.grow(train, context)?;
        let mut side_tables = Vec::new();
        if self.out_of_bag {
            side_tables.push(out_of_bag(&forest, train, context)?);
        }
        Ok(FittedForest::<Self>::boxed(forest, side_tables))
    }
}

/// The predictions of the training rows by the trees that were grown without them: `row` (from 0),
/// `trees` (how many), `mean`, and a column for each quantile, such as `q0.025`. Rows that every
/// tree was grown on are left out.
fn out_of_bag(forest: &Forest, train: &Table, context: &Context) -> Result<SideTable, FitError> {
    let mut columns =
        vec![("row".to_string(), vec![]), ("trees".into(), vec![]), ("mean".into(), vec![])];
    columns.extend(OUT_OF_BAG_LEVELS.map(|level| (format!("q{level}"), vec![])));
    forest.weigh_out_of_bag(train.features.view(), context, |row, weights| {
        let given = [row as f64, weights.trees as f64, weights.mean(forest)];
        let quantiles = OUT_OF_BAG_LEVELS.map(|level| weights.quantile(forest, level));
        for ((_, column), number) in columns.iter_mut().zip(given.into_iter().chain(quantiles)) {
            column.push(number);
        }
    })?;
    Ok(SideTable { name: "out-of-bag".into(), columns })
}

/// A fitted forest of the method P, and its side tables.
#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
struct FittedForest<P> {
    forest: Forest,
    side_tables: Vec<SideTable>,
    method: PhantomData<P>,
}

impl<P: MethodParameters> FittedForest<P> {
    fn boxed(forest: Forest, side_tables: Vec<SideTable>) -> Box<dyn Fitted> {
        let columns = forest.columns();
        Box::new(OwnUnits { columns, model: Self { forest, side_tables, method: PhantomData } })
    }

    /// The prediction, as atoms where they take at most `limit` numbers.
    fn form(
        &self,
        features: ArrayView2<f64>,
        request: &Request,
        context: &Context,
        limit: usize,
    ) -> Result<Form, FitError> {
        let rows = self.forest.weights(features, context)?;
        let most = rows.iter().map(|row| row.atoms.len()).max().unwrap_or(0).max(1);
        if rows.len().saturating_mul(most) <= limit {
            return Ok(Form::Atoms(self.forest.atoms(&rows, most)));
        }
        let levels = levels::with_grid(P::ID, &request.quantile_levels)?;
        let mut values = Array2::zeros((rows.len(), levels.len()));
        for (weights, mut into) in rows.iter().zip(values.rows_mut()) {
            for (&level, value) in levels.iter().zip(&mut into) {
                *value = weights.quantile(&self.forest, level);
            }
        }
        Ok(Form::Quantiles(Quantiles { levels, values }))
    }
}

impl<P: MethodParameters> OwnUnitsModel for FittedForest<P> {
    const ID: &'static str = P::ID;

    fn check(&self, columns: usize) -> Result<(), String> {
        require(self.forest.columns() == columns, "a forest of other features")?;
        self.forest.check()
    }

    fn answer(
        &self,
        features: ArrayView2<f64>,
        request: &Request,
        context: &Context,
    ) -> Result<Predictive, FitError> {
        Ok(Predictive::new(self.form(features, request, context, ATOM_CELLS)?))
    }

    fn side_tables(&self) -> Vec<SideTable> {
        self.side_tables.clone()
    }
}

#[cfg(test)]
mod tests;
