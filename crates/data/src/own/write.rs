//! Write a table as a CSV file: header, features in order, target last.

use uq_core::Table;

/// The table as CSV in UTF-8; each number reads back bit-equal.
pub fn csv(table: &Table) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let names = table.feature_names.iter().chain([&table.target_name]);
    let _ = writer.write_record(names); // writing to a vector cannot fail
    for (features, target) in table.features.rows().into_iter().zip(&table.target) {
        let _ = writer.write_record(features.iter().chain([target]).map(f64::to_string));
    }
    writer.into_inner().unwrap_or_default()
}
