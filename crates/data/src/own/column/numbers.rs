//! Read the cells of a column of numbers: plain ones, those with a unit, and limits.

use super::{Column, Kind};
use crate::own::cells::Cells;
use crate::own::censored::Censored;
use crate::own::error::OwnError;
use crate::own::limits::{Limit, LimitedColumn, Limits};

impl Column {
    /// Whether it is a number, with or without a unit.
    pub fn is_number(&self) -> bool {
        matches!(self.kind, Kind::Number(_) | Kind::Measure(_))
    }

    /// The number in a text, if it is a column of numbers.
    pub fn number_of(&self, text: &str) -> Option<f64> {
        match &self.kind {
            Kind::Number(numbers) => numbers.number(text),
            Kind::Measure(measure) => measure.number(text),
            Kind::Date(_) | Kind::Hours(_) | Kind::Levels(_) => None,
        }
    }

    /// Has its limits read so, which are among these texts.
    pub fn limit<'a>(&mut self, reading: Censored, texts: impl Iterator<Item = &'a str> + Clone) {
        self.limits = Some(Limits::new(reading, texts, |text| self.number_of(text)));
    }

    /// The numbers that are taken for limits that were found in it.
    pub fn limits_taken(&self, found: &LimitedColumn) -> Option<(&Limits, Vec<Option<f64>>)> {
        let limits = self.limits.as_ref()?;
        Some((limits, found.taken(limits, |text| self.number_of(text))))
    }

    /// The limit in a text, if it has limits.
    pub(super) fn limit_in<'a, 't>(&'a self, text: &'t str) -> Option<(&'a Limits, Limit<'t>)> {
        Some((self.limits.as_ref()?, Limit::of(text)?))
    }

    /// The number in a cell that is not missing, of a column of numbers.
    pub(super) fn number(&self, cells: &Cells, row: usize, place: usize) -> Result<f64, OwnError> {
        if let Some((limits, limit)) = self.limit_in(cells.text(row, place)) {
            let expected = || cells.wrong_text(row, place, "a number, or a limit such as <0.5");
            return limits.taken(limit, |text| self.number_of(text)).ok_or_else(expected);
        }
        // A limit without a reading of the table's is no number.
        let is_limit = Limit::of(cells.text(row, place)).is_some();
        let expected =
            "a number: this column of the table has no limits, so that no reading of one is known";
        let of_limit =
            |error| if is_limit { cells.wrong_text(row, place, expected) } else { error };
        match &self.kind {
            Kind::Number(numbers) => numbers.read(cells, row, place).map_err(of_limit),
            Kind::Measure(measure) => measure.read(cells, row, place).map_err(of_limit),
            Kind::Date(_) | Kind::Hours(_) | Kind::Levels(_) => {
                Err(cells.wrong_text(row, place, "a number"))
            }
        }
    }
}
