//! State what one step leaves behind.

use uq_core::predictive::Predictive;

/// What a step adds to what is known: rows of a pool, or one point of a domain.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Choice {
    /// Rows of the pool, in the order of their choice.
    pub rows: Vec<usize>,
    /// For each, the score by which it was chosen; 0 where rows are drawn at random. Of a point its
    /// score, and whether the entropy itself prefers the same candidate as its bound (1, 0, or NaN
    /// where it was not asked), and R-hat of the model's chains (NaN where it has none).
    pub scores: Vec<f64>,
    /// The point of a domain.
    pub point: Vec<f64>,
}

impl Choice {
    /// Whether nothing is added.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty() && self.point.is_empty()
    }
}

/// One step of a sequence.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The prediction of the test rows by the model of the rows that are known in this step.
    pub at_test: Predictive,
    /// The rows that are known from the next step on, by the same model; none after the last step.
    pub next: Choice,
}
