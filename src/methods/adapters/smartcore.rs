//! Fit smartcore's regression tree: an implementation independent of [`crate::methods::trees::cart`].
//!
//! smartcore counts the root as depth 1, so that its `max_depth` d + 1 is d here, as in scikit-learn. It looks at features
//! in an order drawn from its seed, and splits of equal gain go to the first: trees on data with ties depend on the stream.

use ndarray::{Array1, ArrayView2};
use rand::RngExt;
use serde::{Deserialize, Serialize};
use smartcore::linalg::basic::matrix::DenseMatrix;
use smartcore::tree::decision_tree_regressor::{DecisionTreeRegressor, DecisionTreeRegressorParameters};

use crate::data::Table;
use crate::methods::point::{check_ask, one_atom};
use crate::methods::{Ask, Context, FitError, Fitted, Method, ParameterError, Reading};
use crate::predictive::Predictive;

/// Parameters of smartcore's regression tree.
///
/// | name | default | range | meaning |
/// | --- | --- | --- | --- |
/// | `max_depth` | null | 0 to 65534 or null | splits between root and leaf at most (scikit-learn's sense); null: no limit |
/// | `min_leaf` | 1 | ≥ 1 | rows of a leaf at least |
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SmartcoreTreeParameters {
    /// Splits between root and leaf at most; `None`: no limit.
    pub max_depth: Option<u16>,
    /// Rows of a leaf at least.
    pub min_leaf: usize,
}

impl Default for SmartcoreTreeParameters {
    fn default() -> Self {
        Self { max_depth: None, min_leaf: 1 }
    }
}

/// smartcore's regression tree as a method; a prediction is one atom.
#[derive(Clone, Debug)]
pub struct SmartcoreTree {
    parameters: SmartcoreTreeParameters,
}

impl SmartcoreTree {
    /// The method with these parameters.
    ///
    /// # Errors
    /// [`ParameterError`] for a parameter out of its range.
    pub fn new(parameters: SmartcoreTreeParameters) -> Result<Self, ParameterError> {
        let SmartcoreTreeParameters { max_depth, min_leaf } = parameters;
        let shallow = max_depth != Some(u16::MAX);
        ParameterError::check(shallow, "max_depth", u16::MAX, "a whole number from 0 to 65534, or null")?;
        ParameterError::check(min_leaf >= 1, "min_leaf", min_leaf, "a whole number of at least 1")?;
        Ok(Self { parameters })
    }
}

impl Method for SmartcoreTree {
    fn id(&self) -> &'static str {
        "smartcore-tree"
    }

    fn version(&self) -> u32 {
        1
    }

    fn parameters(&self) -> serde_json::Value {
        serde_json::json!(self.parameters)
    }

    fn fit(&self, train: &Table, context: &Context) -> Result<Box<dyn Fitted>, FitError> {
        context.checkpoint()?;
        refuse_unfit("smartcore's tree", train)?;
        let columns = train.columns();
        let parameters = DecisionTreeRegressorParameters {
            max_depth: self.parameters.max_depth.map(|depth| depth + 1),
            min_samples_leaf: self.parameters.min_leaf,
            min_samples_split: 2,
            seed: Some(context.stream("features", 0).random()),
        };
        let tree = DecisionTreeRegressor::fit(&matrix(train.features.view())?, &train.target.to_vec(), parameters)
            .map_err(|error| FitError::Diverged(format!("smartcore's tree: {error}")))?;
        Ok(Box::new(FittedSmartcoreTree { columns, tree }))
    }
}

/// Refuses tables on which smartcore panics: without rows or features, or with numbers that are not finite.
pub(super) fn refuse_unfit(what: &str, train: &Table) -> Result<(), FitError> {
    let (rows, columns) = train.features.dim();
    if rows == 0 || columns == 0 {
        return Err(FitError::Unsupported(format!(
            "{what} needs at least one row and one feature, found {rows} rows and {columns} features"
        )));
    }
    if !train.features.iter().chain(&train.target).all(|number| number.is_finite()) {
        return Err(FitError::Unsupported(format!("{what} needs finite features and targets")));
    }
    Ok(())
}

