//! Fit on standardised columns, and convert predictions back to the data's units.
//!
//! Features and target get mean 0 and standard deviation 1 on the training rows (divisor n; a constant column becomes zero), as by a
//! protocol with `scaling = "train-rows"`. A method whose settings are stated for such columns can then run under a protocol that gives
//! every method the columns in their own units.

use ndarray::{Array1, ArrayView2};

use super::{question, rows};
use crate::data::Table;
use crate::data::scaling::{Scaler, Scaling};
use crate::methods::{Context, FitError, Fitted, Reading, Request, SideTable};
use crate::predictive::Predictive;

/// A fit of standardised columns that is asked in the data's units. Its side tables are in units of standardised columns.
pub struct Rescaled<F> {
    id: &'static str,
    scaler: Scaler,
    /// The training table's columns, without rows.
    empty: Table,
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
        Ok(Self { id, scaler, empty: train.select(&[]), fitted })
    }
}

impl<F: Fitted> Fitted for Rescaled<F> {
    fn predict(
        &self,
        reading: &Reading,
        features: ArrayView2<f64>,
        request: &Request,
        context: &Context,
    ) -> Result<Predictive, FitError> {
        question::columns(self.id, self.empty.columns(), features)?;
        let (features, target) = (features.to_owned(), Array1::zeros(features.nrows()));
        let rows = self.scaler.apply(&Table { features, target, ..self.empty.clone() });
        let standardised = self.fitted.predict(reading, rows.features.view(), request, context)?;
        let (shift, scale) = self.scaler.target_back();
        let answer = standardised.affine(shift, scale);
        question::valid(self.id, answer.map_err(|error| FitError::Diverged(format!("{}: {error}", self.id)))?)
    }

    fn side_tables(&self) -> Vec<SideTable> {
        self.fitted.side_tables()
    }
}
