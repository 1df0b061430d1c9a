//! Read the side tables of a kernel regression, and the truth that it is about.

use super::gather::DrawingError;
use crate::evidence::EvidenceError;
use crate::evidence::trials::{decode, side_tables};
use crate::methods::SideTable;
use crate::runner::record::TrialResult;
use crate::runner::store::Store;

/// The tables of a trial by name.
pub(super) struct Tables(Vec<SideTable>);

impl Tables {
    /// What the fit of a finished trial left behind.
    ///
    /// # Errors
    /// [`EvidenceError`].
    pub fn of(result: &TrialResult, store: &Store) -> Result<Self, EvidenceError> {
        Ok(Self(side_tables(result, store)?))
    }

    /// A column of the table of this name.
    pub fn column(&self, table: &str, column: &str) -> Option<Vec<f64>> {
        let found = self.0.iter().find(|side_table| side_table.name == table)?;
        found.column(column).map(<[f64]>::to_vec)
    }

    /// The first number of a column.
    pub fn number(&self, table: &str, column: &str) -> Option<f64> {
        self.column(table, column)?.first().copied()
    }
}

/// The noise-free function at the test rows: what a new measurement is about, less the noise's mean.
pub(super) fn truth(result: &TrialResult, tables: &Tables, store: &Store) -> Result<Option<Vec<f64>>, DrawingError> {
    let mean = tables.number("noise", "mean").unwrap_or(0.0);
    Ok(decode(result, store)?.facts.truth.map(|truth| truth.iter().map(|f| f - mean).collect()))
}
