//! Define the errors of a user's file: where, what was found, what was expected, what to do.

use std::fmt;

use thiserror::Error;

use uq_core::names::{counted, did_you_mean};
use uq_core::printable::printable;

/// Longest text of a file in a message, in characters.
pub(super) const SHOWN: usize = 60;

/// Where a row of a file stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A line of a text, from 1, the header's included.
    Line(u64),
    /// A row of a table without lines, from 1.
    Row(u64),
}

impl Place {
    /// The number of the line or row.
    pub(super) fn number(self) -> u64 {
        match self {
            Self::Line(number) | Self::Row(number) => number,
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Row(row) => write!(f, "row {row}"),
        }
    }
}

/// What a line is that is no row of data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stray {
    /// Separators and blanks alone.
    Blank,
    /// The names of the columns once more, as where files are joined.
    Header,
    /// The units of the columns, below their names.
    Units,
    /// The types of the columns, below their names.
    Types,
    /// Dashes below the names of the columns.
    Rule,
    /// What stands below the rows of a table, such as its source.
    Footer,
}

impl fmt::Display for Stray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Blank => "a blank row",
            Self::Header => "the header again",
            Self::Units => "units of the columns",
            Self::Types => "types of the columns",
            Self::Rule => "dashes",
            Self::Footer => "a remark below the table",
        })
    }
}

/// Why a user's file cannot be used as a table. Lines count from 1, the header's included.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum OwnError {
    /// The file cannot be read.
    #[error("{file}: {message}")]
    Unreadable {
        /// The file.
        file: String,
        /// The operating system's message, and what to do.
        message: String,
    },
    /// The file is not comma-separated text with a header.
    #[error("{file}: found {found}, expected {expected}")]
    Shape {
        /// The file.
        file: String,
        /// The content found.
        found: String,
        /// The expected content, and what to do.
        expected: String,
    },
    /// A line has another number of cells than the header.
    #[error("{file}, {place}: found {}, expected {expected} as in the header{hint}", counted(*found, "cell"))]
    Ragged {
        /// The file.
        file: String,
        /// The line.
        place: Place,
        /// Number of cells there.
        found: usize,
        /// Number of columns of the header.
        expected: usize,
        /// A possible cause.
        hint: &'static str,
    },
    /// A line is no row of data.
    #[error("{file}, {place}: found {stray}, expected a row of data")]
    Stray {
        /// The file.
        file: String,
        /// The line.
        place: Place,
        /// What it is.
        stray: Stray,
    },
    /// A workbook has no sheet of the name that is asked for.
    #[error("--sheet: {file} has no sheet \"{name}\"{}; its sheets are {known}", did_you_mean(nearest))]
    UnknownSheet {
        /// The file.
        file: String,
        /// The requested name.
        name: String,
        /// The most similar name.
        nearest: Option<String>,
        /// All names.
        known: String,
    },
    /// A cell is missing.
    #[error(
        "{file}, {place}, column \"{column}\": found a missing value ({found}), expected a value in every cell \
         {advice}"
    )]
    Missing {
        /// The file.
        file: String,
        /// The row of the first missing cell.
        place: Place,
        /// Its column.
        column: String,
        /// The content found.
        found: String,
        /// The number of other missing cells by column, and what to do.
        advice: String,
    },
    /// A cell is not what its column needs.
    #[error("{file}, {place}, column \"{column}\": found {found}, expected {expected}")]
    Cell {
        /// The file.
        file: String,
        /// The row.
        place: Place,
        /// The column.
        column: String,
        /// The content found.
        found: String,
        /// The expected content, and what to do.
        expected: String,
    },
    /// A column cannot be used.
    #[error("{file}, column \"{column}\": found {found}, expected {expected}")]
    Column {
        /// The file.
        file: String,
        /// The column.
        column: String,
        /// The content found.
        found: String,
        /// The expected content, and what to do.
        expected: String,
    },
    /// The target has words in place of numbers.
    #[error(
        "{file}, column \"{column}\": found {} in place of numbers ({named}), expected a number: to tell classes apart is classification, \
         which predicts probabilities, and this program is about regression",
        counted(*classes, "word")
    )]
    Classes {
        /// The file.
        file: String,
        /// The target.
        column: String,
        /// Number of different words.
        classes: usize,
        /// Some of them.
        named: String,
    },
    /// An option names a column that does not exist.
    #[error("{option}: {file} has no column \"{name}\"{}; its columns are {known}", did_you_mean(nearest))]
    UnknownColumn {
        /// The option.
        option: &'static str,
        /// The file.
        file: String,
        /// The requested name.
        name: String,
        /// The most similar name.
        nearest: Option<String>,
        /// All names.
        known: String,
    },
    /// An option takes the target for what orders or groups the rows.
    #[error("{option}: \"{name}\" is the target, which is not known of new rows; expected another column")]
    OfTarget {
        /// The option.
        option: &'static str,
        /// The target.
        name: String,
    },
    /// An option leaves out the target.
    #[error("--drop: \"{name}\" is the target, which cannot be left out")]
    DropsTarget {
        /// The target.
        name: String,
    },
}

/// The error that a file is not what it should be.
pub(super) fn shape(file: &str, found: &str, expected: &str) -> OwnError {
    OwnError::Shape { file: file.into(), found: printable(found, 200), expected: expected.into() }
}

impl OwnError {
    /// Whether an option is wrong, not the file.
    pub fn is_usage(&self) -> bool {
        matches!(
            self,
            Self::UnknownColumn { .. } | Self::UnknownSheet { .. } | Self::DropsTarget { .. } | Self::OfTarget { .. }
        )
    }
}
