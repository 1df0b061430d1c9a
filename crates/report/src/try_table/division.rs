//! Say how rows were divided, what that promises, and what the order of the rows says against it.

use super::kinds::order_of_errors;
use super::words::Words;
use crate::export::escape;
use crate::grid::Grid;
use crate::section::Section;
use uq_core::metrics::percent;
use uq_core::printable::printable;
use uq_core::stats::coverage::{Coverage, Judged, judge, rule};
use uq_core::stats::digits::{NONE, mean_and_spread};
use uq_core::stats::order::Order;
use uq_core::{Dependence, Table};
use uqbench_data::own::Finding;
use uqbench_run::runner::try_table::{Division, Evaluation, FOLDS, FoldScores, Tried};

/// Longest name or cell of a user's column on the page, in characters.
const SHOWN: usize = 60;

/// How the rows were divided, and for which new rows that is an answer.
pub(super) fn divided(evaluation: &Evaluation) -> String {
    format!("{}{}", divided_so(evaluation), fewer_folds(evaluation))
}

fn divided_so(evaluation: &Evaluation) -> String {
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
            let one = if twins == 1 { "1 " } else { "" };
            format!(
                "{each}; {one}{rows} an earlier one in every feature, and such rows stay in one \
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
             is tested {times}, by models that have seen no row of its group. What is stated below \
             is for rows of new groups; folds of random rows would promise more.",
            column()
        ),
        Division::Blocks { start } => format!(
            "From past to future, in the order of the column \"{}\": the rows after the first \
             {start} are {folds} blocks in time, and each is tested once, by models of all rows \
             before it (rolling origin). What is stated below is for later rows; folds of random \
             rows would promise more.",
            column()
        ),
    }
}

/// That there are fewer folds than usual, and what that means for the scores.
fn fewer_folds(evaluation: &Evaluation) -> String {
    if !evaluation.folding.has_fewer_folds() {
        return String::new();
    }
    let parts =
        if matches!(evaluation.division, Division::Blocks { .. }) { "blocks" } else { "folds" };
    format!(
        " There are {} {parts} in place of {FOLDS}, so that the budget suffices for more methods: \
         fits have fewer rows, and scores are rather worse than those of a fit of all rows.",
        evaluation.folding.folds
    )
}

/// That intervals about shares are too short for rows that are alike.
pub(super) fn about_intervals(division: Division) -> &'static str {
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
pub(super) fn caveat(evaluation: &Evaluation) -> String {
    format!(
        "Limits: each method ran as the list above says. What it chooses itself, it chooses inside \
         the training rows of each fit; nothing else was tuned, so other settings may do better. \
         {}",
        holds(evaluation)
    )
}

/// For which new rows the coverage holds.
pub(super) fn holds(evaluation: &Evaluation) -> &'static str {
    match evaluation.division {
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

/// Below this ratio half of the targets' variance is between places in the file: more than a table
/// that is sorted a little has.
const SOMEWHAT: f64 = 1.0;

/// Rows whose errors or targets are like those of their neighbours: random folds then promise more
/// than later rows keep. Of a series the targets say it best: a method whose features follow it
/// hides that in its errors.
pub(super) fn warning_of_order(chosen: Option<&Tried>, evaluation: &Evaluation) -> Option<String> {
    if evaluation.division.is_stated() {
        return None;
    }
    let of_errors = chosen
        .and_then(|tried| order_of_errors(tried, evaluation.folding))
        .filter(Order::is_beyond_chance);
    let of_target = evaluation.order.filter(Order::is_series);
    let alike = match (of_target, of_errors) {
        (Some(target), errors) => {
            let too = errors.map(|errors| {
                format!(
                    ", and so are the errors of the recommended method at neighbouring rows \
                         ({:.2})",
                    errors.ratio
                )
            });
            alike("the targets of neighbouring rows are much alike", target)
                + &too.unwrap_or_default()
        }
        (None, Some(errors)) => {
            alike("the errors of the recommended method at neighbouring rows are alike", errors)
        }
        // A feature that names the groups hides what their rows share, but not for new groups.
        (None, None) => {
            let target = evaluation
                .order
                .filter(|order| order.is_beyond_chance() && order.ratio < SOMEWHAT)?;
            alike("the targets of neighbouring rows are somewhat alike", target)
        }
    };
    Some(format!(
        "{alike}. Rows are divided at random here, so that each has neighbours in the training \
         set. If new rows are later ones or of other groups, expect a lower coverage and larger \
         errors than stated below: `--time COLUMN` tests from past to future, `--group COLUMN` \
         tests whole groups."
    ))
}

/// What the order of a table's rows says against folds of random rows, without a fit: a warning
/// where the targets are as those of a series, a note where chance alone hardly makes neighbours as
/// alike. Nothing where the table states what its rows depend on.
pub fn finding_of_order(table: &Table) -> Option<Finding> {
    let is_stated = table.dependence != Dependence::Unknown;
    let order = Order::test(&table.target.to_vec())
        .filter(|order| !is_stated && order.is_beyond_chance())?;
    let degree = if order.is_series() { "much" } else { "somewhat" };
    let text = format!(
        "{}; if new rows will be later ones or of other groups, folds of random rows promise too \
         much: --time COLUMN tests from past to future, --group COLUMN tests whole groups",
        alike(&format!("the targets of neighbouring rows are {degree} alike"), order)
    );
    Some(if order.is_series() { Finding::warning(text) } else { Finding::note(text) })
}

/// What is alike, by which ratio, and where that occurs.
fn alike(what: &str, order: Order) -> String {
    format!(
        "{what} (rank von Neumann ratio {:.2}; rows in random order have about 2), as \
         in a series, in groups, or in a sorted file",
        order.ratio
    )
}

/// A block in time, and the coverage of its rows.
pub(super) struct BlockInTime<'a> {
    /// Its first and its last time.
    pub name: String,
    pub coverage: Coverage,
    pub judged: Judged,
    fold: &'a FoldScores,
}

