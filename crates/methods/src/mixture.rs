//! Gaussian mixtures: their fit by expectation maximisation, the conditional mixture of one column
//! given the others, its quantities, and joint and conditional modelling (JCM), which first
//! projects the features.

pub mod conditional;
pub mod entropy;
mod error;
mod factor;
mod gmm;
pub mod jcm;
mod kernel;
mod kmeans_start;
pub mod loss;
mod random_mixtures;
mod references;
pub mod regression;
mod side_table;
pub mod stiefel;

pub use conditional::{monte_carlo_quantiles, within_and_between};
pub use error::MixtureError;
pub use gmm::{EmSettings, EmTrace, GaussianMixture};
pub use jcm::{Jcm, JcmParameters, JcmValidated, JcmValidatedParameters};
pub use kernel::Workspace;
pub use random_mixtures::RandomMixtures;
pub use references::PUBLICATIONS;
pub use regression::{GmmRegression, GmmRegressionParameters};

#[cfg(test)]
mod tests;
