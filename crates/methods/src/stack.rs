//! Pool several methods' predictive distributions by weights that out-of-fold rows have chosen: a
//! stack.
//!
//! The training rows are divided into folds. Each member k predicts the rows of each fold without
//! having seen them, F_k(· | x_i). The predictive distribution is the linear pool Σ_k w_k F_k of
//! the members fitted on all rows, with the w ≥ 0, Σ w = 1 that minimise the mean continuous ranked
//! probability score of the pool on those predictions, which is a quadratic form:
//!
//! ```text
//! 1/n Σ_i CRPS(Σ_k w_k F_k(· | x_i), y_i) = Σ_kl w_k w_l G_kl
//! G_kl = 1/n Σ_i ∫ (F_k(t | x_i) − 1{y_i ≤ t}) (F_l(t | x_i) − 1{y_i ≤ t}) dt
//! ```
//!
//! Few rows cannot tell the members apart: w is moved towards 1/K by the share `equal_below`/n, at
//! most 1.
//!
//! *Calibration, once, after pooling.* The rows of a fold are pooled with weights that the other
//! folds have chosen: they set none of their own. With Q_i(p) the quantile of such a pool, σ_i its
//! standard deviation, and e_i(p) = (y_i − Q_i(p))/σ_i, the prediction at x is Q(p) + σ c(p), where
//! c(p) is the quantile of level p of the e_i(p), rounded outwards: their ⌊p (n + 1)⌋-th smallest
//! below 1/2, the ⌈p (n + 1)⌉-th above. Each row's quantiles are then put in order. Requested
//! levels, at which c(p) would be infinite, are an error: 1/(n + 1) ≤ p ≤ n/(n + 1).
//!
//! *Groups* (Mondrian): with `groups`, c(p) is the quantile of the errors of rows with the same
//! values of these features, where they are `errors::FEWEST` or more, and as far as they reach
//! the level p; else that of all rows.
//!
//! **Guarantee.** None: the final members have seen all rows, the calibrating ones all but a fold.
//! Where a fit hardly depends on a fold, coverage is near its level. What the procedure covers is
//! measured by rows that it has not seen, as `uqbench try` does.
//!
//! A member whose fit fails, or whose quantiles are undefined (too many rows for a Gaussian
//! process, a network that diverges), is left out; the side table `pool` has those that take part.
//! Members are read by their first reading, as quantiles at 53 levels; the split into aleatoric and
//! epistemic variance is not defined.
//!
//! *References:* D. H. Wolpert: *Stacked generalization*, Neural Networks 5, 1992; Y. Yao, A.
//! Vehtari, D. Simpson, A. Gelman: *Using stacking to average Bayesian predictive distributions*,
//! Bayesian Analysis 13, 2018 (there with the log score); T. Gneiting, R. Ranjan: *Combining
//! predictive distributions*, Electronic Journal of Statistics 7, 2013: a pool of calibrated
//! distributions is too wide, so that calibration comes after pooling; Y. Romano, E. Patterson, E.
//! J. Candès: *Conformalized quantile regression*, NeurIPS 2019: the two ends apart; H. Boström, U.
//! Johansson: *Mondrian conformal regressors*, COPA 2020: errors by group.

mod errors;
mod fitted;
mod pool;
mod pooling;
#[cfg(test)]
mod tests;
mod weights;

use ndarray::Array2;
use serde_json::{Value, json};

use super::boosting::{BoostingQuantiles, NgBoost};
use super::conformal::Folds;
use super::engine::own_units::OwnUnits;
use super::engine::rows;
use super::entry::{Entry, Tried, boxed, read};
use super::nets::DeepEnsemble;
use super::parameter::{Choices, Parameter, Parameters, Words, defaults, is_default, parameters};
use super::part::{describe_part, take_methods};
use super::trees::forest::QuantileForest;
use super::{Context, Facts, FitError, Fitted, Method, ParameterError, Restored, levels};
use fitted::{FittedStack, Model};
use uq_core::Table;

pub use pooling::{Pooling, Unseen};

const ID: &str = "stack";

/// What is pooled where no methods are named.
const MEMBERS: [&Entry; 4] =
    [&QuantileForest::ENTRY, &NgBoost::ENTRY, &BoostingQuantiles::ENTRY, &DeepEnsemble::ENTRY];

