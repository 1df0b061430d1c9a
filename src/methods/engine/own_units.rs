//! Predict with a model of the columns in their own units.

use ndarray::ArrayView2;

use super::question;
use crate::methods::{Context, FitError, Fitted, Reading, Request, SideTable};
use crate::predictive::Predictive;

/// A model of the target in its own units given all features in theirs, with one reading.
pub trait OwnUnitsModel: Send + Sync {
    /// The method's name, for errors.
    const ID: &'static str;

    /// The predictive distribution of the target at each row of `features` (n × the training table's columns).
    ///
    /// # Errors
    /// As [`Fitted::predict`].
    fn answer(&self, features: ArrayView2<f64>, request: &Request, context: &Context) -> Result<Predictive, FitError>;

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

impl<M: OwnUnitsModel> Fitted for OwnUnits<M> {
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

    fn side_tables(&self) -> Vec<SideTable> {
        self.model.side_tables()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::random::Streams;
    use crate::methods::point::one_atom;
    use ndarray::{Array2, array};

    /// Predicts the first feature.
    struct First;

    impl OwnUnitsModel for First {
        const ID: &'static str = "first";

        fn answer(&self, features: ArrayView2<f64>, _: &Request, _: &Context) -> Result<Predictive, FitError> {
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
        assert_eq!(ask(Reading::MAIN, array![[4.0, 1.0], [-2.0, 1.0]]).unwrap().means().unwrap(), array![4.0, -2.0]);
        let error = ask(Reading::new("x"), array![[4.0, 1.0]]).unwrap_err();
        assert_eq!(error, FitError::Unsupported("first has the reading 'main' only, asked for 'x'".into()));
        let error = ask(Reading::MAIN, array![[4.0]]).unwrap_err();
        assert_eq!(error, FitError::Unsupported("first was fitted on 2 features, asked to predict from 1".into()));
    }
}
