//! Adapt any of linfa's regressors as a point predictor: its parameters, its name and a version are
//! all that it needs.
//!
//! Features and target are standardised on the training rows, and a feature that is constant there
//! is left out. A prediction is one atom, without uncertainty: [`crate::conformal`] puts intervals
//! about it. linfa cannot be interrupted: a fit is one unit of work.

use std::marker::PhantomData;

use linfa::DatasetBase;
use linfa::traits::Fit;
use ndarray::{Array1, Array2, ArrayView2};
use ndarray16::{Array1 as LinfaVector, Array2 as LinfaMatrix};
use serde::{Deserialize, Serialize};

use crate::engine::own_units::{OwnUnits, OwnUnitsModel};
use crate::engine::scales::{Scales, standardise};
use crate::point::one_atom;
use crate::state::require;
use crate::{Context, FitError, Fitted, MethodParameters, Request, Restored};
use uq_core::Table;
use uq_core::predictive::Predictive;

/// The parameters of one of linfa's regressors, and how they become linfa's own.
pub trait LinfaRegressor: MethodParameters {
    /// linfa's parameters.
    type Settings: Fit<LinfaMatrix<f64>, LinfaVector<f64>, Self::Error, Object = Self::Fitted>;
    /// Why linfa cannot fit.
    type Error: std::error::Error + From<linfa::error::Error>;
    /// linfa's fitted learner.
    type Fitted;

    /// linfa's parameters; seeds come from the context's streams.
    fn settings(&self, context: &Context) -> Self::Settings;

    /// Checks a fit to `rows` rows, because linfa returns some failed fits without an error.
    ///
    /// # Errors
    /// [`FitError::Diverged`].
    fn inspect(&self, fitted: &Self::Fitted, rows: usize) -> Result<(), FitError>;

    /// The plane of a fit: all that linfa predicts with.
    fn plane(fitted: &Self::Fitted) -> Plane;
}

/// Fits one of linfa's regressors to the training rows.
///
/// # Errors
/// As [`Method::fit`](crate::Method::fit).
pub fn fit_regressor<P: LinfaRegressor>(
    parameters: &P,
    train: &Table,
    context: &Context,
) -> Result<Box<dyn Fitted>, FitError> {
    let (scales, x, y) = standardise(P::ID, train, context)?;
    let target = LinfaVector::from_iter(y);
    let dataset = DatasetBase::new(records(&x), target);
    let fitted = parameters.settings(context).fit(&dataset);
    let regressor = fitted.map_err(|error| FitError::Diverged(format!("{}: {error}", P::ID)))?;
    parameters.inspect(&regressor, train.rows())?;
    let model = FittedRegressor::<P> { scales, plane: P::plane(&regressor), method: PhantomData };
    Ok(Box::new(OwnUnits { columns: train.columns(), model }))
}

/// The fit of this state of one of linfa's regressors.
///
/// # Errors
/// As [`Method::restore`](crate::Method::restore).
pub fn restored_regressor<P: LinfaRegressor>(state: &[u8]) -> Restored {
    OwnUnits::<FittedRegressor<P>>::restored(state)
}

/// A plane over standardised features.
#[derive(Serialize, Deserialize)]
pub struct Plane {
    /// Slopes, d; one where no feature varies.
    pub slopes: Vec<f64>,
    /// Value where all features are zero.
    pub intercept: f64,
}

/// linfa's matrix of the standardised features; a column of zeros where none varies, as no learner
/// takes an empty matrix.
fn records(x: &Array2<f64>) -> LinfaMatrix<f64> {
    if x.ncols() == 0 {
        return LinfaMatrix::zeros((x.nrows(), 1));
    }
    LinfaMatrix::from_shape_fn(x.dim(), |(i, j)| x[(i, j)])
}

/// A fitted regressor of linfa's.
#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
struct FittedRegressor<P> {
    scales: Scales,
    plane: Plane,
    method: PhantomData<P>,
}

impl<P: LinfaRegressor> OwnUnitsModel for FittedRegressor<P> {
    const ID: &'static str = P::ID;

    fn check(&self, columns: usize) -> Result<(), String> {
        self.scales.check()?;
        let slopes = self.scales.varying.len().max(1);
        require(
            self.scales.features == columns && self.plane.slopes.len() == slopes,
            "a plane over other features",
        )
    }

    fn answer(
        &self,
        features: ArrayView2<f64>,
        _: &Request,
        _: &Context,
    ) -> Result<Predictive, FitError> {
        let records = records(&self.scales.standardised(features));
        let values =
            records.dot(&LinfaVector::from(self.plane.slopes.clone())) + self.plane.intercept;
        let target = self.scales.target;
        let values: Array1<f64> =
            values.iter().map(|value| target.shift + target.scale * value).collect();
        match values.iter().position(|value| !value.is_finite()) {
            None => Ok(one_atom(values)),
            Some(row) => Err(FitError::Diverged(format!(
                "{}: the prediction in row {row} (from 0) is {}; are its features finite?",
                P::ID,
                values[row]
            ))),
        }
    }
}
