//! Read the numbers of a column, and remember of the table's what new rows are compared with.

mod new_rows;

use serde::{Deserialize, Serialize};

use super::booleans::meaning;
use super::cells::Cells;
use super::error::OwnError;
use super::number::{Mark, PER_CENT, is_written, number_in, unit, written};
use uq_core::printable::printable;

/// How the numbers of a column are read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Written", into = "Written")]
pub(super) struct Numbers {
    /// The decimal mark; `None` for plain numbers.
    mark: Option<Mark>,
    values: Values,
    /// What stands beside every number of the table, a currency or a per cent sign, or nothing;
    /// `None` where numbers have different ones, and where it is not known.
    unit: Option<String>,
}

/// What the table's numbers are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Values {
    Any,
    /// 0 and 1, for which new rows may have words.
    Flags,
    /// Whole numbers, some of 1000 or more.
    Thousands,
}

/// As a file has it. Numbers of which nothing is remembered are written as all were before.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Written {
    WithUnit(Option<Mark>, Values, String),
    Known(Option<Mark>, Values),
    Plain(Option<Mark>),
}

impl From<Written> for Numbers {
    fn from(written: Written) -> Self {
        let (mark, values, unit) = match written {
            Written::WithUnit(mark, values, unit) => (mark, values, Some(unit)),
            Written::Known(mark, values) => (mark, values, None),
            Written::Plain(mark) => (mark, Values::Any, None),
        };
        // Plain numbers have none.
        Self { mark, values, unit: unit.or_else(|| mark.is_none().then(String::new)) }
    }
}

impl From<Numbers> for Written {
    fn from(Numbers { mark, values, unit }: Numbers) -> Self {
        match (mark, values, unit) {
            (Some(_), _, Some(unit)) => Self::WithUnit(mark, values, unit),
            (_, Values::Any, _) => Self::Plain(mark),
            _ => Self::Known(mark, values),
        }
    }
}

impl Numbers {
    /// The numbers of a table's column, all of whose cells are numbers with this mark or missing.
    pub fn of(given: &[&str], mark: Option<Mark>) -> Self {
        let number =
            |text: &&str| mark.map_or(text.parse::<f64>().ok(), |mark| written(text, mark));
        let all = |is: fn(f64) -> bool| given.iter().all(|text| number(text).is_some_and(is));
        let any = |is: fn(f64) -> bool| given.iter().any(|text| number(text).is_some_and(is));
        let values = if all(|number| number == 0.0 || number == 1.0) {
            Values::Flags
        } else if all(|number| number.fract() == 0.0) && any(|number| number.abs() >= 1000.0) {
            Values::Thousands
        } else {
            Values::Any
        };
        let first = given.first().map_or("", |text| unit(text));
        let is_shared = mark.is_none()
            || given.iter().all(|text| unit(text) == first || number(text) == Some(0.0));
        let unit = is_shared.then(|| if mark.is_none() { String::new() } else { first.to_owned() });
        Self { mark, values, unit }
    }

    /// The number in a text that is neither missing nor a word.
    pub fn number(&self, text: &str) -> Option<f64> {
        number_in(text, self.mark).filter(|number| self.has_unit(text, *number))
    }

    /// Whether a number stands beside what the table's stand beside. A per cent sign is a
    /// hundredth, and another currency another unit; a currency may be left away, and so may both
    /// beside 0.
    fn has_unit(&self, text: &str, number: f64) -> bool {
        let Some(table) = self.unit.as_deref() else { return true };
        let is_left_away = unit(text).is_empty() && (table != PER_CENT || number == 0.0);
        is_left_away || unit(text) == table
    }

    /// The number in a cell.
    ///
    /// # Errors
    /// [`OwnError::Cell`] for another text, and for a number that is too large.
    pub fn read(&self, cells: &Cells, row: usize, place: usize) -> Result<f64, OwnError> {
        let text = cells.text(row, place);
        let flag = || meaning(text).filter(|_| self.values == Values::Flags);
        let number = cells.number_with(row, place, self.mark);
        let number = number.or_else(|error| flag().map(f64::from).ok_or(error)).map_err(
            |error| match self.unexpected(text) {
                Some(expected) => cells.wrong_text(row, place, expected),
                None => error,
            },
        )?;
        match self.unexpected(text).filter(|_| !self.has_unit(text, number)) {
            Some(expected) => Err(cells.wrong_text(row, place, expected)),
            None => Ok(number),
        }
    }

