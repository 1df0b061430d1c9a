//! Fit smartcore's random forest regressor: a point predictor, to be wrapped by conformal
//! prediction.
//!
//! Its trees are those of [`super::tree`], each on a bootstrap sample; a prediction is their mean,
//! without uncertainty. [`crate::trees::forest`] is a forest with uncertainty.
//!
//! *References*: Breiman (2001), Random forests, Machine Learning 45.

use rand::RngExt;
use smartcore::ensemble::random_forest_regressor::{
    RandomForestRegressor, RandomForestRegressorParameters,
};
use smartcore::linalg::basic::matrix::DenseMatrix;

use super::{SmartcoreRegressor, WrittenForest, fit_regressor, restored_regressor};
use crate::entry::{DEFAULTS, Tried, sorted};
use crate::parameter::parameters;
use crate::trees::forest::ForestFeatures;
use crate::{Configured, Context, FitError, Fitted, MethodParameters, Restored};
use uq_core::Table;

parameters! {
    /// Parameters of smartcore's random forest.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct SmartcoreForestParameters {
        /// Number of trees.
        trees: u16 = 100, in 1..=65_535;
        /// Largest number of splits between root and leaf (scikit-learn's sense); null: no limit.
        max_depth: Option<u16> = None, in 0..=65_534;
        /// Smallest number of rows in a leaf.
        min_leaf: usize = 5, in 1..;
        /// Features tried at each split: ⌈d/3⌉, all, or this many.
        features: ForestFeatures = ForestFeatures::Third, in ForestFeatures::ALLOWED;
    }
}

/// smartcore's random forest as a method; a prediction is one atom.
pub type SmartcoreForest = Configured<SmartcoreForestParameters>;

impl MethodParameters for SmartcoreForestParameters {
    const ID: &'static str = "smartcore-forest";
    const TITLE: &'static str = "smartcore's random forest";
    const TRIED: Option<Tried> = Some(Tried {
        settings: "smartcore's random forest of 100 trees",
        cost: |n, d| 1e-6 * sorted(n, d),
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

impl SmartcoreRegressor for SmartcoreForestParameters {
    type Settings = RandomForestRegressorParameters;
    type Estimator = RandomForestRegressor<f64, f64, DenseMatrix<f64>, Vec<f64>>;
    type Written = WrittenForest;

    fn settings(&self, columns: usize, context: &Context) -> Self::Settings {
        RandomForestRegressorParameters {
            max_depth: self.max_depth.map(|depth| depth + 1),
            min_samples_leaf: self.min_leaf,
            min_samples_split: 2,
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
    use crate::trees::{QuantileForest, QuantileForestParameters};
    use crate::{Method, Reading, Request};
    use ndarray::{Array1, Array2};
    use uq_core::Table;
    use uq_core::math::random::Streams;

    fn context() -> Context {
        Context::new(Streams::new(1, "smartcore-forest"))
    }

    fn table(rows: usize) -> Table {
        let mut rng = context().stream("data", 0);
        let features = Array2::from_shape_simple_fn((rows, 3), || rng.random::<f64>());
        let target = features
            .rows()
            .into_iter()
            .map(|x| (6.0 * x[0]).sin() + x[1] + 0.1 * rng.random::<f64>());
        Table::unnamed(features.clone(), target.collect())
    }

    fn means(method: &dyn Method, train: &Table) -> Array1<f64> {
        let fitted = method.fit(train, &context()).unwrap();
        fitted
            .predict(&Reading::MAIN, train.features.view(), &Request::default(), &context())
            .unwrap()
            .means()
            .unwrap()
    }

    #[test]
    fn its_mean_is_near_that_of_our_forest() {
        let train = table(300);
        let given = SmartcoreForestParameters {
            features: ForestFeatures::All,
            ..SmartcoreForestParameters::default()
        };
        let own = QuantileForestParameters {
            trees: 100,
            min_leaf: 5,
            features: ForestFeatures::All,
            ..QuantileForestParameters::default()
        };
        let theirs = means(&SmartcoreForest::new(given).unwrap(), &train);
        let ours = means(&QuantileForest::new(own).unwrap(), &train);
        // The target's standard deviation is 0.7; both forests average 100 trees of other bootstrap
        // samples.
        let difference = (&theirs - &ours).mapv(|d| d * d).mean().unwrap().sqrt();
        assert!(difference < 0.1, "root mean square difference {difference}");
        assert_eq!(
            theirs,
            means(&SmartcoreForest::new(given).unwrap(), &train),
            "same streams, same forest"
        );
    }

    #[test]
    fn faults_are_named() {
        let given = SmartcoreForestParameters { trees: 0, ..SmartcoreForestParameters::default() };
        let error = SmartcoreForest::new(given).unwrap_err().to_string();
        assert_eq!(error, "parameter `trees` is 0, expected a whole number from 1 to 65535");
        let method = SmartcoreForest::new(SmartcoreForestParameters::default()).unwrap();
        let empty = Table::unnamed(Array2::zeros((0, 2)), Array1::zeros(0));
        let error = method.fit(&empty, &context()).err().unwrap().to_string();
        assert!(error.contains("smartcore-forest needs at least 1 training row"), "{error}");
    }
}
