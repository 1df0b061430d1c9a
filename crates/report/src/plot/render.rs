//! Define why a figure cannot be drawn.

use thiserror::Error;

/// Why a figure cannot be drawn.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum FigureError {
    /// There is nothing to draw.
    #[error("{what}: there is nothing to draw")]
    Empty {
        /// What is empty.
        what: String,
    },
    /// Two columns that belong together differ in length.
    #[error("{what}: {found} numbers, expected {expected}, one for each x")]
    Length {
        /// The column.
        what: String,
        /// Its length.
        found: usize,
        /// The length of x.
        expected: usize,
    },
    /// A number that cannot be drawn.
    #[error("{what}: number {place} is {found}, expected {expected}")]
    Value {
        /// The column.
        what: String,
        /// Place of the number, from 1.
        place: usize,
        /// The number.
        found: f64,
        /// What it must be.
        expected: &'static str,
    },
    /// An interval whose ends are swapped.
    #[error("{what}: the lower end {low} lies above the upper end {high}")]
    Interval {
        /// The interval.
        what: String,
        /// Its lower end.
        low: f64,
        /// Its upper end.
        high: f64,
    },
    /// Numbers so far apart that no axis can span them.
    #[error("{what}: the numbers span no range that an axis can show")]
    Range {
        /// Whose numbers.
        what: String,
    },
    /// The plotting library failed.
    #[error("drawing failed: {0}")]
    Drawing(String),
}
