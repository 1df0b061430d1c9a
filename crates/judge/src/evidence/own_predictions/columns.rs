//! Say what the columns of a file are, as far as predictions are read from them: cells of text, or
//! numbers.

use super::finite::finite;
use uqbench_data::own::{Cells, OwnError};

/// Columns of numbers under their names, n rows.
pub(in crate::evidence) trait Columns {
    /// The name of their file in messages.
    fn file(&self) -> &str;

    /// Names of the columns, none of them twice.
    fn names(&self) -> &[String];

    /// Number of rows, n.
    fn rows(&self) -> usize;

    /// The numbers of the columns at these places, each n, none of them infinite or missing.
    ///
    /// # Errors
    /// [`OwnError`] of the first cell that is no such number.
    fn finite(&self, places: &[usize]) -> Result<Vec<Vec<f64>>, OwnError>;

    /// The ends of intervals in the column at this place, n, which may be infinite; `None` where
    /// one is missing.
    ///
    /// # Errors
    /// [`OwnError`] of the first cell that is no number.
    fn ends(&self, place: usize) -> Result<Vec<Option<f64>>, OwnError>;

    /// The error that a cell is not what its column needs.
    fn wrong(&self, row: usize, place: usize, found: String, expected: &str) -> OwnError;

    /// The place of the column of this name.
    fn find(&self, name: &str) -> Option<usize> {
        self.names().iter().position(|known| known == name)
    }
}

impl Columns for Cells {
    fn file(&self) -> &str {
        self.file()
    }

    fn names(&self) -> &[String] {
        self.names()
    }

    fn rows(&self) -> usize {
        self.rows()
    }

    fn finite(&self, places: &[usize]) -> Result<Vec<Vec<f64>>, OwnError> {
        finite(self, places)
    }

    fn ends(&self, place: usize) -> Result<Vec<Option<f64>>, OwnError> {
        self.numbers_or_infinite(place)
    }

    fn wrong(&self, row: usize, place: usize, found: String, expected: &str) -> OwnError {
        self.wrong(row, place, found, expected)
    }
}
