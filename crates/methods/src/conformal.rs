//! Conformal prediction: intervals about any method's predictions, whose coverage is guaranteed for
//! exchangeable rows.
//!
//! `split-conformal` and `conformalised-quantiles` divide the training rows at random into proper
//! training rows, which fit the base method, and n calibration rows, whose scores measure its
//! errors. With the scores in ascending order, an interval widened by the k-th, k = ⌈(1 − α)(n +
//! 1)⌉, covers a new row with probability k/(n + 1) ≥ 1 − α, and at most 1 − α + 1/(n + 1) where no
//! scores tie: over the draw of calibration and new row together, not given x.
//!
//! `cv-plus` uses every row for both, by folds; `conformal-distribution` predicts a whole
//! distribution, from one division or by folds. `adaptive-conformal` is for rows in time, which are
//! not exchangeable: its level follows the misses in the last rows. `isotonic-distribution` makes a
//! distribution of any method's mean, too, and guarantees nothing.

mod adaptive;
mod cv_plus;
mod distribution;
mod folds;
mod isotonic;
mod pairs;
mod quantiles;
mod references;
mod shift;
mod split;
#[cfg(test)]
mod tests;

use super::engine::own_units::{OwnUnits, OwnUnitsModel};
use super::engine::rows;
use super::{
    Context, Facts, FitError, Fitted, Guarantee, Method, ParameterError, Reading, Request,
    Restored, StateError,
};
use crate::entry::{Entry, Tried, boxed, read};
use crate::parameter::{Parameters, above, defaults, parameters};
use crate::part::{describe_part, take_method};
use crate::state;
use crate::trees::forest;
use ndarray::{Array1, Array2, ArrayView2};
use pairs::Pairs;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use uq_core::Table;
use uq_core::math::random::draw_without_replacement;
use uq_core::predictive::{Bounds, Form, Predictive, Quantiles};

pub use adaptive::{AdaptiveConformalParameters, FittedAdaptive};
pub use cv_plus::{CvPlusParameters, FittedCvPlus, Interval};
pub(super) use distribution::outward;
pub use distribution::{ConformalDistributionParameters, FittedDistribution, Groups};
pub use folds::{Base, Folds, Score};
pub use isotonic::{FittedIsotonic, IsotonicDistributionParameters};
pub use quantiles::FittedQuantiles;
pub use references::PUBLICATIONS;
pub use split::FittedSplit;

parameters! {
    /// Parameters of conformal prediction besides its base method, `method`, written as
    /// `{ id, parameters }`.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct ConformalParameters {
        /// Share of the training rows that calibrate: round(share × rows), leaving a row to fit.
        calibration: f64 = 0.5, in above(0.0).below(1.0);
    }
}

/// A fit of a kind of conformal prediction: [`Conformal`] makes a method of it.
pub trait ConformalModel: OwnUnitsModel + Sized {
    /// One line on what the method is.
    const TITLE: &'static str;
    /// How it is tried on a table of one's own.
    const TRIED: Tried;
    /// As [`Method::version`].
    const VERSION: u32;
    /// The parameters besides the base method, `method`.
    type Parameters: Parameters + Default + Serialize + DeserializeOwned + Send + Sync + 'static;
    /// What the fit is written as; fits of the base method are written as their states.
    type Written: DeserializeOwned;

    /// Checks the rules that couple several parameters; each of them is in its range.
    ///
    /// # Errors
    /// [`ParameterError`] for a parameter that does not go with the others.
    fn check_coupled(_parameters: &Self::Parameters) -> Result<(), ParameterError> {
        Ok(())
    }

    /// As [`Method::facts`].
    fn facts(parameters: &Self::Parameters, base: &dyn Method) -> Facts;

    /// As [`Method::guarantee`].
    fn guarantee(
        _parameters: &Self::Parameters,
        _bounds: Bounds,
        _rows: usize,
    ) -> Option<Guarantee> {
        None
    }

    /// As [`Method::calibrating_rows`].
    fn calibrating_rows(_parameters: &Self::Parameters, rows: usize) -> usize {
        rows / 2
    }

    /// Fits at least 2 training rows, whose numbers are not checked yet.
    ///
    /// # Errors
    /// As [`Method::fit`].
    fn fit(
        parameters: &Self::Parameters,
        base: &Base,
        train: &Table,
        context: &Context,
    ) -> Result<Self, FitError>;

    /// The fit that was written, over this base method.
    ///
    /// # Errors
    /// Errors of the base method.
    fn restored(written: Self::Written, base: &dyn Method) -> Result<Self, StateError>;
}

/// Conformal prediction about a base method, which is used with its first reading.
pub struct Conformal<M: ConformalModel> {
    parameters: M::Parameters,
    base: Base,
}

/// Conformal prediction about any method's mean.
pub type SplitConformal = Conformal<FittedSplit>;

/// Conformalised quantile regression.
pub type ConformalisedQuantiles = Conformal<FittedQuantiles>;

/// CV+, the jackknife+ and cross-conformal prediction about any method's mean.
pub type CvPlus = Conformal<FittedCvPlus>;

/// Adaptive conformal inference about any method's quantiles.
pub type AdaptiveConformal = Conformal<FittedAdaptive>;

/// The conformal predictive distribution about any method's mean.
pub type ConformalDistribution = Conformal<FittedDistribution>;

/// The isotonic distribution about any method's mean.
pub type IsotonicDistribution = Conformal<FittedIsotonic>;

