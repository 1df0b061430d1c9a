//! Fit a classification-and-regression tree (CART) by exact greedy search over squared error.
//!
//! A node with rows t predicts their mean ȳ(t). It is split at the feature and threshold that lower
//! the sum of squared errors most,
//!
//! ```text
//! gain = Σ_t (y − ȳ(t))² − Σ_l (y − ȳ(l))² − Σ_r (y − ȳ(r))² = w_t s_l² / (w_l w_r),  s_l = Σ_l (y − ȳ(t)),
//! ```
//!
//! where w is a node's weight. The threshold is the midpoint between neighbouring values. A node
//! stays a leaf at the depth limit, when no split leaves `min_leaf` on both sides, or when its
//! targets are all equal; as in scikit-learn, a split without gain is still made, because splits
//! below it may have one.
//!
//! # Departures from scikit-learn
//! Trees agree apart from ties: of equal gains scikit-learn takes the first in an order that it
//! draws at random, this one the lowest feature and then the lowest threshold. scikit-learn rounds
//! features to 32 bits and merges values closer than 1e-7, and compares a node's variance to 2e-16
//! where this compares its targets. Here a weight w means exactly w copies of a row, also for
//! `min_leaf`, for which scikit-learn counts a weighted row once.
//!
//! # References
//! L. Breiman, J. Friedman, C. J. Stone, R. A. Olshen: *Classification and Regression Trees*, CRC
//! Press, 1984.

use ndarray::{ArrayView2, Axis, aview1};

use super::grow::grow;
use super::parameters::{CartParameters, SplitFeatures};
use super::presort::Presort;
use super::tree::Tree;
use crate::engine::own_units::{OwnUnits, OwnUnitsModel};
use crate::engine::rows;
use crate::entry::{DEFAULTS, Entry, Tried, boxed, read, sorted};
use crate::parameter::{Parameters, defaults};
use crate::point::one_atom;
use crate::{Context, Facts, FitError, Fitted, Method, ParameterError, Request, Restored};
use uq_core::Table;
use uq_core::math::random::Rng;
use uq_core::predictive::Predictive;

const ID: &str = "tree";

/// The regression tree as a method; a prediction is one atom.
#[derive(Clone, Debug)]
pub struct Cart {
    parameters: CartParameters,
}

impl Cart {
    /// Its entry in the registry.
    pub const ENTRY: Entry = Entry {
        id: "tree",
        title: "exact CART regression tree",
        tried: Some(Tried {
            settings: "one regression tree, not pruned",
            // 0.13 ms with 100 rows of 4 features, 0.27 ms with 400 of 4.
            cost: |n, d| 8e-5 * (n / 100.0).min(1.0) + 4e-8 * sorted(n, d),
            parameters: DEFAULTS,
        }),
        parameters: defaults::<CartParameters>,
        build: |given, _| boxed(Self::new(read(given)?)),
    };

    /// The method with these parameters.
    ///
    /// # Errors
    /// [`ParameterError`] for a parameter out of its range.
    pub fn new(parameters: CartParameters) -> Result<Self, ParameterError> {
        parameters.check()?;
        Ok(Self { parameters })
    }

    /// Grows a tree on presorted features (n × d) and a target (n), where `weights` (n), if given,
    /// repeat rows or, being zero, leave them out. `rng` draws features where not all are tried.
    ///
    /// # Errors
    /// [`FitError::Unsupported`] when lengths differ, no row has a positive weight, or a target is
    /// not finite.
    pub fn grow(
        &self,
        columns: Presort,
        target: &[f64],
        weights: Option<&[u32]>,
        rng: &mut Rng,
    ) -> Result<Tree, FitError> {
        let rows = columns.rows();
        for (what, found) in
            [("targets", Some(target.len())), ("weights", weights.map(<[u32]>::len))]
        {
            if found.is_some_and(|found| found != rows) {
                return Err(FitError::Unsupported(format!(
                    "a tree of {rows} rows needs as many {what}"
                )));
            }
        }
        if rows == 0 || weights.is_some_and(|weights| weights.iter().all(|&w| w == 0)) {
            return Err(FitError::Unsupported(
                "a tree needs at least one row of positive weight".into(),
            ));
        }
        rows::finite_target(ID, "training row", aview1(target))?;
        Ok(grow(columns, target, weights, &self.parameters, rng))
    }

    /// Grows the tree of one fit.
    fn fit_columns(
        &self,
        columns: Presort,
        target: &[f64],
        context: &Context,
    ) -> Result<Box<dyn Fitted>, FitError> {
        let model = self.grow(columns, target, None, &mut context.stream("features", 0))?;
        Ok(Box::new(OwnUnits { columns: model.columns(), model }))
    }
}

impl Method for Cart {
    fn id(&self) -> &'static str {
        ID
    }

    fn version(&self) -> u32 {
        1
    }

    fn parameters(&self) -> serde_json::Value {
        serde_json::json!(self.parameters)
    }

    fn facts(&self) -> Facts {
        Facts { deterministic: self.parameters.features == SplitFeatures::All, ..Facts::default() }
    }

    fn fit(&self, train: &Table, context: &Context) -> Result<Box<dyn Fitted>, FitError> {
        context.checkpoint()?;
        self.fit_columns(Presort::new(train.features.view())?, &train.target.to_vec(), context)
    }

    /// Sorts the columns of `train` once and filters them for each subset, unless the subsets are
    /// so small that sorting each of them is cheaper.
    fn fit_subsets(
        &self,
        train: &Table,
        subsets: &[Vec<usize>],
        context: &Context,
    ) -> Result<Vec<Box<dyn Fitted>>, FitError> {
        let drawn: usize = subsets.iter().map(Vec::len).sum();
        let shared =
            if drawn > train.rows() { Some(Presort::new(train.features.view())?) } else { None };
        let fit = |(i, rows): (usize, &Vec<usize>)| {
            context.checkpoint()?;
            let columns = match &shared {
                Some(presort) => presort.subset(rows),
                None => Presort::new(train.features.select(Axis(0), rows).view())?,
            };
            let target: Vec<f64> = rows.iter().map(|&row| train.target[row]).collect();
            self.fit_columns(columns, &target, &context.child("subset", i as u64))
        };
        subsets.iter().enumerate().map(fit).collect()
    }

    fn restore(&self, state: &[u8]) -> Restored {
        OwnUnits::<Tree>::restored(state)
    }
}

impl OwnUnitsModel for Tree {
    const ID: &'static str = ID;

    fn check(&self, columns: usize) -> Result<(), String> {
        self.check(columns, self.members.len())
    }

    fn answer(
        &self,
        features: ArrayView2<f64>,
        _: &Request,
        _: &Context,
    ) -> Result<Predictive, FitError> {
        Ok(one_atom(self.predict(features)))
    }
}

#[cfg(test)]
mod tests;
