//! Read a Parquet file as text, so that its cells are checked as those of a CSV file are.

mod cells;

use std::collections::{BTreeMap, BTreeSet};

use polars_arrow::datatypes::{ArrowDataType, Field};
use polars_error::{PolarsError, PolarsResult};
use polars_parquet::read::{FileMetadata, RowGroupMetadata};

use self::cells::{cells, text_length};
use super::error::{OwnError, SHOWN, shape};
use super::finding::Finding;
use super::size::{check_expanded, check_parquet, check_unpacked};
use crate::columns::ParquetFile;
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
    let file_read = survive(|| ParquetFile::open(bytes)).map_err(panicked)?;
    let parquet = file_read.map_err(unreadable)?;
    let (schema, facts) = (parquet.schema(), parquet.facts());
    // What the file claims to have, and what its parts claim: the reader makes room for the latter.
    let of_parts = facts.row_groups.iter().map(RowGroupMetadata::num_rows);
    let rows = facts.num_rows.max(of_parts.fold(0, usize::saturating_add));
    check_parquet(file, rows as u64, schema.len() as u64)?;
    let fields: Vec<&Field> = schema.iter_values().collect();
    let foreign = |field: &&Field| {
        foreign(&field.dtype).map(|(other, kind)| wrong(&field.name, &other, kind))
    };
    let foreign = fields.iter().map(foreign).enumerate();
    let foreign: BTreeMap<usize, OwnError> =
        foreign.filter_map(|(place, error)| Some((place, error?))).collect();
    let read: Vec<usize> = (0..fields.len()).filter(|place| !foreign.contains_key(place)).collect();
    if let (true, Some(first)) = (read.is_empty(), foreign.values().next()) {
        return Err(first.clone());
    }
    let texts: Vec<usize> =
        read.iter().copied().filter(|place| is_text(&fields[*place].dtype)).collect();
    let names_of = |places: &[usize]| -> Vec<&str> {
        places.iter().map(|place| fields[*place].name.as_str()).collect()
    };
    check_unpacked(file, unpacked(facts, &names_of(&read)), unpacked(facts, &names_of(&texts)))?;
    survive(|| check_texts(file, &parquet, rows, &texts))
        .map_err(panicked)?
        .map_err(unreadable)??;
    let mut columns: Vec<Option<Vec<String>>> = vec![None; fields.len()];
    for &place in &read {
        let cells = survive(|| cells(&parquet.read(place, 0..rows)?)).map_err(panicked)?;
        let cells = cells.map_err(unreadable)?;
        let dtype = format!("{:?}", fields[place].dtype);
        columns[place] = Some(cells.ok_or_else(|| wrong(&fields[place].name, &dtype, "str"))?);
    }
    let lengths: BTreeSet<usize> = columns.iter().flatten().map(Vec::len).collect();
    let height = match (lengths.first(), lengths.len()) {
        (Some(height), 1) if *height > 0 => *height,
        (None | Some(0), _) => return Err(shape(file, "a Parquet file without rows", "rows")),
        _ => {
            return Err(shape(file, "a Parquet file whose columns differ in length", "equal ones"));
        }
    };
    let row = |row: usize| {
        columns
            .iter()
            .map(|column| column.as_ref().map_or("", |cells| cells[row].as_str()))
            .collect()
    };
    let findings = read.iter().filter_map(|place| converted(fields[*place])).collect();
    Ok(Read {
        rows: (0..height).map(row).collect(),
        names: names_of(&(0..fields.len()).collect::<Vec<_>>())
            .iter()
            .map(ToString::to_string)
            .collect(),
        foreign,
        written: texts.into_iter().collect(),
        findings,
    })
}

/// Rows of the first part that is read to see how long texts are; each further part is four times
/// as long.
const FIRST_PART: usize = 1000;

/// Reads these columns of text by parts, and refuses them as soon as they are too long: a text that
/// is written once, or as the difference to the one before it, may be that of every row.
fn check_texts(
    file: &str,
    parquet: &ParquetFile,
    rows: usize,
    columns: &[usize],
) -> PolarsResult<Result<(), OwnError>> {
    let (mut start, mut part, mut text) = (0, FIRST_PART, 0_u64);
    while start < rows && !columns.is_empty() {
        for &column in columns {
            for array in parquet.read(column, start..start.saturating_add(part))? {
                text = text.saturating_add(text_length(array.as_ref()));
            }
        }
        if let Err(error) = check_expanded(file, 0, text) {
            return Ok(Err(error));
        }
        (start, part) = (start.saturating_add(part), part.saturating_mul(4));
    }
    Ok(Ok(()))
}

/// Whether a column has texts, or numbers that stand for them.
fn is_text(dtype: &ArrowDataType) -> bool {
    use ArrowDataType::{Dictionary, LargeUtf8, Utf8, Utf8View};
    matches!(dtype, Utf8 | LargeUtf8 | Utf8View | Dictionary(..))
}

