//! Read the numbers of a column, and remember of the table's what new rows are compared with.

use serde::{Deserialize, Serialize};

use super::booleans::meaning;
use super::cells::Cells;
use super::error::{OwnError, SHOWN};
use super::finding::{Finding, Topic};
use super::missing::is_missing_number;
use super::notation::{Notation, is_text};
use super::number::{Cell, Mark, number_in, unit, written};
use super::thousands::Points;
use crate::data::printable;

/// How the numbers of a column are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Written", into = "Written")]
pub(super) struct Numbers {
    /// The decimal mark; `None` for plain numbers.
    mark: Option<Mark>,
    values: Values,
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
    Known(Option<Mark>, Values),
    Plain(Option<Mark>),
}

impl From<Written> for Numbers {
    fn from(written: Written) -> Self {
        match written {
            Written::Known(mark, values) => Self { mark, values },
            Written::Plain(mark) => Self { mark, values: Values::Any },
        }
    }
}

impl From<Numbers> for Written {
    fn from(Numbers { mark, values }: Numbers) -> Self {
        if values == Values::Any { Self::Plain(mark) } else { Self::Known(mark, values) }
    }
}

impl Numbers {
    /// Those of a table's column, all of whose cells are numbers with this mark or missing.
    pub fn of(given: &[&str], mark: Option<Mark>) -> Self {
        let number = |text: &&str| mark.map_or(text.parse::<f64>().ok(), |mark| written(text, mark));
        let all = |is: fn(f64) -> bool| given.iter().all(|text| number(text).is_some_and(is));
        let any = |is: fn(f64) -> bool| given.iter().any(|text| number(text).is_some_and(is));
        let values = if all(|number| number == 0.0 || number == 1.0) {
            Values::Flags
        } else if all(|number| number.fract() == 0.0) && any(|number| number.abs() >= 1000.0) {
            Values::Thousands
        } else {
            Values::Any
        };
        Self { mark, values }
    }

    /// The number in a text that is neither missing nor a word.
    pub fn number(self, text: &str) -> Option<f64> {
        number_in(text, self.mark)
    }

    /// The number in a cell.
    ///
    /// # Errors
    /// [`OwnError::Cell`] for another text, and for a number that is too large.
    pub fn read(self, cells: &Cells, row: usize, place: usize) -> Result<f64, OwnError> {
        let flag = || meaning(cells.text(row, place)).filter(|_| self.values == Values::Flags);
        cells.number_with(row, place, self.mark).or_else(|error| flag().map(f64::from).ok_or(error))
    }

    /// How the numbers of a file of new rows are read, and what a user should know of it. A mark that nearly all of them show together is
    /// theirs; where they show none, they have the table's.
    pub fn adapt(self, cells: &Cells, place: usize) -> (Self, Vec<Finding>) {
        let own = Self { mark: self.new_mark(cells, place), ..self };
        let findings = own.of_new_mark(self.mark, cells, place).into_iter().chain(own.of_new_points(cells, place));
        (own, findings.collect())
    }

    /// The note that new numbers have another mark than the table's.
    fn of_new_mark(self, table: Option<Mark>, cells: &Cells, place: usize) -> Option<Finding> {
        let mark = self.mark.filter(|_| self.mark != table)?;
        let is_other = |text: &str, number: f64| Cell::of(text) != Cell::Number(number);
        let read = |text| written(text, mark).filter(|number| is_other(text, *number)).map(|number| (text, number));
        let (text, number) = given(cells, place).find_map(read)?;
        Some(Finding::note(format!(
            "{} has numbers in another notation than the table: \"{}\" is read as {number}",
            named(cells, place),
            printable(text, 30)
        )))
    }

    /// The warning that points may separate the thousands of new numbers.
    fn of_new_points(self, cells: &Cells, place: usize) -> Option<Finding> {
        if self.values != Values::Thousands || self.mark == Some(Mark::Comma) || cells.is_typed() {
            return None;
        }
        let points = Points::of(given(cells, place));
        let text = given(cells, place).find(|text| points.may_separate_in_new() && text.contains('.'))?;
        let (text, whole) = (printable(text, 30), printable(&text.replace('.', ""), 30));
        let warning = Finding::warning(format!(
            "{} is read with a decimal point, \"{text}\" as {text}; all numbers of the table are whole there, and it may also be {whole}: \
             write such numbers like {whole}",
            named(cells, place)
        ));
        Some(warning.about(Topic::Thousands, [&cells.names[place]]))
    }