/// smartcore's matrix of these features.
pub(super) fn matrix(features: ArrayView2<f64>) -> Result<DenseMatrix<f64>, FitError> {
    let (rows, columns) = features.dim();
    DenseMatrix::new(rows, columns, features.t().iter().copied().collect(), true)
        .map_err(|error| FitError::Unsupported(format!("smartcore's matrix: {error}")))
}

/// A fitted tree of smartcore's.
struct FittedSmartcoreTree {
    columns: usize,
    tree: DecisionTreeRegressor<f64, f64, DenseMatrix<f64>, Vec<f64>>,
}

impl Fitted for FittedSmartcoreTree {
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
            .tree
            .predict(&matrix(features)?)
            .map_err(|error| FitError::Diverged(format!("smartcore's tree: {error}")))?;
        Ok(one_atom(Array1::from_vec(values)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::random::Streams;
    use ndarray::{Array2, array};
    use sha2::{Digest, Sha256};

    fn context() -> Context {
        Context::new(Streams::new(1, "smartcore"))
    }

    /// Predictions of the training rows.
    fn predict(method: &SmartcoreTree, train: &Table) -> Array1<f64> {
        let fitted = method.fit(train, &context()).unwrap();
        fitted.predict(&Reading::MAIN, train.features.view(), &Ask::default(), &context()).unwrap().means().unwrap()
    }

    #[test]
    fn depth_counts_splits_not_levels() {
        let train = Table::unnamed(array![[1.0], [2.0], [3.0], [4.0]], array![1.0, 2.0, 5.0, 6.0]);
        let predict = |max_depth| {
            predict(&SmartcoreTree::new(SmartcoreTreeParameters { max_depth, min_leaf: 1 }).unwrap(), &train)
        };
        assert_eq!(predict(Some(0)), array![3.5, 3.5, 3.5, 3.5]);
        assert_eq!(predict(Some(1)), array![1.5, 1.5, 5.5, 5.5]);
        assert_eq!(predict(None), array![1.0, 2.0, 5.0, 6.0]);
    }

    #[test]
    fn faults_are_named() {
        let error = SmartcoreTree::new(SmartcoreTreeParameters { max_depth: None, min_leaf: 0 }).unwrap_err();
        assert_eq!(error.to_string(), "parameter `min_leaf` is 0, expected a whole number of at least 1");
        let empty = Table::unnamed(Array2::zeros((0, 2)), Array1::zeros(0));
        let error = SmartcoreTree::new(SmartcoreTreeParameters::default()).unwrap().fit(&empty, &context()).err();
        assert!(matches!(error, Some(FitError::Unsupported(m)) if m.contains("found 0 rows and 2 features")));
    }
    /// A fit whose numbers change must raise [`Method::version`].
    #[test]
    fn the_version_stands_for_these_numbers() {
        let mut rng = context().stream("data", 0);
        let features = Array2::from_shape_simple_fn((50, 2), || rng.random::<f64>());
        let target = features.rows().into_iter().map(|x| 4.0 * x[0] * (1.0 - x[0]) + x[1] + 0.1 * rng.random::<f64>());
        let train = Table::unnamed(features.clone(), target.collect());
        let method = SmartcoreTree::new(SmartcoreTreeParameters { max_depth: Some(6), min_leaf: 2 }).unwrap();
        let mut hash = Sha256::new();
        for value in predict(&method, &train) {
            // Means of leaves, in an order of smartcore's: only so many digits are promised.
            hash.update(format!("{value:.9e}"));
        }
        let digest: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(
            (method.version(), digest.as_str()),
            (1, "b81b657c188a6da479df11513063d6b2fbdce976290d0c6865526653f68a07ae")
        );
    }
}
