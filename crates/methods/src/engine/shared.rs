//! Answer the readings of a fit that share all work but the last step.

use ndarray::ArrayView2;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::question;
use crate::state::{self, Restored, StateError};
use crate::{Context, FitError, Fitted, Reading, Request, SideTable};
use uq_core::predictive::Predictive;

/// A model with several readings, each of which is told by what is found at the rows once for all
/// of them.
pub trait SharedModel: Serialize + Send + Sync + 'static {
    /// The method's name, for errors and states.
    const ID: &'static str;
    /// What is found at the rows.
    type Found;

    /// Checks what was read of a state: its parts belong together, and its predictions end.
    ///
    /// # Errors
    /// What is wrong, in words.
    fn check(&self) -> Result<(), String>;

    /// The readings that it has.
    fn readings(&self) -> Vec<Reading>;

    /// What is found at each row of `features` (n × d), which are not checked yet.
    ///
    /// # Errors
    /// As [`Fitted::predict`].
    fn find(&self, features: ArrayView2<f64>, context: &Context) -> Result<Self::Found, FitError>;

    /// What one of its readings makes of it.
    ///
    /// # Errors
    /// As [`Fitted::predict`].
    fn read(
        &self,
        reading: &Reading,
        found: &Self::Found,
        request: &Request,
    ) -> Result<Predictive, FitError>;

    /// As [`Fitted::side_tables`].
    fn side_tables(&self) -> Vec<SideTable> {
        Vec::new()
    }

    /// As [`Fitted::side_tables_at`].
    ///
    /// # Errors
    /// As [`Fitted::predict`].
    fn side_tables_at(
        &self,
        _features: ArrayView2<f64>,
        _context: &Context,
    ) -> Result<Vec<SideTable>, FitError> {
        Ok(Vec::new())
    }
}

/// A fit of such a model: a question is checked before the model sees it.
pub struct Shared<M>(pub M);

impl<M: SharedModel> Shared<M> {
    /// The fit of this state.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn restored(state: &[u8]) -> Restored
    where
        M: DeserializeOwned,
    {
        Self::restored_by(state, Ok)
    }

    /// The fit of this state; `make` makes the model of what it was written as.
    ///
    /// # Errors
    /// [`StateError`], and those of `make`.
    pub fn restored_by<C: DeserializeOwned>(
        state: &[u8],
        make: impl FnOnce(C) -> Result<M, StateError>,
    ) -> Restored {
        let model = make(state::read(M::ID, state)?)?;
        model.check().map_err(|why| StateError::damaged(M::ID, why))?;
        Ok(Box::new(Self(model)))
    }
}

impl<M: SharedModel> Fitted for Shared<M> {
    fn state(&self) -> Result<Vec<u8>, StateError> {
        state::write(M::ID, &self.0)
    }

    fn predict(
        &self,
        reading: &Reading,
        features: ArrayView2<f64>,
        request: &Request,
        context: &Context,
    ) -> Result<Predictive, FitError> {
        context.checkpoint()?;
        question::one_of(M::ID, &self.0.readings(), reading)?;
        self.0.read(reading, &self.0.find(features, context)?, request)
    }

    fn predict_all(
        &self,
        readings: &[Reading],
        features: ArrayView2<f64>,
        request: &Request,
        context: &Context,
    ) -> Result<Vec<Predictive>, FitError> {
        context.checkpoint()?;
        let known = self.0.readings();
        readings.iter().try_for_each(|reading| question::one_of(M::ID, &known, reading))?;
        let found = self.0.find(features, context)?;
        readings.iter().map(|reading| self.0.read(reading, &found, request)).collect()
    }

    fn readings_share_work(&self) -> bool {
        true
    }

    fn side_tables(&self) -> Vec<SideTable> {
        self.0.side_tables()
    }

    fn side_tables_at(
        &self,
        features: ArrayView2<f64>,
        _: &Request,
        context: &Context,
    ) -> Result<Vec<SideTable>, FitError> {
        self.0.side_tables_at(features, context)
    }
}
