//! Find what the order of the rows says against folds of random rows.

use super::kinds::order_of_errors;
use uq_core::stats::order::Order;
use uqbench_run::runner::try_table::{Evaluation, Tried};

/// Below this ratio half of the targets' variance is between places in the file: more than a table
/// that is sorted a little has.
const SOMEWHAT: f64 = 1.0;

/// What is alike in neighbouring rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Alike {
    /// The targets, as in a series; and the errors, where chance does not explain that.
    Targets(Order, Option<Order>),
    /// The errors of the recommended method alone.
    Errors(Order),
    /// The targets somewhat, as in a panel.
    TargetsSomewhat(Order),
}

/// Rows whose errors or targets are like those of their neighbours: random folds then promise more
/// than later rows keep. Of a series the targets say it best: a method whose features follow it
/// hides that in its errors. `None` where nothing is alike, and where rows are divided accordingly.
pub(super) fn alike(chosen: Option<&Tried>, evaluation: &Evaluation) -> Option<Alike> {
    if evaluation.division.is_stated() {
        return None;
    }
    let of_errors = chosen
        .and_then(|tried| order_of_errors(tried, evaluation.folding))
        .filter(Order::is_beyond_chance);
    match (evaluation.order.filter(Order::is_series), of_errors) {
        (Some(targets), errors) => Some(Alike::Targets(targets, errors)),
        (None, Some(errors)) => Some(Alike::Errors(errors)),
        // A feature that names the groups hides what their rows share, but not for new groups.
        (None, None) => evaluation
            .order
            .filter(|order| order.is_beyond_chance() && order.ratio < SOMEWHAT)
            .map(Alike::TargetsSomewhat),
    }
}
