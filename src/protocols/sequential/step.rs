//! State what one step leaves behind.

use crate::predictive::Predictive;

/// The rows that a step adds to the known ones.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Choice {
    /// Rows of the pool, in the order of their choice.
    pub rows: Vec<usize>,
    /// For each, the score by which it was chosen; 0 where rows are drawn at random.
    pub scores: Vec<f64>,
}

/// One step of a sequence.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The prediction of the test rows by the model of the rows that are known in this step.
    pub at_test: Predictive,
    /// The rows that are known from the next step on, by the same model; none after the last step.
    pub next: Choice,
}
