//! Predict the distribution of the outcomes that went with predictions like this one: EasyUQ.
//!
//! The base method's mean μ(x) becomes a distribution by isotonic distributional regression of the
//! training targets on the means of their rows,
//!
//! ```text
//! F(y | μ) = min_{k ≤ j} max_{l ≥ j} (share of Y_i ≤ y among the rows with m_k ≤ μ(X_i) ≤ m_l)
//! ```
//!
//! at the j-th smallest mean m_j, linear between neighbours, constant beyond them. All that it
//! assumes is that a larger mean goes with larger outcomes, and it has nothing to tune. It is no
//! conformal prediction: it guarantees no coverage. The prediction is weighted points, which are
//! training targets.
//!
//! The paper compares the targets with the means of rows that the base method was fitted on
//! (`folds` 1). A base method that follows its rows closely has small errors there, and the
//! distribution is too narrow. With several `folds` each target is compared with the mean of the fit
//! that has not seen it; new rows are predicted by one more fit, of all rows.
//!
//! With `smooth` the points get a kernel,
//!
//! ```text
//! f(y | x) = Σ_i w_i(x) κ_ν((y − Y_i)/h)/h,   κ_ν Student's t, or normal (ν = ∞)
//! ```
//!
//! (equation 4 of the paper). h and ν have the least mean negative log density of a `held_out`
//! share of the rows, predicted by a fit of the others. Where outcomes equal points so often that
//! the density of these rows grows without bound as h falls for the smallest ν, the kernel is normal;
//! where it grows for a normal kernel, too, h is Silverman's rule of thumb of the targets, as in the
//! authors' program (`functions_easyuq.py:149-184`).
//!
//! *Departures:* the authors' program rounds F to three decimals (`isodisreg`); here it is exact.
//! It holds out the last fifth of the rows; here they are drawn at random, or in whole groups, or
//! are the last ones where the table states times. It searches 0 < h < max y, which depends on the
//! origin of y, by Brent's method; here h is searched up to the range of the targets, on a grid over
//! ln h and by golden sections. It tunes the base method's settings with the same rows, which here
//! is the task of `validated`.
//!
//! *References:* E.-M. Walz, A. Henzi, J. Ziegel, T. Gneiting (2024), *Easy uncertainty
//! quantification (EasyUQ): generating predictive distributions from single-valued model output*,
//! SIAM Review 66, 91-122; code: github.com/evwalz/easyuq at cbeebe1. A. Henzi, J. F. Ziegel, T.
//! Gneiting (2021), *Isotonic distributional regression*, JRSS-B 83, 963-993.

mod smoothing;

use ndarray::{Array1, Array2, ArrayView2};
use serde::{Deserialize, Serialize};

use self::smoothing::Smoothing;
use super::folds::Folds;
use super::{Base, ConformalModel, FittedBase, WrittenBase, calibration_rows};
use crate::engine::own_units::OwnUnitsModel;
use crate::engine::rows;
use crate::entry::Tried;
use crate::parameter::{Choices, above, one_or_more, parameters};
use crate::state::require;
use crate::trees::forest;
use crate::{Context, Facts, FitError, Fitted, Method, Request, SideTable, StateError};
use uq_core::Table;
use uq_core::predictive::{Atoms, Form, Predictive, Smoothed};
use uq_core::stats::isotonic::{IsotonicDistributions, WeightedPoints};

pub(super) const ID: &str = "isotonic-distribution";

parameters! {
    /// Parameters of an isotonic distribution besides its base method, `method`, written as
    /// `{ id, parameters }`.
    #[derive(Clone, Debug, PartialEq)]
    pub struct IsotonicDistributionParameters {
        /// Folds: targets are compared with the means of the fit without their fold. The paper has
        /// 1: targets are compared with the means of the fit of all rows.
        folds: usize = 5, in 1..;
        /// Whether a kernel makes the points smooth.
        smooth: bool = false, in Choices;
        /// Share of the training rows on which bandwidth and kernel are chosen.
        held_out: f64 = 0.2, in above(0.0).below(1.0);
        /// Degrees of freedom of the kernels that are tried beside the normal one.
        degrees_of_freedom: Vec<f64> = vec![20.0, 10.0, 5.0, 4.0, 3.0, 2.0], in one_or_more(1.5..=1000.0);
    }
}

/// A fitted base method, the outcomes that go with its means, and how they are made smooth.
#[derive(Serialize)]
pub struct FittedIsotonic {
    base: FittedBase,
    outcomes: IsotonicDistributions,
    smoothing: Option<Smoothing>,
}

/// A fit as it is written, with the base method's state.
#[derive(Deserialize)]
pub struct Written {
    base: WrittenBase,
    outcomes: IsotonicDistributions,
    smoothing: Option<Smoothing>,
}