parameters! {
    /// Parameters of a stack besides its members, `methods`, a list of `{ id, parameters }`.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct StackParameters {
        /// Folds of the training rows: this many, or "rows", each row a fold.
        folds: Folds = Folds::Count(5), in Folds::ALLOWED;
        /// Whether each member predicts by a fit of all rows; else by the mean of the quantiles of
        /// its fits without each fold.
        refit: bool = true, in Choices;
        /// Training rows up to which the weights are equal; with n rows they are moved towards
        /// equal ones by equal_below/n.
        equal_below: usize = 300, in Choices;
        /// Whether the pool is calibrated on rows that have not set its weights.
        calibrated: bool = true, in Choices;
        /// Features whose values together name a group, by their places from 0: rows are calibrated
        /// by the errors of their group where it has 20 training rows or more; empty: by those of
        /// all rows.
        groups: Vec<usize> = Vec::new(), in Words("places of features, from 0"), added "is_default";
    }
}

/// A stack over members, which are used with their first readings.
pub struct Stack {
    parameters: StackParameters,
    members: Vec<Box<dyn Method>>,
}

impl Stack {
    /// Fits of each member by default: one without each of five folds, one of all rows.
    pub const FITS: f64 = 6.0;

    /// Approximate seconds of one fit to n rows, of which one fit of each member takes `of_members`
    /// together.
    pub fn seconds(n: f64, of_members: f64) -> f64 {
        Self::FITS * of_members + 1.3e-5 * n
    }

    /// Fewest training rows of a group that is calibrated by its own errors.
    pub const FEWEST_OF_A_GROUP: usize = errors::FEWEST;

    /// Its entry in the registry.
    pub const ENTRY: Entry = Entry {
        id: ID,
        title: "a linear pool of methods: equal weights for few rows, else by out-of-fold CRPS; \
                then calibrated",
        tried: Some(Tried {
            settings: "quantile-forest, ngboost, boosting-quantiles and deep-ensemble, pooled with \
                       equal weights up to 300 training rows, above with weights by out-of-fold \
                       CRPS in five folds, moved towards equal ones; then calibrated",
            cost: |n, d| {
                Self::seconds(
                    n,
                    MEMBERS
                        .iter()
                        .filter_map(|of| of.tried.as_ref())
                        .map(|of| (of.cost)(n, d))
                        .sum(),
                )
            },
            parameters: || {
                let of = |entry: &&Entry| json!({ "id": entry.id, "parameters": entry.tried.as_ref().map(|of| (of.parameters)()) });
                json!({ "methods": MEMBERS.iter().map(of).collect::<Vec<_>>() })
            },
        }),
        parameters: || {
            let methods = Parameter::required(
                "methods",
                "a list of { id, parameters }",
                "Methods that are pooled.",
            );
            [vec![methods], defaults::<StackParameters>()].concat()
        },
        build: |given, build| {
            let mut own = given.clone();
            let members = take_methods(&mut own, build)?;
            boxed(Self::new(read(&own)?, members))
        },
    };

    /// The fewest rows that calibrate a quantile of this level below 1/2, and that of the level 1 −
    /// p: p (n + 1) ≥ 1.
    pub fn fewest_rows(level: f64) -> usize {
        // Rounding must not lift a whole number to the next one.
        (1.0 / level - 1.0 - 1e-6).ceil().max(1.0) as usize
    }

    /// The stack over these members.
    ///
    /// # Errors
    /// [`ParameterError`] for a parameter out of its range, no member, or one without a reading.
    pub fn new(
        parameters: StackParameters,
        members: Vec<Box<dyn Method>>,
    ) -> Result<Self, ParameterError> {
        parameters.check()?;
        ParameterError::check(!members.is_empty(), "methods", "[]", "at least one method")?;
        for (i, member) in members.iter().enumerate() {
            let name = format!("methods[{i}].id");
            ParameterError::check(
                !member.readings().is_empty(),
                &name,
                member.id(),
                "a method with a reading",
            )?;
        }
        Ok(Self { parameters, members })
    }

    /// The methods that it pools.
    pub fn members(&self) -> &[Box<dyn Method>] {
        &self.members
    }

    /// Whether a fit of all rows by each member predicts, and the pool is calibrated: then weights,
    /// calibration and predictions come of [`Self::pool`] alone.
    pub fn is_pooled_from_unseen(&self) -> bool {
        self.parameters.refit && self.parameters.calibrated
    }