impl<M: ConformalModel> Conformal<M> {
    /// Its entry in the registry.
    pub const ENTRY: Entry = Entry {
        id: M::ID,
        title: M::TITLE,
        tried: Some(M::TRIED),
        parameters: || [vec![Base::parameter()], defaults::<M::Parameters>()].concat(),
        build: |given, build| {
            let mut own = given.clone();
            let base = take_method("base", &mut own, build)?;
            boxed(Self::new(read(&own)?, base))
        },
    };

    /// The method over a base method's first reading.
    ///
    /// # Errors
    /// [`ParameterError`] for a parameter out of its range or one that does not go with the others,
    /// or a base without a reading.
    pub fn new(parameters: M::Parameters, base: Box<dyn Method>) -> Result<Self, ParameterError> {
        parameters.check()?;
        M::check_coupled(&parameters)?;
        Ok(Self { parameters, base: Base::new(base)? })
    }
}

impl<M: ConformalModel> Method for Conformal<M> {
    fn id(&self) -> &'static str {
        M::ID
    }

    fn version(&self) -> u32 {
        M::VERSION
    }

    fn parameters(&self) -> serde_json::Value {
        let mut parameters = serde_json::json!(self.parameters);
        parameters["method"] = describe_part(&*self.base.method);
        parameters
    }

    fn facts(&self) -> Facts {
        M::facts(&self.parameters, &*self.base.method)
    }

    fn guarantee(&self, bounds: Bounds, rows: usize) -> Option<Guarantee> {
        M::guarantee(&self.parameters, bounds, rows)
    }

    fn calibrating_rows(&self, rows: usize) -> usize {
        M::calibrating_rows(&self.parameters, rows)
    }

    fn fit(&self, train: &Table, context: &Context) -> Result<Box<dyn Fitted>, FitError> {
        context.checkpoint()?;
        rows::at_least(M::ID, 2, train.rows())?;
        let model = M::fit(&self.parameters, &self.base, train, context)?;
        Ok(Box::new(OwnUnits { columns: train.columns(), model }))
    }

    fn restore(&self, state: &[u8]) -> Restored {
        OwnUnits::restored_by(state, |written| M::restored(written, &*self.base.method))
    }
}

/// A fitted base method, and the rows that calibrate it.
struct Divided {
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
    fn restored(
        WrittenBase { state, reading }: WrittenBase,
        base: &dyn Method,
    ) -> Result<Self, StateError> {
        Ok(Self { id: base.id(), fitted: base.restore(&state)?, reading })
    }

    /// As [`Fitted::parts`].
    fn parts(&self) -> Vec<(&'static str, &dyn Fitted)> {
        vec![(self.id, &*self.fitted)]
    }

    /// The means at the rows of `features` (n × d).
    ///
    /// # Errors
    /// Errors of the base method; [`FitError::Diverged`], in the name of the method `id`, where a
    /// mean is not finite.
    fn means(
        &self,
        id: &str,
        features: ArrayView2<f64>,
        context: &Context,
    ) -> Result<Array1<f64>, FitError> {
        let request = Request { split: false, ..Request::default() };
        let answer = self.fitted.predict(&self.reading, features, &request, context)?;
        answer.means().ok_or_else(|| {
            FitError::Diverged(format!("{id}: the base method predicts no finite mean"))
        })
    }
}

impl Divided {
    /// Draws the calibration rows from the stream `("calibration-rows", 0)` and fits the others in
    /// the child `("base", 0)`.
    ///
    /// # Errors
    /// Errors of the base method; [`FitError::Unsupported`], in the name of the method `id`, where
    /// a target of a calibration row is not finite.
    fn new(
        id: &str,
        share: f64,
        base: &Base,
        train: &Table,
        context: &Context,
    ) -> Result<Self, FitError> {
        let calibration = calibration_rows(share, train, context);
        let proper = rows::complement(&calibration, train.rows());
        let calibration = train.select(&calibration);
        rows::finite_target(id, "calibration row", calibration.target.view())?;
        let fitted = base.method.fit(&train.select(&proper), &context.child("base", 0))?;
        Ok(Self {
            base: FittedBase { id: base.method.id(), fitted, reading: base.reading.clone() },
            calibration,
        })
    }
}

/// How a method is tried over a quantile forest that is fitted on half of the rows.
const fn over_quantile_forest(settings: &'static str) -> Tried {
    Tried {
        settings,
        cost: |n, d| 0.8 * forest::seconds(n, d),
        parameters: || serde_json::json!({ "method": { "id": "quantile-forest" } }),
    }
}

/// round(share × rows), at least one and not all of n ≥ 2 rows.
fn calibrating(share: f64, rows: usize) -> usize {
    ((share * rows as f64).round() as usize).clamp(1, rows.max(2) - 1)
}

/// Draws round(share × rows) of n ≥ 2 rows, at least one and not all, ascending, from the stream
/// `("calibration-rows", 0)`; about as many in whole groups, or the last ones, where the table
/// states groups or periods.
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
        "{id}: an interval of probability {coverage:.6} would be infinite with {n} calibration \
         rows; expected at least {needed} of them, or levels nearer to 0.5"
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

/// Quantiles at the levels of `pairs` from a point prediction and, pair by pair from the outermost,
/// both ends (n × pairs).
///
/// Each interval is widened to contain those inside it, and the innermost to contain the point
/// where level 0.5 is requested. Widening keeps the guaranteed coverage; sorting the ends would
/// not.
fn nested(
    pairs: &Pairs,
    points: &[f64],
    mut lower: Array2<f64>,
    mut upper: Array2<f64>,
) -> Predictive {
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
        for (value, of) in
            values.row_mut(i).iter_mut().zip(row.chain(upper.row(i).iter().rev().copied()))
        {
            *value = of;
        }
    }
    Predictive::new(Form::Quantiles(Quantiles { levels: pairs.levels(), values }))
}
