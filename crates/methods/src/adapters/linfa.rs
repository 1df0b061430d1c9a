//! Adapt linfa's learners: any regressor as a point predictor, and its classifiers for a target of
//! few values.
//!
//! linfa uses other versions of ndarray and of rand than the rest of this crate. Only this folder
//! uses them.

mod chain;
mod classifier;
mod elastic_net;
mod forest;
mod grower;
mod leaves;
mod ranks;
mod regressor;
#[cfg(test)]
mod tests;
mod tree;

pub use classifier::{BinaryClassifier, Tally, fit_chain, restored_chain};
pub use elastic_net::{LinfaElasticNet, LinfaElasticNetParameters};
pub use forest::{LinfaForest, LinfaForestParameters};
pub use regressor::{LinfaRegressor, Plane, fit_regressor, restored_regressor};
pub use tree::{LinfaTree, LinfaTreeParameters};
