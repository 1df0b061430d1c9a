//! Hold one titled table of a page, before it has a format.

use super::markdown::Grid;

/// A titled table with the sentences that a reader needs beside it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Section {
    /// Heading.
    pub title: String,
    /// The table.
    pub grid: Grid,
    /// What its numbers and marks mean, in plain words without markup.
    pub note: String,
}
