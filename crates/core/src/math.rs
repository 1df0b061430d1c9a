//! Mathematics of distributions and statistics: random streams, special functions, roots, ranks.
//!
//! Start with [`random`]: every random number of the program comes from a stream that is named by
//! its purpose. Statistics and metrics take distributions and roots from [`special`] and [`root`].

pub mod bins;
pub mod correlation;
pub mod erf;
pub mod median;
pub mod normal_interval;
pub mod ordered_bits;
pub mod quantile;
pub mod random;
pub mod ranks;
pub mod root;
pub mod special;
pub mod studentised_range;
pub mod vectorised;
