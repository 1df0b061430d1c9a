//! Read numbers that may not be infinite.

use crate::data::own::{Cells, OwnError, parse_infinite};
use crate::data::printable;

/// The numbers of columns, none of them infinite. The row of an infinite one has to be left out: its cell cannot be empty.
pub(super) fn finite(cells: &Cells, places: &[usize]) -> Result<Vec<Vec<f64>>, OwnError> {
    for &place in places {
        if let Some((row, text)) = cells.texts(place).enumerate().find(|(_, text)| parse_infinite(text).is_some()) {
            let found = format!("\"{}\"", printable(text, 60));
            let expected =
                "a finite number; delete the line where none is known: only `lower` and `upper` may be infinite";
            return Err(cells.wrong(row, place, found, expected));
        }
    }
    cells.numbers(places)
}
