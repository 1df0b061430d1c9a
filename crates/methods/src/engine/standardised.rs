//! Predict in the data's units with a model of standardised columns.

use ndarray::{Array2, ArrayView2};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::scales::Scales;
use super::{question, rows};
use crate::state::{self, Restored, StateError};
use crate::{Context, FitError, Fitted, Reading, Request, SideTable};
use uq_core::Table;
use uq_core::predictive::Predictive;

/// A model of the standardised target given the standardised features that vary, with one reading.
pub trait StandardisedModel: Serialize + DeserializeOwned + Send + Sync + 'static {
    /// The method's name, for errors and states.
    const ID: &'static str;

    /// Checks what was read of a state: it is a model of this number of features that vary, and its
    /// predictions end.
    ///
    /// # Errors
    /// What is wrong, in words.
    fn check(&self, features: usize) -> Result<(), String>;

    /// The predictive distribution of the standardised target at each row of x (n × features that
    /// vary).
    ///
    /// # Errors
    /// As [`Fitted::predict`].
    fn answer(
        &self,
        x: ArrayView2<f64>,
        request: &Request,
        context: &Context,
    ) -> Result<Predictive, FitError>;

    /// The same model on other rows: x (n × features that vary) and y (n × 1), n ≥ 1, all finite.
    ///
    /// # Errors
    /// As [`Fitted::refit`].
    fn refit(
        &self,
        _x: Array2<f64>,
        _y: Array2<f64>,
        _context: &Context,
    ) -> Result<Self, FitError> {
        Err(FitError::Unsupported(format!(
            "{} takes no other rows without training anew",
            Self::ID
        )))
    }

    /// As [`Fitted::side_tables`]; `scales` convert to the data's units.
    fn side_tables(&self, _scales: &Scales) -> Vec<SideTable> {
        Vec::new()
    }

    /// As [`Fitted::side_tables_at`], at the rows of x.
    ///
    /// # Errors
    /// As [`Fitted::predict`].
    fn side_tables_at(
        &self,
        _x: ArrayView2<f64>,
        _request: &Request,
        _context: &Context,
    ) -> Result<Vec<SideTable>, FitError> {
        Ok(Vec::new())
    }
}

/// A model with the scales of its columns: a request is checked and standardised, the prediction
/// converted back and checked.
pub struct Standardised<M> {
    /// How its columns are standardised.
    pub scales: Scales,
    /// The model of standardised columns.
    pub model: M,
}

impl<M: StandardisedModel> Standardised<M> {
    /// The fit of this state.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn restored(state: &[u8]) -> Restored {
        let (scales, model): (Scales, M) = state::read(M::ID, state)?;
        let checked = scales.check().and_then(|()| model.check(scales.varying.len()));
        checked.map_err(|why| StateError::damaged(M::ID, why))?;
        Ok(Box::new(Self { scales, model }))
    }
}

impl<M: StandardisedModel> Fitted for Standardised<M> {
    fn state(&self) -> Result<Vec<u8>, StateError> {
        state::write(M::ID, &(&self.scales, &self.model))
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
        let x = self.scales.checked(M::ID, features)?;
        let standardised = self.model.answer(x.view(), request, context)?;
        self.scales.in_target_units(M::ID, &standardised)
    }

    fn refit(&self, train: &Table, context: &Context) -> Result<Box<dyn Fitted>, FitError> {
        context.checkpoint()?;
        rows::at_least(M::ID, 1, train.rows())?;
        rows::finite(M::ID, train)?;
        let x = self.scales.checked(M::ID, train.features.view())?;
        let model = self.model.refit(x, self.scales.targets(train), context)?;
        Ok(Box::new(Self { scales: self.scales.clone(), model }))
    }

    fn side_tables(&self) -> Vec<SideTable> {
        self.model.side_tables(&self.scales)
    }

