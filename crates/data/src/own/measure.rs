//! Read numbers behind which the same unit stands in every cell, such as `12 kg` or `15k`.

use serde::{Deserialize, Serialize};

use super::cells::Cells;
use super::error::OwnError;
use super::finding::Finding;
use super::notation::Notation;
use super::number::{Mark, written};
use super::quantity::{LONGEST, number_part, split};
use uq_core::printable::printable;

/// How such numbers are written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Measure {
    mark: Mark,
    unit: String,
}

impl Measure {
    /// The measure of cells, none of which is missing; `None` where some cell is no number with a
    /// unit, or has another unit. A number that both decimal marks allow has a comma if other
    /// columns have it (`prefers_comma`), else a point.
    pub fn of(given: &[&str], prefers_comma: bool) -> Option<Self> {
        let (_, unit) = split(given.first()?)?;
        let marks =
            if prefers_comma { [Mark::Comma, Mark::Point] } else { [Mark::Point, Mark::Comma] };
        let fits = |mark: &Mark| {
            let measure = Self { mark: *mark, unit: unit.to_owned() };
            given.iter().all(|text| measure.number(text).is_some()).then_some(measure)
        };
        marks.iter().find_map(fits)
    }

    /// The number in a text with this unit.
    pub fn number(&self, text: &str) -> Option<f64> {
        let (number, unit) = split(text)?;
        written(number, self.mark).filter(|_| unit == self.unit)
    }

    /// How such numbers are read in a file of new rows: with the decimal mark that nearly all of
    /// them show, or else the table's.
    pub fn adapt(&self, cells: &Cells, place: usize) -> Self {
        let numbers = || cells.texts(place).filter_map(number_part);
        Self { mark: Notation::shown(numbers).unwrap_or(self.mark), unit: self.unit.clone() }
    }

    /// The number in a cell.
    ///
    /// # Errors
    /// [`OwnError::Cell`] for another text, and for a number with another unit or none.
    pub fn read(&self, cells: &Cells, row: usize, place: usize) -> Result<f64, OwnError> {
        let expected = || {
            cells.wrong_text(
                row,
                place,
                format!("a number with the unit \"{}\"", printable(&self.unit, LONGEST)),
            )
        };
        self.number(cells.text(row, place)).ok_or_else(expected)
    }

    /// How cells were read, and that they may mean other numbers; `what` names their column.
    pub fn findings(
        &self,
        what: &str,
        column: &str,
        given: &[&str],
        notation: Notation,
    ) -> Vec<Finding> {
        let note = self.note(what, given).into_iter();
        note.chain(notation.of_measures(given, self.mark, what, column)).collect()
    }

    fn note(&self, what: &str, given: &[&str]) -> Option<Finding> {
        let (text, number) = given.iter().find_map(|text| Some((text, self.number(text)?)))?;
        let (unit, text) = (printable(&self.unit, LONGEST), printable(text, 30));
        Some(Finding::note(format!(
            "{what} is numbers with the unit \"{unit}\": \"{text}\" is read as {number}"
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(given: &[&str], prefers_comma: bool) -> Option<Vec<f64>> {
        let measure = Measure::of(given, prefers_comma)?;
        given.iter().map(|text| measure.number(text)).collect()
    }

    #[test]
    fn numbers_are_read_where_all_have_the_same_unit() {
        for (given, expected) in [
            (["12 kg", "7.5 kg"], [12.0, 7.5]),
            (["15k", "-3k"], [15.0, -3.0]),
            (["1,200 km/h", "90 km/h"], [1200.0, 90.0]),
            (["1,5 m2", "20 m2"], [1.5, 20.0]),
            (["21.5°C", "19 °C"], [21.5, 19.0]),
            (["3 sq. ft", "4 sq. ft"], [3.0, 4.0]),
        ] {
            assert_eq!(numbers(&given, false), Some(expected.to_vec()), "{given:?}");
        }
        assert_eq!(numbers(&["1,200 kg", "1,300 kg"], false), Some(vec![1200.0, 1300.0]));
        assert_eq!(
            numbers(&["1,200 kg", "1,300 kg"], true),
            Some(vec![1.2, 1.3]),
            "as other columns have it"
        );
    }

    #[test]
    fn other_texts_and_different_units_are_no_measures() {
        for given in [
            ["12 kg", "12 g"],
            ["12 kg", "12"],
            ["1st", "2nd"],
            ["house 1", "house 2"],
            ["2020Q1", "2021Q1"],
            ["1e5 kg", "2e5 kg"],
            ["12 of the many", "13 of the many"],
            ["1.2.3a", "1.2.4a"],
            ["kg", "kg"],
            ["12 kg", ""],
        ] {
            assert_eq!(numbers(&given, false), None, "{given:?}");
        }
        assert_eq!(Measure::of(&[], false), None);
    }

    #[test]
    fn a_cell_with_another_unit_is_told() {
        let cells = Cells::parse("f", b"a,b\n12 kg,1\n12 lb,2\n").unwrap();
        let measure = Measure::of(&["12 kg"], false).unwrap();
        assert_eq!(measure.read(&cells, 0, 0), Ok(12.0));
        let error = measure.read(&cells, 1, 0).unwrap_err().to_string();
        assert_eq!(
            error,
            "f, line 3, column \"a\": found \"12 lb\", expected a number with the unit \"kg\""
        );
        let note = measure.note("the column \"a\"", &["12 kg"]).unwrap().to_string();
        assert_eq!(
            note,
            "note: the column \"a\" is numbers with the unit \"kg\": \"12 kg\" is read as 12"
        );
    }
}
