//! Fit smartcore's random forest regressor: a point predictor, to be wrapped by conformal prediction.
//!
//! Its trees are those of [`super::smartcore`], each on a bootstrap sample; a prediction is their mean. It says nothing about
//! its uncertainty; [`crate::methods::trees::forest`] does.

use ndarray::{Array1, ArrayView2};
use rand::RngExt;
use serde::{Deserialize, Serialize};
use smartcore::ensemble::random_forest_regressor::{RandomForestRegressor, RandomForestRegressorParameters};
use smartcore::linalg::basic::matrix::DenseMatrix;

use super::smartcore::{matrix, refuse_unfit};
use crate::data::Table;
use crate::methods::point::{check_ask, one_atom};
use crate::methods::trees::forest::ForestFeatures;
use crate::methods::{Ask, Context, FitError, Fitted, Method, ParameterError, Reading};
use crate::predictive::Predictive;

/// Parameters of smartcore's random forest.
///
/// | name | default | range | meaning |
/// | --- | --- | --- | --- |
/// | `trees` | 100 | 1 to 65535 | number of trees |
/// | `max_depth` | null | 0 to 65534 or null | splits between root and leaf at most (scikit-learn's sense); null: no limit |
/// | `min_leaf` | 5 | ≥ 1 | rows of a leaf at least |
/// | `features` | `"third"` | `"third"`, `"all"` or ≥ 1 | features tried at each split: ⌈d/3⌉, all, or this many |
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SmartcoreForestParameters {
    /// Number of trees.
    pub trees: u16,
    /// Splits between root and leaf at most; `None`: no limit.
    pub max_depth: Option<u16>,
    /// Rows of a leaf at least.
    pub min_leaf: usize,
    /// Features tried at each split.
    pub features: ForestFeatures,
}

impl Default for SmartcoreForestParameters {
    fn default() -> Self {
        Self { trees: 100, max_depth: None, min_leaf: 5, features: ForestFeatures::Third }
    }
}

/// smartcore's random forest as a method; a prediction is one atom.
#[derive(Clone, Debug)]
pub struct SmartcoreForest {
    parameters: SmartcoreForestParameters,
}

impl SmartcoreForest {
    /// The method with these parameters.
    ///
    /// # Errors
    /// [`ParameterError`] for a parameter out of its range.
    pub fn new(parameters: SmartcoreForestParameters) -> Result<Self, ParameterError> {
        let SmartcoreForestParameters { trees, max_depth, min_leaf, features } = parameters;
        ParameterError::check(trees >= 1, "trees", trees, "a whole number from 1 to 65535")?;
        let shallow = max_depth != Some(u16::MAX);
        ParameterError::check(shallow, "max_depth", u16::MAX, "a whole number from 0 to 65534, or null")?;
        ParameterError::check(min_leaf >= 1, "min_leaf", min_leaf, "a whole number of at least 1")?;
        let sampled = features != ForestFeatures::Count(0);
        ParameterError::check(sampled, "features", 0, "\"third\", \"all\" or a whole number of at least 1")?;
        Ok(Self { parameters })
    }
}

impl Method for SmartcoreForest {
    fn id(&self) -> &'static str {
        "smartcore-forest"
    }

    fn version(&self) -> u32 {
        1
    }

    fn parameters(&self) -> serde_json::Value {
        serde_json::json!(self.parameters)
    }

    /// smartcore cannot be interrupted: a fit is one unit of work.
    fn fit(&self, train: &Table, context: &Context) -> Result<Box<dyn Fitted>, FitError> {
        context.checkpoint()?;
        refuse_unfit("smartcore's forest", train)?;
        let columns = train.columns();
        let parameters = RandomForestRegressorParameters {
            max_depth: self.parameters.max_depth.map(|depth| depth + 1),
            min_samples_leaf: self.parameters.min_leaf,
            min_samples_split: 2,
            n_trees: usize::from(self.parameters.trees),
            m: Some(self.parameters.features.count(columns)),
            keep_samples: false,
            seed: context.stream("forest", 0).random(),
        };
        let forest = RandomForestRegressor::fit(&matrix(train.features.view())?, &train.target.to_vec(), parameters)
            .map_err(|error| FitError::Diverged(format!("smartcore's forest: {error}")))?;
        Ok(Box::new(FittedSmartcoreForest { columns, forest }))
    }
}

/// A fitted forest of smartcore's.
struct FittedSmartcoreForest {
    columns: usize,
    forest: RandomForestRegressor<f64, f64, DenseMatrix<f64>, Vec<f64>>,
}

impl Fitted for FittedSmartcoreForest {
    fn predict(
        &self,
        reading: &Reading,
        features: ArrayView2<f64>,
        _ask: &Ask,
        context: &Context,
    ) -> Result<Predictive, FitError> {
        context.checkpoint()?;
        check_ask(reading, self.columns, features)?;
        if features.nrows() == 0 {
            return Ok(one_atom(Array1::zeros(0)));
        }
        let values = self
            .forest
            .predict(&matrix(features)?)
            .map_err(|error| FitError::Diverged(format!("smartcore's forest: {error}")))?;
        Ok(one_atom(Array1::from_vec(values)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::random::Streams;
    use crate::methods::trees::{QuantileForest, QuantileForestParameters};
    use ndarray::Array2;

    fn context() -> Context {
        Context::new(Streams::new(1, "smartcore-forest"))
    }

    fn table(rows: usize) -> Table {
        let mut rng = context().stream("data", 0);
        let features = Array2::from_shape_simple_fn((rows, 3), || rng.random::<f64>());
        let target = features.rows().into_iter().map(|x| (6.0 * x[0]).sin() + x[1] + 0.1 * rng.random::<f64>());
        Table::unnamed(features.clone(), target.collect())
    }

    fn means(method: &dyn Method, train: &Table) -> Array1<f64> {
        let fitted = method.fit(train, &context()).unwrap();
        fitted.predict(&Reading::MAIN, train.features.view(), &Ask::default(), &context()).unwrap().means().unwrap()
    }

    #[test]
    fn its_mean_is_near_that_of_our_forest() {
        let train = table(300);
        let given = SmartcoreForestParameters { features: ForestFeatures::All, ..SmartcoreForestParameters::default() };
        let own = QuantileForestParameters {
            trees: 100,
            min_leaf: 5,
            features: ForestFeatures::All,
            ..QuantileForestParameters::default()
        };
        let theirs = means(&SmartcoreForest::new(given).unwrap(), &train);
        let ours = means(&QuantileForest::new(own).unwrap(), &train);
        // The target's standard deviation is 0.7; both forests average 100 trees of other bootstrap samples.
        let difference = (&theirs - &ours).mapv(|d| d * d).mean().unwrap().sqrt();
        assert!(difference < 0.1, "root mean square difference {difference}");
        assert_eq!(theirs, means(&SmartcoreForest::new(given).unwrap(), &train), "same streams, same forest");
    }

    #[test]
    fn faults_are_named() {
        let given = SmartcoreForestParameters { trees: 0, ..SmartcoreForestParameters::default() };
        let error = SmartcoreForest::new(given).unwrap_err().to_string();
        assert_eq!(error, "parameter `trees` is 0, expected a whole number from 1 to 65535");
        let method = SmartcoreForest::new(SmartcoreForestParameters::default()).unwrap();
        let empty = Table::unnamed(Array2::zeros((0, 2)), Array1::zeros(0));
        let error = method.fit(&empty, &context()).err().unwrap().to_string();
        assert!(error.contains("smartcore's forest needs at least one row"), "{error}");
    }
}