    fn side_tables_at(
        &self,
        features: ArrayView2<f64>,
        request: &Request,
        context: &Context,
    ) -> Result<Vec<SideTable>, FitError> {
        self.model.side_tables_at(self.scales.checked(M::ID, features)?.view(), request, context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::scales::standardise;
    use ndarray::{Array1, array};
    use serde::Deserialize;
    use uq_core::math::random::Streams;
    use uq_core::predictive::{Form, Gaussian, Quantiles, Split};

    /// Predicts that the standardised target is N(x₀, variance).
    #[derive(Serialize, Deserialize)]
    struct Known {
        variance: f64,
    }

    impl StandardisedModel for Known {
        const ID: &'static str = "known";

        fn check(&self, features: usize) -> Result<(), String> {
            state::require(features == 1, "one feature varies")
        }

        fn answer(
            &self,
            x: ArrayView2<f64>,
            request: &Request,
            _: &Context,
        ) -> Result<Predictive, FitError> {
            let variance = Array1::from_elem(x.nrows(), self.variance);
            let split =
                request.split.then(|| Split { aleatoric: Some(variance.clone()), epistemic: None });
            Ok(Predictive {
                form: Form::Gaussian(Gaussian { mean: x.column(0).to_owned(), variance }),
                split,
            })
        }
    }

    /// Predicts that the quartiles of the standardised target are −1, 0 and 1.
    #[derive(Serialize, Deserialize)]
    struct Quartiles;

    impl StandardisedModel for Quartiles {
        const ID: &'static str = "quartiles";

        fn check(&self, _: usize) -> Result<(), String> {
            Ok(())
        }

        fn answer(
            &self,
            x: ArrayView2<f64>,
            _: &Request,
            _: &Context,
        ) -> Result<Predictive, FitError> {
            let values = Array2::from_shape_fn((x.nrows(), 3), |(_, l)| l as f64 - 1.0);
            Ok(Predictive::new(Form::Quantiles(Quantiles {
                levels: vec![0.25, 0.5, 0.75],
                values,
            })))
        }

        fn refit(&self, x: Array2<f64>, y: Array2<f64>, _: &Context) -> Result<Self, FitError> {
            assert_eq!((x, y), (array![[3.0]], array![[-2.0]]));
            Ok(Self)
        }
    }

    fn context() -> Context {
        Context::new(Streams::new(1, "standardised"))
    }

    /// The first feature has mean 2 and standard deviation 2, the second does not vary, the target
    /// has mean 4 and deviation 4.
    fn train() -> Table {
        Table::unnamed(array![[0.0, 7.0], [4.0, 7.0]], array![0.0, 8.0])
    }

    fn fit<M: StandardisedModel>(model: M) -> Standardised<M> {
        let (scales, x, y) = standardise(M::ID, &train(), &context()).unwrap();
        assert_eq!((x, y), (array![[-1.0], [1.0]], array![[-1.0], [1.0]]));
        Standardised { scales, model }
    }

    fn ask(
        fitted: &dyn Fitted,
        reading: Reading,
        features: Array2<f64>,
    ) -> Result<Predictive, FitError> {
        fitted.predict(&reading, features.view(), &Request::default(), &context())
    }

    #[test]
    fn a_normal_and_its_split_come_back_in_the_targets_units() {
        let answer =
            ask(&fit(Known { variance: 0.25 }), Reading::MAIN, array![[3.0, 0.0]]).unwrap();
        assert_eq!(answer.means().unwrap(), array![6.0]);
        assert_eq!(answer.variances().unwrap(), array![4.0]);
        assert_eq!(answer.split.unwrap(), Split { aleatoric: Some(array![4.0]), epistemic: None });
    }

    #[test]
    fn quantiles_come_back_in_the_targets_units() {
        let answer = ask(&fit(Quartiles), Reading::MAIN, array![[3.0, 0.0]]).unwrap();
        let Form::Quantiles(found) = answer.form else { panic!("quantiles") };
        assert_eq!(found.values, array![[0.0, 4.0, 8.0]]);
    }

    #[test]
    fn invalid_requests_are_refused() {
        let known = fit(Known { variance: 0.25 });
        let refused = |found: Result<Predictive, FitError>| match found.unwrap_err() {
            FitError::Unsupported(why) => why,
            other => panic!("{other}"),
        };
        let words = refused(ask(&known, Reading::new("x"), array![[3.0, 0.0]]));
        assert_eq!(words, "known has the reading 'main' only, asked for 'x'");
        let words = refused(ask(&known, Reading::MAIN, array![[4.0]]));
        assert_eq!(words, "known was fitted on 2 features, asked to predict from 1");
        let error =
            ask(&fit(Known { variance: -1.0 }), Reading::MAIN, array![[3.0, 0.0]]).unwrap_err();
        assert!(matches!(&error, FitError::Diverged(why) if why.starts_with("known: ")), "{error}");
    }

    #[test]
    fn other_rows_are_checked_and_keep_the_scales() {
        let other = Table::unnamed(array![[8.0, 1.0]], array![-4.0]);
        assert!(fit(Quartiles).refit(&other, &context()).is_ok());
        let error =
            |table: &Table| fit(Quartiles).refit(table, &context()).err().unwrap().to_string();
        assert_eq!(
            error(&other.select(&[])),
            "unsupported: quartiles needs at least 1 training row, found 0"
        );
        let hole = Table { target: array![f64::NAN], ..other.clone() };
        assert!(
            error(&hole).contains("quartiles needs a finite target, found NaN in training row 0")
        );
        let error = fit(Known { variance: 1.0 }).refit(&other, &context()).err().unwrap();
        assert_eq!(
            error,
            FitError::Unsupported("known takes no other rows without training anew".into())
        );
    }
}
