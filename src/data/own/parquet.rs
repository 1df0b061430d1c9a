//! Read a Parquet file as text, so that its cells are checked as those of a CSV file are.

use std::io::Cursor;

use polars::prelude::{Column, DataType, ParquetReader, PolarsResult, SerReader};

use super::error::{OwnError, SHOWN, shape};
use crate::data::printable;

/// Whether a file is meant as Parquet, by its first bytes.
pub(super) fn is_parquet(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PAR1")
}

/// The names of the columns, and the rows; a number is written so that it reads back equal.
pub(super) fn text(file: &str, bytes: &[u8]) -> Result<(Vec<String>, Vec<csv::StringRecord>), OwnError> {
    let frame = ParquetReader::new(Cursor::new(bytes)).finish();
    let frame =
        frame.map_err(|error| shape(file, &format!("a Parquet file that cannot be read ({error})"), "a whole one"))?;
    if frame.height() == 0 {
        return Err(shape(file, "a Parquet file without rows", "rows"));
    }
    let names: Vec<String> = frame.get_column_names().into_iter().map(|name| name.to_string()).collect();
    let wrong = |name: &str, found: String| OwnError::Column {
        file: file.into(),
        column: printable(name, SHOWN),
        found: printable(&found, 200),
        expected: "numbers, text, or true and false".into(),
    };
    let mut columns = Vec::with_capacity(names.len());
    for (column, name) in frame.columns().iter().zip(&names) {
        let cells = cells(column).map_err(|error| wrong(name, error.to_string()))?;
        columns.push(cells.ok_or_else(|| wrong(name, format!("values of the type {}", column.dtype())))?);
    }
    let row = |row: usize| columns.iter().map(|column| column[row].as_str()).collect();
    Ok((names, (0..frame.height()).map(row).collect()))
}

/// The cells of a column as text, a missing one empty; `None` for a type that is neither number, text nor truth value.
fn cells(column: &Column) -> PolarsResult<Option<Vec<String>>> {
    fn written<T: ToString>(values: impl Iterator<Item = Option<T>>) -> Vec<String> {
        values.map(|value| value.map(|value| value.to_string()).unwrap_or_default()).collect()
    }
    let cells = match column.dtype() {
        DataType::Float64 => written(column.f64()?.iter()),
        DataType::Float32 => written(column.f32()?.iter()),
        DataType::String => written(column.str()?.iter()),
        DataType::Boolean => written(column.bool()?.iter()),
        DataType::UInt64 => written(column.u64()?.iter()),
        other if other.is_integer() => written(column.cast(&DataType::Int64)?.i64()?.iter()),
        _ => return Ok(None),
    };
    Ok(Some(cells))
}

#[cfg(test)]
mod tests {
    use polars::prelude::{DataFrame, IntoColumn, NamedFrom, ParquetWriter, Series};

    use crate::data::own::Cells;

    fn parquet(columns: Vec<Series>) -> Vec<u8> {
        let (rows, mut bytes) = (columns[0].len(), Vec::new());
        let mut frame = DataFrame::new(rows, columns.into_iter().map(IntoColumn::into_column).collect()).unwrap();
        ParquetWriter::new(&mut bytes).finish(&mut frame).unwrap();
        bytes
    }

    #[test]
    fn numbers_and_labels_are_read_as_they_were_written() {
        let bytes = parquet(vec![
            Series::new("y".into(), [0.1, -1e-300, 1.0 / 3.0]),
            Series::new("n".into(), [1_i32, 2, -3]),
            Series::new("group".into(), ["a", "b, c", "d"]),
        ]);
        let cells = Cells::of_parquet("p.parquet", &bytes).unwrap();
        assert_eq!(cells.names(), ["y", "n", "group"]);
        assert_eq!(cells.numbers(&[0, 1]).unwrap(), [vec![0.1, -1e-300, 1.0 / 3.0], vec![1.0, 2.0, -3.0]]);
        assert_eq!(cells.labels(2).unwrap(), ["a", "b, c", "d"]);
    }

    #[test]
    fn an_error_names_the_row() {
        let bytes = parquet(vec![Series::new("y".into(), [Some(1.0), None, Some(f64::NAN)])]);
        let error = Cells::of_parquet("p.parquet", &bytes).unwrap().numbers(&[0]).unwrap_err().to_string();
        assert!(error.starts_with("p.parquet, row 2, column \"y\": found a missing value (an empty cell)"), "{error}");
        let torn = Cells::of_parquet("p.parquet", &bytes[..bytes.len() - 9]).unwrap_err().to_string();
        assert!(torn.contains("a Parquet file that cannot be read"), "{torn}");
        let empty = parquet(vec![Series::new("y".into(), [0.0; 0])]);
        assert!(Cells::of_parquet("p.parquet", &empty).unwrap_err().to_string().contains("without rows"));
    }
}
