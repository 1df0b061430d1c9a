//! Judge the coverage of a method in kinds of rows: by predicted mean, by width of the interval, and by category.
//!
//! Coverage holds on average over rows. Where it is far off for one kind of row, the average hides it. Each row counts once, by
//! the fit of the first division that has not seen it.

use crate::metrics::percent;
use crate::predictive::Side;
use crate::report::grid::Grid;
use crate::report::section::Section;
use crate::runner::try_table::{Evaluation, FOLDS, TestedRow, Tried};
use crate::stats::coverage::{Coverage, Judged, judge};
use crate::stats::digits::{NONE, mean_and_spread};
use crate::stats::order::Order;

use super::words::Words;

/// Fewest rows of a kind that is judged.
const FEWEST: usize = 20;

/// Largest number of kinds on the page: the ones whose coverage is farthest from the level.
const MOST: usize = 20;

/// Rows that have something in common.
pub(super) struct KindOfRow {
    pub name: String,
    pub coverage: Coverage,
    pub judged: Judged,
    width: Option<f64>,
}

/// The rows of the first division, each once; none where the method failed or has no intervals.
fn rows(tried: &Tried) -> Vec<&TestedRow> {
    let folds = tried.folds.iter().flatten().take(FOLDS as usize);
    folds.flat_map(|fold| &fold.rows).collect()
}

/// The kinds of rows with their coverages, judged together by Holm's procedure.
pub(super) fn kinds(tried: &Tried, evaluation: &Evaluation) -> Vec<KindOfRow> {
    let rows = rows(tried);
    let mut groups: Vec<(String, Vec<&TestedRow>)> = Vec::new();
    groups.extend(thirds(&rows, "predicted means", |row| row.mean));
    groups.extend(thirds(&rows, Words::of(evaluation.bounds).widths, |row| row.width));
    let mut of_table: Vec<Option<&TestedRow>> = Vec::new();
    for row in rows {
        of_table.resize(of_table.len().max(row.row + 1), None);
        of_table[row.row] = Some(row);
    }
    for category in &evaluation.categories {
        let known = category.rows.iter().filter_map(|&row| of_table.get(row).copied().flatten());
        groups.push((category.name.clone(), known.collect()));
    }
    groups.retain(|(_, rows)| rows.len() >= FEWEST);
    let covered = |rows: &[&TestedRow]| rows.iter().filter(|row| row.covered).count();
    let coverages: Vec<Coverage> =
        groups.iter().map(|(_, rows)| Coverage { covered: covered(rows), rows: rows.len() }).collect();
    let judged = judge(&coverages, evaluation.bounds.level);
    let kind = |(((name, rows), coverage), judged): (((String, Vec<&TestedRow>), Coverage), Judged)| KindOfRow {
        name,
        coverage,
        judged,
        width: rows.iter().map(|row| row.width).sum::<Option<f64>>().map(|sum| sum / rows.len() as f64),
    };
    groups.into_iter().zip(coverages).zip(judged).map(kind).collect()
}

/// The rows in three parts of equal size, by a number that differs among them; no parts where it is undefined, or equal at both
/// ends of a part.
fn thirds<'a>(
    rows: &[&'a TestedRow],
    of: &str,
    number: impl Fn(&TestedRow) -> Option<f64>,
) -> Vec<(String, Vec<&'a TestedRow>)> {
    let numbers: Option<Vec<(f64, &TestedRow)>> = rows.iter().map(|row| Some((number(row)?, *row))).collect();
    let Some(mut sorted) = numbers else { return Vec::new() };
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.row.cmp(&b.1.row)));
    let [first, second] = [sorted.len() / 3, sorted.len() * 2 / 3];
    let parts = [&sorted[..first], &sorted[first..second], &sorted[second..]];
    let ends = parts.map(|part| Some((part.first()?.0, part.last()?.0)));
    let [Some(low), Some(middle), Some(high)] = ends else { return Vec::new() };
    if low.1 == middle.0 || middle.1 == high.0 {
        return Vec::new();
    }
    let names = ["smallest", "middle", "largest"].map(|third| format!("{third} third of the {of}"));
    names.into_iter().zip(parts.map(|part| part.iter().map(|(_, row)| *row).collect())).collect()
}

/// The coverage of the recommended method in each kind of row; `None` where no kind has enough rows.
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
        let about = kind.coverage.interval().map(|(low, high)| format!("{low:.3} to {high:.3}"));
        grid.rows.push(vec![
            kind.name.clone(),
            kind.coverage.rows.to_string(),
            format!("{:.3}", kind.coverage.share()),
            about.unwrap_or_else(|| NONE.into()),
            kind.judged.words().into(),
            mean_and_spread(kind.width, None),
        ]);
    }
    let more = match hidden {
        0 => String::new(),
        _ => format!(" {hidden} kinds nearer to {} are left out.", percent(evaluation.bounds.level)),
    };
    let note = format!(
        "Each kind has at least {FEWEST} rows, and each row counts once. Judged against {} by exact binomial tests (5 %, Holm over \
         the kinds): of many kinds some are off by chance.{more}",
        percent(evaluation.bounds.level)
    );
    let title = format!("Coverage of {} by kind of row", tried.id);
    (!grid.rows.is_empty()).then_some(Section { title, grid, note })
}

/// Whether the errors of rows depend on the order of the rows in the table.
pub(super) fn order_of_errors(tried: &Tried) -> Option<Order> {
    let mut rows = rows(tried);
    rows.sort_by_key(|row| row.row);
    let errors: Option<Vec<f64>> = rows.iter().map(|row| row.error).collect();
    Order::of(&errors?)
}

/// The share of intervals whose lower end is below zero, though no target is.
pub(super) fn below_zero(tried: &Tried, evaluation: &Evaluation) -> Option<f64> {
    let rows = rows(tried);
    let below = rows.iter().filter(|row| row.lower < 0.0).count();
    // Every upper bound leaves all below it.
    let has_end = evaluation.bounds.side != Side::Upper;
    (has_end && evaluation.smallest >= 0.0 && below > 0).then(|| below as f64 / rows.len() as f64)
}
