//! Gaussian processes: their kernels, the factorisation of their covariances, and one file a model.

pub mod conditioning;
pub mod exact;
mod inducing;
pub mod jitter;
pub mod kernels;
pub mod process;
pub mod sparse;

pub use exact::{ExactGp, ExactGpParameters};
pub use sparse::{SparseGp, SparseGpParameters};
