//! Say before the table what a reader has to know first: that the comparison was stopped, and what
//! its numbers do not promise.

use super::division::warning_of_order;
use super::procedure::warning_of_procedure;
use crate::section::Block;
use uqbench_run::runner::try_table::{Aborted, Cause, Evaluation, Tried, Unfinished};

/// The headline of a comparison that was stopped; `None` of one that has ended.
pub(super) fn stopped(evaluation: &Evaluation) -> Option<Block> {
    let (by, names) = stop(evaluation)?;
    Some(Block::Markdown(format!(
        "**This comparison was stopped {by} before its end.** What follows compares only the \
         methods that had finished every fold. Not finished, and so not compared: {names}.\n"
    )))
}

/// The same as a warning.
pub(super) fn warning_of_stop(evaluation: &Evaluation) -> Option<String> {
    let (by, names) = stop(evaluation)?;
    Some(format!(
        "this comparison was stopped {by} before its end, and compares only the methods that had \
         finished every fold. Not finished, and so not compared: {names}."
    ))
}

/// What the comparison itself says against its numbers; `chosen` is the recommended method.
pub(super) fn warnings(chosen: Option<&Tried>, evaluation: &Evaluation) -> Vec<String> {
    let warnings = [warning_of_order(chosen, evaluation), warning_of_procedure(evaluation)];
    warnings.into_iter().flatten().collect()
}

/// What has stopped it, and each method that had not finished with its fits.
fn stop(evaluation: &Evaluation) -> Option<(&'static str, String)> {
    let Aborted { cause, unfinished } = evaluation.aborted.as_ref()?;
    let by = match cause {
        Cause::User => "by its user",
        Cause::Deadline => "at its deadline",
        Cause::Budget => "when its budget was spent",
    };
    let each = |of: &Unfinished| format!("`{}` ({} of {} fits)", of.id, of.finished, of.fits);
    Some((by, unfinished.iter().map(each).collect::<Vec<_>>().join(", ")))
}
