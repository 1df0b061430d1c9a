mod layouts;
mod levels_na;
mod limits;
mod notations;
mod numbers;
mod ordinary;
mod periods;
mod spelled;
mod written;

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::{Library, Manifest, NetworkOptions, SourceOptions};
use uq_core::Table;

fn parse(text: &str) -> Result<Cells, OwnError> {
    Cells::parse("my.csv", text.as_bytes())
}

fn own(text: &str) -> Result<OwnTable, OwnError> {
    OwnTable::new(&parse(text)?, "y", &[])
}

/// A table of 20 rows with a numeric and a categorical feature; row i stands in line i + 2.
fn small(edit: impl Fn(usize, [String; 3]) -> [String; 3]) -> String {
    let mut text = "x,colour,y\n".to_owned();
    for i in 0..20 {
        let colour = ["red", "green", "blue"][i % 3].to_owned();
        text += &edit(i, [format!("{}", i * i), colour, format!("{}", 0.5 * i as f64)]).join(",");
        text.push('\n');
    }
    text
}

fn error_message(text: &str) -> String {
    own(text).unwrap_err().to_string()
}

#[test]
fn a_category_becomes_a_column_for_each_level_but_the_first() {
    let found = own(&small(|_, cells| cells)).unwrap();
    assert_eq!(found.table.feature_names, ["x", "colour=green", "colour=red"]);
    assert_eq!(found.table.features.row(0).to_vec(), [0.0, 0.0, 1.0], "red");
    assert_eq!(found.table.features.row(1).to_vec(), [1.0, 1.0, 0.0], "green");
    assert_eq!(found.table.features.row(2).to_vec(), [4.0, 0.0, 0.0], "blue");
    assert_eq!(found.findings.len(), 1);
    assert!(found.findings[0].text.to_string().contains(
        "2 columns of 0 and 1, \"colour=green\", \"colour=red\"; all 0 is its first level, \"blue\""
    ));
}

#[test]
fn separators_byte_order_marks_quotes_and_line_ends_are_read() {
    let expected = own(&small(|_, cells| cells)).unwrap().table;
    let plain = small(|_, cells| cells);
    for (text, separator) in [
        (plain.replace(',', ";"), ';'),
        (plain.replace(',', "\t"), '\t'),
        (plain.replace(',', "|"), '|'),
        (format!("# made by hand\n{plain}"), ','),
        (format!("\u{feff}{plain}"), ','),
        (plain.replace('\n', "\r\n"), ','),
        (plain.replace('\n', "\r"), ','),
        (plain.replace("colour", "\"colour\"").replace("red", "\"red\"").replace(',', " , "), ','),
        (plain.replace("colour,", "\"colour\",").replace('\n', "\n\n"), ','),
    ] {
        let cells = parse(&text.replace(" , ", ",")).unwrap();
        assert_eq!(cells.separator(), separator);
        assert_eq!(OwnTable::new(&cells, "y", &[]).unwrap().table, expected, "{text}");
    }
    let quoted = "\"a;b;c;d\",y\n1,2\n";
    assert_eq!(parse(quoted).unwrap().separator(), ',', "separators inside quotes do not count");
    assert_eq!(parse("\n\n,y\n7,1\n").unwrap().names(), ["column 1", "y"]);
}

#[test]
fn a_cell_that_is_no_number_in_a_column_of_numbers_is_an_error_of_typing() {
    let message =
        error_message(&small(|i, [x, c, y]| [if i == 7 { "l2".into() } else { x }, c, y]));
    assert!(
        message.starts_with(
            "my.csv, line 9, column \"x\": found \"l2\", expected a number (the only cell"
        ),
        "{message}"
    );
    let message =
        error_message(&small(|i, [x, c, y]| [if i == 7 { "1e999".into() } else { x }, c, y]));
    assert!(
        message.contains("line 9, column \"x\": found \"1e999\", expected a finite number"),
        "{message}"
    );
    let message =
        error_message(&small(|i, [x, c, y]| [x, c, if i == 7 { "soon".into() } else { y }]));
    assert!(
        message.contains("line 9, column \"y\": found \"soon\", expected a number"),
        "{message}"
    );
    let message =
        error_message(&small(|i, [x, c, y]| [x, c, if i == 7 { "-inf".into() } else { y }]));
    assert!(
        message.contains("line 9, column \"y\": found \"-inf\", expected a finite number"),
        "{message}"
    );
    // Two of twenty are 10 %: levels, by the stated rule.
    let found =
        own(&small(|i, [_, c, y]| [if i < 2 { "low".into() } else { "7".into() }, c, y])).unwrap();
    assert_eq!(found.table.feature_names[0], "x=low");
}

