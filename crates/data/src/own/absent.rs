//! Take stated values as missing, such as −200 or `unknown`, in every column or in one.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::cells::Cells;
use super::error::{OwnError, SHOWN};
use super::finding::{Finding, Topic};
use super::number::{Cell, Mark, written};
use super::words::{Setting, Words};
use uq_core::names::counted;
use uq_core::printable::printable;

/// A value that stands for a missing one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Absent {
    /// The column in which it does; every one where none is named.
    column: Option<String>,
    /// The value as text. A number is every text of that number.
    value: String,
}

impl Absent {
    /// The values of texts such as `-200,9999`, `CO=-200` or `CO=-200,-999`, whose last value is of
    /// the same column.
    ///
    /// # Errors
    /// [`OwnError::UnknownColumn`].
    pub fn parse(texts: &[String], cells: &Cells) -> Result<Vec<Self>, OwnError> {
        let mut all = Vec::new();
        for text in texts {
            // A name may have commas.
            match text
                .rsplit_once('=')
                .and_then(|(name, values)| Some((cells.find(name.trim())?, values)))
            {
                Some((place, values)) => {
                    all.extend(values.split(',').map(|value| Self::new(Some(place), value, cells)))
                }
                None => Self::parse_parts(text, cells, &mut all)?,
            }
        }
        all.retain(|absent| !absent.value.is_empty());
        Ok(all)
    }

    fn parse_parts(text: &str, cells: &Cells, all: &mut Vec<Self>) -> Result<(), OwnError> {
        let mut column = None;
        for part in text.split(',') {
            let value = match part.rsplit_once('=') {
                Some((name, value)) => {
                    column = Some(cells.place(Setting::Na, name.trim())?);
                    value
                }
                None => part,
            };
            all.push(Self::new(column, value, cells));
        }
        Ok(())
    }

    fn new(place: Option<usize>, value: &str, cells: &Cells) -> Self {
        Self {
            column: place.map(|place| cells.names[place].clone()),
            value: value.trim().to_owned(),
        }
    }

    /// Whether a cell of the column of this name has the value.
    fn matches(&self, column: &str, text: &str) -> bool {
        self.column.as_deref().is_none_or(|own| own == column)
            && !text.is_empty()
            && (text == self.value || self.is_number(text))
    }

    /// Whether a text is its number, as a plain one or else as people write it.
    fn is_number(&self, text: &str) -> bool {
        let Cell::Number(number) = Cell::of(&self.value) else { return false };
        match Cell::of(text) {
            Cell::Number(found) => found == number,
            Cell::Text => {
                [Mark::Point, Mark::Comma].iter().any(|mark| written(text, *mark) == Some(number))
            }
            Cell::Missing | Cell::TooLarge => false,
        }
    }

    /// As the setting has it.
    fn shown(&self) -> Words {
        let column = self.column.as_ref().map(|column| format!("{}=", printable(column, SHOWN)));
        Setting::Na + format!(" {}{}", column.unwrap_or_default(), printable(&self.value, 30))
    }
}

/// The cells of a file, those of such a value empty.
pub(super) fn blanked<'a>(cells: &'a Cells, absent: &[Absent]) -> Cow<'a, Cells> {
    if absent.is_empty() {
        return Cow::Borrowed(cells);
    }
    let is_absent = |place: usize, text: &str| {
        let column = cells.names.get(place).map_or("", String::as_str);
        absent.iter().any(|absent| absent.matches(column, text))
    };
    cells.replaced(|place, text| is_absent(place, text).then_some(""))
}

