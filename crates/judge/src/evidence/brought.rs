//! Hold the scores of an entry that somebody brought to a board of the league.

use std::collections::BTreeMap;

use super::field::Score;

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
}
