//! Find the methods whose log score is −∞.

use uqbench_run::runner::try_table::{Evaluation, Tried};

/// A method at some of whose rows the outcome has density or probability 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Impossible {
    /// Its name.
    pub method: String,
    /// The rows that decide its log score.
    pub rows: usize,
    /// All its test rows.
    pub tested: usize,
}

/// The methods whose mean log score is −∞.
pub(super) fn impossible(evaluation: &Evaluation) -> Vec<Impossible> {
    evaluation.methods.iter().filter_map(of_method).collect()
}

/// The rows of a method that decide its log score, where that is −∞.
fn of_method(tried: &Tried) -> Option<Impossible> {
    let folds = tried.folds.as_deref().ok()?;
    let sum: f64 = folds.iter().map(|fold| fold.log_score).sum::<Option<f64>>()?;
    let rows: usize = folds.iter().map(|fold| fold.impossible).sum();
    let tested: usize = folds.iter().map(|fold| fold.test_rows).sum();
    (sum == f64::NEG_INFINITY).then(|| Impossible { method: tried.id.to_string(), rows, tested })
}
