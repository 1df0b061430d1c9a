//! Gaussian mixtures: their fit by expectation maximisation, the conditional mixture of one column given the others, and
//! what follows from it.

pub mod conditional;
pub mod entropy;
mod error;
mod factor;
mod gmm;
mod kernel;
mod kmeans_start;
pub mod regression;

pub use conditional::{monte_carlo_quantiles, within_and_between};
pub use error::MixtureError;
pub use gmm::{EmSettings, EmTrace, GaussianMixture};
pub use kernel::Workspace;
pub use regression::{GmmRegression, GmmRegressionParameters};

#[cfg(test)]
mod tests;