/// The coverage of a method in each block in time, judged together; `None` where rows have no
/// times, and where it has no intervals.
pub(super) fn blocks_in_time<'a>(
    tried: &'a Tried,
    evaluation: &Evaluation,
) -> Option<Vec<BlockInTime<'a>>> {
    let (Division::Blocks { .. }, Some(times)) = (evaluation.division, &evaluation.stated) else {
        return None;
    };
    let folds = tried.folds.as_ref().ok()?;
    let of = |fold: &FoldScores| Some(Coverage { covered: fold.covered?, rows: fold.test_rows });
    let coverages: Vec<Coverage> = folds.iter().map(of).collect::<Option<_>>()?;
    let judged = judge(&coverages, evaluation.bounds.level);
    let name = |fold: &FoldScores| {
        let time = |row: Option<usize>| {
            row.and_then(|row| times.cells.get(row)).map_or("", String::as_str)
        };
        let rows = || fold.rows.iter().map(|row| row.row);
        let [first, last] =
            [time(rows().min()), time(rows().max())].map(|time| printable(time, SHOWN));
        if first == last { first } else { format!("{first} to {last}") }
    };
    let each = folds.iter().zip(coverages).zip(judged);
    Some(
        each.map(|((fold, coverage), judged)| BlockInTime {
            name: name(fold),
            coverage,
            judged,
            fold,
        })
        .collect(),
    )
}

/// The coverage of a method in each block in time; `None` where rows have no times, and where it
/// has no intervals.
pub(super) fn blocks(tried: &Tried, evaluation: &Evaluation) -> Option<Section> {
    let mut grid = Grid::new(&[
        "Block",
        "#Rows before it",
        "#Rows",
        "#Coverage",
        "95 % interval",
        "Judged",
        Words::of(evaluation.bounds).width_column,
        "#CRPS",
    ]);
    for BlockInTime { name, coverage, judged, fold } in blocks_in_time(tried, evaluation)? {
        let about = judged.interval.map(|(low, high)| format!("{low:.3} to {high:.3}"));
        grid.push(vec![
            name,
            fold.train_rows.to_string(),
            fold.test_rows.to_string(),
            format!("{:.3}", coverage.share()),
            about.unwrap_or_else(|| NONE.into()),
            judged.kept.words(coverage.rows),
            mean_and_spread(fold.width, None),
            mean_and_spread(fold.crps, None),
        ]);
    }
    let note = format!(
        "Each block is tested by a model of all rows before it. {} Where coverage falls from block \
         to block, expect less still after the last one.",
        rule(&percent(evaluation.bounds.level), "blocks")
    );
    Some(Section { title: format!("Coverage of {} by block in time", tried.id), grid, note })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::{Array1, Array2};
    use uqbench_data::own::Severity;

    #[test]
    fn a_series_is_a_warning_pairs_are_a_note_and_stated_times_are_neither() {
        let of = |target: &dyn Fn(usize) -> usize, dependence: Dependence| {
            let target = Array1::from_iter((0..200).map(|row| target(row) as f64));
            finding_of_order(&Table {
                dependence,
                ..Table::unnamed(Array2::zeros((200, 1)), target)
            })
        };
        let trend = of(&|row| row, Dependence::Unknown).unwrap();
        assert!(
            trend.severity == Severity::Warning
                && trend.text.to_string().contains("are much alike"),
            "{trend}"
        );
        let pairs = of(&|row| row / 2 * 37 % 100, Dependence::Unknown).unwrap();
        assert!(
            pairs.severity == Severity::Note
                && pairs.text.to_string().contains("are somewhat alike"),
            "{pairs}"
        );
        assert_eq!(of(&|row| row * 77 % 200, Dependence::Unknown), None);
        assert_eq!(of(&|row| row, Dependence::Periods((0..200).collect())), None);
    }
}
