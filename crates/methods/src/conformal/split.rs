//! Put intervals of constant width about any method's mean, as wide as its residuals on held-out
//! rows.
//!
//! With the base method's mean μ and its residuals R_i = |Y_i − μ(X_i)| on n calibration rows,
//!
//! ```text
//! C(x) = [μ(x) − Q, μ(x) + Q],   Q the ⌈(1 − α)(n + 1)⌉-th smallest of R_1, …, R_n.
//! ```
//!
//! The prediction is quantiles at the requested levels, which must come in pairs α/2, 1 − α/2; at
//! 1/2 it is μ(x). The ends are no quantiles of the conditional distribution: only the coverage
//! between both is guaranteed.
//!
//! *Departures:* none. Where n < (1 − α)/α only the whole line has the coverage; that is an error.
//!
//! *References:* H. Papadopoulos, K. Proedrou, V. Vovk, A. Gammerman (2002), *Inductive confidence
//! machines for regression*; J. Lei, M. G'Sell, A. Rinaldo, R. J. Tibshirani, L. Wasserman (2018),
//! *Distribution-free predictive inference for regression*, JASA 113, Algorithm 2 and Theorem 2.2.

use ndarray::{Array2, ArrayView2};
use serde::{Deserialize, Serialize};

use super::pairs::Pairs;
use super::{
    Base, ConformalModel, ConformalParameters, Divided, FittedBase, Scores, WrittenBase, nested,
    over_quantile_forest,
};
use crate::engine::own_units::OwnUnitsModel;
use crate::entry::Tried;
use crate::{Context, Facts, FitError, Fitted, Guarantee, Method, Request, StateError};
use uq_core::Table;
use uq_core::predictive::{Bounds, Predictive};

const ID: &str = "split-conformal";

/// A fitted base method, and the sizes of its residuals on the calibration rows.
#[derive(Serialize)]
pub struct FittedSplit {
    base: FittedBase,
    residuals: Scores,
}

/// A fit as it is written, with the base method's state.
#[derive(Deserialize)]
pub struct Written {
    base: WrittenBase,
    residuals: Scores,
}

impl ConformalModel for FittedSplit {
    const TITLE: &'static str = "split conformal prediction about any method's mean";
    const TRIED: Tried = over_quantile_forest(
        "split conformal prediction about the mean of a quantile forest, on half of the rows",
    );
    const VERSION: u32 = 1;
    type Parameters = ConformalParameters;
    type Written = Written;

    fn facts(_: &ConformalParameters, base: &dyn Method) -> Facts {
        Facts { takes_missing: base.facts().takes_missing, ..Facts::default() }
    }

    fn guarantee(_: &ConformalParameters, bounds: Bounds, _: usize) -> Option<Guarantee> {
        Some(Guarantee::of_central_intervals(bounds, "Lei et al. 2018, Theorem 2.2", |level| level))
    }

    fn fit(
        parameters: &ConformalParameters,
        base: &Base,
        train: &Table,
        context: &Context,
    ) -> Result<Self, FitError> {
        let Divided { base, calibration } =
            Divided::new(ID, parameters.calibration, base, train, context)?;
        let context = context.child("calibration", 0);
        let means = base.means(ID, calibration.features.view(), &context)?;
        let residuals = (&calibration.target - &means).mapv(f64::abs);
        Ok(Self { base, residuals: Scores::new(residuals.to_vec()) })
    }

    fn restored(
        Written { base: written, residuals }: Written,
        base: &dyn Method,
    ) -> Result<Self, StateError> {
        Ok(Self { base: FittedBase::restored(written, base)?, residuals })
    }
}

impl OwnUnitsModel for FittedSplit {
    const ID: &'static str = ID;

    fn check(&self, _: usize) -> Result<(), String> {
        Ok(())
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
        let widths: Vec<f64> = pairs
            .intervals()
            .map(|(_, _, coverage)| self.residuals.at(ID, coverage))
            .collect::<Result<_, _>>()?;
        let points = self.base.means(ID, features, &context.child("base", 0))?.to_vec();
        let shape = (points.len(), pairs.len());
        let lower = Array2::from_shape_fn(shape, |(i, p)| points[i] - widths[p]);
        let upper = Array2::from_shape_fn(shape, |(i, p)| points[i] + widths[p]);
        Ok(nested(&pairs, &points, lower, upper))
    }
}
