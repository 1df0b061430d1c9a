//! Conformal prediction: intervals about any method's predictions, whose coverage is guaranteed for exchangeable rows.
//!
//! `split-conformal` and `conformalised-quantiles` divide the training rows at random into proper training rows, which fit the base
//! method, and n calibration rows, whose scores measure its errors. With the scores in ascending order, an interval widened by the
//! k-th, k = ⌈(1 − α)(n + 1)⌉, covers a new row with probability k/(n + 1) ≥ 1 − α, and at most 1 − α + 1/(n + 1) where
//! no scores tie: over the draw of calibration and new row together, not given x.
//!
//! `cv-plus` uses every row for both, by folds; `conformal-distribution` predicts a whole distribution, from one division or by
//! folds. `adaptive-conformal` is for rows in time, which are not exchangeable: its level follows the misses in the last rows.

mod adaptive;
mod cv_plus;
mod distribution;
mod folds;
mod pairs;
mod quantiles;
mod references;
mod shift;
mod split;
#[cfg(test)]
mod tests;

use std::marker::PhantomData;

use super::engine::own_units::{OwnUnits, OwnUnitsModel};
use super::engine::rows;
use super::{Context, Facts, FitError, Fitted, Guarantee, Method, ParameterError, Reading, Restored, StateError};
use crate::entry::{Entry, Tried, boxed, read};
use crate::parameter::{Parameter, Parameters, above, defaults, parameters};
use crate::part::{NAMED, describe_part, take_method};
use crate::state;
use crate::trees::forest;
use ndarray::Array2;
use pairs::Pairs;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use uq_core::Table;
use uq_core::math::random::draw_without_replacement;
use uq_core::predictive::{Bounds, Form, Predictive, Quantiles};

pub use adaptive::{AdaptiveConformal, AdaptiveConformalParameters};
pub use cv_plus::{CvPlus, CvPlusParameters, Interval};
pub(super) use distribution::outward;
pub use distribution::{ConformalDistribution, ConformalDistributionParameters, Groups};
pub use folds::{Folds, Score};
use quantiles::FittedQuantiles;
pub use references::PUBLICATIONS;
use split::FittedSplit;

parameters! {
    /// Parameters of conformal prediction besides its base method, `method`, written as `{ id, parameters }`.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct ConformalParameters {
        /// Share of the training rows that calibrate: round(share × rows), leaving a row to fit.
        calibration: f64 = 0.5, in above(0.0).below(1.0);
    }
}

impl ConformalParameters {
    /// Every parameter with its default, the base method among them.
    fn list_with_method() -> Vec<Parameter> {
        let method = Parameter::required("method", NAMED, "Base method.");
        [vec![method], defaults::<Self>()].concat()
    }
}

/// Conformal prediction about a base method, which is used with its first reading.
pub struct Conformal<F> {
    parameters: ConformalParameters,
    method: Box<dyn Method>,
    reading: Reading,
    fitted: PhantomData<F>,
}

/// Conformal prediction about any method's mean.
pub type SplitConformal = Conformal<FittedSplit>;

/// Conformalised quantile regression.
pub type ConformalisedQuantiles = Conformal<FittedQuantiles>;

/// What a kind of conformal prediction does with calibration rows.
pub trait Calibrated: OwnUnitsModel + Sized {
    /// One line on what the method is.
    const TITLE: &'static str;
    /// In words, how it is tried over a quantile forest.
    const TRIED: &'static str;
    /// The theorem that guarantees a central interval its level, in a few words.
    const THEOREM: &'static str;
    /// As [`Method::version`].
    const VERSION: u32;
    /// Whether the prediction is the base method's quantiles, moved: not at all where the errors are zero.
    const MOVES_QUANTILES: bool;

    /// The fit over what the base method has learned.
    ///
    /// # Errors
    /// As [`Method::fit`].
    fn calibrate(divided: Divided, context: &Context) -> Result<Self, FitError>;

    /// What it is written as; fits of the base method are written as their states.
    type Written: DeserializeOwned;

    /// The fit that was written, over this base method.
    ///
    /// # Errors
    /// Errors of the base method.
    fn restored(written: Self::Written, base: &dyn Method) -> Result<Self, StateError>;
}

