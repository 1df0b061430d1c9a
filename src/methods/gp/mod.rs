//! Put a Gaussian process prior on the function behind the target.

pub mod deep;
mod inducing;
pub mod stochastic;

pub use deep::{ClimbSettings, DeepGp, DeepGpParameters};
pub use stochastic::{StochasticSparseGp, StochasticSparseGpParameters};
