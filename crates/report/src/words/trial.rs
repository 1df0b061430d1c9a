//! Say what a trial is, how it ended, and how to run it again.

use uqbench_run::benchmark::Benchmark;
use uqbench_run::benchmark::papers::short_name;

/// In place of a benchmark where none is known.
pub const UNPLANNED: &str = "No benchmark that was searched plans this trial, so the command that \
    runs it again is not known. Its benchmark is another version, or a file of yours, or it is of \
    a method that was added to one: name these by uqbench show KEY FILE --with COMMAND.";

/// Where the names of files in the command that runs a trial again lead.
pub const NAMES_OF_FILES: &str =
    "Its names of files are those from the folder where this page was made.";

/// In place of the machine of an attempt of which the error alone is stored.
pub const ERROR_ALONE: &str =
    "An older program stored this error alone: the host, time and memory are not known.";

/// In place of figures where the predictions are not stored.
pub const NO_PREDICTIONS: &str = "This pack has no predictions of this trial, so nothing is drawn.";

/// The note below the scores.
pub const SCORES: &str = "–: not defined for this prediction.";

/// In place of the largest memory where it was not measured.
pub const UNKNOWN_MEMORY: &str =
    "not measured: its process had run other trials, or the system does not tell";

/// The title of the table on the machine of a finished trial.
pub const RAN: &str = "Where and how fast it ran";

/// The title of the table on the machine of an attempt that did not finish.
pub const ATTEMPTED: &str = "Where and how long it ran";

/// The note below the machine of an attempt that did not start.
pub const NOTHING_RUN: &str = "Nothing was run, so that there is neither a time nor a memory.";

/// What the trial is: the column and the dataset of a benchmark, and the number of its repetition.
pub fn name(benchmark: &Benchmark, column: &str, dataset: &str, split: u64) -> String {
    let paper = short_name(&benchmark.paper);
    format!("{paper}, {}: {column}, {dataset}, repetition {split}.", benchmark.artefact)
}

/// Which command runs the trial again.
pub fn command(command: &str) -> String {
    format!("This command runs it again: {command}")
}

/// That a trial finished without predictions: its outcome in a word, and why.
pub fn no_predictions(outcome: &str, why: &str) -> String {
    format!("It returned no predictions ({outcome}): {why}")
}

/// That a trial did not finish, and its error.
pub fn unfinished(error: &str) -> String {
    format!("It did not finish. The error of its last attempt in full: {error}")
}

/// The title of the figure of residuals. `key` is in short.
pub fn residuals_title(key: &str) -> String {
    format!("Residuals of trial {key}: outcome less predicted mean, ± 1 standard deviation")
}

/// The title of a reading's panel of residuals, which shows one row in `every`.
pub fn residuals_panel(reading: &str, every: usize) -> String {
    let thinned = if every > 1 { format!(" (one test row in {every})") } else { String::new() };
    format!("{reading}{thinned}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use uqbench_run::benchmark::find;

    #[test]
    fn a_trial_is_named_with_the_command_that_runs_it() {
        let benchmark = find("dtb-table-1").unwrap();
        insta::assert_snapshot!(name(&benchmark, "DTB", "yacht", 3), @"DTB, Table 1: DTB, yacht, repetition 3.");
        insta::assert_snapshot!(command("uqbench run dtb-table-1"), @"This command runs it again: uqbench run dtb-table-1");
        insta::assert_snapshot!(NAMES_OF_FILES, @"Its names of files are those from the folder where this page was made.");
        insta::assert_snapshot!(UNPLANNED, @"No benchmark that was searched plans this trial, so the command that runs it again is not known. Its benchmark is another version, or a file of yours, or it is of a method that was added to one: name these by uqbench show KEY FILE --with COMMAND.");
    }

    #[test]
    fn each_end_of_a_trial_is_stated() {
        insta::assert_snapshot!(no_predictions("diverged", "the loss is NaN"), @"It returned no predictions (diverged): the loss is NaN");
        insta::assert_snapshot!(unfinished("timed out"), @"It did not finish. The error of its last attempt in full: timed out");
        insta::assert_snapshot!(ERROR_ALONE, @"An older program stored this error alone: the host, time and memory are not known.");
        insta::assert_snapshot!(NOTHING_RUN, @"Nothing was run, so that there is neither a time nor a memory.");
        insta::assert_snapshot!(UNKNOWN_MEMORY, @"not measured: its process had run other trials, or the system does not tell");
    }

    #[test]
    fn scores_and_figures_are_explained() {
        insta::assert_snapshot!(SCORES, @"–: not defined for this prediction.");
        insta::assert_snapshot!(NO_PREDICTIONS, @"This pack has no predictions of this trial, so nothing is drawn.");
        insta::assert_snapshot!(residuals_title("0123abcd"), @"Residuals of trial 0123abcd: outcome less predicted mean, ± 1 standard deviation");
        insta::assert_snapshot!(residuals_panel("mean", 1), @"mean");
        insta::assert_snapshot!(residuals_panel("mean", 7), @"mean (one test row in 7)");
    }
}