/// A fitted base method, and the rows that calibrate it.
pub struct Divided {
    base: FittedBase,
    calibration: Table,
}

/// A fitted base method.
#[derive(Serialize)]
struct FittedBase {
    #[serde(skip)]
    id: &'static str,
    #[serde(serialize_with = "state::of_fit")]
    fitted: Box<dyn Fitted>,
    reading: Reading,
}

/// A fitted base method as it is written: by its state.
#[derive(Deserialize)]
struct WrittenBase {
    state: Vec<u8>,
    reading: Reading,
}

impl FittedBase {
    /// What was written, of this method.
    ///
    /// # Errors
    /// Errors of the method.
    fn restored(WrittenBase { state, reading }: WrittenBase, base: &dyn Method) -> Result<Self, StateError> {
        Ok(Self { id: base.id(), fitted: base.restore(&state)?, reading })
    }

    /// As [`Fitted::parts`].
    fn parts(&self) -> Vec<(&'static str, &dyn Fitted)> {
        vec![(self.id, &*self.fitted)]
    }
}

impl<F: Calibrated> Conformal<F> {
    /// Its entry in the registry.
    pub const ENTRY: Entry = Entry {
        id: F::ID,
        title: F::TITLE,
        tried: Some(Tried {
            settings: F::TRIED,
            // The forest has half of the rows.
            cost: |n, d| 0.8 * forest::seconds(n, d),
            parameters: || serde_json::json!({ "method": { "id": "quantile-forest" } }),
        }),
        parameters: ConformalParameters::list_with_method,
        build: |given, build| {
            let mut own = given.clone();
            let base = take_method("base", &mut own, build)?;
            boxed(Self::new(read(&own)?, base))
        },
    };

    /// The method over a base method's first reading.
    ///
    /// # Errors
    /// [`ParameterError`] for a parameter out of its range, or a base without a reading.
    pub fn new(parameters: ConformalParameters, base: Box<dyn Method>) -> Result<Self, ParameterError> {
        parameters.check()?;
        let reading = base.readings().into_iter().next();
        let reading = reading.ok_or_else(|| ParameterError::new("method.id", base.id(), "a method with a reading"))?;
        Ok(Self { parameters, method: base, reading, fitted: PhantomData })
    }

    /// Draws the calibration rows from the stream `("calibration-rows", 0)` and fits the others in the child `("base", 0)`.
    fn divide(&self, train: &Table, context: &Context) -> Result<Divided, FitError> {
        context.checkpoint()?;
        let rows = train.rows();
        rows::at_least(F::ID, 2, rows)?;
        let calibration = calibration_rows(self.parameters.calibration, train, context);
        let proper = rows::complement(&calibration, rows);
        let calibration = train.select(&calibration);
        rows::finite_target(F::ID, "calibration row", calibration.target.view())?;
        let fitted = self.method.fit(&train.select(&proper), &context.child("base", 0))?;
        Ok(Divided { base: FittedBase { id: self.method.id(), fitted, reading: self.reading.clone() }, calibration })
    }
}

impl<F: Calibrated> Method for Conformal<F> {
    fn id(&self) -> &'static str {
        F::ID
    }

    fn version(&self) -> u32 {
        F::VERSION
    }

    fn parameters(&self) -> serde_json::Value {
        let mut parameters = serde_json::json!(self.parameters);
        parameters["method"] = describe_part(&*self.method);
        parameters
    }

    fn facts(&self) -> Facts {
        let Facts { predicts_targets, takes_missing, .. } = self.method.facts();
        Facts { predicts_targets: F::MOVES_QUANTILES && predicts_targets, takes_missing, ..Facts::default() }
    }

    fn guarantee(&self, bounds: Bounds, _: usize) -> Option<Guarantee> {
        Some(Guarantee::of_central_intervals(bounds, F::THEOREM, |level| level))
    }

    fn fit(&self, train: &Table, context: &Context) -> Result<Box<dyn Fitted>, FitError> {
        let model = F::calibrate(self.divide(train, context)?, context)?;
        Ok(Box::new(OwnUnits { columns: train.columns(), model }))
    }

    fn restore(&self, state: &[u8]) -> Restored {
        OwnUnits::restored_by(state, |written| F::restored(written, &*self.method))
    }
}

