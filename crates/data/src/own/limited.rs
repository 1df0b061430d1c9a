//! Find the columns of a table that have limits among their numbers, have them read, and say how.

use std::borrow::Cow;

use super::cells::Cells;
use super::censored::Censored;
use super::column::Column;
use super::error::{OwnError, SHOWN};
use super::finding::{Finding, Topic};
use super::level_na::LevelNa;
use super::limits::{Limit, LimitedColumn, Limits, without_limits};
use super::notation::Notation;
use super::words::{Setting, Words};
use uq_core::printable::printable;

/// Largest number of different limits that are named.
const NAMED: usize = 4;

/// The columns with limits, and how these are read.
#[derive(Clone, Debug)]
pub(super) struct Limited {
    reading: Censored,
    /// None of them where limits are levels.
    columns: Vec<LimitedColumn>,
    /// Number of rows in which they were found.
    rows: usize,
}

impl Limited {
    /// The limits in the columns of a file at these places.
    ///
    /// # Errors
    /// [`OwnError::Cell`] for a target whose limits would be levels.
    pub fn find(
        cells: &Cells,
        places: &[usize],
        target: usize,
        reading: Censored,
    ) -> Result<Self, OwnError> {
        let of_target = LimitedColumn::find(cells, target);
        if let (Some(found), Censored::Level) = (&of_target, reading) {
            let first =
                (0..cells.rows()).find(|row| found.texts.contains_key(cells.text(*row, target)));
            let expected = Words::from(format!(
                "a number: {} cells of the target are limits, and ",
                found.rows()
            )) + Setting::Censored(reading)
                + " makes a category of them; half, limit or missing reads them";
            return Err(cells.wrong_text(first.unwrap_or(0), target, expected));
        }
        let of_features = || places.iter().filter_map(|place| LimitedColumn::find(cells, *place));
        let columns = if reading == Censored::Level {
            Vec::new()
        } else {
            of_target.into_iter().chain(of_features()).collect()
        };
        Ok(Self { reading, columns, rows: cells.rows() })
    }

    /// The cells, those of limits that are missing empty.
    pub fn kept<'a>(&self, cells: &'a Cells) -> Cow<'a, Cells> {
        if self.reading == Censored::Missing {
            without_limits(cells, &self.columns)
        } else {
            Cow::Borrowed(cells)
        }
    }

    /// The cells without their limits, which decide nothing.
    pub fn plain<'a>(&self, cells: &'a Cells) -> Cow<'a, Cells> {
        without_limits(cells, &self.columns)
    }

    /// The limits of the column at a place.
    pub fn at(&self, place: usize) -> Option<&LimitedColumn> {
        self.columns.iter().find(|column| column.place == place)
    }

    /// Decides what the column at a place is. One with limits is what it is without them, as in
    /// `plain`.
    ///
    /// # Errors
    /// As [`Column::decide`].
    pub fn decide(
        &self,
        cells: &Cells,
        plain: &Cells,
        place: usize,
        notation: Notation,
        level_na: LevelNa,
        findings: &mut Vec<Finding>,
    ) -> Result<Option<Column>, OwnError> {
        if let Some(found) = self.at(place) {
            let mut own = Vec::new();
            let column = Column::decide(plain, place, notation, level_na, &mut own)?;
            if let Some(mut column) = column.filter(Column::is_number) {
                column.limit(self.reading, cells.texts(place));
                findings.extend(own);
                findings.extend(
                    column
                        .limits_taken(found)
                        .map(|(limits, taken)| self.finding(found, &column.name, limits, taken)),
                );
                return Ok(Some(column));
            }
        }
        Column::decide(cells, place, notation, level_na, findings)
    }

    /// The limits of a target whose numbers are read so, and what is said of them.
    pub fn of_target(
        &self,
        found: &LimitedColumn,
        cells: &Cells,
        number_of: impl Fn(&str) -> Option<f64>,
    ) -> (Limits, Finding) {
        let limits = Limits::new(self.reading, cells.texts(found.place), &number_of);
        let taken = found.taken(&limits, &number_of);
        let mut finding = self.finding(found, &cells.names[found.place], &limits, taken);
        finding.text += if self.reading == Censored::Missing {
            "; it is the target, so that these rows have no part in any fit or score"
        } else {
            "; it is the target, so that scores and intervals at these rows are about these \
             numbers, which nobody has measured"
        };
        (limits, finding)
    }

    /// How the limits of a column are read.
    fn finding(
        &self,
        found: &LimitedColumn,
        name: &str,
        limits: &Limits,
        taken: Vec<Option<f64>>,
    ) -> Finding {
        let mut each: Vec<(&String, &usize, Option<f64>)> = found
            .texts
            .iter()
            .zip(taken)
            .map(|((text, rows), taken)| (text, rows, taken))
            .collect();
        each.sort_by_key(|(_, rows, _)| std::cmp::Reverse(**rows));
        let shown = |(text, rows, taken): &(&String, &usize, Option<f64>)| {
            let read = taken.map_or("missing".to_owned(), |taken| taken.to_string());
            format!("\"{}\" in {rows} read as {read}", printable(text, 30))
        };
        let more = if each.len() > NAMED { ", …" } else { "" };
        let named: Vec<String> = each.iter().take(NAMED).map(shown).collect();
        let name_shown = printable(name, SHOWN);
        let word = found
            .texts
            .keys()
            .find(|text| Limit::of(text).is_some_and(|limit| limit.number.is_none()));
        let no_data = word.map(|word| {
            let word = printable(word, 30);
            Words::from(format!("; where \"{word}\" means that there are no data, "))
                + Setting::Na
                + format!(" \"{name_shown}={word}\" makes it missing")
        });
        let text = format!(
            "the column \"{name_shown}\" has limits in place of numbers in {} of {} rows \
             ({}{more}): {}, as ",
            found.rows(),
            self.rows,
            named.join(", "),
            limits.in_words()
        );
        let text = Words::from(text)
            + Setting::Censored(self.reading)
            + format!(" says; the other readings are {}", self.others())
            + no_data.unwrap_or_default();
        Finding::warning(text).about(Topic::Limit, [name])
    }

    /// The names of the other readings.
    fn others(&self) -> String {
        let all = [Censored::Half, Censored::Limit, Censored::Missing, Censored::Level];
        let others: Vec<&str> =
            all.into_iter().filter(|other| *other != self.reading).map(Censored::name).collect();
        others.join(", ")
    }
}
