//! Read a Parquet file as text, so that its cells are checked as those of a CSV file are.

use std::io::Cursor;

use polars::prelude::{
    ArrowDataType, Column, DataType, ParallelStrategy, ParquetReader, PolarsError, PolarsResult, SerReader,
};

use super::error::{OwnError, SHOWN, shape};
use crate::data::printable;
use crate::system::survive;

/// Whether a file is meant as Parquet, by its first bytes.
pub(super) fn is_parquet(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PAR1")
}

/// The names of the columns, and the rows; a number is written so that it reads back equal.
pub(super) fn text(file: &str, bytes: &[u8]) -> Result<(Vec<String>, Vec<csv::StringRecord>), OwnError> {
    let unreadable =
        |error: PolarsError| shape(file, &format!("a Parquet file that cannot be read ({error})"), "a whole one");
    let wrong = |name: &str, found: String| OwnError::Column {
        file: file.into(),
        column: printable(name, SHOWN),
        found: printable(&found, 200),
        expected: "numbers of 32 or 64 bits, text, or true and false".into(),
    };
    // The reader panics at some types that it is built without, and at some damage.
    let panicked =
        |message: String| shape(file, &format!("a Parquet file that cannot be read ({message})"), "a whole one");
    let mut reader = ParquetReader::new(Cursor::new(bytes)).read_parallel(ParallelStrategy::None);
    for (name, field) in survive(|| reader.schema()).map_err(panicked)?.map_err(unreadable)?.iter() {
        if let Some(other) = foreign(&field.dtype) {
            return Err(wrong(name, format!("values of the type {other}")));
        }
    }
    let frame = survive(|| reader.finish()).map_err(panicked)?.map_err(unreadable)?;
    if frame.height() == 0 {
        return Err(shape(file, "a Parquet file without rows", "rows"));
    }
    let names: Vec<String> = frame.get_column_names().into_iter().map(|name| name.to_string()).collect();
    let mut columns = Vec::with_capacity(names.len());
    for (column, name) in frame.columns().iter().zip(&names) {
        let cells = cells(column).map_err(|error| wrong(name, error.to_string()))?;
        columns.push(cells.ok_or_else(|| wrong(name, format!("values of the type {}", column.dtype())))?);
    }
    let row = |row: usize| columns.iter().map(|column| column[row].as_str()).collect();
    Ok((names, (0..frame.height()).map(row).collect()))
}

/// The name of a type that is neither number, text nor truth value.
fn foreign(dtype: &ArrowDataType) -> Option<String> {
    use ArrowDataType::{
        Boolean, Decimal, Decimal256, Dictionary, Float32, Float64, Int32, Int64, LargeUtf8, UInt32, UInt64, Utf8,
        Utf8View,
    };
    match dtype {
        Boolean | Float32 | Float64 | Int32 | Int64 | UInt32 | UInt64 | Utf8 | LargeUtf8 | Utf8View => None,
        Dictionary(..) => Some("category".into()),
        Decimal(..) | Decimal256(..) => Some("decimal".into()),
        other => Some(format!("{other:?}")),
    }
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
    use polars::prelude::{ArrowDataType, DataFrame, IntoColumn, NamedFrom, ParquetWriter, Series};

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
    fn a_column_of_another_type_is_refused_by_name_before_it_is_read() {
        let foreign = |dtype: &ArrowDataType| super::foreign(dtype).unwrap_or_default();
        assert_eq!(foreign(&ArrowDataType::Decimal(9, 2)), "decimal");
        assert_eq!([ArrowDataType::Int8, ArrowDataType::Date32].map(|dtype| foreign(&dtype)), ["Int8", "Date32"]);
        assert_eq!(foreign(&ArrowDataType::Int32), "");
        // Written by pandas 3.1: `y` and the category `c`.
        let error = Cells::of_parquet("p.parquet", include_bytes!("../../../tests/data/category.parquet"))
            .unwrap_err()
            .to_string();
        assert!(error.contains("column \"c\": found values of the type category"), "{error}");
    }

    #[test]
    fn a_file_that_is_cut_or_garbled_is_an_error() {
        let whole = parquet(vec![Series::new("y".into(), [0.5, 1.5]), Series::new("g".into(), ["a", "b"])]);
        for length in 4..whole.len() {
            assert!(Cells::of_parquet("p.parquet", &whole[..length]).is_err(), "{length} bytes");
        }
        let mut garbled = whole.clone();
        garbled[4..whole.len() / 2].fill(0xff);
        assert!(Cells::of_parquet("p.parquet", &garbled).is_err());
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
