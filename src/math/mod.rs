//! Mathematics that several rooms use: random streams, least squares, special functions, k-means.

pub mod adam;
pub mod autodiff;
pub mod bins;
pub mod erf;
pub mod gamma_draws;
pub mod k_means;
pub mod lbfgs;
pub mod least_squares;
pub mod matrix_product;
pub mod mersenne_twister;
pub mod neighbours;
pub mod normal_draws;
pub mod normal_interval;
pub mod ordered_bits;
pub mod orthogonal;
pub mod random;
pub mod root;
pub mod special;
pub mod studentised_range;
pub mod vectorised;
