//! Read the predictions of an entry that somebody brought to a board of the league, refuse what
//! cannot be honest or right, and score the rest as a trial's predictions are scored.
//!
//! [`read_submission`] puts the rows of a file into the order of the board and reads one form of
//! predictions from them. [`Submission::check`] compares them with the outcomes: are these a leak,
//! or in other units? [`Submission::scores`] scores them. Nothing that an author says of scores is
//! read.

mod leak;
mod ordered;
mod places;
mod refusal;
mod scores;
mod submission;
#[cfg(test)]
mod tests;
mod units;

use std::collections::BTreeMap;

use super::field::Score;
use super::own_predictions::Approximation;

pub use refusal::{Refusal, Refusals};
pub use scores::SplitScores;
pub use submission::{Submission, find_needed, limits, read_submission};

/// What an entrant of a board is. Models and systems are ranked in separate tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntrantKind {
    /// One fit at one setting.
    Model,
    /// It searches over models or settings, or wraps a model.
    System,
}

/// The scores of an entry that was made elsewhere, computed here from its rows of predictions.
#[derive(Clone, Debug, PartialEq)]
pub struct Brought {
    /// Name and version, as its table shows them.
    pub heading: String,
    /// SHA-256 of its card and its predictions, lower-case hexadecimal.
    pub key: String,
    /// What it is.
    pub kind: EntrantKind,
    /// Processor seconds of all its fits, as its card states them; `None` where it states none.
    pub stated_seconds: Option<f64>,
    /// By key of the dataset the scores by metric of the board, in its order, and by split.
    pub scores: BTreeMap<String, Vec<Vec<Score>>>,
    /// What the scores by each metric of the board are approximated by; empty where none are.
    pub approximations: Vec<Option<Approximation>>,
}
