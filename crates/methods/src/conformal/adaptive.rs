//! Move any method's quantiles by its errors on the last rows in time, at levels that follow the
//! misses there: adaptive conformal inference.
//!
//! The base method is fitted on the earlier training rows and predicts the last ones, which
//! calibrate: 1, …, T in their order. An upper bound of level 1 − α begins with the predicted
//! quantile q of that level. Its score at a calibrating row is the error in standard deviations of
//! the prediction; a lower bound mirrors all of this:
//!
//! ```text
//! S_t = (Y_t − q(X_t))/σ(X_t)
//! err_t = 1 if S_t > Q̂_t(1 − α_t), else 0
//! α_{t+1} = α_t + γ (α − err_t),   α_1 = α                                                     (2)
//! ```
//!
//! Q̂_t(c) is the ⌈c (n + 1)⌉-th smallest of the n scores before row t: ∞ where there are fewer, so
//! that nothing is missed, and −∞ for c ≤ 0, so that everything is.
//!
//! Rows of one time know nothing of each other: they are compared with the scores before that time,
//! at one α_t, and their steps are added up. After row T the level stands. The prediction at new
//! rows is q(x) + σ(x) Q̂(1 − α_{T+1}), with all T scores and with the base method fitted on all
//! rows. At level 1/2 it is the mean of both bounds. Each row's quantiles are then put in order.
//!
//! *Why the base is fitted again.* The last rows are nearest to the new ones, and a fit without
//! them would be as old as the calibration is long. The scores are of the fit that has not seen
//! them, as in a stack.
//!
//! *What is in time.* The periods that the table states. Without them each row has a time of its
//! own, in the order of the rows. Of stated groups, which have no order, whole groups calibrate,
//! drawn at random.
//!
//! *Departures:* the paper's α_t goes on with each outcome; here new rows are answered at once,
//! before any of their outcomes. The paper has one set, here each quantile has its own α_t, so that
//! skewed noise is followed on either side. The first rows give scores alone, until α (n + 1) ≥ 1:
//! before, the bound of level α itself is infinite, and would cover for no reason. An α_{T+1} that
//! asks for more than the largest score, such as zero, gives the whole line in the paper; here it
//! gives the largest score, the widest bound that the errors have seen. Where T scores are too few
//! for α itself, a requested level is an error, and another is left out.
//!
//! **Guarantee.** None for new rows. Of the calibrating ones, whatever their distribution,
//! Proposition 4.1 says
//!
//! ```text
//! |1/T Σ_t err_t − α| ≤ (max{α, 1 − α} + γ)/(T γ)
//! ```
//!
//! over the T rows after the first ones; with up to m rows of one time it has m γ in place of γ in
//! the numerator. An interval misses by either end, so that its share of misses differs from 2α by
//! twice that at most.
//!
//! *References:* I. Gibbs, E. J. Candès (2021), *Adaptive conformal inference under distribution
//! shift*, NeurIPS 34, with γ = 0.005 in its examples; Y. Romano, E. Patterson, E. J. Candès
//! (2019), *Conformalized quantile regression*, NeurIPS 32: the two ends apart.

mod bound;

use ndarray::ArrayView2;
use serde::{Deserialize, Serialize};

use self::bound::shift;
use super::{AdaptiveConformal, Base, ConformalModel};
use crate::calibration::Calibration;
use crate::engine::own_units::OwnUnitsModel;
use crate::engine::rows;
use crate::entry::Tried;
use crate::parameter::{above, parameters};
use crate::state::{self, require};
use crate::{
    Context, Facts, FitError, Fitted, Method, Reading, Request, StateError, boosting, levels,
};
use uq_core::dependence::members;
use uq_core::predictive::{Form, Predictive, Quantiles};
use uq_core::{Dependence, Table};

const ID: &str = "adaptive-conformal";

parameters! {
    /// Parameters of adaptive conformal inference besides its base method, `method`, written as
    /// `{ id, parameters }`.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct AdaptiveConformalParameters {
        /// Share of the training rows, the last in time, that calibrate: round(share × rows),
        /// leaving a row to fit.
        calibration: f64 = 0.5, in above(0.0).below(1.0);
        /// Step of the level after each calibrating row; 0: the level stays as it is requested.
        gamma: f64 = 0.005, in 0.0..=1.0;
    }
}

impl AdaptiveConformal {
    /// Fits of the base method in fits of all rows: one of the earlier half, one of all.
    pub const FITS: f64 = 1.5;
}

impl AdaptiveConformalParameters {
    /// The calibrating ones of n ≥ 2 rows, ascending: at least one and not all.
    fn calibrating(&self, train: &Table, context: &Context) -> Vec<usize> {
        let rows = train.rows();
        let count = ((self.calibration * rows as f64).round() as usize).clamp(1, rows - 1);
        let stated = train.dependence.held_out(count, &mut context.stream("calibration-rows", 0));
        stated.unwrap_or_else(|| (rows - count..rows).collect())
    }
}

