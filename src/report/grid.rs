//! Hold a table of text, before it has a format.

use std::collections::BTreeMap;

/// A table of text, before it has a format.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grid {
    /// Headings.
    pub head: Vec<String>,
    /// Whether a column holds numbers, which are set flush right.
    pub numeric: Vec<bool>,
    /// Rows.
    pub rows: Vec<Vec<String>>,
    /// Pages that cells lead to, by row and column, where a format has links.
    pub links: BTreeMap<(usize, usize), String>,
    /// Printed numbers that cells compare ours with, by row and column: places in the scorecard of the benchmark.
    pub printed: BTreeMap<(usize, usize), usize>,
}

impl Grid {
    /// A table with these headings; a heading that starts with `#` marks a column of numbers.
    pub fn new(head: &[&str]) -> Self {
        let numeric = head.iter().map(|h| h.starts_with('#')).collect();
        Self { head: head.iter().map(|h| h.trim_start_matches('#').to_owned()).collect(), numeric, ..Self::default() }
    }
}

/// A number of things: `1 pair`, `2 pairs`.
pub fn counted(count: usize, thing: &str) -> String {
    if count == 1 { format!("1 {thing}") } else { format!("{count} {thing}s") }
}