/// round(share × rows), at least one and not all of n ≥ 2 rows.
fn calibrating(share: f64, rows: usize) -> usize {
    ((share * rows as f64).round() as usize).clamp(1, rows.max(2) - 1)
}

/// Draws round(share × rows) of n ≥ 2 rows, at least one and not all, ascending, from the stream `("calibration-rows", 0)`; about
/// as many in whole groups, or the last ones, where the table states groups or periods.
fn calibration_rows(share: f64, train: &Table, context: &Context) -> Vec<usize> {
    let rows = train.rows();
    let count = calibrating(share, rows);
    let stream = &mut context.stream("calibration-rows", 0);
    if let Some(dependent) = train.dependence.held_out(count, stream) {
        return dependent;
    }
    let mut drawn = draw_without_replacement(rows, count, stream);
    drawn.sort_unstable();
    drawn
}

/// ⌈coverage (n + 1)⌉, at least zero.
fn rank(coverage: f64, n: usize) -> usize {
    // Rounding must not lift a whole number to the next one.
    (coverage * (n + 1) as f64 - 1e-9).ceil().max(0.0) as usize
}

/// ⌈coverage (n + 1)⌉, at least one.
fn rank_above(coverage: f64, n: usize) -> usize {
    rank(coverage, n).max(1)
}

/// Why an interval of this probability is infinite with n calibration rows.
pub(super) fn beyond(id: &str, coverage: f64, n: usize) -> FitError {
    // ⌈c (n + 1)⌉ ≤ n holds from n = c/(1 − c) on.
    let needed = (coverage / (1.0 - coverage) - 1e-9).ceil();
    FitError::Unsupported(format!(
        "{id}: an interval of probability {coverage:.6} would be infinite with {n} calibration rows; expected at least \
         {needed} of them, or levels nearer to 0.5"
    ))
}

/// A score of each calibration row, and the k-th smallest.
#[derive(Serialize, Deserialize)]
struct Scores(Vec<f64>);

impl Scores {
    fn new(mut scores: Vec<f64>) -> Self {
        scores.sort_unstable_by(f64::total_cmp);
        Self(scores)
    }

    /// The ⌈coverage (n + 1)⌉-th smallest score.
    ///
    /// # Errors
    /// [`FitError::Unsupported`] where there are fewer: only the whole line has that coverage.
    fn at(&self, id: &str, coverage: f64) -> Result<f64, FitError> {
        let k = rank_above(coverage, self.0.len());
        self.0.get(k - 1).copied().ok_or_else(|| beyond(id, coverage, self.0.len()))
    }
}

/// Quantiles at the levels of `pairs` from a point prediction and, pair by pair from the outermost, both ends (n × pairs).
///
/// Each interval is widened to contain those inside it, and the innermost to contain the point where level 0.5 is
/// requested. Widening keeps the guaranteed coverage; sorting the ends would not.
fn nested(pairs: &Pairs, points: &[f64], mut lower: Array2<f64>, mut upper: Array2<f64>) -> Predictive {
    let (rows, inner) = (points.len(), pairs.len());
    let mut values = Array2::zeros((rows, 2 * inner + usize::from(pairs.median)));
    for (i, &point) in points.iter().enumerate() {
        let mut held = pairs.median.then_some((point, point));
        for p in (0..inner).rev() {
            let (mut low, mut high) = (lower[(i, p)], upper[(i, p)]);
            if low > high {
                // The conformal set is empty: any point covers it.
                low = 0.5 * (low + high);
                high = low;
            }
            if let Some((inner_low, inner_high)) = held {
                (low, high) = (low.min(inner_low), high.max(inner_high));
            }
            (lower[(i, p)], upper[(i, p)]) = (low, high);
            held = Some((low, high));
        }
        let row = lower.row(i).to_vec().into_iter().chain(pairs.median.then_some(point));
        for (value, of) in values.row_mut(i).iter_mut().zip(row.chain(upper.row(i).iter().rev().copied())) {
            *value = of;
        }
    }
    Predictive::new(Form::Quantiles(Quantiles { levels: pairs.levels(), values }))
}
