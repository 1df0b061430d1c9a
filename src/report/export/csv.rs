//! Write comma-separated values.

use super::clean;
use crate::report::grid::Grid;

impl Grid {
    /// The table in CSV.
    pub fn csv(&self) -> Vec<u8> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        for row in std::iter::once(&self.head).chain(&self.rows) {
            let _ = writer.write_record(row.iter().map(|cell| unformula(cell))); // a vector takes every byte
        }
        writer.into_inner().unwrap_or_default()
    }
}

/// A cell that no spreadsheet takes for a formula: numbers stay, other text that starts like one gets a quote.
fn unformula(cell: &str) -> String {
    let cell: String = clean(cell).collect();
    let risky = cell.starts_with(['=', '+', '-', '@']) && cell.parse::<f64>().is_err();
    if risky { format!("'{cell}") } else { cell }
}
