//! Judge the coverage of a method in kinds of rows: by predicted mean, by width of the interval, by
//! category, and by region.
//!
//! Coverage holds on average over rows. Where it is far off for one kind of row, the average hides
//! it. Each row counts once, by the fit of the first division that has not seen it.

use crate::grid::Grid;
use crate::section::Section;
use crate::words::try_table::bounds::Words;
use crate::words::try_table::kinds::{note, title};
use uq_core::predictive::Side;
use uq_core::stats::coverage::{Coverage, Judged, judge};
use uq_core::stats::digits::{NONE, mean_and_spread};
use uq_core::stats::order::Order;
use uqbench_data::own::RowGroup;
use uqbench_judge::figures::GroupKind;
use uqbench_run::runner::try_table::{Evaluation, Folding, TestedRow, Tried};

/// Largest number of kinds on the page: the ones whose coverage is farthest from the level.
const MOST: usize = 20;

/// Rows of which the coverage is judged.
pub(super) struct Group {
    /// How they were chosen.
    pub kind: GroupKind,
    pub rows: RowGroup,
}

/// The coverage of rows that have something in common.
pub(super) struct KindOfRow {
    pub name: String,
    /// How they were chosen.
    pub kind: GroupKind,
    pub coverage: Coverage,
    pub judged: Judged,
    pub width: Option<f64>,
}

/// The rows of the first division, each once; none where the method failed or has no intervals.
pub(super) fn rows(tried: &Tried, folding: Folding) -> Vec<&TestedRow> {
    tried.tested_rows(folding).collect()
}

/// The same by their places in the table; `None` where a row is not tested.
fn by_place(tried: &Tried, folding: Folding) -> Vec<Option<&TestedRow>> {
    let mut all = Vec::new();
    for row in rows(tried, folding) {
        all.resize(all.len().max(row.row + 1), None);
        all[row.row] = Some(row);
    }
    all
}

/// The kinds of rows that are judged, with the tested rows of each: thirds by the method's means
/// and widths, and those of the table.
pub(super) fn groups(tried: &Tried, evaluation: &Evaluation) -> Vec<Group> {
    let (tested, places) = (rows(tried, evaluation.folding), by_place(tried, evaluation.folding));
    let is_tested = |row: &usize| places.get(*row).is_some_and(Option::is_some);
    let of_tested = |kind: &RowGroup| kind.rows.iter().copied().filter(is_tested).collect();
    let of_table =
        evaluation.kinds.iter().map(|kind| RowGroup { rows: of_tested(kind), ..kind.clone() });
    let of_means = thirds(&tested, "predicted means", |row| row.mean);
    let of_widths = thirds(&tested, Words::of(evaluation.bounds).widths, |row| row.width);
    let by = |kind: GroupKind| move |rows: RowGroup| Group { kind, rows };
    let all = of_means.into_iter().map(by(GroupKind::Mean));
    all.chain(of_widths.into_iter().map(by(GroupKind::Width)))
        .chain(of_table.map(by(GroupKind::Features)))
        .filter(|group| group.rows.rows.len() >= RowGroup::FEWEST)
        .collect()
}

/// The coverage of a method in these kinds, judged together; none where it has not tested one of
/// their rows.
pub(super) fn judged(tried: &Tried, groups: &[Group], evaluation: &Evaluation) -> Vec<KindOfRow> {
    let places = by_place(tried, evaluation.folding);
    let of = |group: &Group| -> Option<Vec<&TestedRow>> {
        group.rows.rows.iter().map(|&row| places.get(row).copied().flatten()).collect()
    };
    let rows: Vec<Vec<&TestedRow>> =
        groups.iter().map(of).collect::<Option<_>>().unwrap_or_default();
    let coverage = |rows: &Vec<&TestedRow>| Coverage {
        covered: rows.iter().filter(|row| row.covered).count(),
        rows: rows.len(),
    };
    let coverages: Vec<Coverage> = rows.iter().map(coverage).collect();
    let judged = judge(&coverages, evaluation.bounds.level);
    let width = |rows: &[&TestedRow]| {
        let sum = rows.iter().map(|row| row.width).sum::<Option<f64>>();
        sum.map(|sum| sum / rows.len() as f64)
    };
    let each = groups.iter().zip(&rows).zip(coverages.into_iter().zip(judged));
    each.map(|((group, rows), (coverage, judged))| KindOfRow {
        name: group.rows.name.clone(),
        kind: group.kind,
        coverage,
        judged,
        width: width(rows),
    })
    .collect()
}

