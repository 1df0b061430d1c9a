//! Gaussian processes: one file a model, and what several of them share.

pub mod nonstationary;

pub use nonstationary::{NonstationaryGp, NonstationaryGpParameters};
