//! Put intervals about any method's mean by its errors on rows that it has not seen, with every row
//! used for both: CV+, the jackknife+ and cross-conformal prediction.
//!
//! The rows are divided into folds. With μ₋ᵢ the base method's mean without the fold of row i, σ₋ᵢ
//! its scale, and the error R_i = |Y_i − μ₋ᵢ(X_i)|/σ₋ᵢ(X_i), each of the n rows has an interval at
//! x, [μ₋ᵢ(x) − σ₋ᵢ(x) R_i, μ₋ᵢ(x) + σ₋ᵢ(x) R_i]. Then
//!
//! ```text
//! cv-plus  from the ⌊α (n + 1)⌋-th smallest lower end to the ⌈(1 − α)(n + 1)⌉-th smallest upper end  (CV+)
//! p-value  the hull of all y with 1 + #{i: y in the interval of row i} > α (n + 1)  (cross-conformal)
//! ```
//!
//! With each row a fold (`folds = "rows"`) the first is the jackknife+. σ is 1, or with
//! `score = "normalised"` the base method's standard deviation, at least a hundredth of that of the
//! fitted targets. The prediction is quantiles at the requested levels, which must come in pairs
//! α/2, 1 − α/2; at 1/2 it is the mean of the fits' means.
//!
//! **Guarantee.** For exchangeable rows the jackknife+ covers a new row with probability 1 − 2α at
//! least, not 1 − α. CV+ with K folds of equal size covers with 1 − 2α − min{2(1 − 1/K)/(n/K + 1),
//! (1 − K/n)/(K + 1)} at least. Where the fits hardly depend on single folds, coverage is near 1 −
//! α. The interval of cross-conformal prediction lies within that of CV+.
//!
//! *Departures:* the papers have one level; intervals of several levels are widened to contain
//! those inside them, which keeps the coverage. Cross-conformal ties count for the set: no number
//! is drawn at random.
//!
//! *References:* R. F. Barber, E. J. Candès, A. Ramdas, R. J. Tibshirani: *Predictive inference
//! with the jackknife+*, Annals of Statistics 49, 2021, Theorems 1 and 4; V. Vovk: *Cross-conformal
//! predictors*, Annals of Mathematics and Artificial Intelligence 74, 2015.

use ndarray::{Array2, ArrayView2};
use serde::{Deserialize, Serialize};

use super::folds::{Calibration, Centre, Folds, Score, WrittenCalibration};
use super::pairs::Pairs;
use super::{Base, ConformalModel, beyond, nested, rank_above};
use crate::engine::own_units::OwnUnitsModel;
use crate::engine::rows;
use crate::entry::Tried;
use crate::parameter::{Choices, parameters};
use crate::trees::forest;
use crate::{Context, Facts, FitError, Fitted, Guarantee, Method, Request, StateError};
use uq_core::Table;
use uq_core::predictive::{Bounds, Predictive};

const ID: &str = "cv-plus";

/// Which set of targets is predicted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Interval {
    /// CV+ or, with each row a fold, the jackknife+.
    #[default]
    CvPlus,
    /// The hull of the cross-conformal set.
    PValue,
}

parameters! {
    /// Parameters of CV+ besides its base method, `method`, written as `{ id, parameters }`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct CvPlusParameters {
        /// Folds of the training rows: this many, or "rows", each row a fold.
        folds: Folds = Folds::Count(10), in Folds::ALLOWED;
        /// What errors are measured by: the target's units, or the base method's standard
        /// deviation.
        score: Score = Score::Residual, in Choices;
        /// CV+, or the hull of the cross-conformal set.
        interval: Interval = Interval::CvPlus, in Choices;
    }
}

impl ConformalModel for FittedCvPlus {
    const TITLE: &'static str = "CV+, jackknife+ and cross-conformal intervals about any method's \
                                 mean (coverage at least 1 − 2α)";
    const TRIED: Tried = Tried {
        settings: "CV+ about the mean of a quantile forest in ten folds; at level 1 − α at least 1 \
                   − 2α is guaranteed",
        // All ten forests predict each row: 0.12 s with 100 rows of 4 features, 0.50 s with 400 of
        // 4.
        cost: |n, d| 11.0 * forest::seconds(n, d),
        parameters: || serde_json::json!({ "method": { "id": "quantile-forest" } }),
    };
    const VERSION: u32 = 1;
    type Parameters = CvPlusParameters;
    type Written = (Interval, WrittenCalibration);

    fn facts(_: &CvPlusParameters, base: &dyn Method) -> Facts {
        Facts { takes_missing: base.facts().takes_missing, ..Facts::default() }
    }

    fn guarantee(parameters: &CvPlusParameters, bounds: Bounds, rows: usize) -> Option<Guarantee> {
        let folds = parameters.folds;
        let theorem = match folds {
            Folds::Rows => "Barber et al. 2021, Theorem 1",
            Folds::Count(_) => "Barber et al. 2021, Theorem 4",
        };
        Some(Guarantee::of_central_intervals(bounds, theorem, |level| {
            folds.guaranteed_coverage(level, rows)
        }))
    }

