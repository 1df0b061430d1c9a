//! Mathematics that several rooms use: random streams, least squares, special functions.

pub mod bins;
pub mod random;
