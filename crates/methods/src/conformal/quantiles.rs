//! Move any method's conditional quantiles outwards, or inwards, until they cover held-out rows at
//! the requested level.
//!
//! With the base method's quantiles q at α/2 and 1 − α/2, the scores of n calibration rows are
//!
//! ```text
//! E_i = max{q_{α/2}(X_i) − Y_i, Y_i − q_{1−α/2}(X_i)}                                          (6)
//! C(x) = [q_{α/2}(x) − Q, q_{1−α/2}(x) + Q],  Q the ⌈(1 − α)(n + 1)⌉-th smallest of E_1, …, E_n  (7), (8)
//! ```
//!
//! for each pair of requested levels; at 1/2 the prediction is the base method's median. The ends
//! are no quantiles of the conditional distribution: only the coverage between both is guaranteed.
//!
//! *Departures:* the paper has one level. Each pair has its own Q, so that intervals may cross:
//! each is widened to contain those inside it and, where it is requested, the median; an empty one
//! (Q < 0 past the middle) becomes its middle point. Both keep the coverage. Where n < (1 − α)/α
//! only the whole line has the coverage; that is an error.
//!
//! *References:* Y. Romano, E. Patterson, E. J. Candès (2019), *Conformalized quantile regression*,
//! NeurIPS 32, Algorithm 1 and Theorem 1.

use ndarray::{Array1, Array2, ArrayView2};
use serde::{Deserialize, Serialize};

use super::pairs::Pairs;
use super::{
    Base, ConformalModel, ConformalParameters, Divided, FittedBase, Scores, WrittenBase, nested,
    over_quantile_forest,
};
use crate::engine::own_units::OwnUnitsModel;
use crate::entry::Tried;
use crate::state::require;
use crate::{Context, Facts, FitError, Fitted, Guarantee, Method, Request, StateError};
use uq_core::Table;
use uq_core::predictive::{Bounds, Predictive};

const ID: &str = "conformalised-quantiles";

/// The base method's quantiles at some levels, n × levels.
fn quantiles(answer: &Predictive, levels: &[f64]) -> Result<Array2<f64>, FitError> {
    let mut values = Array2::zeros((answer.len(), levels.len()));
    for ((i, l), value) in values.indexed_iter_mut() {
        *value = answer.distribution().quantile(i, levels[l]).ok_or_else(|| {
            FitError::Unsupported(format!("{ID}: the base method has no quantile at {}", levels[l]))
        })?;
    }
    Ok(values)
}

/// The scores are computed when levels are requested, because each pair has its own: the
/// calibration rows are part of the fit.
#[derive(Serialize)]
pub struct FittedQuantiles {
    base: FittedBase,
    /// Of the calibration rows, n × d.
    features: Array2<f64>,
    /// Of the calibration rows, n.
    target: Array1<f64>,
}

/// A fit as it is written, with the base method's state.
#[derive(Deserialize)]
pub struct Written {
    base: WrittenBase,
    features: Array2<f64>,
    target: Array1<f64>,
}

impl ConformalModel for FittedQuantiles {
    const TITLE: &'static str = "conformalised quantile regression over any method with quantiles";
    const TRIED: Tried = over_quantile_forest(
        "quantiles of a forest on half of the rows, moved until the other half is covered",
    );
    const VERSION: u32 = 2;
    type Parameters = ConformalParameters;
    type Written = Written;

    /// Targets are predicted where the base method does: errors of zero do not move its quantiles.
    fn facts(_: &ConformalParameters, base: &dyn Method) -> Facts {
        let Facts { predicts_targets, takes_missing, .. } = base.facts();
        Facts { predicts_targets, takes_missing, ..Facts::default() }
    }

    fn guarantee(_: &ConformalParameters, bounds: Bounds, _: usize) -> Option<Guarantee> {
        Some(Guarantee::of_central_intervals(bounds, "Romano et al. 2019, Theorem 1", |level| {
            level
        }))
    }

    fn fit(
        parameters: &ConformalParameters,
        base: &Base,
        train: &Table,
        context: &Context,
    ) -> Result<Self, FitError> {
        let Divided { base, calibration } =
            Divided::new(ID, parameters.calibration, base, train, context)?;
        // Row by row, as they are read again: the order of a sum may depend on it.
        let features = calibration.features.as_standard_layout().into_owned();
        Ok(Self { base, features, target: calibration.target })
    }

    fn restored(
        Written { base: written, features, target }: Written,
        base: &dyn Method,
    ) -> Result<Self, StateError> {
        Ok(Self { base: FittedBase::restored(written, base)?, features, target })
    }
}

impl OwnUnitsModel for FittedQuantiles {
    const ID: &'static str = ID;

    fn check(&self, columns: usize) -> Result<(), String> {
        require(
            self.features.dim() == (self.target.len(), columns),
            "calibration rows of another shape",
        )
    }

    fn parts(&self) -> Vec<(&'static str, &dyn Fitted)> {
        self.base.parts()
    }

    fn answer(
        &self,
        features: ArrayView2<f64>,
        request: &Request,
        context: &Context,
    ) -> Result<Predictive, FitError> {
        let pairs = Pairs::of(ID, &request.quantile_levels)?;
        let levels = pairs.levels();
        let request = Request { quantile_levels: levels.clone(), split: false, ..*request };
        let answer = |features, purpose| {
            let answer = self.base.fitted.predict(
                &self.base.reading,
                features,
                &request,
                &context.child(purpose, 0),
            )?;
            quantiles(&answer, &levels)
        };
        let known = answer(self.features.view(), "calibration")?;
        let asked = answer(features, "base")?;
        let mut shifts = Vec::with_capacity(pairs.len());
        for (p, (_, _, coverage)) in pairs.intervals().enumerate() {
            let (low, high) = (known.column(p), known.column(levels.len() - 1 - p));
            let score = |(i, &y): (usize, &f64)| (low[i] - y).max(y - high[i]); // (6)
            let scores = Scores::new(self.target.iter().enumerate().map(score).collect());
            shifts.push(scores.at(ID, coverage)?); // (8)
        }
        let shape = (asked.nrows(), pairs.len());
        let lower = Array2::from_shape_fn(shape, |(i, p)| asked[(i, p)] - shifts[p]); // (7)
        let upper =
            Array2::from_shape_fn(shape, |(i, p)| asked[(i, levels.len() - 1 - p)] + shifts[p]);
        let points: Vec<f64> = match pairs.median {
            true => asked.column(pairs.len()).to_vec(),
            false => vec![0.0; asked.nrows()],
        };
        Ok(nested(&pairs, &points, lower, upper))
    }
}
