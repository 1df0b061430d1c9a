//! Read predictions that one already has, and score them as a trial's are scored; nothing is run.
//!
//! A file has a row for each prediction and outcome ([`OwnFile`]). The rows of several methods are
//! put side by side ([`OwnPredictions`]) and scored by every metric that they define
//! ([`Evaluation`]). docs/do/score.md is the user's page.

mod approximation;
mod copies;
mod ends;
mod evaluation;
mod finite;
mod forms;
mod identities;
mod labels;
mod levels;
mod overlap;
mod pairing;
mod parametric;
mod part;
#[cfg(test)]
mod tests;

pub use approximation::Approximation;
pub use ends::Infinite;
pub use evaluation::{Evaluated, Evaluation, Scored, default_level};
pub use forms::{Labels, OwnFile, OwnForm};
pub use labels::unite_labels;
pub use overlap::{Basis, Overlap, TrainRows};
pub use pairing::{OwnPredictions, Predictor};
pub use part::Part;
