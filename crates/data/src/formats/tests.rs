use std::fmt::Write as _;

use proptest::prelude::*;

use super::*;
use crate::Manifest;

/// A dataset of `rows` rows of the columns a, b (target), c (skipped), in the given format.
fn dataset(format: &str, rows: usize) -> Dataset {
    let text = format!(
        "[[dataset]]\nkey = \"small\"\ntitle = \"t\"\ncitation = \"c\"\nlicence = \"l\"\nhome = \
         \"h\"\nrows = {rows}\n\
         format = {format}\ncolumns = [\"a\", \"b\", \"c\"]\nskip = [\"c\"]\nfeatures = [{{ name = \
         \"a\" }}]\n\
         target = {{ name = \"b\" }}\nfiles = [{{ name = \"small.csv\", sha256 = \"{}\", sources = \
         [] }}]\n",
        "0".repeat(64)
    );
    Manifest::parse(&text).unwrap().get("small").unwrap().clone()
}

const CSV: &str = "{ kind = \"delimited\", separator = \",\", header = true }";
const BLANKS: &str = "{ kind = \"blanks\" }";

fn read(format: &str, rows: usize, bytes: &[u8]) -> Result<Table, DataError> {
    let dataset = dataset(format, rows);
    parse(&dataset, &dataset.layout, &[FileBytes { name: "small.csv", bytes }])
}

fn message(format: &str, rows: usize, bytes: &[u8]) -> String {
    read(format, rows, bytes).unwrap_err().to_string()
}

#[test]
fn delimited_text_is_read_with_quotes_blanks_and_either_line_end() {
    let table = read(CSV, 2, b"\"a\",b,c\r\n1, 2.5 ,unread\r\n\r\n\"-3\",4e1,\r\n").unwrap();
    assert_eq!(table.features.as_slice().unwrap(), [1.0, -3.0]);
    assert_eq!(table.target.as_slice().unwrap(), [2.5, 40.0]);
    assert_eq!((table.feature_names[0].as_str(), table.target_name.as_str()), ("a", "b"));
}

#[test]
fn one_row_without_a_line_end_is_a_table() {
    assert_eq!(read(CSV, 1, b"a,b,c\n1,2,3").unwrap().rows(), 1);
    assert_eq!(read(BLANKS, 1, b"  1   2\t3 ").unwrap().rows(), 1);
}

#[test]
fn errors_name_file_row_column_found_and_expected() {
    for (bytes, expected) in [
        (
            "a,b,c\n1,2,3\n4,,6\n",
            "small.csv, row 3, column b: found \"\", expected a number (a missing value is not \
             allowed)",
        ),
        (
            "a,b,c\n1,2,3\nnan,5,6\n",
            "small.csv, row 3, column a: found \"nan\", expected a finite number",
        ),
        (
            "a,b,c\n1,inf,3\n4,5,6\n",
            "small.csv, row 2, column b: found \"inf\", expected a finite number",
        ),
        (
            "a,b,c\n1,2,3\n4\n",
            "small.csv, row 3, column b: found a row of 1 columns, expected 3 columns",
        ),
        (
            "a,b,c\n1,2,3,4\n4,5,6\n",
            "small.csv, row 2, column 4: found a row of 4 columns, expected 3 columns",
        ),
        ("a,b,c\n1,2,3\n", "small.csv: found 1 rows, expected 2 rows"),
        ("a,b,c\n1,2,3\n1,2,3\n1,2,3\n", "small.csv: found 3 rows, expected 2 rows"),
        ("", "small.csv: found an empty file, expected a header"),
        (
            "a,b,b\n1,2,3\n4,5,6\n",
            "small.csv: found the column \"b\" twice in the header, expected every column once",
        ),
        (
            "a,c,b\n1,2,3\n4,5,6\n",
            "small.csv: found \"c\" as column 2 of the header, expected \"b\" as column 2",
        ),
        ("a,b\n1,2\n4,5\n", "small.csv: found a header of 2 columns, expected \"c\" as column 3"),
        (
            "a,b,c,d\n1,2,3,4\n",
            "small.csv: found the further column \"d\" in the header, expected 3 columns",
        ),
        ("a,b,c\n1,\x1b[2Jx,3\n", "small.csv, row 2, column b: found \" [2Jx\", expected a number"),
    ] {
        assert_eq!(message(CSV, 2, bytes.as_bytes()), expected);
    }
    assert_eq!(
        message(BLANKS, 2, b"1 2 3\n4 x 6\n"),
        "small.csv, row 2, column b: found \"x\", expected a number"
    );
    assert_eq!(message(BLANKS, 2, b""), "small.csv: found 0 rows, expected 2 rows");
    assert_eq!(
        message(BLANKS, 1, b"1 \xff 3\n"),
        "small.csv, row 1, column b: found \"\u{fffd}\", expected a number"
    );
}

