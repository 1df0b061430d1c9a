//! Adapt any of smartcore's regressors as a point predictor: its parameters, its name and a version
//! are all that it needs.
//!
//! A prediction is one atom, without uncertainty: [`crate::conformal`] puts intervals about it.
//! smartcore cannot be interrupted: a fit is one unit of work.

mod extra_trees;
mod forest;
mod tree;
mod written;

pub use extra_trees::{SmartcoreExtraTrees, SmartcoreExtraTreesParameters};
pub use forest::{SmartcoreForest, SmartcoreForestParameters};
pub use tree::{SmartcoreTree, SmartcoreTreeParameters};
pub use written::{Trees, WrittenForest, WrittenTree};

use ndarray::{Array1, ArrayView2};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use smartcore::api::{Predictor, SupervisedEstimator};
use smartcore::linalg::basic::matrix::DenseMatrix;

use crate::engine::own_units::{OwnUnits, OwnUnitsModel};
use crate::engine::rows;
use crate::point::one_atom;
use crate::{Context, FitError, Fitted, MethodParameters, Request, Restored};
use uq_core::Table;
use uq_core::predictive::Predictive;

/// Largest feature or target that is given to smartcore: differences of two stay finite.
const LARGEST: f64 = f64::MAX / 2.0;

/// The parameters of one of smartcore's regressors, and how they become smartcore's own.
pub trait SmartcoreRegressor: MethodParameters {
    /// smartcore's parameters.
    type Settings: Clone;
    /// smartcore's learner.
    type Estimator: SupervisedEstimator<DenseMatrix<f64>, Vec<f64>, Self::Settings>
        + Predictor<DenseMatrix<f64>, Vec<f64>>
        + Serialize
        + DeserializeOwned
        + Send
        + Sync
        + 'static;
    /// What its learner consists of, as it is written.
    type Written: DeserializeOwned + Trees;

    /// smartcore's parameters for a table of `columns` features; seeds come from the context's
    /// streams.
    fn settings(&self, columns: usize, context: &Context) -> Self::Settings;
}

/// Fits one of smartcore's regressors to the training rows.
///
/// # Errors
/// As [`Method::fit`](crate::Method::fit).
pub fn fit_regressor<P: SmartcoreRegressor>(
    parameters: &P,
    train: &Table,
    context: &Context,
) -> Result<Box<dyn Fitted>, FitError> {
    context.checkpoint()?;
    refuse_unfit(P::ID, train)?;
    let columns = train.columns();
    let settings = parameters.settings(columns, context);
    let fitted =
        P::Estimator::fit(&matrix(train.features.view())?, &train.target.to_vec(), settings);
    let estimator = fitted.map_err(|error| FitError::Diverged(format!("{}: {error}", P::ID)))?;
    Ok(Box::new(OwnUnits { columns, model: FittedSmartcore::<P> { estimator } }))
}

/// Refuses tables on which smartcore panics: without rows or features, or with numbers that are not
/// finite.
fn refuse_unfit(id: &str, train: &Table) -> Result<(), FitError> {
    rows::at_least(id, 1, train.rows())?;
    if train.columns() == 0 {
        return Err(FitError::Unsupported(format!("{id} needs at least 1 feature, found 0")));
    }
    if !train.features.iter().chain(&train.target).all(|number| number.abs() <= LARGEST) {
        return Err(FitError::Unsupported(format!(
            "{id} needs finite features and targets, at most {LARGEST:.2e} in size"
        )));
    }
    Ok(())
}

/// smartcore's matrix of these features.
fn matrix(features: ArrayView2<f64>) -> Result<DenseMatrix<f64>, FitError> {
    let (rows, columns) = features.dim();
    DenseMatrix::new(rows, columns, features.t().iter().copied().collect(), true)
        .map_err(|error| FitError::Unsupported(format!("smartcore's matrix: {error}")))
}

/// The fit of this state of one of smartcore's regressors.
///
/// # Errors
/// As [`Method::restore`](crate::Method::restore).
pub fn restored_regressor<P: SmartcoreRegressor>(state: &[u8]) -> Restored {
    OwnUnits::<FittedSmartcore<P>>::restored(state)
}

/// A fitted regressor of smartcore's.
#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
struct FittedSmartcore<P: SmartcoreRegressor> {
    estimator: P::Estimator,
}

impl<P: SmartcoreRegressor> OwnUnitsModel for FittedSmartcore<P> {
    const ID: &'static str = P::ID;

    /// smartcore shows its trees to serde alone.
    fn check(&self, columns: usize) -> Result<(), String> {
        let unread = |error: postcard::Error| error.to_string();
        let written = postcard::to_allocvec(&self.estimator).map_err(unread)?;
        postcard::from_bytes::<P::Written>(&written).map_err(unread)?.check(columns)
    }

    fn answer(
        &self,
        features: ArrayView2<f64>,
        _: &Request,
        _: &Context,
    ) -> Result<Predictive, FitError> {
        if features.nrows() == 0 {
            return Ok(one_atom(Array1::zeros(0)));
        }
        let values = self.estimator.predict(&matrix(features)?);
        let values = values.map_err(|error| FitError::Diverged(format!("{}: {error}", P::ID)))?;
        Ok(one_atom(Array1::from_vec(values)))
    }
}
