//! Predict with a model of the columns in their own units.

use ndarray::ArrayView2;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::question;
use crate::state::{self, Restored, StateError};
use crate::{Context, FitError, Fitted, Reading, Request, SideTable};
use uq_core::predictive::Predictive;

/// A model of the target in its own units given all features in theirs, with one reading.
pub trait OwnUnitsModel: Serialize + Send + Sync + 'static {
    /// The method's name, for errors and states.
    const ID: &'static str;

    /// Checks what was read of a state: it is a model of this number of features whose predictions
    /// end.
    ///
    /// # Errors
    /// What is wrong, in words.
    fn check(&self, columns: usize) -> Result<(), String>;

    /// The predictive distribution of the target at each row of `features` (n × the training
    /// table's columns).
    ///
    /// # Errors
    /// As [`Fitted::predict`].
    fn answer(
        &self,
        features: ArrayView2<f64>,
        request: &Request,
        context: &Context,
    ) -> Result<Predictive, FitError>;

    /// As [`Fitted::parts`].
    fn parts(&self) -> Vec<(&'static str, &dyn Fitted)> {
        Vec::new()
    }

    /// As [`Fitted::side_tables`].
    fn side_tables(&self) -> Vec<SideTable> {
        Vec::new()
    }
}

/// A model with the number of its features: a request is checked before the model gets it.
pub struct OwnUnits<M> {
    /// Number of features of the training table.
    pub columns: usize,
    /// The model.
    pub model: M,
}

impl<M: OwnUnitsModel> OwnUnits<M> {
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
        let (columns, content) = state::read(M::ID, state)?;
        let model = make(content)?;
        model.check(columns).map_err(|why| StateError::damaged(M::ID, why))?;
        Ok(Box::new(Self { columns, model }))
    }
}

impl<M: OwnUnitsModel> Fitted for OwnUnits<M> {
    fn state(&self) -> Result<Vec<u8>, StateError> {
        state::write(M::ID, &(self.columns, &self.model))
    }

    fn predict(
        &self,
        reading: &Reading,
        features: ArrayView2<f64>,
        request: &Request,
        context: &Context,
    ) -> Result<Predictive, FitError> {
        context.checkpoint()?;
        question::main_only(M::ID, reading)?;
        question::columns(M::ID, self.columns, features)?;
        self.model.answer(features, request, context)
    }

    fn parts(&self) -> Vec<(&'static str, &dyn Fitted)> {
        self.model.parts()
    }

    fn side_tables(&self) -> Vec<SideTable> {
        self.model.side_tables()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::point::one_atom;
    use ndarray::{Array2, array};
    use uq_core::math::random::Streams;

    /// Predicts the first feature.
    #[derive(Serialize)]
    struct First;

    impl OwnUnitsModel for First {
        const ID: &'static str = "first";

        fn check(&self, _: usize) -> Result<(), String> {
            Ok(())
        }

        fn answer(
            &self,
            features: ArrayView2<f64>,
            _: &Request,
            _: &Context,
        ) -> Result<Predictive, FitError> {
            Ok(one_atom(features.column(0).to_owned()))
        }
    }

    #[test]
    fn a_valid_request_gets_the_models_prediction() {
        let fitted = OwnUnits { columns: 2, model: First };
        let ask = |reading: Reading, features: Array2<f64>| {
            let context = Context::new(Streams::new(1, "own units"));
            fitted.predict(&reading, features.view(), &Request::default(), &context)
        };
        assert_eq!(
            ask(Reading::MAIN, array![[4.0, 1.0], [-2.0, 1.0]]).unwrap().means().unwrap(),
            array![4.0, -2.0]
        );
        let error = ask(Reading::new("x"), array![[4.0, 1.0]]).unwrap_err();
        assert_eq!(
            error,
            FitError::Unsupported("first has the reading 'main' only, asked for 'x'".into())
        );
        let error = ask(Reading::MAIN, array![[4.0]]).unwrap_err();
        assert_eq!(
            error,
            FitError::Unsupported("first was fitted on 2 features, asked to predict from 1".into())
        );
    }
}
