//! Define the errors of a user's file: where, what was found, what was expected, what to do.

use std::fmt;

use thiserror::Error;

use super::words::{Setting, Words};
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
/// Displayed, it calls settings as [`Setting`] does; [`OwnError::to_words`] gives them as values.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum OwnError {
    /// The file cannot be read.
    Unreadable {
        /// The file.
        file: String,
        /// The operating system's message, and what to do.
        message: String,
    },
    /// The file is not comma-separated text with a header.
    Shape {
        /// The file.
        file: String,
        /// The content found.
        found: String,
        /// The expected content, and what to do.
        expected: Words,
    },
    /// A line has another number of cells than the header.
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
    Stray {
        /// The file.
        file: String,
        /// The line.
        place: Place,
        /// What it is.
        stray: Stray,
    },
    /// A workbook has no sheet of the name that is asked for.
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
        advice: Words,
    },
    /// A cell is not what its column needs.
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
        expected: Words,
    },
    /// A column cannot be used.
    Column {
        /// The file.
        file: String,
        /// The column.
        column: String,
        /// The content found.
        found: String,
        /// The expected content, and what to do.
        expected: Words,
    },
    /// The target has words in place of numbers.
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
    /// A setting names a column that does not exist.
    UnknownColumn {
        /// The setting; `None` where the table itself needs the column.
        setting: Option<Setting>,
        /// The file.
        file: String,
        /// The requested name.
        name: String,
        /// The most similar name.
        nearest: Option<String>,
        /// All names, and what else may be the cause.
        known: Words,
    },
    /// A setting takes the target for what orders or groups the rows.
    OfTarget {
        /// The setting.
        setting: Setting,
        /// The target.
        name: String,
    },
    /// [`Setting::Drop`] leaves out the target.
    DropsTarget {
        /// The target.
        name: String,
    },
}

/// The error that a file is not what it should be.
pub(super) fn shape(file: &str, found: &str, expected: impl Into<Words>) -> OwnError {
    OwnError::Shape { file: file.into(), found: printable(found, 200), expected: expected.into() }
}

impl OwnError {
    /// Where, what was found, what was expected and what to do, with the settings as values.
    pub fn to_words(&self) -> Words {
        match self {
            Self::Unreadable { file, message } => format!("{file}: {message}").into(),
            Self::Shape { file, found, expected } => {
                Words::from(format!("{file}: found {found}, expected ")) + expected.clone()
            }
            Self::Ragged { file, place, found, expected, hint } => {
                let found = counted(*found, "cell");
                format!(
                    "{file}, {place}: found {found}, expected {expected} as in the \
                         header{hint}"
                )
                .into()
            }
            Self::Stray { file, place, stray } => {
                format!("{file}, {place}: found {stray}, expected a row of data").into()
            }
            Self::UnknownSheet { file, name, nearest, known } => {
                let meant = did_you_mean(nearest);
                Setting::Sheet
                    + format!(
                        ": {file} has no sheet \"{name}\"{meant}; its sheets are \
                                          {known}"
                    )
            }
            Self::Missing { file, place, column, found, advice } => {
                let found = format!(
                    "found a missing value ({found}), expected a value in every \
                                     cell "
                );
                Words::from(format!("{file}, {place}, column \"{column}\": {found}"))
                    + advice.clone()
            }
            Self::Cell { file, place, column, found, expected } => {
                Words::from(format!(
                    "{file}, {place}, column \"{column}\": found {found}, \
                                     expected "
                )) + expected.clone()
            }
            Self::Column { file, column, found, expected } => {
                Words::from(format!("{file}, column \"{column}\": found {found}, expected "))
                    + expected.clone()
            }
            Self::Classes { file, column, classes, named } => format!(
                "{file}, column \"{column}\": found {} in place of numbers ({named}), expected a \
                 number: to tell classes apart is classification, which predicts probabilities, \
                 and this program is about regression",
                counted(*classes, "word")
            )
            .into(),
            Self::UnknownColumn { setting, file, name, nearest, known } => {
                let what = setting.map_or_else(|| "the table".into(), Words::from);
                let meant = did_you_mean(nearest);
                what + format!(": {file} has no column \"{name}\"{meant}; its columns are ")
                    + known.clone()
            }
            Self::OfTarget { setting, name } => {
                *setting
                    + format!(
                        ": \"{name}\" is the target, which is not known of new rows; \
                                    expected another column"
                    )
            }
            Self::DropsTarget { name } => {
                Setting::Drop + format!(": \"{name}\" is the target, which cannot be left out")
            }
        }
    }

    /// Whether a setting is wrong, not the file.
    pub fn is_usage(&self) -> bool {
        matches!(
            self,
            Self::UnknownColumn { .. }
                | Self::UnknownSheet { .. }
                | Self::DropsTarget { .. }
                | Self::OfTarget { .. }
        )
    }
}

impl fmt::Display for OwnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_words().fmt(f)
    }
}