impl ConformalModel for FittedAdaptive {
    const TITLE: &'static str = "adaptive conformal inference: any method's quantiles, at levels \
                                 that follow the latest misses";
    const TRIED: Tried = Tried {
        settings: "boosted quantiles, moved by their errors on the later half of the rows at \
                   levels that follow the misses there",
        cost: |n, d| AdaptiveConformal::FITS * boosting::seconds_of_quantiles(n, d),
        parameters: || serde_json::json!({ "method": { "id": "boosting-quantiles" } }),
    };
    const VERSION: u32 = 2;
    type Parameters = AdaptiveConformalParameters;
    type Written = Written;

    /// Targets are predicted where the base method does: errors of zero do not move its quantiles.
    fn facts(_: &AdaptiveConformalParameters, base: &dyn Method) -> Facts {
        let Facts { predicts_targets, takes_missing, .. } = base.facts();
        Facts { predicts_targets, takes_missing, ..Facts::default() }
    }

    fn fit(
        parameters: &AdaptiveConformalParameters,
        base: &Base,
        train: &Table,
        context: &Context,
    ) -> Result<Self, FitError> {
        rows::finite_target(ID, "training row", train.target.view())?;
        let calibrating = parameters.calibrating(train, context);
        let earlier = train.select(&rows::complement(&calibrating, train.rows()));
        let later = train.select(&calibrating);
        let method = &base.method;
        let fitted = method.fit(&earlier, &context.child("earlier", 0))?;
        let base = FittedBase { id: method.id(), reading: base.reading.clone(), fitted };
        let unseen = base.quantiles(later.features.view(), &context.child("unseen", 0))?;
        Ok(Self {
            base: FittedBase { fitted: method.fit(train, &context.child("base", 0))?, ..base },
            calibration: Calibration::new(unseen.levels, unseen.values, later.target.view()),
            times: times(&later),
            gamma: parameters.gamma,
        })
    }

    fn restored(written: Written, base: &dyn Method) -> Result<Self, StateError> {
        let Written { base: (reading, state), calibration, times, gamma } = written;
        let base = FittedBase { id: base.id(), reading, fitted: base.restore(&state)? };
        Ok(Self { base, calibration, times, gamma })
    }
}

/// How many rows each time has, in its order.
fn times(table: &Table) -> Vec<usize> {
    match &table.dependence {
        Dependence::Periods(periods) => members(periods).iter().map(Vec::len).collect(),
        Dependence::Unknown | Dependence::Groups(_) => vec![1; table.rows()],
    }
}

/// A fit of the base method, and how it is read.
#[derive(Serialize)]
struct FittedBase {
    #[serde(skip)]
    id: &'static str,
    reading: Reading,
    #[serde(serialize_with = "state::of_fit")]
    fitted: Box<dyn Fitted>,
}

impl FittedBase {
    /// Its quantiles at the levels of the grid.
    fn quantiles(
        &self,
        features: ArrayView2<f64>,
        context: &Context,
    ) -> Result<Quantiles, FitError> {
        let levels = levels::with_grid(ID, &[])?;
        let request =
            Request { quantile_levels: levels.clone(), split: false, ..Request::default() };
        let answer = self.fitted.predict(&self.reading, features, &request, context)?;
        Ok(Quantiles { values: levels::finite_quantiles(ID, self.id, &answer, &levels)?, levels })
    }
}

/// The base method fitted on all rows, and its errors on the last ones by the fit that has not seen
/// them.
#[derive(Serialize)]
pub struct FittedAdaptive {
    base: FittedBase,
    calibration: Calibration,
    /// How many of the calibrating rows each time has.
    times: Vec<usize>,
    gamma: f64,
}

/// A fit as it is written, with the base method's state.
#[derive(Deserialize)]
pub struct Written {
    base: (Reading, Vec<u8>),
    calibration: Calibration,
    times: Vec<usize>,
    gamma: f64,
}

impl OwnUnitsModel for FittedAdaptive {
    const ID: &'static str = ID;

    fn check(&self, _: usize) -> Result<(), String> {
        self.calibration.check()?;
        let rows = self.times.iter().try_fold(0_usize, |sum, rows| sum.checked_add(*rows));
        require(
            rows == Some(self.calibration.rows()) && self.gamma.is_finite(),
            "times of other rows, or no finite step",
        )
    }

    fn answer(
        &self,
        features: ArrayView2<f64>,
        request: &Request,
        context: &Context,
    ) -> Result<Predictive, FitError> {
        let asked = &request.quantile_levels;
        let wanted = levels::with_grid(ID, asked)?;
        let raw = self.base.quantiles(features, &context.child("base", 0))?;
        let shift = |level, errors: Vec<f64>| shift(level, errors, &self.times, self.gamma);
        Ok(Predictive::new(Form::Quantiles(
            self.calibration.apply(ID, &raw, wanted, asked, shift)?,
        )))
    }

    fn parts(&self) -> Vec<(&'static str, &dyn Fitted)> {
        vec![(self.base.id, &*self.base.fitted)]
    }
}

#[cfg(test)]
mod tests;
