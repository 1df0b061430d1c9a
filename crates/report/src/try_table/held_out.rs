//! Show what the intervals of the recommended method did at rows that its fits had not seen.

use super::Subject;
use super::answer::recommended_method;
use super::kinds::{kinds, rows};
use super::recommend::recommend;
use crate::long_table::{LongTable, Values};
use crate::words::try_table::held_out as words;
use uq_core::predictive::Side;
use uqbench_data::own::RowPlace;
use uqbench_judge::figures::{HeldOut, HeldOutGroup, HeldOutRow};
use uqbench_run::runner::try_table::{Evaluation, TestedRow, Tried};

/// Most rows in the picture: more would overlap.
const MOST: usize = 150;

/// Names of columns of the file of rows, which that of the identifier cannot have.
const HEADINGS: [&str; 7] = ["row", "line", "outcome", "mean", "lower", "upper", "inside"];

/// What names the rows of a table.
#[derive(Clone, Copy, Debug)]
pub struct RowNames<'a> {
    /// Where each row of the table stands in the file.
    pub places: &'a [RowPlace],
    /// Name and cells of the column that identifies the rows.
    pub id: Option<(&'a str, &'a [String])>,
}

/// The picture; `None` where the method has no intervals.
pub(super) fn held_out(
    tried: &Tried,
    subject: &Subject,
    evaluation: &Evaluation,
) -> Option<HeldOut> {
    let mut rows = rows(tried, evaluation.folding);
    if rows.is_empty() {
        return None;
    }
    rows.sort_by(|a, b| place(a).total_cmp(&place(b)).then(a.row.cmp(&b.row)));
    let shown = rows.len().min(MOST);
    // The rows in the middle of as many equal parts.
    let chosen = (0..shown).map(|i| rows[(2 * i + 1) * rows.len() / (2 * shown)]);
    let shown_rows = chosen.map(|row| HeldOutRow {
        lower: row.lower,
        upper: row.upper,
        outcome: row.outcome,
        covered: row.covered,
    });
    let groups = kinds(tried, evaluation).into_iter().filter_map(|kind| {
        Some(HeldOutGroup {
            name: kind.name,
            kind: kind.kind,
            width: kind.width?,
            coverage: kind.coverage,
            interval: kind.judged.interval,
        })
    });
    Some(HeldOut {
        title: words::title(&tried.id, evaluation.bounds),
        outcome: subject.target.to_owned(),
        width: words::width(evaluation.bounds),
        level: evaluation.bounds.level,
        rows: shown_rows.collect(),
        of: rows.len(),
        groups: groups.collect(),
    })
}

/// Where a row's prediction lies: its mean, or else the middle or the end of its interval.
fn place(row: &TestedRow) -> f64 {
    row.mean.unwrap_or(match (row.lower.is_finite(), row.upper.is_finite()) {
        (true, true) => f64::midpoint(row.lower, row.upper),
        (true, false) => row.lower,
        _ => row.upper,
    })
}

/// The tested rows of the recommended method in the order of the file: `row` (from 1 below the
/// header), `line` (from 1, the header's included), the identifier where there is one (called `id`
/// where its name is that of another column), the outcome, `mean`, `lower` and `upper` (one of them
/// where the interval has one end) by a fit that has not seen the row, and whether the outcome lies
/// between them. `None` where no method is recommended.
pub fn tested_rows(names: &RowNames, evaluation: &Evaluation) -> Option<LongTable> {
    let recommendation = recommend(evaluation);
    let tried = recommended_method(&recommendation, evaluation)?;
    let mut rows: Vec<(&RowPlace, &TestedRow)> = rows(tried, evaluation.folding)
        .into_iter()
        .map(|row| Some((names.places.get(row.row)?, row)))
        .collect::<Option<_>>()?;
    if rows.is_empty() {
        return None;
    }
    rows.sort_by_key(|(place, _)| place.row);
    let number = |of: fn(&TestedRow) -> Option<f64>| {
        Values::Number(rows.iter().map(|(_, row)| of(row)).collect())
    };
    let whole = |of: fn(&RowPlace) -> u64| {
        Values::Whole(rows.iter().map(|(place, _)| Some(of(place))).collect())
    };
    let mut columns = vec![
        ("row".to_owned(), whole(|place| place.row as u64)),
        ("line".to_owned(), whole(|place| place.line)),
    ];
    if let Some((name, cells)) = names.id {
        let cells = rows.iter().map(|(_, row)| cells.get(row.row).cloned()).collect();
        // Two columns of one name could not be read again.
        let name = if HEADINGS.contains(&name) { "id" } else { name };
        columns.push((name.to_owned(), Values::Text(cells)));
    }
    columns.push(("outcome".into(), number(|row| Some(row.outcome))));
    columns.push(("mean".into(), number(|row| row.mean)));
    if evaluation.bounds.side != Side::Upper {
        columns.push(("lower".into(), number(|row| Some(row.lower))));
    }
    if evaluation.bounds.side != Side::Lower {
        columns.push(("upper".into(), number(|row| Some(row.upper))));
    }
    let covered = rows.iter().map(|(_, row)| row.covered).collect();
    columns.push(("inside".into(), Values::Flag(covered)));
    Some(LongTable::of_columns(rows.len(), columns))
}
