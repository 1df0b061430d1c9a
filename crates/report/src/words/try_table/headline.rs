//! Say first that a comparison was stopped, or that its target holds no noise.

use uqbench_run::runner::try_table::{Aborted, Cause, Unfinished};

/// The headline of a comparison that was stopped.
pub fn stopped(aborted: &Aborted) -> String {
    format!(
        "**This comparison was stopped {} before its end.** What follows compares only the methods \
         that had finished every fold. Not finished, and so not compared: {}.\n",
        by(aborted.cause),
        names(&aborted.unfinished)
    )
}

/// The same as a warning.
pub fn warning_of_stop(aborted: &Aborted) -> String {
    format!(
        "this comparison was stopped {} before its end, and compares only the methods that had \
         finished every fold. Not finished, and so not compared: {}.",
        by(aborted.cause),
        names(&aborted.unfinished)
    )
}

/// What has stopped it.
fn by(cause: Cause) -> &'static str {
    match cause {
        Cause::User => "by its user",
        Cause::Deadline => "at its deadline",
        Cause::Budget => "when its budget was spent",
    }
}

/// Each method that had not finished, with its fits.
fn names(unfinished: &[Unfinished]) -> String {
    let each = |method: &Unfinished| {
        format!("`{}` ({} of {} fits)", method.id, method.finished, method.fits)
    };
    unfinished.iter().map(each).collect::<Vec<_>>().join(", ")
}

/// The warning that the target seems to be computed from the features, because these methods have
/// no error.
pub fn noiseless(methods: &[String]) -> String {
    let names: Vec<String> = methods.iter().map(|method| format!("`{method}`")).collect();
    format!(
        "the target seems to be computed from the features without noise: at rows that the fits \
         have not seen, the CRPS of {} is less than a millionth of that of methods without \
         features. So good are scores of a simulator, or where the features are what the target \
         was computed of; nothing else is as good",
        names.join(", ")
    )
}