    /// The mark of the numbers of a file of new rows.
    fn new_mark(self, cells: &Cells, place: usize) -> Option<Mark> {
        let is_plain = !cells.texts(place).any(is_text);
        if is_plain && (cells.is_typed() || self.mark != Some(Mark::Comma)) {
            return self.mark.filter(|_| !cells.is_typed());
        }
        // A currency that the table does not have may be another unit.
        if self.mark.is_none() && cells.texts(place).any(|text| !unit(text).is_empty()) {
            return None;
        }
        Notation::shown(cells, place).or(self.mark)
    }
}

/// The cells of a column that are not missing.
fn given(cells: &Cells, place: usize) -> impl Iterator<Item = &str> {
    cells.texts(place).filter(|text| !is_missing_number(text))
}

fn named(cells: &Cells, place: usize) -> String {
    format!("the column \"{}\" of the new rows", printable(&cells.names[place], SHOWN))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(text: &str) -> Cells {
        Cells::parse("new.csv", text.as_bytes()).unwrap()
    }

    /// What numbers of a table make of new ones, and whether a warning is about thousands.
    fn read(table: Numbers, text: &str) -> (Vec<Option<f64>>, bool) {
        let cells = cells(text);
        let (own, findings) = table.adapt(&cells, 0);
        let numbers = (0..cells.rows()).map(|row| own.read(&cells, row, 0).ok()).collect();
        (numbers, findings.iter().any(|finding| finding.topic == Topic::Thousands && finding.columns == ["x"]))
    }

    #[test]
    fn numbers_of_which_nothing_is_known_are_written_as_before() {
        for (numbers, written) in [
            (Numbers { mark: None, values: Values::Any }, "null"),
            (Numbers { mark: Some(Mark::Comma), values: Values::Any }, "\"comma\""),
            (Numbers::of(&["0", "1"], None), "[null,\"flags\"]"),
            (Numbers::of(&["900", "1000"], Some(Mark::Point)), "[\"point\",\"thousands\"]"),
        ] {
            assert_eq!(serde_json::to_string(&numbers).unwrap(), written);
            assert_eq!(serde_json::from_str::<Numbers>(written).unwrap(), numbers);
        }
    }

    #[test]
    fn points_in_new_rows_beside_whole_thousands_are_suspected() {
        let whole = Numbers::of(&["9000", "850"], None);
        assert_eq!(read(whole, "x\n1.234\n850\n"), (vec![Some(1.234), Some(850.0)], true));
        assert!(!read(whole, "x\n1.234\n1.5\n").1 && !read(whole, "x\n1234\n850\n").1 && !read(whole, "x\n0.234\n").1);
        let decimals = Numbers::of(&["9000.5", "850"], None);
        assert!(!read(decimals, "x\n1.234\n").1);
        assert!(!read(Numbers::of(&["1", "9"], None), "x\n1.234\n").1, "no thousands");
    }

    #[test]
    fn new_numbers_are_read_by_the_mark_that_they_show() {
        let (plain, comma) = (Numbers::of(&["9000", "850"], None), Numbers::of(&["9,5", "1.850"], Some(Mark::Comma)));
        for (table, text, expected) in [
            (plain, "x\n1'234\n850\n", vec![Some(1234.0), Some(850.0)]),
            (plain, "x\n1.234.567\n1.234\n", vec![Some(1_234_567.0), Some(1234.0)]),
            (plain, "x\n\"1,234\"\n850\n", vec![None, Some(850.0)]),
            (plain, "x\n\"1,5\"\n850\n", vec![Some(1.5), Some(850.0)]),
            (plain, "x\n1\nsoon\n", vec![Some(1.0), None]),
            (plain, "x\n$5\n6\n", vec![None, Some(6.0)]),
            (comma, "x\n1.234\n\"1,5\"\n", vec![Some(1234.0), Some(1.5)]),
            (comma, "x\n1.234\n1.5\n0.25\n", vec![Some(1.234), Some(1.5), Some(0.25)]),
            (comma, "x\n1.234\n", vec![Some(1234.0)]),
        ] {
            assert_eq!(read(table, text).0, expected, "{text}");
        }
    }

    #[test]
    fn words_stand_for_0_and_1_where_the_table_has_these_alone() {
        let (flags, counts) = (Numbers::of(&["0", "1"], None), Numbers::of(&["0", "2"], None));
        assert_eq!(read(flags, "x\nTRUE\nfalse\n1\nmaybe\n").0, [Some(1.0), Some(0.0), Some(1.0), None]);
        assert_eq!(read(counts, "x\nTRUE\n1\n").0, [None, Some(1.0)]);
    }
}
