//! Read numbers that may not be infinite.

use crate::data::own::{Cells, OwnError};
use crate::data::printable;

/// The numbers of columns, none of them infinite. The row of an infinite one has to be left out: its cell cannot be empty.
pub(super) fn finite(cells: &Cells, places: &[usize]) -> Result<Vec<Vec<f64>>, OwnError> {
    for &place in places {
        let infinite = |row: &usize| {
            cells.number_or_infinite(*row, place).is_ok_and(|number| number.is_some_and(f64::is_infinite))
        };
        if let Some(row) = (0..cells.rows()).find(infinite) {
            let found = format!("\"{}\"", printable(cells.texts(place).nth(row).unwrap_or_default(), 60));
            let expected =
                "a finite number; delete the line where none is known: only `lower` and `upper` may be infinite";
            return Err(cells.wrong(row, place, found, expected));
        }
    }
    cells.numbers(places)
}
