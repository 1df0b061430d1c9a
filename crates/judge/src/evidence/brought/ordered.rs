//! Show the columns of a file in the order of a board, so that a cell is known by its dataset, its
//! split and its row.

use crate::evidence::own_predictions::Columns;
use uq_core::printable::printable;
use uqbench_data::number_file::NumberFile;
use uqbench_data::own::{OwnError, Place};
use uqbench_run::league::Part;

/// Largest number, so that sums of squares are finite.
const LARGEST: f64 = 1e150;

/// The rows of a file in another order.
pub(super) struct Ordered<'a> {
    pub file: &'a NumberFile<'a>,
    /// What the rows are of.
    pub parts: &'a [Part],
    /// The row of the file for each of them.
    pub order: &'a [usize],
}

impl Ordered<'_> {
    /// The numbers of a column as they are.
    pub fn numbers(&self, place: usize) -> Result<Vec<f64>, OwnError> {
        let numbers = self.file.numbers(place)?;
        Ok(self.order.iter().map(|row| numbers[*row]).collect())
    }
}

impl Columns for Ordered<'_> {
    fn file(&self) -> &str {
        self.file.name()
    }

    fn names(&self) -> &[String] {
        self.file.names()
    }

    fn rows(&self) -> usize {
        self.order.len()
    }

    fn finite(&self, places: &[usize]) -> Result<Vec<Vec<f64>>, OwnError> {
        let column = |place: &usize| {
            let numbers = self.numbers(*place)?;
            let is_wrong = |number: &f64| number.is_nan() || number.abs() > LARGEST;
            let wrong = numbers.iter().position(is_wrong);
            match wrong {
                None => Ok(numbers),
                Some(row) => {
                    let found = match numbers[row] {
                        number if number.is_nan() => "no number".to_owned(),
                        number if number.abs() < 1e15 => number.to_string(),
                        number => format!("{number:e}"),
                    };
                    let expected = format!("a finite number of at most {LARGEST:e} in size");
                    Err(self.wrong(row, *place, found, &expected))
                }
            }
        };
        places.iter().map(column).collect()
    }

    fn ends(&self, place: usize) -> Result<Vec<Option<f64>>, OwnError> {
        Ok(self.finite(&[place])?.remove(0).into_iter().map(Some).collect())
    }

    fn wrong(&self, row: usize, place: usize, found: String, expected: &str) -> OwnError {
        let (mut start, mut of) = (0, None);
        for part in self.parts {
            if row < start + part.rows {
                of = Some(part);
                break;
            }
            start += part.rows;
        }
        let of = of.map_or_else(String::new, |part| {
            format!(", dataset `{}`, split {}", part.dataset, part.split)
        });
        OwnError::Cell {
            file: format!("{}{of}", self.file.name()),
            place: Place::Row((row - start) as u64),
            column: printable(&self.names()[place], 60),
            found,
            expected: expected.into(),
        }
    }
}
