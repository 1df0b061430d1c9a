//! Gaussian processes: their kernels, the factorisation of their covariances, and one file for each
//! model.

pub mod conditioning;
pub mod deep;
pub mod exact;
mod inducing;
pub mod jitter;
pub mod kernels;
pub mod latent;
pub mod nonstationary;
pub mod process;
mod references;
mod space;
pub mod sparse;
pub mod stochastic;
pub mod wiener;

pub use deep::{ClimbSettings, DeepGp, DeepGpParameters, Precision};
pub use exact::{ExactGp, ExactGpParameters};
pub use latent::{RffGplvm, RffGplvmParameters};
pub use nonstationary::{NonstationaryGp, NonstationaryGpParameters};
pub use references::PUBLICATIONS;
pub use sparse::{SparseGp, SparseGpParameters};
pub use stochastic::{StochasticSparseGp, StochasticSparseGpParameters};
pub use wiener::{WienerRegression, WienerRegressionParameters};
