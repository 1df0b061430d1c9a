//! Write comma-separated values.

use super::clean;
use crate::grid::Grid;

impl Grid {
    /// The table in CSV.
    pub fn csv(&self) -> Vec<u8> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        // Writing to a vector cannot fail.
        let _ = writer.write_record(self.head.iter().map(|heading| unformula(heading)));
        for row in &self.rows {
            let _ = writer.write_record(row.iter().map(|cell| unformula(&cell.text)));
        }
        writer.into_inner().unwrap_or_default()
    }
}

/// A cell that no spreadsheet reads as a formula: numbers, and lists of them, stay; other text that
/// starts like one gets a quote.
fn unformula(cell: &str) -> String {
    let cell: String = clean(cell).collect();
    let numbers = !cell.is_empty() && cell.split(' ').all(|word| word.parse::<f64>().is_ok());
    let risky = cell.starts_with(['=', '+', '-', '@']) && !numbers;
    if risky { format!("'{cell}") } else { cell }
}

#[cfg(test)]
mod tests {
    use super::unformula;

    #[test]
    fn lists_of_numbers_stay_and_sums_do_not() {
        for (cell, written) in [
            ("-1.5 2 -3e-4", "-1.5 2 -3e-4"),
            ("-1.5", "-1.5"),
            ("-1.5+2", "'-1.5+2"),
            ("=A1", "'=A1"),
            ("", ""),
        ] {
            assert_eq!(unformula(cell), written);
        }
    }
}
