//! Gaussian processes: their kernels, the factorisation of their covariances, and one file a model.

pub mod conditioning;
pub mod jitter;
pub mod kernels;
pub mod nonstationary;
pub mod process;

pub use nonstationary::{NonstationaryGp, NonstationaryGpParameters};
