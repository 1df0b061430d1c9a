//! Say how rows were divided, and for which new rows that is an answer.

use crate::export::escape;
use uq_core::metrics::percent;
use uq_core::names::counted;
use uq_core::predictive::Bounds;
use uq_core::printable::printable;
use uq_core::stats::coverage::rule;
use uqbench_run::runner::try_table::{Division, Evaluation};

/// Longest name of a user's column on the page, in characters.
const SHOWN: usize = 60;

/// The size of the table, and how its rows were divided.
pub fn table(rows: usize, features: usize, evaluation: &Evaluation) -> String {
    format!("{}, {}. {}", counted(rows, "row"), counted(features, "feature"), divided(evaluation))
}

fn divided(evaluation: &Evaluation) -> String {
    let (folds, times) = (evaluation.folding.folds, evaluation.folding.times());
    let column = || {
        let name = evaluation.stated.as_ref().map_or("", |stated| stated.name.as_str());
        escape(&printable(name, SHOWN))
    };
    let each = format!(
        "{folds}-fold cross-validation: each row is tested {times}, by models of the other folds' \
         rows"
    );
    match evaluation.division {
        Division::Rows => format!("{each}."),
        Division::Grouped { twins } => {
            let rows = if twins == 1 { "row equals".into() } else { format!("{twins} rows equal") };
            let count = if twins == 1 { "1 " } else { "" };
            format!(
                "{each}; {count}{rows} an earlier one in every feature, and such rows stay in one \
                 fold."
            )
        }
        Division::Repeated { distinct: 1 } => {
            format!("{each}; no feature varies, so that the features say nothing of the target.")
        }
        Division::Repeated { distinct } => format!(
            "{each}; only {distinct} rows differ in their features, so equal ones are taken for \
             repeated measurements and divided like any others."
        ),
        Division::Groups { groups } => format!(
            "{folds}-fold cross-validation by the {groups} groups of the column \"{}\": each row \
             is tested {times}, by models that have seen no row of its group. What is stated here \
             is for rows of new groups; folds of random rows would promise more.",
            column()
        ),
        Division::Blocks { start } => format!(
            "From past to future, in the order of the column \"{}\": the rows after the first \
             {start} are {folds} blocks in time, and each is tested once, by models of all rows \
             before it (rolling origin). What is stated here is for later rows; folds of random \
             rows would promise more.",
            column()
        ),
    }
}

/// That intervals about shares are too short for rows that are alike.
pub fn about_intervals(division: Division) -> &'static str {
    match division {
        Division::Rows | Division::Grouped { .. } | Division::Repeated { .. } => "",
        Division::Groups { .. } => {
            " Rows of a group are alike, so that these intervals are rather too short."
        }
        Division::Blocks { .. } => {
            " Rows that are near in time are alike, so that these intervals are rather too short."
        }
    }
}

/// What was not done, and for which new rows the coverage holds.
pub fn limits(division: Division) -> String {
    format!(
        "Limits: each method ran as the list above says. What it chooses itself, it chooses inside \
         the training rows of each fit; nothing else was tuned, so other settings may do better. \
         {}",
        holds(division)
    )
}

/// For which new rows the coverage holds.
pub fn holds(division: Division) -> &'static str {
    match division {
        Division::Groups { .. } => {
            "The coverage is an average over rows of new groups like these, not for each group and \
             not for each kind of row."
        }
        Division::Blocks { .. } => {
            "The coverage is an average over later rows. It holds only while the future changes no \
             faster than these rows did from block to block, and not for each kind of row."
        }
        Division::Repeated { .. } => {
            "The coverage is an average over new rows of the same kind with features seen before. \
             It is not for later times, other places or feature values out of range, and not for \
             each group of rows."
        }
        Division::Rows | Division::Grouped { .. } => {
            "The coverage is an average over new rows of the same kind. It is not for later times, \
             other places or feature values out of range, and not for each group of rows."
        }
    }
}

/// The title of the table of blocks in time.
pub fn title_of_blocks(method: &str) -> String {
    format!("Coverage of {method} by block in time")
}

/// Its note.
pub fn note_of_blocks(bounds: Bounds) -> String {
    format!(
        "Each block is tested by a model of all rows before it. {} Where coverage falls from block \
         to block, expect less still after the last one.",
        rule(&percent(bounds.level), "blocks")
    )
}