/// In how many cells of which columns each value is taken as missing.
pub(super) fn absent_findings(absent: &[Absent], cells: &Cells) -> Vec<Finding> {
    let of = |absent: &Absent| {
        let rows = |place: usize| {
            let name = cells.names[place].as_str();
            let rows = cells.texts(place).filter(|text| absent.matches(name, text)).count();
            (rows > 0).then(|| (name.to_owned(), rows))
        };
        let found: Vec<(String, usize)> = (0..cells.names.len()).filter_map(rows).collect();
        let each: Vec<String> = found
            .iter()
            .map(|(name, rows)| format!("\"{}\" {rows}", printable(name, SHOWN)))
            .collect();
        let all = counted(found.iter().map(|(_, rows)| rows).sum(), "cell");
        let finding = if each.is_empty() {
            Finding::warning(
                absent.shown()
                    + ": no cell has this value, so that nothing is taken as missing for it",
            )
        } else {
            let each = printable(&each.join(", "), 300);
            Finding::note(
                absent.shown() + format!(": {all} with this value taken as missing ({each})"),
            )
        };
        finding.about(Topic::Missing, found.into_iter().map(|(name, _)| name))
    };
    absent.iter().map(of).collect()
}

impl Cells {
    /// The same cells but for those that have another text here, by place and text.
    pub(super) fn replaced<'a, 'n>(
        &'a self,
        new: impl Fn(usize, &'a str) -> Option<&'n str>,
    ) -> Cow<'a, Self>
    where
        'a: 'n,
    {
        let is_new = |row: usize| {
            self.rows[row].cells.iter().enumerate().any(|(place, text)| new(place, text).is_some())
        };
        let changed: Vec<usize> = (0..self.rows()).filter(|row| is_new(*row)).collect();
        if changed.is_empty() {
            return Cow::Borrowed(self);
        }
        let mut cells = self.clone();
        for row in changed {
            let texts = self.rows[row].cells.iter().enumerate();
            cells.rows[row].cells =
                texts.map(|(place, text)| new(place, text).unwrap_or(text)).collect();
        }
        Cow::Owned(cells)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::own::Severity;

    fn parsed(texts: &[&str], cells: &Cells) -> Result<Vec<(Option<String>, String)>, OwnError> {
        let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
        let all = Absent::parse(&texts, cells)?;
        Ok(all.into_iter().map(|absent| (absent.column, absent.value)).collect())
    }

    #[test]
    fn values_are_of_all_columns_or_of_one() {
        let cells = Cells::parse("f", b"CO,\"a, b\",y\n1,2,3\n").unwrap();
        let of = |column: Option<&str>, value: &str| (column.map(str::to_owned), value.to_owned());
        assert_eq!(
            parsed(&["-200, 9999", "x"], &cells).unwrap(),
            [of(None, "-200"), of(None, "9999"), of(None, "x")]
        );
        let expected = [of(Some("CO"), "-200"), of(Some("CO"), "-1"), of(Some("y"), "0")];
        assert_eq!(parsed(&["CO=-200,-1", "y=0"], &cells).unwrap(), expected);
        assert_eq!(parsed(&["CO=-200,-1,y=0"], &cells).unwrap(), expected);
        assert_eq!(parsed(&["a, b=7"], &cells).unwrap(), [of(Some("a, b"), "7")]);
        assert!(parsed(&["C0=7"], &cells).unwrap_err().is_usage());
    }

    #[test]
    fn a_value_is_matched_as_text_or_as_number_and_counted() {
        let cells =
            Cells::parse("f", b"a;b\n-200;x\n-200,0;-200\n-200.00;-2000\n;unknown\n").unwrap();
        let absent =
            Absent::parse(&["-200".into(), "b=unknown".into(), "a=7".into()], &cells).unwrap();
        let blank = blanked(&cells, &absent);
        assert_eq!(blank.texts(0).collect::<Vec<_>>(), ["", "", "", ""]);
        assert_eq!(blank.texts(1).collect::<Vec<_>>(), ["x", "", "-2000", ""]);
        let told = absent_findings(&absent, &cells);
        assert_eq!(told[0].columns, ["a", "b"]);
        assert_eq!(
            told.iter().map(|finding| finding.severity).collect::<Vec<_>>(),
            [Severity::Note, Severity::Note, Severity::Warning]
        );
        assert!(told[0].text.to_string().contains("4 cells"), "{told:?}");
    }
}
