//! Read a user's own table: a CSV file as text, then as numbers by an encoding that new rows share.
//!
//! A column is numeric if all of its cells are numbers. Otherwise it is categorical and becomes one column of 0 and 1
//! for each level but the first, because a full set and an intercept are linearly dependent. A column of which nearly
//! all cells are numbers is refused, because its other cells are probably typing errors.

mod cells;
mod columns;
mod encoding;
mod error;
mod parquet;
mod range;
mod resolution;
#[cfg(test)]
mod tests;
mod write;

pub use cells::Cells;
pub use encoding::{Encoding, OwnTable};
pub use error::{OwnError, Place};
pub use range::beyond;
pub use resolution::Grain;
pub use write::csv;
