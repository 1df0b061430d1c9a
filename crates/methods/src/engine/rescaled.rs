//! Fit on standardised columns, and convert predictions back to the data's units.
//!
//! Features and target get mean 0 and standard deviation 1 on the training rows (divisor n; a
//! constant column becomes zero), as by a protocol with `scaling = "train-rows"`. A method whose
//! settings are stated for such columns can then run under a protocol that gives every method the
//! columns in their own units.

use std::borrow::Cow;

use ndarray::{Array1, ArrayView2};
use serde::{Deserialize, Serialize};

use super::{question, rows};
use crate::state::{self, StateError};
use crate::{Context, FitError, Fitted, Reading, Request, SideTable};
use uq_core::Table;
use uq_core::predictive::Predictive;
use uq_core::scaling::{Scaler, Scaling};

/// A fit of standardised columns that is asked in the data's units. Its side tables are in units of
/// standardised columns.
#[derive(Serialize, Deserialize)]
pub struct Rescaled<F> {
    id: Cow<'static, str>,
    scaler: Scaler,
    fitted: F,
}

impl<F: Fitted> Rescaled<F> {
    /// The fit that `fit` makes of the standardised table.
    ///
    /// # Errors
    /// [`FitError::Unsupported`] for a number that is not finite, and those of `fit`.
    pub fn new(
        id: &'static str,
        train: &Table,
        fit: impl FnOnce(&Table) -> Result<F, FitError>,
    ) -> Result<Self, FitError> {
        rows::finite(id, train)?;
        let scaler = Scaler::new(Scaling::TrainRows, train, train);
        let fitted = fit(&scaler.apply(train))?;
        Ok(Self { id: id.into(), scaler, fitted })
    }

    /// Checks what was read besides the fit.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn check(&self) -> Result<(), String> {
        self.scaler.check()
    }

    /// The fit of standardised columns.
    pub fn inner(&self) -> &F {
        &self.fitted
    }

    /// Number of features of the training table.
    pub fn columns(&self) -> usize {
        self.scaler.columns()
    }
}

impl<F: Fitted + Serialize> Fitted for Rescaled<F> {
    fn state(&self) -> Result<Vec<u8>, StateError> {
        state::write(&self.id, self)
    }

    fn predict(
        &self,
        reading: &Reading,
        features: ArrayView2<f64>,
        request: &Request,
        context: &Context,
    ) -> Result<Predictive, FitError> {
        question::columns(&self.id, self.columns(), features)?;
        let rows = self
            .scaler
            .apply(&Table::unnamed(features.to_owned(), Array1::zeros(features.nrows())));
        let standardised = self.fitted.predict(reading, rows.features.view(), request, context)?;
        let (shift, scale) = self.scaler.target_back();
        let answer = standardised.affine(shift, scale);
        question::valid(
            &self.id,
            answer.map_err(|error| FitError::Diverged(format!("{}: {error}", self.id)))?,
        )
    }

    fn side_tables(&self) -> Vec<SideTable> {
        self.fitted.side_tables()
    }
}
