//! Name rows of a user's table: those of a group, or each one.

use serde::{Deserialize, Serialize};

/// Rows that have something in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowGroup {
    /// What they have in common.
    pub name: String,
    /// The category of which it is a level; `None` for a group of another kind.
    pub category: Option<String>,
    /// Their places in the table, from 0.
    pub rows: Vec<usize>,
}

impl RowGroup {
    /// Fewest rows of a group that is judged by itself.
    pub const FEWEST: usize = 20;

    /// A group of this name that is no level of a category.
    pub fn new(name: impl Into<String>, rows: Vec<usize>) -> Self {
        Self { name: name.into(), category: None, rows }
    }
}

/// The text of a column in every row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RowLabels {
    /// The column's name.
    pub name: String,
    /// Its cells.
    pub cells: Vec<String>,
}
