//! Compare a method's aleatoric and epistemic variances with the truth, where it is known.
//!
//! A replicate is a training set of a simulated problem; the test inputs are the same in all of
//! them. At each input the truth of
//!
//! - the *aleatoric* part is the variance of the noise, v(x);
//! - the *epistemic* part is the squared error of the predictive mean, (m̂(x) − m(x))², averaged
//!   over the replicates: over training sets and over the method's random numbers. It includes the
//!   bias, which a posterior variance does not measure;
//! - the *total* is their sum: the mean squared distance of the predictive mean from a new outcome.
//!
//! Each part is scored over regions of the inputs (`decomposition/scores.rs`): by level, by
//! evenness, by rank, and as skill against the best constant that has the true level. A method is
//! scored only for the parts that it defines. Where it defines only one of the two variances, its
//! predictive variance is not the total.

mod columns;
mod replicates;
mod scores;
#[cfg(test)]
mod tests;

pub use columns::{Column, collect};
pub use replicates::{ErrorParts, Replicate, Replicates, Stated};
pub use scores::{Estimate, Scores, scores};

use uq_core::metrics::VariancePart;

/// The parts, in the order of tables and figures.
pub const PARTS: [VariancePart; 3] =
    [VariancePart::Aleatoric, VariancePart::Epistemic, VariancePart::Total];
