//! Write the long table of trials for other programs: Parquet, Arrow, or CSV.

use polars::prelude::{Column, DataFrame, IpcWriter, ParquetCompression, ParquetWriter, SerWriter};

use crate::evidence::long_table::Row;

/// A column of the table: its name, and its values of one type.
enum Values {
    Text(Vec<Option<String>>),
    Whole(Vec<Option<u64>>),
    Number(Vec<Option<f64>>),
    Flag(Vec<bool>),
}

/// The columns by name, in the order of [`Row`].
fn columns(rows: &[Row]) -> Vec<(&'static str, Values)> {
    let text = |of: fn(&Row) -> Option<&String>| Values::Text(rows.iter().map(|row| of(row).cloned()).collect());
    let whole = |of: fn(&Row) -> Option<u64>| Values::Whole(rows.iter().map(of).collect());
    let number = |of: fn(&Row) -> Option<f64>| Values::Number(rows.iter().map(of).collect());
    vec![
        ("trial", text(|row| Some(&row.trial))),
        ("benchmark", text(|row| Some(&row.benchmark))),
        ("dataset", text(|row| Some(&row.dataset))),
        ("method", text(|row| Some(&row.method))),
        ("parameters", text(|row| Some(&row.parameters))),
        ("variant", text(|row| row.variant.as_ref())),
        ("split", whole(|row| Some(row.split))),
        ("seed", whole(|row| Some(row.seed))),
        ("validation", Values::Flag(rows.iter().map(|row| row.validation).collect())),
        ("outcome", text(|row| Some(&row.outcome))),
        ("reason", text(|row| row.reason.as_ref())),
        ("reading", text(|row| row.reading.as_ref())),
        ("metric", text(|row| row.metric.as_ref())),
        ("score", number(|row| row.score)),
        ("train_rows", whole(|row| row.train_rows)),
        ("test_rows", whole(|row| row.test_rows)),
        ("fit_seconds", number(|row| row.fit_seconds)),
        ("predict_seconds", number(|row| row.predict_seconds)),
        ("peak_memory", whole(|row| row.peak_memory)),
    ]
}

/// The table with the types of its columns.
fn frame(rows: &[Row]) -> Result<DataFrame, String> {
    let column = |(name, values): (&str, Values)| match values {
        Values::Text(values) => Column::new(name.into(), values),
        Values::Whole(values) => Column::new(name.into(), values),
        Values::Number(values) => Column::new(name.into(), values),
        Values::Flag(values) => Column::new(name.into(), values),
    };
    let columns = columns(rows).into_iter().map(column).collect();
    DataFrame::new(rows.len(), columns).map_err(|error| error.to_string())
}

/// The table as a Parquet file.
///
/// # Errors
/// The message of the library.
pub fn parquet(rows: &[Row]) -> Result<Vec<u8>, String> {
    let (mut frame, mut bytes) = (frame(rows)?, Vec::new());
    let writer = ParquetWriter::new(&mut bytes).with_compression(ParquetCompression::Snappy).set_parallel(false);
    writer.finish(&mut frame).map_err(|error| error.to_string())?;
    Ok(bytes)
}

/// The table as an Arrow IPC file.
///
/// # Errors
/// The message of the library.
pub fn arrow(rows: &[Row]) -> Result<Vec<u8>, String> {
    let (mut frame, mut bytes) = (frame(rows)?, Vec::new());
    IpcWriter::new(&mut bytes).finish(&mut frame).map_err(|error| error.to_string())?;
    Ok(bytes)
}

/// The table as CSV with a header. A missing value is an empty cell, infinity is `inf`.
///
/// # Errors
/// The message of the library.
pub fn csv(rows: &[Row]) -> Result<Vec<u8>, String> {
    let columns = columns(rows);
    let mut out = csv::Writer::from_writer(Vec::new());
    out.write_record(columns.iter().map(|(name, _)| *name)).map_err(|error| error.to_string())?;
    for i in 0..rows.len() {
        let cell = |(_, values): &(&str, Values)| match values {
            Values::Text(values) => values[i].clone().unwrap_or_default(),
            Values::Whole(values) => values[i].map(|value| value.to_string()).unwrap_or_default(),
            Values::Number(values) => values[i].map(|value| value.to_string()).unwrap_or_default(),
            Values::Flag(values) => values[i].to_string(),
        };
        out.write_record(columns.iter().map(cell)).map_err(|error| error.to_string())?;
    }
    out.into_inner().map_err(|error| error.to_string())
}
