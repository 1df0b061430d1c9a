//! Read a Parquet file as text, so that its cells are checked as those of a CSV file are.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Cursor;

use polars::prelude::{
    ArrowDataType, ArrowField, Categorical8Type, Categorical16Type, Categorical32Type,
    CategoricalPhysical, Column, DataType, ParallelStrategy, ParquetReader, PlSmallStr,
    PolarsError, PolarsResult, SerReader,
};
use polars_io::parquet::metadata::FileMetadata;

use super::error::{OwnError, SHOWN, shape};
use super::finding::Finding;
use super::size::{check_expanded, check_parquet, check_unpacked};
use uq_core::printable::printable;
use uqbench_system::survive;

/// Whether a file is meant as Parquet, by its first bytes.
pub(super) fn is_parquet(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PAR1")
}

/// A Parquet file as text.
pub(super) struct Read {
    /// The names of the columns.
    pub names: Vec<String>,
    /// The rows. A number is written so that it reads back equal; a cell of a foreign column is
    /// empty.
    pub rows: Vec<csv::StringRecord>,
    /// The error of each column by its position that cannot be used, by its type.
    pub foreign: BTreeMap<usize, OwnError>,
    /// The positions of the columns of text.
    pub written: BTreeSet<usize>,
    /// Warnings on columns that are not read as they were written.
    pub findings: Vec<Finding>,
}

/// Reads the columns that can be read; the others are refused where they are used.
pub(super) fn read(file: &str, bytes: &[u8]) -> Result<Read, OwnError> {
    let unreadable = |error: PolarsError| {
        shape(file, &format!("a Parquet file that cannot be read ({error})"), "a whole one")
    };
    let wrong = |name: &str, found: &str, kind: &str| OwnError::Column {
        file: file.into(),
        column: printable(name, SHOWN),
        found: format!("values of the type {}", printable(found, 100)),
        expected: format!(
            "numbers of 8 to 64 bits, decimals, text, categories, dates, or true and false; \
             convert it as by .astype({kind}) in pandas, or leave the column out"
        )
        .into(),
    };
    // The reader panics at some types that it is built without, and at some damage.
    let panicked = |message: String| {
        shape(file, &format!("a Parquet file that cannot be read ({message})"), "a whole one")
    };
    let mut reader = ParquetReader::new(Cursor::new(bytes)).read_parallel(ParallelStrategy::None);
    let schema = survive(|| reader.schema()).map_err(panicked)?.map_err(unreadable)?;
    // What the file claims to have, and what its parts claim: the reader makes room for the latter.
    let rows = survive(|| {
        reader.get_metadata().map(|facts| {
            facts.num_rows.max(
                facts.row_groups.iter().fold(0, |sum, group| sum.saturating_add(group.num_rows())),
            )
        })
    });
    let rows = rows.map_err(panicked)?.map_err(unreadable)?;
    check_parquet(file, rows as u64, schema.len() as u64)?;
    let foreign = |(name, field): (&PlSmallStr, &ArrowField)| {
        foreign(&field.dtype).map(|(other, kind)| wrong(name, &other, kind))
    };
    let foreign =
        schema.iter().map(foreign).enumerate().filter_map(|(place, error)| Some((place, error?)));
    let foreign: BTreeMap<usize, OwnError> = foreign.collect();
    let read: Vec<usize> = (0..schema.len()).filter(|place| !foreign.contains_key(place)).collect();
    if let (true, Some(first)) = (read.is_empty(), foreign.values().next()) {
        return Err(first.clone());
    }
    let is_text =
        |place: &usize| schema.get_at_index(*place).is_some_and(|(_, field)| is_text(&field.dtype));
    let names_of = |is_wanted: &dyn Fn(&usize) -> bool| -> Vec<&PlSmallStr> {
        let places = read.iter().copied().filter(|place| is_wanted(place));
        places.filter_map(|place| schema.get_at_index(place).map(|(name, _)| name)).collect()
    };
    let unpacked = survive(|| {
        reader
            .get_metadata()
            .map(|facts| unpacked(facts, &names_of(&|_| true), &names_of(&is_text)))
    });
    let (all, text) = unpacked.map_err(panicked)?.map_err(unreadable)?;
    check_unpacked(file, all, text)?;
    let texts: Vec<usize> = read.iter().copied().filter(is_text).collect();
    survive(|| check_texts(file, bytes, rows, texts)).map_err(panicked)?.map_err(unreadable)??;
    let reader = reader.with_projection(Some(read.clone()));
    let frame = survive(|| reader.finish()).map_err(panicked)?.map_err(unreadable)?;
    if frame.height() == 0 {
        return Err(shape(file, "a Parquet file without rows", "rows"));
    }
    let is_text = |column: &Column| {
        matches!(column.dtype(), DataType::String | DataType::Categorical(..) | DataType::Enum(..))
    };
    let texts = frame.columns().iter().zip(&read).filter(|(column, _)| is_text(column));
    let written = texts.map(|(_, place)| *place).collect();
    let names: Vec<String> = schema.iter_names().map(ToString::to_string).collect();
    let mut columns: Vec<Option<Vec<String>>> = vec![None; names.len()];
    for (column, place) in frame.columns().iter().zip(read) {
        let cells = cells(column).map_err(unreadable)?;
        columns[place] =
            Some(cells.ok_or_else(|| wrong(&names[place], &column.dtype().to_string(), "str"))?);
    }
    let row = |row: usize| {
        columns
            .iter()
            .map(|column| column.as_ref().map_or("", |cells| cells[row].as_str()))
            .collect()
    };
    let findings = frame.columns().iter().filter_map(converted).collect();
    Ok(Read { rows: (0..frame.height()).map(row).collect(), names, foreign, written, findings })
}