    fn fit(
        parameters: &CvPlusParameters,
        base: &Base,
        train: &Table,
        context: &Context,
    ) -> Result<Self, FitError> {
        rows::finite_target(ID, "training row", train.target.view())?;
        let sets = parameters.folds.divide(train, context);
        let calibration = base.calibrate(ID, parameters.score, &sets, train, context)?;
        Ok(Self { interval: parameters.interval, calibration })
    }

    fn restored(
        (interval, calibration): Self::Written,
        base: &dyn Method,
    ) -> Result<Self, StateError> {
        Ok(Self { interval, calibration: calibration.restored(ID, base)? })
    }
}

/// The fits without each fold, and the errors of its rows.
#[derive(Serialize)]
pub struct FittedCvPlus {
    interval: Interval,
    calibration: Calibration,
}

impl FittedCvPlus {
    /// The ends of each training row's interval at one new row, ascending; `at` has the prediction
    /// of each fit.
    fn ends(&self, at: &[Centre]) -> (Vec<f64>, Vec<f64>) {
        let end = |side: f64| {
            let of = |row: &super::folds::Scored| {
                at[row.fit].mean + side * at[row.fit].scale * row.error.abs()
            };
            let mut ends: Vec<f64> = self.calibration.rows.iter().map(of).collect();
            ends.sort_unstable_by(f64::total_cmp);
            ends
        };
        (end(-1.0), end(1.0))
    }
}

/// From the ⌊α (n + 1)⌋-th smallest lower end to the ⌈(1 − α)(n + 1)⌉-th smallest upper end; `None`
/// where it is infinite.
fn cv_plus(lower: &[f64], upper: &[f64], coverage: f64) -> Option<(f64, f64)> {
    let n = upper.len();
    let k = rank_above(coverage, n);
    // ⌊α (n + 1)⌋ = n + 1 − ⌈(1 − α)(n + 1)⌉.
    (k <= n).then(|| (lower[n - k], upper[k - 1]))
}

/// The hull of all y in more than α (n + 1) − 1 of the closed intervals; `None` where that is the
/// whole line.
///
/// Ascending ends are those of the intervals in another order, which does not matter for counts.
fn cross_conformal(lower: &[f64], upper: &[f64], coverage: f64) -> Option<(f64, f64)> {
    let n = upper.len();
    let k = rank_above(coverage, n);
    if k > n {
        return None;
    }
    // More than α (n + 1) − 1 is at least n + 1 − k, with k = ⌈(1 − α)(n + 1)⌉.
    let needed = n + 1 - k;
    let count =
        |y: f64| lower.partition_point(|&low| low <= y) - upper.partition_point(|&high| high < y);
    // The set begins at a lower end and ends at an upper one. It is empty where too few intervals
    // meet.
    let low = lower.iter().copied().find(|&y| count(y) >= needed);
    let high = upper.iter().rev().copied().find(|&y| count(y) >= needed);
    let middle = 0.5 * (lower[n - 1] + upper[0]);
    Some(low.zip(high).unwrap_or((middle, middle)))
}

impl OwnUnitsModel for FittedCvPlus {
    const ID: &'static str = ID;

    fn check(&self, _: usize) -> Result<(), String> {
        self.calibration.check()
    }

    fn parts(&self) -> Vec<(&'static str, &dyn Fitted)> {
        self.calibration.parts()
    }

    fn answer(
        &self,
        features: ArrayView2<f64>,
        request: &Request,
        context: &Context,
    ) -> Result<Predictive, FitError> {
        let pairs = Pairs::of(ID, &request.quantile_levels)?;
        let centres = self.calibration.all_centres(features, context)?;
        let shape = (features.nrows(), pairs.len());
        let (mut lower, mut upper) = (Array2::zeros(shape), Array2::zeros(shape));
        let mut points = Vec::with_capacity(features.nrows());
        for i in 0..features.nrows() {
            context.checkpoint()?;
            let at: Vec<Centre> = centres.iter().map(|of_fit| of_fit[i]).collect();
            let (lows, highs) = self.ends(&at);
            for (p, (_, _, coverage)) in pairs.intervals().enumerate() {
                let found = match self.interval {
                    Interval::CvPlus => cv_plus(&lows, &highs, coverage),
                    Interval::PValue => cross_conformal(&lows, &highs, coverage),
                };
                (lower[(i, p)], upper[(i, p)]) =
                    found.ok_or_else(|| beyond(ID, coverage, lows.len()))?;
            }
            points.push(at.iter().map(|centre| centre.mean).sum::<f64>() / at.len() as f64);
        }
        Ok(nested(&pairs, &points, lower, upper))
    }
}

#[cfg(test)]
mod tests;
