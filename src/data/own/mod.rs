//! Read a user's own table: a CSV file as text, then as numbers by an encoding that new rows share.
//!
//! A column all of whose cells are numbers is numeric; any other one is categorical and becomes one column of 0 and 1 for
//! each level but the first, for a full set and an intercept depend on each other. A column of which nearly all cells are
//! numbers is neither: its other cells are taken for errors of typing.

mod cells;
mod encoding;
mod error;
mod range;
mod resolution;
#[cfg(test)]
mod tests;
mod write;

pub use cells::Cells;
pub use encoding::{Encoding, OwnTable};
pub use error::OwnError;
pub use range::beyond;
pub use write::csv;
