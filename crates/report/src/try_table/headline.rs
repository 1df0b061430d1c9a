//! Say before the table what a reader has to know first: that the comparison was stopped, and what
//! its numbers do not promise.

use super::order::alike;
use super::procedure::overstated;
use crate::section::Block;
use crate::words::try_table::headline as words;
use crate::words::try_table::order::warning;
use crate::words::try_table::procedure::overstated as warning_of_overstated;
use uqbench_run::runner::try_table::{Evaluation, Tried};

/// The headline of a comparison that was stopped; `None` of one that has ended.
pub(super) fn stopped(evaluation: &Evaluation) -> Option<Block> {
    evaluation.aborted.as_ref().map(|aborted| Block::Markdown(words::stopped(aborted)))
}

/// The same as a warning.
pub(super) fn warning_of_stop(evaluation: &Evaluation) -> Option<String> {
    evaluation.aborted.as_ref().map(words::warning_of_stop)
}

/// The warning that the whole procedure covers too few rows, whatever the recommended method
/// covers. `None` where that is not so, and where no method is recommended.
pub fn warning_of_procedure(evaluation: &Evaluation) -> Option<String> {
    overstated(evaluation).map(|found| warning_of_overstated(&found, evaluation.bounds))
}

/// What the comparison itself says against its numbers; `chosen` is the recommended method.
pub(super) fn warnings(chosen: Option<&Tried>, evaluation: &Evaluation) -> Vec<String> {
    let of_order = alike(chosen, evaluation).map(warning);
    of_order.into_iter().chain(warning_of_procedure(evaluation)).collect()
}
