//! Judge the coverage in blocks of time, and what the order of a table's rows says before a fit.

use crate::grid::Grid;
use crate::section::Section;
use crate::words::try_table::bounds::Words;
use crate::words::try_table::division::{note_of_blocks, title_of_blocks};
use crate::words::try_table::order::finding;
use uq_core::printable::printable;
use uq_core::stats::coverage::{Coverage, Judged, judge};
use uq_core::stats::digits::{NONE, mean_and_spread};
use uq_core::stats::order::Order;
use uq_core::{Dependence, Table};
use uqbench_data::own::Finding;
use uqbench_run::runner::try_table::{Division, Evaluation, FoldScores, Tried};

/// Longest cell of a user's column on the page, in characters.
const SHOWN: usize = 60;

/// What the order of a table's rows says against folds of random rows, without a fit: a warning
/// where the targets are as those of a series, a note where chance alone hardly makes neighbours as
/// alike. Nothing where the table states what its rows depend on.
pub fn finding_of_order(table: &Table) -> Option<Finding> {
    let is_stated = table.dependence != Dependence::Unknown;
    let order = Order::test(&table.target.to_vec())
        .filter(|order| !is_stated && order.is_beyond_chance())?;
    let text = finding(order);
    Some(if order.is_series() { Finding::warning(text) } else { Finding::note(text) })
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
    let (title, note) = (title_of_blocks(&tried.id), note_of_blocks(evaluation.bounds));
    Some(Section { title, grid, note })
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
        assert_eq!(trend.severity, Severity::Warning);
        let pairs = of(&|row| row / 2 * 37 % 100, Dependence::Unknown).unwrap();
        assert_eq!(pairs.severity, Severity::Note);
        assert_eq!(of(&|row| row * 77 % 200, Dependence::Unknown), None);
        assert_eq!(of(&|row| row, Dependence::Periods((0..200).collect())), None);
    }
}