/// Rows of the first part that is read to see how long texts are; each further part is four times
/// as long.
const FIRST_PART: usize = 1000;

/// Reads these columns of text by parts, and refuses them as soon as they are too long: a text that
/// is written once, or as the difference to the one before it, may be that of every row.
fn check_texts(
    file: &str,
    bytes: &[u8],
    rows: usize,
    columns: Vec<usize>,
) -> PolarsResult<Result<(), OwnError>> {
    let (mut start, mut part, mut text) = (0, FIRST_PART, 0_u64);
    while start < rows && !columns.is_empty() {
        let reader = ParquetReader::new(Cursor::new(bytes)).read_parallel(ParallelStrategy::None);
        let frame = reader
            .with_projection(Some(columns.clone()))
            .with_slice(Some((start, part)))
            .finish()?;
        for column in frame.columns() {
            text = text.saturating_add(text_length(column)?);
        }
        if let Err(error) = check_expanded(file, 0, text) {
            return Ok(Err(error));
        }
        (start, part) = (start + part, 4 * part);
    }
    Ok(Ok(()))
}

/// Whether a column has texts, or numbers that stand for them.
fn is_text(dtype: &ArrowDataType) -> bool {
    use ArrowDataType::{Dictionary, LargeUtf8, Utf8, Utf8View};
    matches!(dtype, Utf8 | LargeUtf8 | Utf8View | Dictionary(..))
}

/// The bytes to which these columns unpack, and those of the columns of text, as the file states
/// them.
fn unpacked(facts: &FileMetadata, all: &[&PlSmallStr], texts: &[&PlSmallStr]) -> (u64, u64) {
    let of_column = |name: &&PlSmallStr| -> u64 {
        let chunks =
            facts.row_groups.iter().filter_map(|group| group.columns_under_root_iter(name));
        chunks
            .flatten()
            .map(|chunk| u64::try_from(chunk.uncompressed_size()).unwrap_or(0))
            .fold(0, u64::saturating_add)
    };
    let of_all = |names: &[&PlSmallStr]| names.iter().map(of_column).fold(0, u64::saturating_add);
    (of_all(all), of_all(texts))
}

