//! Fit smartcore's extremely randomised trees: a point predictor, to be wrapped by conformal
//! prediction.
//!
//! Each tree uses all rows and tries one random threshold for each feature. The default is the
//! paper's for regression.
//!
//! *References*: Geurts, Ernst & Wehenkel (2006), Extremely randomized trees, Machine Learning 63,
//! sec. 2.2.

use rand::RngExt;
use smartcore::ensemble::extra_trees_regressor::{
    ExtraTreesRegressor, ExtraTreesRegressorParameters,
};
use smartcore::linalg::basic::matrix::DenseMatrix;

use super::{SmartcoreRegressor, WrittenForest, fit_regressor, restored_regressor};
use crate::entry::{DEFAULTS, Tried, sorted};
use crate::parameter::parameters;
use crate::trees::forest::ForestFeatures;
use crate::{Configured, Context, FitError, Fitted, MethodParameters, Restored};
use uq_core::Table;

parameters! {
    /// Parameters of smartcore's extremely randomised trees.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct SmartcoreExtraTreesParameters {
        /// Number of trees M.
        trees: u16 = 100, in 1..=65_535;
        /// Largest number of splits between root and leaf (scikit-learn's sense); null: no limit.
        max_depth: Option<u16> = None, in 0..=65_534;
        /// Rows n_min that a node needs to be split.
        min_split: usize = 5, in 2..;
        /// Features K tried at each split: ⌈d/3⌉, all, or this many.
        features: ForestFeatures = ForestFeatures::All, in ForestFeatures::ALLOWED;
    }
}

/// smartcore's extremely randomised trees as a method; a prediction is one atom.
pub type SmartcoreExtraTrees = Configured<SmartcoreExtraTreesParameters>;

impl MethodParameters for SmartcoreExtraTreesParameters {
    const ID: &'static str = "smartcore-extra-trees";
    const TITLE: &'static str = "smartcore's extremely randomised trees";
    const TRIED: Option<Tried> = Some(Tried {
        settings: "smartcore's 100 extremely randomised trees",
        cost: |n, d| 1.5e-6 * sorted(n, d),
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

impl SmartcoreRegressor for SmartcoreExtraTreesParameters {
    type Settings = ExtraTreesRegressorParameters;
    type Estimator = ExtraTreesRegressor<f64, f64, DenseMatrix<f64>, Vec<f64>>;
    type Written = WrittenForest;

    fn settings(&self, columns: usize, context: &Context) -> Self::Settings {
        ExtraTreesRegressorParameters {
            max_depth: self.max_depth.map(|depth| depth + 1),
            min_samples_leaf: 1,
            min_samples_split: self.min_split,
            n_trees: usize::from(self.trees),
            m: Some(self.features.count(columns)),
            keep_samples: false,
            seed: context.stream("forest", 0).random(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden::{assert_golden, golden_table};
    use crate::{FitError, Method, Reading, Request};
    use ndarray::{Array1, array};
    use uq_core::Table;
    use uq_core::math::random::Streams;

    fn predict(
        given: SmartcoreExtraTreesParameters,
        train: &Table,
    ) -> Result<Array1<f64>, FitError> {
        let context = Context::new(Streams::new(1, "extra-trees"));
        let fitted = SmartcoreExtraTrees::new(given).unwrap().fit(train, &context)?;
        let predictive =
            fitted.predict(&Reading::MAIN, train.features.view(), &Request::default(), &context)?;
        Ok(predictive.means().unwrap())
    }

    #[test]
    fn full_trees_interpolate_and_a_root_alone_is_the_mean() {
        let train = Table::unnamed(array![[1.0], [2.0], [3.0], [4.0]], array![1.0, 2.0, 5.0, 6.0]);
        let full = SmartcoreExtraTreesParameters {
            min_split: 2,
            ..SmartcoreExtraTreesParameters::default()
        };
        for (found, y) in predict(full, &train).unwrap().iter().zip(&train.target) {
            // No tree draws rows: each of them has all rows, and gives each row a leaf of its own.
            assert!((found - y).abs() < 1e-12, "{found} against {y}");
        }
        let root = SmartcoreExtraTreesParameters {
            max_depth: Some(0),
            ..SmartcoreExtraTreesParameters::default()
        };
        assert!(predict(root, &train).unwrap().iter().all(|found| (found - 3.5).abs() < 1e-12));
    }

    #[test]
    fn faults_are_named() {
        let given = SmartcoreExtraTreesParameters {
            features: ForestFeatures::Count(0),
            ..SmartcoreExtraTreesParameters::default()
        };
        let error = SmartcoreExtraTrees::new(given).unwrap_err().to_string();
        assert_eq!(
            error,
            "parameter `features` is 0, expected \"third\", \"all\" or a whole number of at least 1"
        );
        for bad in [f64::NAN, f64::INFINITY, f64::MAX] {
            let train = Table::unnamed(array![[1.0], [-bad]], array![1.0, 2.0]);
            let error =
                predict(SmartcoreExtraTreesParameters::default(), &train).unwrap_err().to_string();
            assert!(
                error.contains("needs finite features and targets, at most 8.99e307"),
                "{error}"
            );
        }
    }

    #[test]
    fn golden_fit_guards_the_version() {
        let found = predict(SmartcoreExtraTreesParameters::default(), &golden_table()).unwrap();
        assert_golden(
            [found[0], found[5], found[49]],
            [-0.875, -0.041_666_666_666_666_616, 1.625],
            1e-9,
        );
    }
}
