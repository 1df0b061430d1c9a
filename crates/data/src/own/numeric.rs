//! Tell cells that are numbers in some notation from text.

use super::missing::is_missing_number;
use super::number::{Cell, Mark, written};

/// Whether a cell is a number in some notation, or missing.
pub(super) fn is_number(text: &str) -> bool {
    let is_written =
        || [Mark::Point, Mark::Comma].into_iter().any(|mark| written(text, mark).is_some());
    is_missing_number(text) || Cell::of(text) != Cell::Text || is_written()
}
