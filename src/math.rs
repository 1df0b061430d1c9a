//! Mathematics that several rooms need: random streams, least squares, optimisers, distributions.
//!
//! This room imports no other, and each file is one topic. Start with [`random`]: every random
//! number of the program comes from a stream that is named by its purpose, so that no result
//! depends on the order of work. Methods take most of the rest; statistics and metrics take
//! distributions and roots from [`special`] and [`root`].

pub mod adam;
pub mod autodiff;
pub mod bins;
pub mod correlation;
pub mod divisor;
pub mod erf;
pub mod gamma_draws;
pub mod k_means;
pub mod lbfgs;
pub mod least_squares;
pub mod matrix_product;
pub mod median;
pub mod mersenne_twister;
pub mod mixing;
pub mod neighbours;
pub mod normal_draws;
pub mod normal_interval;
pub mod ordered_bits;
pub mod orthogonal;
pub mod random;
pub mod ranks;
pub mod root;
pub mod sobol;
pub mod special;
pub mod studentised_range;
pub mod symmetric;
pub mod vectorised;
