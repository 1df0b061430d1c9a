//! Gradient boosting of trees on binned features: quantiles at many levels, and whole distributions
//! by natural gradients.
//!
//! The trees are our own, after crates were judged in November 2026. smartcore 0.7 boosts squared
//! errors alone, and forust-ml 0.6 squared errors and log losses. perpetual 2.1 has a pinball loss
//! for one level at a time, and no distributions. hessboost 0.4.6 has quantiles at several levels
//! and distributions. It computes gradients in single precision, smooths the pinball loss and has
//! no line search, and it has more lines than this whole program.

mod bins;
#[cfg(test)]
mod fixtures;
mod gradients;
mod grow;
mod natural;
mod quantiles;
mod ranks;
mod references;
mod rounds;
mod tree;

pub use natural::{Family, NgBoost, NgBoostParameters};
pub(crate) use quantiles::seconds as seconds_of_quantiles;
pub use quantiles::{BoostingQuantiles, BoostingQuantilesParameters, STRUCTURE};
pub use references::PUBLICATIONS;
pub use rounds::Rounds;
