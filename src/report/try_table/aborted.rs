//! Say in the headline that a comparison was stopped, and which methods it has not compared.

use crate::report::section::Block;
use crate::runner::try_table::{Aborted, Cause, Evaluation, Unfinished};

/// The headline of a comparison that was stopped; `None` of one that has ended.
pub(super) fn headline(evaluation: &Evaluation) -> Option<Block> {
    let Aborted { cause, unfinished } = evaluation.aborted.as_ref()?;
    let by = match cause {
        Cause::User => "by its user",
        Cause::Deadline => "at its deadline",
    };
    let each = |of: &Unfinished| format!("`{}` ({} of {} fits)", of.id, of.finished, of.fits);
    let names = unfinished.iter().map(each).collect::<Vec<_>>().join(", ");
    Some(Block::Markdown(format!(
        "**This comparison was stopped {by} before its end.** What follows compares only the methods that had \
         finished every fold. Not finished, and so not compared: {names}.\n"
    )))
}
