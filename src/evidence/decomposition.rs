//! Tell whether a method's aleatoric and epistemic variances are true, where the truth is known.
//!
//! A replicate is a training set of a simulated problem; the test inputs are the same in all of them. At each input the truth of
//!
//! - the *aleatoric* part is the variance of the noise, v(x);
//! - the *epistemic* part is the squared error of the predictive mean, (m̂(x) − m(x))², averaged over the replicates: over
//!   training sets and over what the method draws, its bias included, which a posterior variance cannot know;
//! - the *total* is their sum: the mean squared distance of the predictive mean from a new outcome.
//!
//! Each part is scored over regions of the inputs (`decomposition/scores.rs`): in level, in evenness, in rank, and as skill against the best
//! constant that knows the level. A method enters only the parts that it defines: no split, no half; and where it defines one half
//! alone, its predictive variance is no total.

mod columns;
mod replicates;
mod scores;
#[cfg(test)]
mod tests;

pub use columns::{Column, collect};
pub use replicates::{ErrorParts, Replicate, Replicates};
pub use scores::{Estimate, Scores, scores};

use crate::metrics::VariancePart;

/// The parts, in the order of tables and figures.
pub const PARTS: [VariancePart; 3] = [VariancePart::Aleatoric, VariancePart::Epistemic, VariancePart::Total];
