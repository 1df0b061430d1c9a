//! Fit smartcore's regression tree: an implementation independent of [`crate::trees::cart`].
//!
//! smartcore counts the root as depth 1, so that its `max_depth` d + 1 is d here, as in
//! scikit-learn. It tries features in an order drawn from its seed, and splits of equal gain go to
//! the first: trees on data with ties depend on the stream.

use rand::RngExt;
use smartcore::linalg::basic::matrix::DenseMatrix;
use smartcore::tree::decision_tree_regressor::{
    DecisionTreeRegressor, DecisionTreeRegressorParameters,
};

use super::{SmartcoreRegressor, WrittenTree, fit_regressor, restored_regressor};
use crate::entry::{DEFAULTS, Tried, sorted};
use crate::parameter::parameters;
use crate::{Configured, Context, FitError, Fitted, MethodParameters, Restored};
use uq_core::Table;

parameters! {
    /// Parameters of smartcore's regression tree.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct SmartcoreTreeParameters {
        /// Largest number of splits between root and leaf (scikit-learn's sense); null: no limit.
        max_depth: Option<u16> = None, in 0..=65_534;
        /// Smallest number of rows in a leaf.
        min_leaf: usize = 1, in 1..;
    }
}

/// smartcore's regression tree as a method; a prediction is one atom.
pub type SmartcoreTree = Configured<SmartcoreTreeParameters>;

impl MethodParameters for SmartcoreTreeParameters {
    const ID: &'static str = "smartcore-tree";
    const TITLE: &'static str = "smartcore's regression tree";
    const TRIED: Option<Tried> = Some(Tried {
        settings: "smartcore's regression tree",
        // 0.09 ms with 100 rows of 4 features, 0.30 ms with 400 of 4.
        cost: |n, d| 6e-8 * sorted(n, d),
        parameters: DEFAULTS,
    });
    const VERSION: u32 = 1;

    fn fit(&self, train: &Table, context: &Context) -> Result<Box<dyn Fitted>, FitError> {
        fit_regressor(self, train, context)
    }

    fn restore(&self, state: &[u8]) -> Restored {
        restored_regressor::<Self>(state)
    }
}

impl SmartcoreRegressor for SmartcoreTreeParameters {
    type Settings = DecisionTreeRegressorParameters;
    type Estimator = DecisionTreeRegressor<f64, f64, DenseMatrix<f64>, Vec<f64>>;
    type Written = WrittenTree;

    fn settings(&self, _columns: usize, context: &Context) -> Self::Settings {
        DecisionTreeRegressorParameters {
            max_depth: self.max_depth.map(|depth| depth + 1),
            min_samples_leaf: self.min_leaf,
            min_samples_split: 2,
            seed: Some(context.stream("features", 0).random()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FitError, Method, Reading, Request};
    use ndarray::{Array1, Array2, array};
    use sha2::{Digest, Sha256};
    use uq_core::Table;
    use uq_core::math::random::Streams;

    fn context() -> Context {
        Context::new(Streams::new(1, "smartcore"))
    }

    /// Predictions of the training rows.
    fn predict(method: &SmartcoreTree, train: &Table) -> Array1<f64> {
        let fitted = method.fit(train, &context()).unwrap();
        fitted
            .predict(&Reading::MAIN, train.features.view(), &Request::default(), &context())
            .unwrap()
            .means()
            .unwrap()
    }

    #[test]
    fn depth_counts_splits_not_levels() {
        let train = Table::unnamed(array![[1.0], [2.0], [3.0], [4.0]], array![1.0, 2.0, 5.0, 6.0]);
        let predict = |max_depth| {
            predict(
                &SmartcoreTree::new(SmartcoreTreeParameters { max_depth, min_leaf: 1 }).unwrap(),
                &train,
            )
        };
        assert_eq!(predict(Some(0)), array![3.5, 3.5, 3.5, 3.5]);
        assert_eq!(predict(Some(1)), array![1.5, 1.5, 5.5, 5.5]);
        assert_eq!(predict(None), array![1.0, 2.0, 5.0, 6.0]);
    }

    #[test]
    fn faults_are_named() {
        let error = SmartcoreTree::new(SmartcoreTreeParameters { max_depth: None, min_leaf: 0 })
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "parameter `min_leaf` is 0, expected a whole number of at least 1"
        );
        let empty = Table::unnamed(Array2::zeros((0, 2)), Array1::zeros(0));
        let error = SmartcoreTree::new(SmartcoreTreeParameters::default())
            .unwrap()
            .fit(&empty, &context())
            .err();
        assert!(
            matches!(error, Some(FitError::Unsupported(m)) if m.contains("at least 1 training row, found 0"))
        );
    }
    /// A fit whose numbers change must raise [`Method::version`].
    #[test]
    fn the_version_stands_for_these_numbers() {
        let mut rng = context().stream("data", 0);
        let features = Array2::from_shape_simple_fn((50, 2), || rng.random::<f64>());
        let target = features
            .rows()
            .into_iter()
            .map(|x| 4.0 * x[0] * (1.0 - x[0]) + x[1] + 0.1 * rng.random::<f64>());
        let train = Table::unnamed(features.clone(), target.collect());
        let method =
            SmartcoreTree::new(SmartcoreTreeParameters { max_depth: Some(6), min_leaf: 2 })
                .unwrap();
        let mut hash = Sha256::new();
        for value in predict(&method, &train) {
            // smartcore sums the rows of a leaf in its own order: only these digits are certain.
            hash.update(format!("{value:.9e}"));
        }
        let digest: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(
            (method.version(), digest.as_str()),
            (1, "b81b657c188a6da479df11513063d6b2fbdce976290d0c6865526653f68a07ae")
        );
    }
}
