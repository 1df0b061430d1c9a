//! State what a check found in a user's file.

use std::fmt;

use super::words::Words;

/// How grave a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// How the file was read.
    Note,
    /// Scores or predictions may be wrong.
    Warning,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Note => "note",
            Self::Warning => "warning",
        })
    }
}

/// What a finding is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Topic {
    /// How the file or a column was read; nothing more special.
    Reading,
    /// Columns that give the target away.
    Leak,
    /// A column that numbers or identifies the rows.
    RowNumber,
    /// A number that probably stands for a missing value.
    Sentinel,
    /// Rows that the table has several times, or a table that has several names.
    Copies,
    /// Which columns state the predictions.
    Form,
    /// Columns that are not used.
    Unused,
    /// Rows that are left out.
    LeftOut,
    /// How far training sets overlap.
    Overlap,
    /// Rows that sum up others.
    Total,
    /// The order of day, month and year.
    DateOrder,
    /// A decimal mark that may separate thousands.
    Thousands,
    /// Numbers of which a limit alone is known.
    Limit,
    /// What stands for a missing value, and what does not.
    Missing,
    /// Cells that stop a column from being read as what most of them are.
    Stopped,
    /// Times of day and durations.
    Hours,
    /// Different texts that are one level.
    Levels,
    /// Numbers that may be codes.
    Codes,
    /// The characters that bytes stand for.
    Encoding,
    /// Rows or lines without anything in their cells.
    BlankRows,
    /// The names of the columns among the rows.
    RepeatedHeader,
    /// The units of the columns below their names.
    Units,
    /// The sheet of a workbook, and what stands above its header.
    Sheet,
    /// Cells of a workbook whose formula has failed.
    FailedCells,
    /// Cells of a workbook that are joined.
    MergedCells,
    /// A target that is exactly zero in many rows, and of one sign in the others.
    ZeroInflated,
    /// A target with many rows at its smallest or largest value.
    Censored,
    /// Lines below the rows that say something of the table, such as its source.
    Footer,
    /// The types of the columns, or dashes, below their names.
    Types,
    /// Names of columns that are written in another case.
    Names,
    /// A target of two values.
    TwoValued,
    /// Outcomes that two files round differently.
    Rounding,
}

/// What a check found, in one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// How grave it is.
    pub severity: Severity,
    /// What it is about.
    pub topic: Topic,
    /// Names of the columns that it is about, as they stand in the file.
    pub columns: Vec<String>,
    /// The sentence.
    pub text: Words,
}

impl Finding {
    /// A finding on how the file was read.
    pub fn note(text: impl Into<Words>) -> Self {
        Self {
            severity: Severity::Note,
            topic: Topic::Reading,
            columns: Vec::new(),
            text: text.into(),
        }
    }

    /// A finding that may make scores or predictions wrong.
    pub fn warning(text: impl Into<Words>) -> Self {
        Self {
            severity: Severity::Warning,
            topic: Topic::Reading,
            columns: Vec::new(),
            text: text.into(),
        }
    }

    /// The same finding with its topic and the columns that it is about.
    #[must_use]
    pub fn about(
        mut self,
        topic: Topic,
        columns: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        self.topic = topic;
        self.columns = columns.into_iter().map(Into::into).collect();
        self
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.severity, self.text)
    }
}
