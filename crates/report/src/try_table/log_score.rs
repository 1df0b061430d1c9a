//! Say what the log score of this target is, and why one is −∞.

use uq_core::metrics::MetricId;
use uqbench_run::runner::try_table::{Evaluation, Tried};

/// Which log score it is; a sentence of a note.
pub(super) fn about_log_score(evaluation: &Evaluation) -> &'static str {
    match evaluation.log_score {
        Some(MetricId::DiscretisedLogScore(_)) => {
            " The target is rounded or a count, so its log score is that of the rounded value (in \
             nat, at most 0): a density has no bound there."
        }
        Some(_) => " Log-likelihood in nat, higher is better.",
        None => " No log score: the target is discrete, where a density has no bound.",
    }
}

/// Why scores are −∞, and at how many rows; nothing where none is.
pub(super) fn impossible(evaluation: &Evaluation) -> String {
    let each: Vec<String> = evaluation.methods.iter().filter_map(of_method).collect();
    if each.is_empty() {
        return String::new();
    }
    format!(
        " A log score is -inf where an outcome has the predictive density or probability 0, as one \
         beyond all training targets has in a forest: {}. One such row decides the mean log score, \
         and no other score.",
        each.join("; ")
    )
}

/// The rows of a method that decide its log score, where that is −∞.
fn of_method(tried: &Tried) -> Option<String> {
    let folds = tried.folds.as_deref().ok()?;
    let sum: f64 = folds.iter().map(|fold| fold.log_score).sum::<Option<f64>>()?;
    let rows: usize = folds.iter().map(|fold| fold.impossible).sum();
    let tested: usize = folds.iter().map(|fold| fold.test_rows).sum();
    (sum == f64::NEG_INFINITY).then(|| format!("{} at {rows} of {tested} tested rows", tried.id))
}
