//! Take columns of a user's file: as finite numbers, or as labels.

use super::cells::Cells;
use super::error::{OwnError, SHOWN};
use super::finding::Finding;
use super::missing::is_name;
use super::notation::Notation;
use super::number::{Cell, LARGEST, Mark, written};
use super::words::{Setting, Words};
use uq_core::printable::printable;

impl Cells {
    /// The position of the column of this name, if there is one.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| known == name)
    }

    /// The finite numbers of the columns at these positions, by column, plain or as people write
    /// them. All columns of the file show together what their decimal mark is.
    ///
    /// # Errors
    /// As [`Cells::refuse_foreign`]; [`OwnError::Missing`] for an empty cell or NaN;
    /// [`OwnError::Cell`] for text, and for a number that is too large for sums of squares.
    pub fn numbers(&self, places: &[usize]) -> Result<Vec<Vec<f64>>, OwnError> {
        self.refuse_missing(places, |text| Cell::of(text) == Cell::Missing)?;
        let notation = self.notation(places);
        let column = |&place: &usize| -> Result<Vec<f64>, OwnError> {
            let mark = notation.and_then(|notation| notation.reading(self, place).mark);
            (0..self.rows()).map(|row| self.number_with(row, place, mark)).collect()
        };
        places.iter().map(column).collect()
    }

    /// What is to be known of how [`Cells::numbers`] reads these columns.
    pub fn findings_of_numbers(&self, places: &[usize]) -> Vec<Finding> {
        let Some(notation) = self.notation(places) else { return Vec::new() };
        let of = |&place: &usize| {
            let what = format!("the column \"{}\"", printable(&self.names[place], SHOWN));
            notation.reading(self, place).findings(&what, self, place)
        };
        places.iter().flat_map(of).collect()
    }

    /// How the numbers of a file are written; `None` where those of these columns are plain, and no
    /// semicolon says that a comma may mark decimals.
    fn notation(&self, places: &[usize]) -> Option<Notation> {
        let is_plain = |place: &usize| self.texts(*place).all(|text| Cell::of(text) != Cell::Text);
        let is_plain = self.separator() != ';' && places.iter().all(is_plain);
        let usable = |place: &usize| self.refuse_foreign(&[*place]).is_ok();
        (!is_plain)
            .then(|| Notation::of(self, &(0..self.names.len()).filter(usable).collect::<Vec<_>>()))
    }

    /// The text of the column at this position. `NA`, `None`, `null` and `nan` are labels: where no
    /// cell is empty, nothing says that they stand for a missing value.
    ///
    /// # Errors
    /// As [`Cells::refuse_foreign`]; [`OwnError::Missing`] for an empty cell.
    pub fn labels(&self, place: usize) -> Result<Vec<String>, OwnError> {
        self.refuse_missing(&[place], |text| Cell::of(text) == Cell::Missing && !is_name(text))?;
        Ok(self.texts(place).map(str::to_owned).collect())
    }

    /// The text of every row in the column at this position, which is not foreign.
    pub fn texts(&self, place: usize) -> impl Iterator<Item = &str> + Clone {
        (0..self.rows()).map(move |row| self.text(row, place))
    }

    /// The file and the place of a row in it, such as `sold.csv, line 7`.
    pub fn located(&self, row: usize) -> String {
        format!("{}, {}", self.file, self.rows[row].place)
    }

    /// The error that a cell is not what its column needs.
    pub fn wrong(
        &self,
        row: usize,
        place: usize,
        found: String,
        expected: impl Into<Words>,
    ) -> OwnError {
        OwnError::Cell {
            file: self.file.clone(),
            place: self.rows[row].place,
            column: printable(&self.names[place], SHOWN),
            found,
            expected: expected.into(),
        }
    }

    /// The error about this cell, with its text as what was found.
    pub(super) fn wrong_text(
        &self,
        row: usize,
        place: usize,
        expected: impl Into<Words>,
    ) -> OwnError {
        self.wrong(row, place, format!("\"{}\"", printable(self.text(row, place), SHOWN)), expected)
    }

    pub(super) fn text(&self, row: usize, place: usize) -> &str {
        self.rows[row].cells.get(place).unwrap_or_default()
    }

    /// The numbers of a column, plain or as people write them, which may be infinite; `None` for an
    /// empty cell or NaN.
    ///
    /// # Errors
    /// As [`Cells::refuse_foreign`]; [`OwnError::Cell`] for text, and for a number that is too
    /// large for sums of squares.
    pub fn numbers_or_infinite(&self, place: usize) -> Result<Vec<Option<f64>>, OwnError> {
        self.refuse_foreign(&[place])?;
        let finite = self.replaced(|_, text| parse_infinite(text).map(|_| ""));
        let mark =
            finite.notation(&[place]).and_then(|notation| notation.reading(&finite, place).mark);
        let number = |row: usize| match self.text(row, place) {
            text if parse_infinite(text).is_some() => Ok(parse_infinite(text)),
            text if Cell::of(text) == Cell::Missing => Ok(None),
            _ => self.number_with(row, place, mark).map(Some),
        };
        (0..self.rows()).map(number).collect()
    }

    /// The finite number in a cell, which is written plainly.
    pub(super) fn number(&self, row: usize, place: usize) -> Result<f64, OwnError> {
        match Cell::of(self.text(row, place)) {
            Cell::Number(number) => Ok(number),
            Cell::TooLarge => {
                let is_infinite = self.text(row, place).to_ascii_lowercase().contains("inf");
                let expected = if is_infinite {
                    "a finite number; leave the cell empty where none is known".into()
                } else {
                    let (text, column) = (
                        printable(self.text(row, place), 30),
                        printable(&self.names[place], SHOWN),
                    );
                    let size = format!(
                        "a finite number of at most {LARGEST:e} in size, for sums of squares"
                    );
                    Words::from(format!("{size}; where it stands for a missing value, "))
                        + Setting::Na
                        + format!(
                            " \"{column}={text}\" makes it missing; else divide the column by a \
                             constant"
                        )
                };
                Err(self.wrong_text(row, place, expected))
            }
            Cell::Text if has_decimal_comma(self.text(row, place)) => {
                Err(self.wrong_text(row, place, "a number with a decimal point, not a comma"))
            }
            Cell::Missing | Cell::Text => Err(self.wrong_text(row, place, "a number")),
        }
    }

    /// The finite number in a cell, written plainly or with this decimal mark.
    pub(super) fn number_with(
        &self,
        row: usize,
        place: usize,
        mark: Option<Mark>,
    ) -> Result<f64, OwnError> {
        let text = self.text(row, place);
        let (Some(mark), true) = (mark, Cell::of(text) != Cell::TooLarge) else {
            return self.number(row, place);
        };
        let expected = match mark {
            Mark::Point => "a number such as 1,234.5",
            Mark::Comma => "a number such as 1.234,5",
        };
        written(text, mark).ok_or_else(|| self.wrong_text(row, place, expected))
    }

    /// The error that a cell is missing.
    pub(super) fn missing(&self, row: usize, place: usize, advice: impl Into<Words>) -> OwnError {
        let found = match self.text(row, place) {
            "" => "an empty cell".into(),
            other => format!("\"{}\"", printable(other, SHOWN)),
        };
        let column = printable(&self.names[place], SHOWN);
        OwnError::Missing {
            file: self.file.clone(),
            place: self.rows[row].place,
            column,
            found,
            advice: advice.into(),
        }
    }

    /// Returns an error on a foreign column, or on the first missing cell of these columns, with
    /// the number of all others.
    fn refuse_missing(
        &self,
        places: &[usize],
        is_missing: impl Fn(&str) -> bool,
    ) -> Result<(), OwnError> {
        self.refuse_foreign(places)?;
        let mut first: Option<(usize, usize)> = None;
        let mut counts = vec![0_usize; self.names.len()];
        for row in 0..self.rows() {
            for &place in places.iter().filter(|place| is_missing(self.text(row, **place))) {
                first.get_or_insert((row, place));
                counts[place] += 1;
            }
        }
        let Some((row, place)) = first else { return Ok(()) };
        let all: usize = counts.iter().sum();
        let each = places.iter().filter(|place| counts[**place] > 0);
        let each: Vec<String> =
            each.map(|place| format!("\"{}\" {}", self.names[*place], counts[*place])).collect();
        let others = if all == 1 {
            "(it is the only one)".into()
        } else {
            format!("({all} are missing in all: {})", printable(&each.join(", "), 300))
        };
        Err(self.missing(row, place, format!("{others}; fill it in or delete the line")))
    }
}

/// The infinite number that a text is.
pub fn parse_infinite(text: &str) -> Option<f64> {
    match text.to_ascii_lowercase().as_str() {
        "inf" | "+inf" | "infinity" | "+infinity" | "∞" | "+∞" => Some(f64::INFINITY),
        "-inf" | "-infinity" | "−inf" | "−infinity" | "-∞" | "−∞" => {
            Some(f64::NEG_INFINITY)
        }
        _ => None,
    }
}

/// Whether a text is a number but for its commas.
pub(super) fn has_decimal_comma(text: &str) -> bool {
    text.contains(',') && text.replace(',', "").parse::<f64>().is_ok()
}
