//! Select rows of a file of cells, and find a column by what a setting calls it.

use super::super::error::{OwnError, SHOWN};
use super::super::finding::Topic;
use super::super::words::{Setting, Words};
use super::Cells;
use uq_core::names::nearest_name;
use uq_core::printable::printable;

impl Cells {
    /// The same columns with the rows for which `is_kept` is true.
    pub fn retain(&self, is_kept: impl Fn(usize) -> bool) -> Self {
        self.select((0..self.rows()).filter(|row| is_kept(*row)))
    }

    /// The same columns with these rows, in this order.
    pub(in crate::own) fn select(&self, rows: impl Iterator<Item = usize>) -> Self {
        let rows = rows.map(|row| self.rows[row].clone()).collect();
        Self {
            file: self.file.clone(),
            separator: self.separator,
            names: self.names.clone(),
            rows,
            findings: self.findings.clone(),
            empty: self.empty,
            comments: self.comments,
            repeated: self.repeated.clone(),
            foreign: self.foreign.clone(),
            nameless: self.nameless.clone(),
            written: self.written.clone(),
        }
    }

    /// The position of a column that a setting names: by its name, or as `column 3` by its place in
    /// the header.
    ///
    /// # Errors
    /// [`OwnError::UnknownColumn`] with all names and the most similar one.
    pub fn place(&self, setting: Setting, name: &str) -> Result<usize, OwnError> {
        let by_place = || {
            let place = name.strip_prefix("column ")?.parse::<usize>().ok()?.checked_sub(1)?;
            (place < self.names.len()).then_some(place)
        };
        self.named(setting, name).or_else(|error| by_place().ok_or(error))
    }

    /// The position of the column of this name, which a setting names, or the table itself where
    /// there is `None`.
    ///
    /// # Errors
    /// As [`Cells::place`].
    pub fn named(
        &self,
        setting: impl Into<Option<Setting>>,
        name: &str,
    ) -> Result<usize, OwnError> {
        let (setting, names) = (setting.into(), || self.names.iter().map(String::as_str));
        // The column may be in another sheet, or its name in a row above.
        let sheets = self.findings.iter().filter(|finding| finding.topic == Topic::Sheet);
        let all = names().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ");
        let sheets =
            Words::joined(sheets.map(|finding| Words::from(" (") + finding.text.clone() + ")"), "");
        self.find(name).ok_or_else(|| OwnError::UnknownColumn {
            setting,
            file: self.file.clone(),
            name: printable(name, SHOWN),
            nearest: nearest_name(name, names()).map(|name| printable(&name, SHOWN)),
            known: Words::from(printable(&all, 600)) + sheets.clone(),
        })
    }
}