    /// What is expected in place of a number with another unit than the table's.
    fn unexpected(&self, text: &str) -> Option<String> {
        let (table, new) = (self.unit.as_deref()?, unit(text));
        if table == new || !is_written(text) {
            return None;
        }
        let of_workbook = "; a workbook has 57 % as 0.57";
        let shown = printable(table, 12);
        Some(match (table, new) {
            (PER_CENT, _) => {
                format!(
                    "a number with a per cent sign, such as 57%, as all are in the \
                     table{of_workbook}"
                )
            }
            ("", PER_CENT) => {
                format!("a number without a per cent sign, as all are in the table{of_workbook}")
            }
            ("", _) => format!("a number without \"{new}\", as all are in the table"),
            _ => format!("a number with \"{shown}\" or without a unit, as all are in the table"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::own::finding::Topic;

    fn cells(text: &str) -> Cells {
        Cells::parse("new.csv", text.as_bytes()).unwrap()
    }

    /// What numbers of a table make of new ones, and whether a warning is about thousands.
    fn read(table: &Numbers, text: &str) -> (Vec<Option<f64>>, bool) {
        let cells = cells(text);
        let (own, findings) = table.adapt(&cells, 0);
        let numbers = (0..cells.rows()).map(|row| own.read(&cells, row, 0).ok()).collect();
        (
            numbers,
            findings
                .iter()
                .any(|finding| finding.topic == Topic::Thousands && finding.columns == ["x"]),
        )
    }

    #[test]
    fn numbers_of_which_nothing_is_known_are_written_as_before() {
        for (numbers, written) in [
            (Numbers { mark: None, values: Values::Any, unit: Some(String::new()) }, "null"),
            (Numbers { mark: Some(Mark::Comma), values: Values::Any, unit: None }, "\"comma\""),
            (Numbers::of(&["0", "1"], None), "[null,\"flags\"]"),
            (Numbers::of(&["900", "1000"], Some(Mark::Point)), "[\"point\",\"thousands\",\"\"]"),
            (Numbers::of(&["9%", "5%"], Some(Mark::Point)), "[\"point\",\"any\",\"%\"]"),
            (
                Numbers { mark: Some(Mark::Point), values: Values::Thousands, unit: None },
                "[\"point\",\"thousands\"]",
            ),
        ] {
            assert_eq!(serde_json::to_string(&numbers).unwrap(), written);
            assert_eq!(serde_json::from_str::<Numbers>(written).unwrap(), numbers);
        }
    }

    #[test]
    fn points_in_new_rows_beside_whole_thousands_are_suspected() {
        let whole = Numbers::of(&["9000", "850"], None);
        assert_eq!(read(&whole, "x\n1.234\n850\n"), (vec![Some(1.234), Some(850.0)], true));
        assert!(
            !read(&whole, "x\n1.234\n1.5\n").1
                && !read(&whole, "x\n1234\n850\n").1
                && !read(&whole, "x\n0.234\n").1
        );
        let decimals = Numbers::of(&["9000.5", "850"], None);
        assert!(!read(&decimals, "x\n1.234\n").1);
        assert!(!read(&Numbers::of(&["1", "9"], None), "x\n1.234\n").1, "no thousands");
    }

    #[test]
    fn new_numbers_are_read_by_the_mark_that_they_show() {
        let (plain, comma) = (
            Numbers::of(&["9000", "850"], None),
            Numbers::of(&["9,5", "1.850"], Some(Mark::Comma)),
        );
        for (table, text, expected) in [
            (&plain, "x\n1'234\n850\n", vec![Some(1234.0), Some(850.0)]),
            (&plain, "x\n1.234.567\n1.234\n", vec![Some(1_234_567.0), Some(1234.0)]),
            (&plain, "x\n\"1,234\"\n850\n", vec![None, Some(850.0)]),
            (&plain, "x\n\"1,5\"\n850\n", vec![Some(1.5), Some(850.0)]),
            (&plain, "x\n1\nsoon\n", vec![Some(1.0), None]),
            (&plain, "x\n$5\n6\n", vec![None, Some(6.0)]),
            (&comma, "x\n1.234\n\"1,5\"\n", vec![Some(1234.0), Some(1.5)]),
            (&comma, "x\n1.234\n1.5\n0.25\n", vec![Some(1.234), Some(1.5), Some(0.25)]),
            (&comma, "x\n1.234\n", vec![Some(1234.0)]),
        ] {
            assert_eq!(read(table, text).0, expected, "{text}");
        }
    }

    #[test]
    fn words_stand_for_0_and_1_where_the_table_has_these_alone() {
        let (flags, counts) = (Numbers::of(&["0", "1"], None), Numbers::of(&["0", "2"], None));
        assert_eq!(
            read(&flags, "x\nTRUE\nfalse\n1\nmaybe\n").0,
            [Some(1.0), Some(0.0), Some(1.0), None]
        );
        assert_eq!(read(&counts, "x\nTRUE\n1\n").0, [None, Some(1.0)]);
    }
}
