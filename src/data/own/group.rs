//! Name rows of a user's table: those of a group, or each one.

use serde::{Deserialize, Serialize};

/// Rows that have something in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowGroup {
    /// What they have in common.
    pub name: String,
    /// Their places in the table, from 0.
    pub rows: Vec<usize>,
}

impl RowGroup {
    /// Fewest rows of a group that is judged by itself.
    pub const FEWEST: usize = 20;
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
