//! Say which cell stops a column from being read as the dates, times or numbers that nearly all of
//! its cells are.

use std::collections::HashSet;

use super::cells::Cells;
use super::date::{DateForm, Moment, is_date_like, number_beside_month};
use super::date_order::{DateOrder, Verdict};
use super::error::SHOWN;
use super::finding::{Finding, Topic};
use super::hours::Hours;
use super::missing::is_missing_number;
use super::number::{is_nearly_all, is_written};
use uq_core::printable::printable;

/// What nearly all cells of a column are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stopped {
    /// In the plural, and how they are to be written.
    what: &'static str,
    advice: &'static str,
    /// The cell that is none, or two cells that contradict each other.
    why: String,
}

const DATES: (&str, &str) = ("dates", "write all dates as 2024-12-31");
const NUMBERS: (&str, &str) =
    ("numbers with remarks", "write the numbers alone, and remarks in a column of their own");
/// Fewest different numbers of a column that is measured.
const FEWEST_NUMBERS: usize = 12;
/// Most different remarks behind numbers.
const MOST_REMARKS: usize = 5;
const HOURS: (&str, &str) = ("times of day or durations", "write all of them like 17:30:00");

impl Stopped {
    /// The times in a column whose cells are no dates and no times; `None` where they do not look
    /// so.
    pub fn of(cells: &Cells, place: usize) -> Option<Self> {
        let rows: Vec<usize> =
            (0..cells.rows()).filter(|row| !is_missing_number(cells.text(*row, place))).collect();
        let first_but = |is: &dyn Fn(&str) -> bool| {
            let others: Vec<usize> =
                rows.iter().copied().filter(|row| !is(cells.text(*row, place))).collect();
            is_nearly_all(rows.len() - others.len(), rows.len())
                .then(|| others.first().copied())
                .flatten()
        };
        let stopped =
            |(what, advice): (&'static str, &'static str), why: String| Self { what, advice, why };
        let none = |row: usize| format!("{} is none", shown(cells, row, place));
        let is_hours = |text: &str| Hours::HourThenMinute.number(text).is_some();
        if let Some(row) = first_but(&is_hours) {
            return Some(stopped(HOURS, none(row)));
        }
        let forms = DateForm::ALL.into_iter();
        let read = |form: DateForm| first_but(&|text| Moment::read(text, form, 0).is_some());
        if let Some(row) = forms.filter_map(read).max() {
            return Some(stopped(DATES, none(row)));
        }
        let is_without_year =
            |row: &&usize| number_beside_month(cells.text(**row, place)).is_some();
        if rows.len() > 1 && is_nearly_all(rows.iter().filter(is_without_year).count(), rows.len())
        {
            let first = rows
                .iter()
                .find(is_without_year)
                .map(|row| shown(cells, *row, place))
                .unwrap_or_default();
            return Some(stopped(DATES, format!("{first} has no year, or no day")));
        }
        if let Some(row) = remark(cells, place, &rows) {
            return Some(stopped(NUMBERS, format!("{} has one", shown(cells, row, place))));
        }
        let like = rows.iter().filter(|row| is_date_like(cells.text(**row, place))).count();
        is_nearly_all(like, rows.len()).then(|| stopped(DATES, mixture(cells, place, &rows)))
    }

    /// The warning on a category of such cells.
    pub fn warning(&self, column: &str) -> Finding {
        let Self { what, advice, why } = self;
        Finding::warning(format!(
            "the column \"{}\" looks like {what}, but not all of its cells can be read as such \
             ({why}): it is a category; {advice}, and leave missing ones empty",
            printable(column, SHOWN)
        ))
        .about(Topic::Stopped, [column])
    }

    /// What to do where the column is left out.
    pub fn hint(&self) -> String {
        format!("; if these are {}, {} ({})", self.what, self.advice, self.why)
    }
}

/// Why dates are of no one form: the first cell that is none, or that has another order than one
/// before it.
fn mixture(cells: &Cells, place: usize, rows: &[usize]) -> String {
    let texts = rows.iter().map(|row| cells.text(*row, place));
    if let Verdict::Both(day, month) = DateOrder::of(texts).verdict() {
        return format!(
            "\"{}\" has the day first, \"{}\" the month",
            printable(day, SHOWN),
            printable(month, SHOWN)
        );
    }
    let is_date =
        |text: &str| DateForm::ALL.into_iter().any(|form| Moment::of(text, form, 0).is_some());
    let wrong = rows.iter().find(|row| !is_date(cells.text(**row, place)));
    wrong.map_or_else(
        || "they have several forms".into(),
        |row| format!("{} is none", shown(cells, *row, place)),
    )
}

/// The first row of a column of measured numbers that has a remark behind its number, such as
/// `0.7 J`.
fn remark(cells: &Cells, place: usize, rows: &[usize]) -> Option<usize> {
    let parts = |row: &usize| {
        let text = cells.text(*row, place);
        if is_written(text) {
            Some((text, ""))
        } else {
            text.split_once(' ').filter(|(number, _)| is_written(number))
        }
    };
    let all: Vec<(&str, &str)> = rows.iter().filter_map(parts).collect();
    let numbers: HashSet<&str> = all.iter().map(|(number, _)| *number).collect();
    let remarks: HashSet<&str> = all.iter().map(|(_, remark)| *remark).collect();
    let are_measured =
        numbers.len() >= FEWEST_NUMBERS && numbers.iter().any(|number| number.contains(['.', ',']));
    let are_remarks = is_nearly_all(all.len(), rows.len()) && remarks.len() <= MOST_REMARKS;
    let has_remark = |row: &&usize| parts(row).is_some_and(|(_, remark)| !remark.is_empty());
    if are_measured && are_remarks { rows.iter().find(has_remark).copied() } else { None }
}

/// A cell with its place.
fn shown(cells: &Cells, row: usize, place: usize) -> String {
    format!("\"{}\" in {}", printable(cells.text(row, place), 30), cells.rows[row].place)
}

/// The row that stops the form of dates that most rows before it have; `None` where a form has all
/// rows.
pub(super) fn stopping_row(cells: &Cells, place: usize) -> Option<usize> {
    let stops = |form: DateForm| {
        (0..cells.rows()).find(|row| Moment::read(cells.text(*row, place), form, 0).is_none())
    };
    let rows: Option<Vec<usize>> = DateForm::ALL.into_iter().map(stops).collect();
    rows?.into_iter().max()
}