    /// The members that can be fitted and have quantiles, each with those of the rows that its fits
    /// have not seen.
    ///
    /// # Errors
    /// The error of the first member where no set has a prediction; and where the run is stopped.
    fn pooled_members(
        &self,
        sets: &[Vec<usize>],
        train: &Table,
        context: &Context,
    ) -> Result<Vec<Member>, FitError> {
        let (mut members, mut first) = (Vec::new(), None);
        for (place, method) in self.members.iter().enumerate() {
            match Member::fit(
                place,
                &**method,
                sets,
                self.parameters.refit,
                train,
                &context.child("member", place as u64),
            ) {
                Ok(member) => members.push(member),
                Err(stop @ (FitError::Cancelled | FitError::TimedOut)) => return Err(stop),
                Err(error) => first = first.or(Some(error)),
            }
        }
        match first {
            Some(error) if members.is_empty() => Err(error),
            _ => Ok(members),
        }
    }
}

impl Method for Stack {
    fn id(&self) -> &'static str {
        ID
    }

    fn version(&self) -> u32 {
        2
    }

    fn stack(&self) -> Option<&Stack> {
        Some(self)
    }

    fn parameters(&self) -> Value {
        let mut parameters = json!(self.parameters);
        parameters["methods"] =
            self.members.iter().map(|member| describe_part(&**member)).collect();
        parameters
    }

    /// Targets are predicted where a member does: a quantile of the pool is one of the member's at
    /// a jump, and errors of zero do not move it.
    fn facts(&self) -> Facts {
        let predicts_targets = self.members.iter().any(|member| member.facts().predicts_targets);
        let takes_missing = self.members.iter().all(|member| member.facts().takes_missing);
        Facts { predicts_targets, takes_missing, ..Facts::default() }
    }

    fn fit(&self, train: &Table, context: &Context) -> Result<Box<dyn Fitted>, FitError> {
        context.checkpoint()?;
        let n = train.rows();
        rows::at_least(ID, 2, n)?;
        rows::finite_target(ID, "training row", train.target.view())?;
        if let Some(place) = self.parameters.groups.iter().find(|place| **place >= train.columns())
        {
            let found = train.columns();
            return Err(FitError::Unsupported(format!(
                "{ID}: asked to group by feature {place} (from 0), found {found} features"
            )));
        }
        let sets = self.parameters.folds.divide(train, context);
        let members = self.pooled_members(&sets, train, context)?;
        let unseen = Unseen {
            members: members.iter().map(|member| (member.model.place, &member.unseen)).collect(),
            sets: &sets,
        };
        let pooling = self.pool(&unseen, train, context)?;
        let models = members.into_iter().map(|member| member.model).collect();
        Ok(Box::new(OwnUnits { columns: train.columns(), model: FittedStack { models, pooling } }))
    }

    fn restore(&self, state: &[u8]) -> Restored {
        OwnUnits::restored_by(state, |written| FittedStack::restored(written, &self.members))
    }
}

/// A member with its quantiles at rows that its fits have not seen.
struct Member {
    model: Model,
    /// n × levels of the grid.
    unseen: Array2<f64>,
}

impl Member {
    /// The fits without each set, then with all rows where they are wanted, are those of
    /// `fit_subsets`.
    fn fit(
        place: usize,
        method: &dyn Method,
        sets: &[Vec<usize>],
        refit: bool,
        train: &Table,
        context: &Context,
    ) -> Result<Self, FitError> {
        let levels = levels::with_grid(ID, &[])?;
        let without = sets.iter().map(|set| rows::complement(set, train.rows()));
        let subsets: Vec<Vec<usize>> =
            without.chain(refit.then(|| (0..train.rows()).collect())).collect();
        let reading = method.readings().swap_remove(0);
        let mut model = Model {
            id: method.id(),
            place,
            reading,
            fits: method.fit_subsets(train, &subsets, context)?,
        };
        let mut unseen = Array2::zeros((train.rows(), levels.len()));
        for (i, (set, fitted)) in sets.iter().zip(&model.fits).enumerate() {
            let held_out = train.select(set);
            let context = context.child("unseen", i as u64);
            let found =
                model.quantiles_of(&**fitted, &levels, held_out.features.view(), &context)?;
            set.iter()
                .zip(found.rows())
                .for_each(|(&row, of_row)| unseen.row_mut(row).assign(&of_row));
        }
        if refit {
            model.fits.drain(..sets.len());
        }
        Ok(Self { model, unseen })
    }
}
