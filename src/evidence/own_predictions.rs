//! Read predictions that one already has, and score them as a trial's are scored; nothing is run.
//!
//! A file has a row for each prediction and outcome ([`OwnFile`]). The rows of several methods are put side by side
//! ([`OwnPredictions`]) and scored by every metric that they define ([`Evaluation`]). docs/score.md is the user's page.

mod evaluation;
mod forms;
mod pairing;
#[cfg(test)]
mod tests;

pub use evaluation::{Evaluated, Evaluation, Scored, default_level};
pub use forms::{OwnFile, OwnForm};
pub use pairing::{OwnPredictions, Part, Predictor};
