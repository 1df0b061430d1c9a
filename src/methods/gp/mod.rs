//! Gaussian processes: their kernels, the factorisation of their covariances, and one file a model.

pub mod conditioning;
mod inducing;
pub mod jitter;
pub mod kernels;
pub mod process;
pub mod sparse;

pub use sparse::{SparseGp, SparseGpParameters};
