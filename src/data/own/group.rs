//! Groups of rows of a user's table.

/// Rows that have something in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowGroup {
    /// What they have in common.
    pub name: String,
    /// Their places in the table, from 0.
    pub rows: Vec<usize>,
}