#[test]
fn files_that_are_no_tables_are_told() {
    let rows = small(|_, cells| cells);
    for (text, part) in [
        ("", "found an empty file, expected a header and rows"),
        ("\n\n", "found an empty file"),
        ("x,y\n", "found a header without rows"),
        ("x,y\n1,2\n", "found 1 row, expected 20 rows or more"),
        (
            "x,y\n1,2\n2,\n3,NA\n",
            "found 1 row with a target (2 rows have none), expected 20 rows or more",
        ),
        ("1,2\n3,4\n", "found only numbers in the first line, expected a header"),
        ("x,y\n1,2\n3\n", "line 3: found 1 cell, expected 2 as in the header"),
        ("x,y\n1,2\n\n3,4,5\n", "line 4: found 3 cells, expected 2"),
        ("x,z,y\n1,\"2,3\n4,5,6\n", "is a quotation mark not closed?"),
        ("x\n1\n2\n", "found one column only"),
        ("x,y\n1,\0\n", "a zero byte in line 2"),
        (
            &rows.replace("colour", "c").replace("x,", "z,").replace("y\n", "why\n"),
            "`target`: my.csv has no column \"y\"",
        ),
    ] {
        let message = error_message(text);
        assert!(message.contains(part), "{text:?}: {message}");
    }
    let constant = error_message(&small(|_, [x, c, _]| [x, c, "3".into()]));
    assert!(constant.contains("column \"y\": found the target 3 in every row"), "{constant}");
    let bytes = |bytes: &[u8]| Cells::parse("my.csv", bytes).unwrap_err().to_string();
    assert!(bytes(b"x,y\n1,\xe9\n").contains("bytes in line 2 that are not UTF-8"));
    assert!(
        bytes(b"PK\x03\x04").contains("a zip archive") && bytes(b"\xff\xfe\0\0").contains("UTF-32")
    );
    let drop = |name: &str| OwnTable::new(&parse(&rows).unwrap(), "y", &[name.into()]).unwrap_err();
    assert!(drop("y").is_usage() && drop("color").to_string().contains("did you mean `colour`?"));
    let both =
        OwnTable::new(&parse(&rows).unwrap(), "y", &["x".into(), "colour".into()]).unwrap_err();
    assert!(both.to_string().contains("no column left but the target") && !both.is_usage());
}

#[test]
fn new_rows_need_the_same_columns() {
    let encoding = own(&small(|_, cells| cells)).unwrap().encoding;
    let new =
        |text: &str| encoding.features(&parse(text).unwrap()).map_err(|error| error.to_string());
    assert_eq!(new("colour,note,x,y\ngreen,hm,3,\n").unwrap().row(0).to_vec(), [3.0, 1.0, 0.0]);
    let unused = encoding.unused(&parse("colour,note,x,y\ngreen,hm,3,\n").unwrap()).join("\n");
    assert!(unused.contains("the target, \"y\"") && unused.contains("\"note\""), "{unused}");
    assert_eq!(encoding.unused(&parse("x,colour\n1,red\n").unwrap()), [""; 0]);
    let message = new("x,Colour\n1,red\n").unwrap_err();
    assert!(
        message.contains("column \"colour\": found no such column (is it \"Colour\"?)"),
        "{message}"
    );
    let message = new("X,colour\n1,red\n").unwrap_err();
    assert!(message.contains("column \"x\": found no such column (is it \"X\"?)"), "{message}");
    assert!(new("x,colour\nmany,red\n").unwrap_err().contains("found \"many\", expected a number"));
}

#[test]
fn the_resolution_is_that_of_whole_or_discrete_targets() {
    let step = |y: fn(usize) -> String| {
        let found = own(&small(|i, [x, c, _]| [x, c, y(i)])).unwrap();
        (found.table.target_resolution, found.discrete)
    };
    assert_eq!(step(|i| format!("{}", 5 * i)), (Some(5.0), false));
    assert_eq!(step(|i| format!("{}", 0.5 * (i % 3) as f64)), (Some(0.5), true));
    assert_eq!(
        step(|i| format!("{}", 0.5 + i as f64 * 0.25)),
        (None, false),
        "rounded, but a density has a meaning"
    );
}

