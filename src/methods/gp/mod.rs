//! Gaussian processes: their kernels, the factorisation of their covariances, and one file a model.

mod inducing;
pub mod jitter;
pub mod kernels;
pub mod sparse;

pub use sparse::{SparseGp, SparseGpParameters};