/// The bytes to which these columns unpack, as the file states them.
fn unpacked(facts: &FileMetadata, names: &[&str]) -> u64 {
    let of_column = |name: &&str| -> u64 {
        let chunks =
            facts.row_groups.iter().filter_map(|group| group.columns_under_root_iter(name));
        chunks
            .flatten()
            .map(|chunk| u64::try_from(chunk.uncompressed_size()).unwrap_or(0))
            .fold(0, u64::saturating_add)
    };
    names.iter().map(of_column).fold(0, u64::saturating_add)
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
fn converted(field: &Field) -> Option<Finding> {
    let ArrowDataType::Timestamp(_, Some(zone)) = &field.dtype else { return None };
    let name = printable(&field.name, SHOWN);
    (!["UTC", "Etc/UTC", "+00:00"].contains(&zone.as_str())).then(|| {
        Finding::warning(format!(
            "the column \"{name}\" has times by the clock of {zone}: they are converted to UTC, so \
             that its hours and days are those of UTC"
        ))
    })
}

#[cfg(test)]
mod tests {
    use polars_arrow::array::{
        Array, BinaryViewArray, DictionaryArray, PrimitiveArray, Utf8ViewArray,
    };
    use polars_arrow::datatypes::{ArrowDataType, TimeUnit};
    use proptest::prelude::{ProptestConfig, any, prop_assert, proptest};
    use proptest::sample::Index;

    use crate::columns::Columns;
    use crate::own::{Cells, OwnError, OwnTable};

    fn parquet<const N: usize>(columns: [(&str, Box<dyn Array>); N]) -> Vec<u8> {
        let mut all = Columns::default();
        columns.into_iter().for_each(|(name, values)| all.add(name, values));
        all.to_parquet().unwrap()
    }

    fn numbers<const N: usize>(values: [f64; N]) -> Box<dyn Array> {
        PrimitiveArray::from_slice(values).boxed()
    }

    fn texts<const N: usize>(values: [&str; N]) -> Box<dyn Array> {
        Utf8ViewArray::from_slice_values(values).boxed()
    }

    #[test]
    fn numbers_and_labels_are_read_as_they_were_written() {
        let bytes = parquet([
            ("y", numbers([0.1, -1e-300, 1.0 / 3.0])),
            ("n", PrimitiveArray::from_slice([1_i32, 2, -3]).boxed()),
            ("group", texts(["a", "b, c", "d"])),
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
        let keys = PrimitiveArray::from_slice([0_u32; 5000]);
        let category = DictionaryArray::try_from_keys(keys, texts([text]), false).unwrap();
        for column in [texts([text; 5000]), category.boxed()] {
            assert_eq!(super::text_length(column.as_ref()), 5000 * text.len() as u64);
            let cells = Cells::of_parquet("p.parquet", &parquet([("x", column)])).unwrap();
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
        let numbers: [f64; 20] = std::array::from_fn(|i| (i * i % 7) as f64);
        let numbers = || PrimitiveArray::from_slice(numbers).boxed();
        let raw = BinaryViewArray::from_slice_values([b"\xff".as_slice(); 20]).boxed();
        let bytes = parquet([("x", numbers()), ("y", numbers()), ("raw", raw)]);
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
        let whole = parquet([("y", numbers([0.5, 1.5])), ("g", texts(["a", "b"]))]);
        for length in 4..whole.len() {
            assert!(Cells::of_parquet("p.parquet", &whole[..length]).is_err(), "{length} bytes");
        }
        let mut garbled = whole.clone();
        garbled[4..whole.len() / 2].fill(0xff);
        assert!(Cells::of_parquet("p.parquet", &garbled).is_err());
    }

    /// Written by pyarrow 26: three rows of a category of which 500 other levels are left over from
    /// rows that were left out.
    const LEVELS: &[u8] = include_bytes!("../../../../tests/data/left-over-levels.parquet");

    #[test]
    fn a_dictionary_may_have_more_values_than_the_column_has_rows() {
        let cells = Cells::of_parquet("p.parquet", LEVELS).unwrap();
        assert_eq!(cells.labels(0).unwrap(), ["level 7", "level 9", "level 7"]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1500))]
        #[test]
        fn a_damaged_file_is_read_or_refused(
            of in any::<Index>(),
            flips in proptest::collection::vec((any::<Index>(), 1..=255_u8), 1..4),
        ) {
            let few = parquet([("y", numbers([0.5, 1.5, 1.5])), ("g", texts(["a", "b", "a"]))]);
            let mut bytes = of.get(&[KINDS, LEVELS, ONE[0], ONE[1], few.as_slice()]).to_vec();
            let length = bytes.len();
            flips.iter().for_each(|(at, flip)| bytes[at.index(length)] ^= flip);
            if let Ok(cells) = Cells::of_parquet("p.parquet", &bytes) {
                let names = cells.names().len();
                for place in 0..names {
                    let _ = (cells.numbers(&[place]), cells.labels(place));
                }
                prop_assert!(names > 0);
            }
        }
    }

    #[test]
    fn an_error_names_the_row() {
        let values = PrimitiveArray::from([Some(1.0), None, Some(f64::NAN)]);
        let bytes = parquet([("y", values.boxed())]);
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
        let empty = parquet([("y", numbers([]))]);
        assert!(
            Cells::of_parquet("p.parquet", &empty)
                .unwrap_err()
                .to_string()
                .contains("without rows")
        );
    }
}
