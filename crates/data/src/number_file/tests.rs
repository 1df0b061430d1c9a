//! Read files of numbers, refuse those beyond the limits, and survive damaged ones.

use polars_arrow::array::{Array, PrimitiveArray, Utf8ViewArray};
use proptest::prelude::{any, proptest};

use super::*;
use crate::columns::Columns;

const LIMITS: Limits = Limits { bytes: 1 << 20, unpacked: 1 << 20, rows: 5000, columns: 9 };

fn parquet(columns: &[(&str, Box<dyn Array>)]) -> Vec<u8> {
    let mut all = Columns::default();
    columns.iter().for_each(|(name, values)| all.add(name, values.clone()));
    all.to_parquet().unwrap()
}

fn sample(rows: usize) -> Vec<u8> {
    let names = (0..rows).map(|row| Some(if row % 3 == 0 { "a" } else { "b" }));
    let numbers: Vec<f64> = (0..rows).map(|row| (row as f64).sqrt()).collect();
    let whole: Vec<i64> = (0..rows as i64).collect();
    parquet(&[
        ("dataset", Utf8ViewArray::from_slice(names.collect::<Vec<_>>()).boxed()),
        ("row", PrimitiveArray::from_vec(whole).boxed()),
        ("mean", PrimitiveArray::from_vec(numbers).boxed()),
    ])
}

fn open(bytes: &[u8]) -> Result<NumberFile<'_>, OwnError> {
    NumberFile::new("p", bytes, &["dataset"], &LIMITS)
}

fn message(bytes: &[u8], limits: Limits) -> String {
    NumberFile::new("p", bytes, &["dataset"], &limits).err().unwrap().to_string()
}

#[test]
fn both_formats_give_every_bit() {
    let text = "dataset, row ,mean\r\na,0,0.1\nb,1,\nb,2,1.7976931348623157e308\na,3,-5e-324\n";
    let file = open(text.as_bytes()).unwrap();
    assert_eq!(
        (file.rows(), file.names()),
        (4, &["dataset", "row", "mean"].map(str::to_owned)[..])
    );
    let numbers = file.numbers(2).unwrap();
    assert_eq!((numbers[0], numbers[2], numbers[3]), (0.1, f64::MAX, -5e-324));
    assert!(numbers[1].is_nan());
    let labels = file.labels(0).unwrap();
    assert_eq!((labels.names, labels.of_row), (vec!["a".into(), "b".into()], vec![0, 1, 1, 0]));
    assert_eq!(file.place(1), Place::Line(3));

    let bytes = sample(1000);
    let file = open(&bytes).unwrap();
    assert_eq!(file.numbers(2).unwrap()[7], 7_f64.sqrt());
    assert_eq!(file.numbers(1).unwrap()[999], 999.0);
    let labels = file.labels(0).unwrap();
    assert_eq!(labels.names, ["a", "b"]);
    assert!(labels.of_row.iter().enumerate().all(|(row, name)| (row % 3 == 0) == (*name == 0)));
    assert_eq!(file.place(1), Place::Row(2));
}

#[test]
fn a_cell_or_column_of_another_kind_is_an_error_where_it_is_used() {
    let file = open(b"dataset,mean,x\na,1,2\nb,one,3\n").unwrap();
    assert_eq!(file.numbers(2).unwrap(), [2.0, 3.0]);
    let error = file.numbers(1).unwrap_err().to_string();
    assert_eq!(error, "p, line 3, column \"mean\": found \"one\", expected a number");
    let bytes = parquet(&[("dataset", PrimitiveArray::from_vec(vec![1.0]).boxed())]);
    let error = open(&bytes).unwrap().labels(0).unwrap_err().to_string();
    assert!(error.contains("column \"dataset\"") && error.contains("expected texts"), "{error}");
    let bytes = sample(3);
    let error = open(&bytes).unwrap().numbers(0).unwrap_err().to_string();
    assert!(error.contains("expected numbers"), "{error}");
}

