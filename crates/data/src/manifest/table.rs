//! State how a text file is read as a user's own table is, and which of its rows depend on each
//! other.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::own::{Charset, Separator};

/// How a table with text is read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableOptions {
    /// What stands between cells; `None` stands for what the lines show.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub separator: Option<Separator>,
    /// How bytes stand for characters.
    #[serde(default, skip_serializing_if = "is_utf8")]
    pub encoding: Charset,
    /// Whether the first line names the columns.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub header: bool,
    /// Values that stand for missing ones: in every column, or as `COLUMN=VALUE` in one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub na: Vec<String>,
    /// Columns in which `NA` and the like is a level.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub level_na: Vec<String>,
    /// Number of rows of a file that are data, the first ones: remarks stand below them. `None`
    /// stands for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_rows: Option<usize>,
    /// What the files have in common, where there are several: they lie one below the other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stacked: Option<Stacked>,
}

/// A column that says from which of several files, one below the other, a row comes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stacked {
    /// Its name; none of the files has such a column.
    pub column: String,
    /// Its cell in the rows of each file, in the order of the files.
    pub cells: Vec<String>,
}

pub(super) fn is_utf8(charset: &Charset) -> bool {
    *charset == Charset::UTF_8
}

fn yes() -> bool {
    true
}

fn is_yes(header: &bool) -> bool {
    *header
}

/// Which rows of a table depend on each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DependentRows {
    /// Rows with equal cells in these columns belong together.
    Groups(Vec<String>),
    /// Each block of this number of rows, one below the other, belongs together.
    Blocks(usize),
    /// Rows are put in the order of these columns, the most significant first; rows with equal
    /// cells in them are one period.
    Times(Vec<String>),
}

impl DependentRows {
    /// What a manifest states; `None` where it states nothing.
    ///
    /// # Errors
    /// A message where it states several of them, or none of what it has to.
    pub(super) fn stated(
        group: Option<Vec<String>>,
        group_size: Option<usize>,
        time: Option<Vec<String>>,
    ) -> Result<Option<Self>, String> {
        let all = [group.map(Self::Groups), group_size.map(Self::Blocks), time.map(Self::Times)];
        let mut stated = all.into_iter().flatten();
        let first = stated.next();
        if stated.next().is_some() {
            return Err("`group`, `group_size` and `time` exclude each other".into());
        }
        match &first {
            Some(Self::Blocks(0 | 1)) => Err("`group_size` must be at least 2".into()),
            Some(Self::Groups(columns) | Self::Times(columns)) if columns.is_empty() => {
                Err("`group` and `time` name one column or more".into())
            }
            _ => Ok(first),
        }
    }

    /// The columns that it names.
    pub fn columns(&self) -> &[String] {
        match self {
            Self::Groups(columns) | Self::Times(columns) => columns,
            Self::Blocks(_) => &[],
        }
    }

    /// Its key in a manifest and in a definition, with its value.
    pub(super) fn definition(&self) -> (&'static str, Value) {
        match self {
            Self::Groups(columns) => ("group", json!(columns)),
            Self::Blocks(rows) => ("group_size", json!(rows)),
            Self::Times(columns) => ("time", json!(columns)),
        }
    }
}
