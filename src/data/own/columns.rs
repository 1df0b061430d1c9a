//! Take columns of a user's file: as finite numbers, or as labels.

use super::cells::Cells;
use super::encoding::{number, refuse_missing, text};
use super::error::{OwnError, SHOWN};
use crate::data::printable;

impl Cells {
    /// The position of the column of this name, if there is one.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| known == name)
    }

    /// The finite numbers of the columns at these positions, by column.
    ///
    /// # Errors
    /// [`OwnError::Missing`] for an empty cell or NaN; [`OwnError::Cell`] for text, and for a number that is too large
    /// for sums of squares.
    pub fn numbers(&self, places: &[usize]) -> Result<Vec<Vec<f64>>, OwnError> {
        refuse_missing(self, places, None)?;
        let column = |&place: &usize| (0..self.rows()).map(|row| number(self, row, place)).collect();
        places.iter().map(column).collect()
    }

    /// The text of the column at this position.
    ///
    /// # Errors
    /// [`OwnError::Missing`] for an empty cell.
    pub fn labels(&self, place: usize) -> Result<Vec<String>, OwnError> {
        refuse_missing(self, &[place], None)?;
        Ok((0..self.rows()).map(|row| text(self, row, place).to_owned()).collect())
    }

    /// The error that a cell is not what its column needs.
    pub fn wrong(&self, row: usize, place: usize, found: String, expected: impl Into<String>) -> OwnError {
        OwnError::Cell {
            file: self.file.clone(),
            place: self.rows[row].place,
            column: printable(&self.names[place], SHOWN),
            found,
            expected: expected.into(),
        }
    }
}