/// The coverage of a method in its own kinds of rows.
pub(super) fn kinds(tried: &Tried, evaluation: &Evaluation) -> Vec<KindOfRow> {
    judged(tried, &groups(tried, evaluation), evaluation)
}

/// The rows in three parts, by a number that differs among them. Rows of equal numbers stay
/// together, so that a part ends where the tie at its third ends, and the next one may be small or
/// empty. No parts where the number is undefined, or equal in all rows.
fn thirds(
    rows: &[&TestedRow],
    of: &str,
    number: impl Fn(&TestedRow) -> Option<f64>,
) -> Vec<RowGroup> {
    let numbers: Option<Vec<(f64, &TestedRow)>> =
        rows.iter().map(|row| Some((number(row)?, *row))).collect();
    let Some(mut sorted) = numbers else { return Vec::new() };
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.row.cmp(&b.1.row)));
    let [first, second] =
        [sorted.len() / 3, sorted.len() * 2 / 3].map(|cut| end_of_tie(&sorted, cut));
    let parts = [&sorted[..first], &sorted[first..second], &sorted[second..]];
    let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    let names = match parts.len() {
        3 => &["smallest third", "middle third", "largest third"][..],
        2 => &["smaller part", "larger part"],
        _ => return Vec::new(),
    };
    let group = |(part, name): (&[(f64, &TestedRow)], &&str)| {
        RowGroup::new(format!("{name} of the {of}"), part.iter().map(|(_, row)| row.row).collect())
    };
    parts.into_iter().zip(names).map(group).collect()
}

/// The first place from a cut on whose number differs from that before it.
fn end_of_tie(sorted: &[(f64, &TestedRow)], cut: usize) -> usize {
    let is_tied = |place: &usize| {
        *place > 0 && *place < sorted.len() && sorted[*place - 1].0 == sorted[*place].0
    };
    (cut..).find(|place| !is_tied(place)).unwrap_or(cut)
}

/// The coverage of the recommended method in each kind of row; `None` where no kind has enough
/// rows.
pub(super) fn section(tried: &Tried, evaluation: &Evaluation) -> Option<Section> {
    let mut kinds = kinds(tried, evaluation);
    let error = |kind: &KindOfRow| (kind.coverage.share() - evaluation.bounds.level).abs();
    let hidden = kinds.len().saturating_sub(MOST);
    if hidden > 0 {
        kinds.sort_by(|a, b| error(b).total_cmp(&error(a)));
        kinds.truncate(MOST);
    }
    let mut grid = Grid::new(&[
        "Rows of",
        "#Rows",
        "#Coverage",
        "95 % interval",
        "Judged",
        Words::of(evaluation.bounds).width_column,
    ]);
    for kind in &kinds {
        let about = kind.judged.interval.map(|(low, high)| format!("{low:.3} to {high:.3}"));
        grid.push(vec![
            kind.name.clone(),
            kind.coverage.rows.to_string(),
            format!("{:.3}", kind.coverage.share()),
            about.unwrap_or_else(|| NONE.into()),
            kind.judged.kept.words(kind.coverage.rows),
            mean_and_spread(kind.width, None),
        ]);
    }
    let (title, note) = (title(&tried.id), note(evaluation.bounds, hidden));
    (!grid.rows.is_empty()).then_some(Section { title, grid, note })
}

/// Whether the errors of rows depend on the order of the rows in the table.
pub(super) fn order_of_errors(tried: &Tried, folding: Folding) -> Option<Order> {
    let mut rows = rows(tried, folding);
    rows.sort_by_key(|row| row.row);
    let errors: Option<Vec<f64>> = rows.iter().map(|row| row.error).collect();
    Order::test(&errors?)
}

/// The share of intervals whose lower end is below zero, though no target is.
pub(super) fn below_zero(tried: &Tried, evaluation: &Evaluation) -> Option<f64> {
    let rows = rows(tried, evaluation.folding);
    let below = rows.iter().filter(|row| row.lower < 0.0).count();
    // Every upper bound leaves all below it.
    let has_end = evaluation.bounds.side != Side::Upper;
    (has_end && evaluation.smallest >= 0.0 && below > 0).then(|| below as f64 / rows.len() as f64)
}
