//! Read predictions that one already has, and score them as a trial's are scored; nothing is run.
//!
//! A file has a row for each prediction and outcome ([`OwnFile`]). The rows of several methods are
//! put side by side ([`OwnPredictions`]) and scored by every metric that they define
//! ([`Evaluation`]). docs/do/score.md is the user's page.

mod approximation;
mod columns;
mod copies;
mod decomposed;
mod ends;
mod evaluation;
mod finite;
mod form;
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
pub(in crate::evidence) use columns::Columns;
pub use decomposed::{Decomposed, decompose};
pub use ends::Infinite;
pub(in crate::evidence) use evaluation::source;
pub use evaluation::{Evaluated, Evaluation, Scored, default_level};
pub use form::OwnForm;
pub(in crate::evidence) use form::{FORMS, Found, Given};
pub(in crate::evidence) use forms::points;
pub use forms::{Labels, OwnFile};
pub use labels::unite_labels;
pub(in crate::evidence) use levels::central;
pub use overlap::{Basis, Overlap, TrainRows};
pub use pairing::{OwnPredictions, Predictor};
pub use part::Part;
pub(in crate::evidence) use part::is_same_outcome;