/// The cells of a column of text or of categories, as they are; `None` for another column.
fn texts(column: &Column) -> PolarsResult<Option<Box<dyn Iterator<Item = Option<&str>> + '_>>> {
    Ok(Some(match column.dtype() {
        DataType::String => Box::new(column.str()?.iter()),
        dtype @ (DataType::Categorical(..) | DataType::Enum(..)) => match dtype.cat_physical()? {
            CategoricalPhysical::U8 => Box::new(column.cat::<Categorical8Type>()?.iter_str()),
            CategoricalPhysical::U16 => Box::new(column.cat::<Categorical16Type>()?.iter_str()),
            CategoricalPhysical::U32 => Box::new(column.cat::<Categorical32Type>()?.iter_str()),
        },
        _ => return Ok(None),
    }))
}

/// The bytes of a column's texts, each as often as a cell has it.
fn text_length(column: &Column) -> PolarsResult<u64> {
    Ok(texts(column)?.map_or(0, |cells| cells.flatten().map(|cell| cell.len() as u64).sum()))
}

/// The name of a type that has no text here, and the type to which pandas converts it.
fn foreign(dtype: &ArrowDataType) -> Option<(String, &'static str)> {
    use ArrowDataType::{
        Boolean, Date32, Date64, Decimal, Decimal32, Decimal64, Decimal256, Dictionary, Float16,
        Float32, Float64, Int8, Int16, Int32, Int64, LargeUtf8, Timestamp, UInt8, UInt16, UInt32,
        UInt64, Utf8, Utf8View,
    };
    match dtype {
        Boolean | Float32 | Float64 | Int8 | Int16 | Int32 | Int64 | UInt8 | UInt16 | UInt32
        | UInt64 => None,
        Utf8 | LargeUtf8 | Utf8View | Date32 | Date64 | Timestamp(..) => None,
        Dictionary(_, values, _) if matches!(**values, Utf8 | LargeUtf8 | Utf8View) => None,
        Dictionary(_, values, _) => Some((format!("category of {values:?}"), "str")),
        Float16 => Some(("Float16".into(), "float")),
        Decimal(..) | Decimal32(..) | Decimal64(..) => None,
        Decimal256(..) => Some(("decimal of 256 bits".into(), "float")),
        other => Some((format!("{other:?}"), "str")),
    }
}

/// The warning on a column of times by the clock of a place.
fn converted(column: &Column) -> Option<Finding> {
    let DataType::Datetime(_, Some(zone)) = column.dtype() else { return None };
    let zone = zone.to_string();
    let name = printable(column.name(), SHOWN);
    (!["UTC", "Etc/UTC", "+00:00"].contains(&zone.as_str())).then(|| {
        Finding::warning(format!(
            "the column \"{name}\" has times by the clock of {zone}: they are converted to UTC, so \
             that its hours and days are those of UTC"
        ))
    })
}

/// The cells of a column as text, a missing one empty; `None` for a type that has no text here. A
/// moment with a time zone is that of UTC, with its `Z`.
fn cells(column: &Column) -> PolarsResult<Option<Vec<String>>> {
    fn written<T: ToString>(values: impl Iterator<Item = Option<T>>) -> Vec<String> {
        values.map(|value| value.map(|value| value.to_string()).unwrap_or_default()).collect()
    }
    fn as_text(column: &Column) -> PolarsResult<Vec<String>> {
        Ok(written(column.cast(&DataType::String)?.str()?.iter()))
    }
    if let Some(cells) = texts(column)? {
        return Ok(Some(written(cells)));
    }
    let cells = match column.dtype() {
        DataType::Float64 => written(column.f64()?.iter()),
        DataType::Float32 => written(column.f32()?.iter()),
        DataType::Boolean => written(column.bool()?.iter()),
        DataType::UInt64 => written(column.u64()?.iter()),
        DataType::Decimal(..) | DataType::Date | DataType::Datetime(_, None) => as_text(column)?,
        DataType::Datetime(unit, Some(_)) => {
            let mut moments = as_text(&column.cast(&DataType::Datetime(*unit, None))?)?;
            moments
                .iter_mut()
                .filter(|moment| !moment.is_empty())
                .for_each(|moment| moment.push('Z'));
            moments
        }
        other if other.is_integer() => written(column.cast(&DataType::Int64)?.i64()?.iter()),
        _ => return Ok(None),
    };
    Ok(Some(cells))
}