impl FittedIsotonic {
    /// The base method fitted to all rows, and their targets beside its means of them, or beside
    /// those of fits without them.
    fn without_kernel(
        folds: usize,
        base: &Base,
        train: &Table,
        context: &Context,
    ) -> Result<Self, FitError> {
        let fit = |fitted: Box<dyn Fitted>| FittedBase {
            id: base.method.id(),
            fitted,
            reading: base.reading.clone(),
        };
        let all = fit(base.method.fit(train, &context.child("base", 0))?);
        let means = match folds {
            1 => all.means(ID, train.features.view(), &context.child("training rows", 0))?,
            count => {
                let sets = Folds::Count(count).divide(train, context);
                let complements: Vec<Vec<usize>> =
                    sets.iter().map(|set| rows::complement(set, train.rows())).collect();
                let context = context.child("folds", 0);
                let fits = base.method.fit_subsets(train, &complements, &context)?;
                let mut means = Array1::zeros(train.rows());
                for (k, (fitted, set)) in fits.into_iter().zip(&sets).enumerate() {
                    let unseen = train.select(set);
                    let context = context.child("held-out rows", k as u64);
                    let found = fit(fitted).means(ID, unseen.features.view(), &context)?;
                    set.iter().zip(found).for_each(|(&row, mean)| means[row] = mean);
                }
                means
            }
        };
        let outcomes = IsotonicDistributions::new(&means.to_vec(), &train.target.to_vec());
        let outcomes = outcomes.ok_or_else(|| {
            FitError::Diverged(format!("{ID}: the base method predicts no finite mean"))
        })?;
        Ok(Self { base: all, outcomes, smoothing: None })
    }

    /// The points of each row.
    fn points(
        &self,
        features: ArrayView2<f64>,
        context: &Context,
    ) -> Result<Vec<WeightedPoints>, FitError> {
        let means = self.base.means(ID, features, &context.child("base", 0))?;
        context.checkpoint()?;
        Ok(self.outcomes.at(&means.to_vec()))
    }
}

impl ConformalModel for FittedIsotonic {
    const TITLE: &'static str =
        "EasyUQ: the outcomes of rows with such means, by isotonic distributional regression";
    const TRIED: Tried = Tried {
        settings: "outcomes that go with the means of a quantile forest, fitted without their fold of \
                   five",
        cost: |n, d| 6.0 * forest::seconds(n, d),
        parameters: || serde_json::json!({ "method": { "id": "quantile-forest" } }),
    };
    const VERSION: u32 = 1;
    type Parameters = IsotonicDistributionParameters;
    type Written = Written;

    fn facts(parameters: &IsotonicDistributionParameters, base: &dyn Method) -> Facts {
        let Facts { takes_missing, .. } = base.facts();
        Facts { predicts_targets: !parameters.smooth, takes_missing, ..Facts::default() }
    }

    fn fit(
        parameters: &IsotonicDistributionParameters,
        base: &Base,
        train: &Table,
        context: &Context,
    ) -> Result<Self, FitError> {
        let &IsotonicDistributionParameters { folds, smooth, held_out, ref degrees_of_freedom } =
            parameters;
        rows::finite_target(ID, "training row", train.target.view())?;
        let smoothing = match smooth {
            false => None,
            true => {
                let context = context.child("smoothing", 0);
                let unseen = calibration_rows(held_out, train, &context);
                let others = train.select(&rows::complement(&unseen, train.rows()));
                let unseen = train.select(&unseen);
                let fitted = Self::without_kernel(folds, base, &others, &context)?;
                let points =
                    fitted.points(unseen.features.view(), &context.child("held-out rows", 0))?;
                let outcomes = unseen.target.to_vec();
                let targets = fitted.outcomes.outcomes();
                Some(Smoothing::choose(degrees_of_freedom, &points, &outcomes, targets, &context)?)
            }
        };
        Ok(Self { smoothing, ..Self::without_kernel(folds, base, train, context)? })
    }

    fn restored(written: Written, base: &dyn Method) -> Result<Self, StateError> {
        let Written { base: written, outcomes, smoothing } = written;
        Ok(Self { base: FittedBase::restored(written, base)?, outcomes, smoothing })
    }
}

impl OwnUnitsModel for FittedIsotonic {
    const ID: &'static str = ID;

    fn check(&self, _: usize) -> Result<(), String> {
        require(self.outcomes.is_valid(), "outcomes that are in no order")?;
        self.smoothing.as_ref().map_or(Ok(()), Smoothing::check)
    }

    fn parts(&self) -> Vec<(&'static str, &dyn Fitted)> {
        self.base.parts()
    }

    fn answer(
        &self,
        features: ArrayView2<f64>,
        _: &Request,
        context: &Context,
    ) -> Result<Predictive, FitError> {
        let points = self.points(features, context)?;
        let most = points.iter().map(Vec::len).max().unwrap_or(0);
        let (mut values, mut weights) =
            (Array2::zeros((points.len(), most)), Array2::zeros((points.len(), most)));
        for (i, points) in points.iter().enumerate() {
            // Points without a weight fill up the row; they stand where its last point is.
            let last = points.last().map_or(0.0, |point| point.0);
            values.row_mut(i).fill(last);
            for (k, &(value, weight)) in points.iter().enumerate() {
                (values[(i, k)], weights[(i, k)]) = (value, weight);
            }
        }
        let form = match &self.smoothing {
            None => Form::Atoms(Atoms { values, weights }),
            Some(smoothing) => Form::Smoothed(Smoothed {
                bandwidth: Array1::from_elem(points.len(), smoothing.bandwidth),
                kernel: smoothing.kernel,
                values,
                weights,
            }),
        };
        Ok(Predictive::new(form))
    }

    fn side_tables(&self) -> Vec<SideTable> {
        self.smoothing.iter().map(|smoothing| smoothing.tried.clone()).collect()
    }
}

#[cfg(test)]
mod tests;
