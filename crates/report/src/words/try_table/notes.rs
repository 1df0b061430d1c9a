//! Say what the tables and figures of a comparison mean, and what became of each method.

use super::bounds::defined;
use super::division::about_intervals;
use crate::export::escape;
use crate::try_table::fate::Fate;
use crate::try_table::log_score::Impossible;
use uq_core::metrics::{MetricId, percent};
use uq_core::names::counted;
use uq_core::printable::printable;
use uq_core::stats::coverage::BAND;
use uq_core::stats::digits::duration;
use uqbench_run::runner::try_table::{Evaluation, LeftOut};

/// What the columns of the table of methods mean.
pub fn methods(evaluation: &Evaluation, impossible: &[Impossible]) -> String {
    let level = percent(evaluation.bounds.level);
    let [covered, score] = defined(evaluation.bounds);
    format!(
        "Coverage: the share of the test rows {covered}. It is near the level where its whole 95 % \
         interval (Clopper & Pearson; each row counts once) lies within {} points of {level}, too \
         low or too high where the interval lies outside that band; else there are too few rows to \
         tell.{} Guaranteed: the least coverage by a theorem, for exchangeable rows. {score} CRPS \
         (continuous ranked probability score): the error of the whole distribution. Both are in \
         the target's unit, lower is better; ± standard deviation over folds.{}{}",
        100.0 * BAND,
        about_intervals(evaluation.division),
        log_score(evaluation.log_score),
        infinite(impossible)
    )
}

/// Which log score it is.
fn log_score(metric: Option<MetricId>) -> &'static str {
    match metric {
        Some(MetricId::DiscretisedLogScore(_)) => {
            " The target is rounded or a count, so its log score is that of the rounded value (in \
             nat, at most 0): a density has no bound there."
        }
        Some(_) => " Log-likelihood in nat, higher is better.",
        None => " No log score: the target is discrete, where a density has no bound.",
    }
}

/// Why scores are −∞, and at how many rows; nothing where none is.
fn infinite(impossible: &[Impossible]) -> String {
    if impossible.is_empty() {
        return String::new();
    }
    let each = |Impossible { method, rows, tested }: &Impossible| {
        format!("{method} at {rows} of {tested} tested rows")
    };
    format!(
        " A log score is -inf where an outcome has the predictive density or probability 0, as one \
         beyond all training targets has in a forest: {}. One such row decides the mean log score, \
         and no other score.",
        impossible.iter().map(each).collect::<Vec<_>>().join("; ")
    )
}

/// How the file was read.
pub fn reading(notes: &[String]) -> String {
    let each = |note: &String| format!("- {}\n", escape(&printable(note, 600)));
    format!("## How the file was read\n\n{}", notes.iter().map(each).collect::<String>())
}

/// What became of a method, after its settings.
pub fn fate(fate: &Fate) -> String {
    match fate {
        Fate::Failed(why) => format!(" Failed: {}", printable(why, 300)),
        Fate::Points => " It predicts points: its intervals have no width.".into(),
        Fate::Guaranteed(theorem) => format!(" Its guarantee: {theorem}."),
        Fate::Shown => String::new(),
    }
}

/// Which methods the budget has left out, at least one.
pub fn left_out(methods: &[LeftOut]) -> String {
    let each = |left: &LeftOut| format!("`{}` ({})", left.method, duration(left.seconds));
    let names = methods.iter().map(each).collect::<Vec<_>>().join(", ");
    format!(
        "Not tried, because with it more than the budget is expected, in processor time of all its \
         fits: {names}. `--budget` sets a larger one, and `--methods` names methods.\n"
    )
}

/// Which methods a figure of calibration leaves out.
pub fn undrawn(methods: &[String]) -> String {
    format!("Left out, because it failed or has no distribution function: {}.", methods.join("; "))
}

/// What the table of chosen settings has, with or without a column of the fit of all rows.
pub fn chosen_settings(has_whole: bool) -> String {
    let note = "Each fit chooses inside its own training rows, and test rows take no part. Values \
                are in the order of the folds, with a semicolon between two divisions of the rows. \
                A setting that is no number has its place in the list of values, from 0; a weight \
                is that of a method in a stack.";
    let of_all = if has_whole {
        ""
    } else {
        " --predict and --save fit all rows, and add what that fit chooses."
    };
    format!("{note}{of_all}")
}

/// How many tables a folder has comparisons of.
pub fn compared(tables: usize) -> String {
    format!("{} compared in this folder.", counted(tables, "table"))
}

/// Which comparison cannot be read, why, and what writes it anew.
pub fn unreadable(table: &str, why: &str) -> String {
    format!("{table}-comparison.json cannot be read: {why}. `uqbench try` writes it anew.")
}

/// What the columns of the list of comparisons mean.
pub const OWN_TABLES: &str = "Coverage: that of the whole procedure, choice included: each fold is \
                              predicted by the method that the other folds recommend. CRPS: of the \
                              recommended method, in the unit of its own table, so that the CRPS \
                              of two tables cannot be compared. What is warned of stands on the \
                              page of the table.";