#[cfg(test)]
mod tests {
    use polars::prelude::{
        ArrowDataType, ArrowTimeUnit as TimeUnit, Categories, DataFrame, DataType, IntoColumn,
        NamedFrom, ParquetWriter, Series,
    };

    use crate::own::{Cells, OwnError, OwnTable};

    fn parquet(columns: Vec<Series>) -> Vec<u8> {
        let (rows, mut bytes) = (columns[0].len(), Vec::new());
        let mut frame =
            DataFrame::new(rows, columns.into_iter().map(IntoColumn::into_column).collect())
                .unwrap();
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
        assert_eq!(
            cells.numbers(&[0, 1]).unwrap(),
            [vec![0.1, -1e-300, 1.0 / 3.0], vec![1.0, 2.0, -3.0]]
        );
        assert_eq!(cells.labels(2).unwrap(), ["a", "b, c", "d"]);
    }

    /// Written by pandas 2.3 with a column of each kind.
    const KINDS: &[u8] = include_bytes!("../../../../tests/data/kinds.parquet");

    #[test]
    fn categories_dates_and_small_integers_are_read() {
        let read = super::read("p.parquet", KINDS).unwrap();
        let names = [
            "y", "c", "day", "moment", "fine", "zoned", "small", "wide", "whole", "codes", "price",
        ];
        assert_eq!(read.names, names);
        let cells = Cells::of_parquet("p.parquet", KINDS).unwrap();
        assert_eq!(
            cells.numbers(&[0, 6, 7, 9]).unwrap()[1..],
            [[-128.0, 0.0, 127.0], [0.0, 1.0, 65535.0], [3.0, 1.0, 3.0]]
        );
        let text = |place: usize| [0, 1, 2].map(|row| read.rows[row][place].to_string());
        assert_eq!(text(1), ["a", "", "b"]);
        assert_eq!(text(2), ["2024-01-31", "", "1969-12-31"]);
        assert_eq!(text(3), ["2024-01-31 17:30:00.000000000", "2024-02-29 00:00:00.000000000", ""]);
        assert_eq!(text(4), ["2024-01-31 17:30:00.250000000", "2024-02-29 12:00:00.500000000", ""]);
        // Berlin is two hours before UTC in summer and one in winter.
        assert_eq!(
            text(5),
            ["2024-07-31 15:30:00.000000000Z", "2024-02-28 23:00:00.000000000Z", ""]
        );
        let warnings: Vec<String> = read.findings.iter().map(ToString::to_string).collect();
        let expected = "warning: the column \"zoned\" has times by the clock of Europe/Berlin: \
                        they are converted to UTC, so that its hours and days are those of UTC";
        assert_eq!(warnings, [expected]);
        assert_eq!(cells.findings(), read.findings);
        assert_eq!(text(8), ["1", "", "3"]);
        let price = text(10).map(|cell| cell.parse::<f64>().ok());
        assert_eq!(price, [Some(1.25), None, Some(3.5)], "decimals");
    }

    /// Written by pyarrow 26: 600 rows of one text of a million letters, as a category and as a
    /// text.
    const ONE: [&[u8]; 2] = [
        include_bytes!("../../../../tests/data/one-category.parquet"),
        include_bytes!("../../../../tests/data/one-text.parquet"),
    ];