#[test]
fn a_derived_column_that_divides_by_zero_is_an_error() {
    let mut dataset = dataset(CSV, 1);
    dataset.layout.skip.clear();
    dataset.target.per = Some("c".into());
    let table = parse(
        &dataset,
        &dataset.layout,
        &[FileBytes { name: "small.csv", bytes: b"a,b,c\n1,3,2\n" }],
    )
    .unwrap();
    assert_eq!(table.target[0], 1.5);
    // The row is the file's line, with header and empty lines, as for a cell that is no number.
    for (bytes, line) in
        [("a,b,c\n1,2,0\n", 2), ("a,b,c\n\n1,2,1\n\r\n1,2,0\n", 5), ("a,b,c\r\n1,2,0\r\n", 2)]
    {
        dataset.rows = line / 2;
        let read = |bytes: &str| {
            parse(
                &dataset,
                &dataset.layout,
                &[FileBytes { name: "small.csv", bytes: bytes.as_bytes() }],
            )
        };
        let message = read(bytes).unwrap_err().to_string();
        let expected = format!(
            "small.csv, row {line}, column b: found inf after the division, expected a finite \
             number"
        );
        assert_eq!(message, expected);
        let cell = read(&bytes.replace("2,0", "x,0")).unwrap_err().to_string();
        assert!(
            cell.starts_with(&format!("small.csv, row {line}, column b: found \"x\"")),
            "{cell}"
        );
    }
}

#[test]
fn parts_lie_side_by_side_and_below_each_other() {
    let mut dataset = dataset(BLANKS, 3);
    let parts = [("x1", "y1", 2), ("x2", "y2", 1)];
    dataset.layout.skip.clear();
    dataset.features.push(Column {
        name: "c".into(),
        from: "b".into(),
        ..dataset.features[0].clone()
    });
    dataset.target.from = "c".into();
    dataset.layout.format = Format::MultiFile {
        widths: vec![2, 1],
        parts: parts
            .map(|(x, y, rows)| crate::manifest::Part { files: vec![x.into(), y.into()], rows })
            .to_vec(),
    };
    let file = |name, bytes| FileBytes { name, bytes };
    let files = [
        file("y2", b"9".as_slice()),
        file("x1", b"1 2\n4 5\n"),
        file("y1", b"3\n6\n"),
        file("x2", b"7 8\n"),
    ];
    let table = parse(&dataset, &dataset.layout, &files).unwrap();
    assert_eq!(table.features.as_slice().unwrap(), [1.0, 2.0, 4.0, 5.0, 7.0, 8.0]);
    assert_eq!(table.target.as_slice().unwrap(), [3.0, 6.0, 9.0]);
    let mut derived = dataset.clone();
    derived.target.per = Some("a".into());
    let zero = [files[0], files[1], files[2], file("x2", b"\n0 8\n")];
    let message = parse(&derived, &derived.layout, &zero).unwrap_err().to_string();
    assert!(message.starts_with("x2, row 2, column b: found inf after the division"), "{message}");
    let short = [files[0], files[1], file("y1", b"3\n"), files[3]];
    let message = parse(&dataset, &dataset.layout, &short).unwrap_err().to_string();
    assert_eq!(message, "y1: found 1 rows, expected 2 rows");
    assert!(parse(&dataset, &dataset.layout, &files[1..]).is_err());
}

#[test]
fn what_is_no_workbook_is_an_error() {
    for bytes in
        [b"".as_slice(), b"PK\x03\x04 not really", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"<html>"]
    {
        assert!(
            message("{ kind = \"excel\", sheet = 1 }", 1, bytes)
                .contains("expected an Excel workbook")
        );
    }
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(
        bytes in proptest::collection::vec(any::<u8>(), 0..200),
        rows in 1..4_usize,
    ) {
        for format in [CSV, BLANKS, "{ kind = \"delimited\", separator = \";\", header = false }"] {
            if let Ok(table) = read(format, rows, &bytes) {
                prop_assert_eq!(table.rows(), rows);
            }
        }
    }

    #[test]
    fn nearly_right_text_never_panics(
        cells in proptest::collection::vec("[-0-9.eE,;\" \nna]{0,12}", 0..12),
    ) {
        let text = format!("a,b,c\n{}", cells.join(","));
        if let Ok(table) = read(CSV, 2, text.as_bytes()) {
            prop_assert!(table.features.iter().chain(&table.target).all(|value| value.is_finite()));
        }
    }

    #[test]
    fn written_tables_read_back_bit_equal(
        rows in proptest::collection::vec(
            (
                proptest::num::f64::NORMAL
                    | proptest::num::f64::SUBNORMAL
                    | proptest::num::f64::ZERO,
                proptest::num::f64::NORMAL,
            ),
            1..30
        ),
    ) {
        let (mut csv, mut blanks) = (String::from("a,b,c\n"), String::new());
        for (a, b) in &rows {
            writeln!(csv, "{a:?},{b:e},").unwrap();
            writeln!(blanks, "  {a:e}\t {b:?} 0 ").unwrap();
        }
        for (format, text) in [(CSV, csv), (BLANKS, blanks)] {
            let table = read(format, rows.len(), text.as_bytes()).unwrap();
            for (i, (a, b)) in rows.iter().enumerate() {
                prop_assert_eq!(table.features[[i, 0]].to_bits(), a.to_bits());
                prop_assert_eq!(table.target[i].to_bits(), b.to_bits());
            }
        }
    }
}