#[test]
fn an_exported_dataset_reads_back_bit_equal() {
    let cache = tempfile::tempdir().unwrap();
    let library = Library::new(SourceOptions {
        cache: Some(cache.path().to_owned()),
        mirror: None,
        offline: true,
        progress: false,
        network: NetworkOptions::default(),
    });
    for key in ["yacht", "boston", "motorcycle-94"] {
        let table = library.load(Manifest::shipped().unwrap().get(key).unwrap()).unwrap();
        let found =
            OwnTable::new(&Cells::parse(key, &csv(&table)).unwrap(), &table.target_name, &[])
                .unwrap()
                .table;
        assert_eq!(found.features, table.features, "{key}");
        assert_eq!(found.target, table.target, "{key}");
        assert_eq!(found.feature_names, table.feature_names, "{key}");
    }
}

proptest! {
    #[test]
    fn arbitrary_bytes_are_a_table_or_an_error(bytes in vec(any::<u8>(), 0..400)) {
        if let Ok(cells) = Cells::parse("any", &bytes) {
            let _ =
                OwnTable::new(&cells, &cells.names()[0], &[]).map_err(|error| error.to_string());
        }
    }

    #[test]
    fn arbitrary_cells_are_a_table_or_an_error(
        cells in vec("[0-9a-c.,;\"\r\n\t NA?-]{0,6}", 60..80),
        separator in proptest::sample::select(vec![",", ";", "\t"]),
    ) {
        let mut text = format!("a{separator}b{separator}y\n");
        for row in cells.chunks_exact(3) {
            text += &row.join(separator);
            text.push('\n');
        }
        if let Ok(own) =
            Cells::parse("any", text.as_bytes()).and_then(|cells| OwnTable::new(&cells, "y", &[]))
        {
            prop_assert!(
                own.table.features.iter().all(|number| !number.is_infinite()),
                "missing ones are NaN"
            );
            prop_assert!(own.table.target.iter().all(|number| number.is_finite()));
        }
    }

    #[test]
    fn numbers_read_back_bit_equal(
        values in vec(proptest::num::f64::NORMAL | proptest::num::f64::SUBNORMAL, 20..40),
    ) {
        // Larger ones are refused: see `LARGEST`.
        let smaller = |value: f64| if value.abs() > 1e150 { value.recip() } else { value };
        let values: Vec<f64> = values.into_iter().map(smaller).collect();
        let n = values.len();
        let features = ndarray::Array2::from_shape_vec((n, 1), values.clone()).unwrap();
        let table = Table::unnamed(features, ndarray::Array1::from_iter((0..n).map(|i| i as f64)));
        let found =
            OwnTable::new(&Cells::parse("any", &csv(&table)).unwrap(), "y", &[]).unwrap().table;
        let bits: Vec<u64> = found.features.iter().map(|value| value.to_bits()).collect();
        prop_assert_eq!(bits, values.iter().map(|value| value.to_bits()).collect::<Vec<_>>());
    }

    #[test]
    fn training_rows_are_encoded_as_the_same_rows_are_when_new(
        rows in vec((any::<i32>(), 0usize..4), 20..60),
        order in proptest::sample::select(vec![[0, 1, 2], [2, 1, 0], [1, 2, 0]]),
    ) {
        let line = |cells: [String; 3]| order.map(|j: usize| cells[j].clone()).join(",") + "\n";
        let (mut training, mut new) =
            ("x,kind,y\n".to_owned(), line(["x", "kind", "y"].map(String::from)));
        for (i, (x, kind)) in rows.iter().enumerate() {
            let cells = [x.to_string(), format!("level {kind}"), i.to_string()];
            training += &(cells.join(",") + "\n");
            new += &line(cells);
        }
        let found =
            OwnTable::new(&Cells::parse("a", training.as_bytes()).unwrap(), "y", &[]).unwrap();
        let again = found.encoding.features(&Cells::parse("b", new.as_bytes()).unwrap()).unwrap();
        prop_assert_eq!(again, found.table.features);
    }
}