    #[test]
    fn a_text_of_a_dictionary_counts_in_each_row_that_has_it() {
        for bytes in ONE {
            assert!(
                bytes.len() < 4000
                    && matches!(
                        Cells::of_parquet("p.parquet", bytes),
                        Err(OwnError::Unreadable { .. })
                    )
            );
        }
        let text = "a long text that repeats";
        let column = Series::new("x".into(), [text]).new_from_index(0, 5000);
        let category = column.cast(&DataType::from_categories(Categories::global())).unwrap();
        for column in [column, category] {
            assert_eq!(
                super::text_length(&column.clone().into_column()).unwrap(),
                5000 * text.len() as u64
            );
            let cells = Cells::of_parquet("p.parquet", &parquet(vec![column])).unwrap();
            assert!(cells.texts(0).all(|cell| cell == text) && cells.texts(0).count() == 5000);
        }
    }

    #[test]
    fn a_column_of_another_type_is_refused_by_name_where_it_is_used() {
        let foreign = |dtype: &ArrowDataType| super::foreign(dtype).unwrap_or_default();
        assert_eq!(
            foreign(&ArrowDataType::Decimal256(60, 2)),
            ("decimal of 256 bits".into(), "float")
        );
        assert_eq!(foreign(&ArrowDataType::Time64(TimeUnit::Nanosecond)).1, "str");
        assert_eq!(super::foreign(&ArrowDataType::Int8), None);
        let numbers = |name: &str| {
            Series::new(name.into(), (0..20).map(|i| f64::from(i * i % 7)).collect::<Vec<_>>())
        };
        let raw = Series::new("raw".into(), vec![b"\xff".as_slice(); 20]);
        let bytes = parquet(vec![numbers("x"), numbers("y"), raw]);
        let cells = Cells::of_parquet("p.parquet", &bytes).unwrap();
        for error in [cells.numbers(&[0, 2]).map(|_| ()), cells.labels(2).map(|_| ())] {
            let error = error.unwrap_err().to_string();
            assert!(error.contains("column \"raw\": found values of the type "), "{error}");
            assert!(
                error.contains("convert it as by .astype(str) in pandas, or leave the column out"),
                "{error}"
            );
        }
        let table = |target: &str, drop: &[String]| {
            OwnTable::new(&cells, target, drop).map_err(|error| error.to_string())
        };
        assert!(
            table("raw", &[]).unwrap_err().contains("found values of the type "),
            "a target is used"
        );
        let left_out = table("y", &[]).unwrap();
        assert_eq!(left_out.table.feature_names, ["x"]);
        assert!(
            left_out.findings[0]
                .to_string()
                .starts_with("warning: p.parquet, column \"raw\": found values of the type ")
        );
        assert!(
            left_out.findings[0].text.to_string().ends_with(": it is left out"),
            "{:?}",
            left_out.findings
        );
        assert!(
            table("y", &["raw".into()])
                .unwrap()
                .findings
                .iter()
                .all(|finding| !finding.text.to_string().contains("raw"))
        );
    }

    #[test]
    fn a_file_that_is_cut_or_garbled_is_an_error() {
        let whole =
            parquet(vec![Series::new("y".into(), [0.5, 1.5]), Series::new("g".into(), ["a", "b"])]);
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
        let error =
            Cells::of_parquet("p.parquet", &bytes).unwrap().numbers(&[0]).unwrap_err().to_string();
        assert!(
            error.starts_with(
                "p.parquet, row 2, column \"y\": found a missing value (an empty cell)"
            ),
            "{error}"
        );
        let torn =
            Cells::of_parquet("p.parquet", &bytes[..bytes.len() - 9]).unwrap_err().to_string();
        assert!(torn.contains("a Parquet file that cannot be read"), "{torn}");
        let empty = parquet(vec![Series::new("y".into(), [0.0; 0])]);
        assert!(
            Cells::of_parquet("p.parquet", &empty)
                .unwrap_err()
                .to_string()
                .contains("without rows")
        );
    }
}
