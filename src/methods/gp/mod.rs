//! Gaussian processes: their kernels, the factorisation of their covariances, and one file a model.

pub mod conditioning;
pub mod exact;
pub mod jitter;
pub mod kernels;
pub mod process;

pub use exact::{ExactGp, ExactGpParameters};
