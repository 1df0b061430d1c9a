//! Mathematics that methods need beside that of `uq_core`: automatic differentiation, optimisers,
//! dense algebra, draws.
//!
//! Each file is one topic, and none knows a method. [`autodiff`] differentiates on a tape,
//! [`lbfgs`] minimises within bounds, [`least_squares`] and [`symmetric`] solve by faer.

pub mod adam;
pub mod autodiff;
pub mod divisor;
pub mod gamma_draws;
pub mod k_means;
pub mod lbfgs;
pub mod least_squares;
pub mod matrix_product;
pub mod mersenne_twister;
pub mod mixing;
pub mod neighbours;
pub mod normal_draws;
pub mod orthogonal;
pub mod sobol;
pub mod symmetric;