#[test]
fn limits_hold_before_anything_is_unpacked() {
    for bytes in [sample(1000), [&b"dataset,row,mean\n"[..], &b"a,1,2\n".repeat(1000)].concat()] {
        let fewer = message(&bytes, Limits { rows: 999, ..LIMITS });
        assert!(fewer.contains("1000 rows") && fewer.contains("999 rows"), "{fewer}");
        let narrow = message(&bytes, Limits { columns: 2, ..LIMITS });
        assert!(narrow.contains("3 columns") && narrow.contains("at most 2"), "{narrow}");
    }
    let small = message(&sample(1000), Limits { unpacked: 1000, ..LIMITS });
    assert!(small.contains("it unpacks to"), "{small}");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("p");
    std::fs::write(&path, [0; 100]).unwrap();
    let large = read_bytes(&path, &Limits { bytes: 99, ..LIMITS }).unwrap_err().to_string();
    assert!(large.contains("it has 100 bytes, expected at most 99"), "{large}");
}

#[test]
fn pages_that_unpack_to_more_than_the_file_states_are_refused() {
    let mut bytes = sample(1000);
    // Behind the mark of the file stand a field with the type of the first page, and one with its
    // size when unpacked, of which the last byte is below 128, and even for a positive number.
    assert_eq!((bytes[4], bytes[6]), (0x15, 0x15));
    let last = (7..).find(|at| bytes[*at] < 128).unwrap();
    bytes[last] = 126;
    let error = message(&bytes, LIMITS);
    assert!(error.contains("its pages unpack to") && error.contains("dataset"), "{error}");
}

/// 600 rows of one text of a million letters, in less than 4000 bytes.
const ONE: [&[u8]; 2] = [
    include_bytes!("../../../../tests/data/one-category.parquet"),
    include_bytes!("../../../../tests/data/one-text.parquet"),
];

#[test]
fn a_name_that_is_as_long_as_a_book_is_refused() {
    for bytes in ONE {
        let limits = Limits { unpacked: 1 << 24, ..LIMITS };
        let file = NumberFile::new("p", bytes, &[], &limits).unwrap();
        let error = file.labels(0).unwrap_err().to_string();
        assert!(error.contains("found a name of "), "{error}");
    }
}

#[test]
fn what_is_no_table_is_told() {
    assert!(message(b"", LIMITS).contains("no row below the header"));
    assert!(message(b"a,b\n1,2\n1\n", LIMITS).contains("line 3: found 1 cell, expected 2"));
    assert!(message(b"a,a\n1,2\n", LIMITS).contains("two columns of this name"));
    assert!(message(b"\xff\xfe,b\n1,2\n", LIMITS).contains("expected a Parquet file, or text"));
    assert!(message(b"PAR1", LIMITS).contains("cannot be read"));
    for bytes in ONE.map(|bytes| &bytes[..bytes.len() / 2]) {
        assert!(message(bytes, LIMITS).contains("it was cut off while it was written or copied"));
    }
    let footer = [&b"PAR1"[..], &u32::MAX.to_le_bytes(), b"PAR1"].concat();
    assert!(message(&footer, LIMITS).contains("what it says of its columns takes more than"));
}

/// Reads all that a file has.
fn read_all(bytes: &[u8]) {
    let Ok(file) = open(bytes) else { return };
    for place in 0..file.names().len() {
        let _ = (file.numbers(place), file.labels(place));
    }
}

proptest! {
    #[test]
    fn cut_and_flipped_bytes_never_panic(
        keep in any::<proptest::sample::Index>(),
        flips in proptest::collection::vec((any::<proptest::sample::Index>(), 1..=255_u8), 0..4),
    ) {
        for mut bytes in [sample(50), b"dataset,row,mean\na,0,1.5\nb,1,2e3\n".to_vec()] {
            for (at, flip) in &flips {
                let at = at.index(bytes.len());
                bytes[at] ^= flip;
            }
            read_all(&bytes);
            bytes.truncate(keep.index(bytes.len()));
            read_all(&bytes);
        }
    }
}
