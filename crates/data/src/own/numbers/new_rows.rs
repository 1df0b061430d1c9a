//! Read the numbers of a file of new rows, which may be written otherwise than the table's.

use super::{Numbers, Values};
use crate::own::cells::Cells;
use crate::own::error::SHOWN;
use crate::own::finding::{Finding, Topic};
use crate::own::limits::Limit;
use crate::own::missing::is_missing_number;
use crate::own::notation::{Notation, is_text};
use crate::own::number::{Cell, Mark, is_written, written};
use crate::own::thousands::Points;
use uq_core::printable::printable;

impl Numbers {
    /// How the numbers of a file of new rows are read, and what a user should know of it. A mark
    /// that nearly all of them show together is theirs; where they show none, they have the
    /// table's.
    pub fn adapt(&self, cells: &Cells, place: usize) -> (Self, Vec<Finding>) {
        let own = Self { mark: self.new_mark(cells, place), ..self.clone() };
        let findings = own
            .of_new_mark(self.mark, cells, place)
            .into_iter()
            .chain(own.of_new_points(cells, place));
        (own, findings.collect())
    }

    /// The note that new numbers have another mark than the table's.
    fn of_new_mark(&self, table: Option<Mark>, cells: &Cells, place: usize) -> Option<Finding> {
        let mark = self.mark.filter(|_| self.mark != table)?;
        let is_other = |text: &str, number: f64| Cell::of(text) != Cell::Number(number);
        let read = |text| {
            written(text, mark)
                .filter(|number| is_other(text, *number))
                .map(|number| (text, number))
        };
        let (text, number) = given(cells, place).find_map(read)?;
        Some(Finding::note(format!(
            "{} has numbers in another notation than the table: \"{}\" is read as {number}",
            named(cells, place),
            printable(text, 30)
        )))
    }

    /// The warning that points may separate the thousands of new numbers.
    fn of_new_points(&self, cells: &Cells, place: usize) -> Option<Finding> {
        if self.values != Values::Thousands
            || self.mark == Some(Mark::Comma)
            || cells.is_typed(place)
        {
            return None;
        }
        let points = Points::of(given(cells, place));
        let text =
            given(cells, place).find(|text| points.may_separate_in_new() && text.contains('.'))?;
        let (text, whole) = (printable(text, 30), printable(&text.replace('.', ""), 30));
        let warning = Finding::warning(format!(
            "{} is read with a decimal point, \"{text}\" as {text}; all numbers of the table are \
             whole there, and it may also be {whole}: write such numbers like {whole}",
            named(cells, place)
        ));
        Some(warning.about(Topic::Thousands, [&cells.names[place]]))
    }

    /// The mark of the numbers of a file of new rows: what cells that are no numbers hold decides
    /// nothing.
    fn new_mark(&self, cells: &Cells, place: usize) -> Option<Mark> {
        let is_plain = !numerals(cells, place).any(is_text);
        if is_plain && (cells.is_typed(place) || self.mark != Some(Mark::Comma)) {
            return self.mark.filter(|_| !cells.is_typed(place));
        }
        Notation::shown(|| numerals(cells, place)).or(self.mark)
    }
}

/// The numbers of a column, those of its limits among them, in either notation.
fn numerals(cells: &Cells, place: usize) -> impl Iterator<Item = &str> {
    let number = |text| Limit::of(text).map_or(Some(text), |limit| limit.number);
    given(cells, place).filter_map(number).filter(|text| is_written(text))
}

/// The cells of a column that are not missing.
fn given(cells: &Cells, place: usize) -> impl Iterator<Item = &str> {
    cells.texts(place).filter(|text| !is_missing_number(text))
}

fn named(cells: &Cells, place: usize) -> String {
    format!("the column \"{}\" of the new rows", printable(&cells.names[place], SHOWN))
}
