//! Give any method standardised columns, and convert its predictions back.
//!
//! Features and target get mean 0 and standard deviation 1 on the training rows (divisor n; a constant column becomes zero), as a
//! protocol with `scaling = "train-rows"` does. A method whose settings are stated for such columns can then be compared under a
//! protocol that gives every method the columns in their own units.

use ndarray::ArrayView2;

use super::engine::{question, rows};
use super::entry::{Entry, boxed, read};
use super::parameter::Parameter;
use super::part::{NAMED, describe_part, take_method};
use super::{Context, FitError, Fitted, Method, Reading, Request};
use crate::data::Table;
use crate::data::scaling::{Scaler, Scaling};
use crate::predictive::Predictive;
use ndarray::Array1;

const ID: &str = "standardised";

/// A method that is given standardised columns.
pub struct Standardised {
    method: Box<dyn Method>,
}

/// Its parameters besides the method.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct NoOthers {}

impl Standardised {
    /// Its entry in the registry.
    pub const ENTRY: Entry = Entry {
        id: ID,
        title: "any method on columns with mean 0 and standard deviation 1",
        tried: None,
        parameters: || vec![Parameter::required("method", NAMED, "The method that is given these columns.")],
        build: |given, build| {
            let mut own = given.clone();
            let method = take_method("method", &mut own, build)?;
            read::<NoOthers>(&own)?;
            boxed::<Self, super::ParameterError>(Ok(Self { method }))
        },
    };
}

impl Method for Standardised {
    fn id(&self) -> &'static str {
        ID
    }

    fn version(&self) -> u32 {
        1
    }

    fn parameters(&self) -> serde_json::Value {
        serde_json::json!({ "method": describe_part(&*self.method) })
    }

    fn readings(&self) -> Vec<Reading> {
        self.method.readings()
    }

    fn is_deterministic(&self) -> bool {
        self.method.is_deterministic()
    }

    fn chooses_by_coverage(&self) -> bool {
        self.method.chooses_by_coverage()
    }

    fn predicts_targets(&self) -> bool {
        self.method.predicts_targets()
    }

    fn guaranteed_coverage(&self, level: f64, rows: usize) -> Option<f64> {
        self.method.guaranteed_coverage(level, rows)
    }

    fn guaranteed_bound(&self, level: f64, rows: usize) -> Option<f64> {
        self.method.guaranteed_bound(level, rows)
    }

    fn fit(&self, train: &Table, context: &Context) -> Result<Box<dyn Fitted>, FitError> {
        context.checkpoint()?;
        rows::finite(ID, train)?;
        let scaler = Scaler::new(Scaling::TrainRows, train, train);
        let fitted = self.method.fit(&scaler.apply(train), context)?;
        Ok(Box::new(FittedStandardised { scaler, empty: train.select(&[]), fitted }))
    }
}

/// A fitted method with the scales of its columns.
struct FittedStandardised {
    scaler: Scaler,
    /// The training table's columns, without rows.
    empty: Table,
    fitted: Box<dyn Fitted>,
}

impl Fitted for FittedStandardised {
    fn predict(
        &self,
        reading: &Reading,
        features: ArrayView2<f64>,
        request: &Request,
        context: &Context,
    ) -> Result<Predictive, FitError> {
        question::columns(ID, self.empty.columns(), features)?;
        let (features, target) = (features.to_owned(), Array1::zeros(features.nrows()));
        let rows = self.scaler.apply(&Table { features, target, ..self.empty.clone() });
        let standardised = self.fitted.predict(reading, rows.features.view(), request, context)?;
        let (shift, scale) = self.scaler.target_back();
        let answer = standardised.affine(shift, scale);
        question::valid(ID, answer.map_err(|error| FitError::Diverged(format!("{ID}: {error}")))?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::random::Streams;
    use crate::methods::registry::build;
    use ndarray::Array2;
    use serde_json::json;

    fn table() -> Table {
        let features = Array2::from_shape_fn((40, 2), |(i, j)| 100.0 + ((i * 7 + j * 3) % 11) as f64 * 1000.0);
        let target = (0..40).map(|i| 5e-3 + 1e-3 * features[(i, 0)] + (i % 3) as f64).collect();
        Table::unnamed(features, target)
    }

    fn predicted(id: &str, parameters: &serde_json::Value, train: &Table, at: &Array2<f64>) -> Predictive {
        let context = Context::new(Streams::new(3, "standardised"));
        let fitted = build(id, parameters).unwrap().fit(train, &context).unwrap();
        fitted.predict(&Reading::MAIN, at.view(), &Request::default(), &context).unwrap()
    }

    #[test]
    fn predictions_are_those_of_standardised_columns_in_the_targets_units() {
        let train = table();
        let scaler = Scaler::new(Scaling::TrainRows, &train, &train);
        let scaled = scaler.apply(&train);
        let inner = json!({ "components": 2 });
        let (shift, scale) = scaler.target_back();
        let expected = predicted("gmm-regression", &inner, &scaled, &scaled.features).affine(shift, scale).unwrap();
        let given = json!({ "method": { "id": "gmm-regression", "parameters": inner } });
        assert_eq!(predicted(ID, &given, &train, &train.features), expected);
    }

    #[test]
    fn units_of_the_columns_do_not_matter() {
        let given = json!({ "method": { "id": "jcm", "parameters": { "components": 2, "epochs": 3 } } });
        let train = table();
        let other = Table { features: &train.features * 1024.0, target: &train.target * 0.25, ..train.clone() };
        let (a, b) = (predicted(ID, &given, &train, &train.features), predicted(ID, &given, &other, &other.features));
        let (a, b) = (a.means().unwrap(), b.means().unwrap());
        assert!(a.iter().zip(&b).all(|(a, b)| (0.25 * a - b).abs() < 1e-9 * a.abs().max(1.0)), "{a}\n{b}");
    }

    #[test]
    fn other_parameters_and_other_features_are_refused() {
        let of = json!({ "id": "linear-gaussian" });
        let error = build(ID, &json!({ "method": of, "share": 1 })).err().unwrap().to_string();
        assert!(error.contains("share"), "{error}");
        let context = Context::new(Streams::new(3, "standardised"));
        let fitted = build(ID, &json!({ "method": of })).unwrap().fit(&table(), &context).unwrap();
        let wrong = fitted.predict(&Reading::MAIN, Array2::zeros((1, 3)).view(), &Request::default(), &context);
        assert_eq!(
            wrong.unwrap_err().to_string(),
            FitError::Unsupported(format!("{ID} was fitted on 2 features, asked to predict from 3")).to_string()
        );
    }
}
