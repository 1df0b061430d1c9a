use proptest::prelude::*;

use super::*;
use crate::{Manifest, parse, parsed_sha256};
use uq_core::Dependence;

/// A dataset of the columns id, day, colour, size, y (target) with these further keys; id is
/// skipped.
fn dataset(rows: usize, format: &str, more: &str) -> Dataset {
    let features = if more.contains("features = ") {
        ""
    } else {
        "features = [{ name = \"day\" }, { name = \"colour\", unit = \"-\" }, { name = \"size\", \
         unit = \"m\" }]\n"
    };
    let skip = if more.contains("skip = ") { "" } else { "skip = [\"id\"]\n" };
    let text = format!(
        "[[dataset]]\nkey = \"small\"\ntitle = \"t\"\ncitation = \"c\"\nlicence = \"l\"\nhome = \
         \"h\"\nrows = {rows}\nformat = {{ kind = \"table\"{format} }}\ncolumns = [\"id\", \
         \"day\", \"colour\", \"size\", \"y\"]\n{skip}{features}target = {{ name = \"y\", unit = \
         \"kg\", resolution = 0.5 }}\n{more}files = [{{ name = \"small.csv\", sha256 = \"{}\", \
         sources = [] }}]\n",
        "0".repeat(64)
    );
    Manifest::parse(&text).unwrap().get("small").unwrap().clone()
}

const HEADER: &str = "id,day,colour,size,y\n";

/// A row: day `i` from the first of March on, one of three colours, a size that every eighth row
/// misses.
fn row(i: usize) -> String {
    let size = if i % 8 == 3 { String::new() } else { format!("{}.5", i * i % 17) };
    let day = format!("2024-03-{:02}", 1 + i);
    format!("{},{day},{},{size},{}\n", 100 + i, ["red", "blue", "green"][i % 3], 3 * i + 1)
}

fn rows(count: usize) -> String {
    (0..count).map(row).collect()
}

fn read(dataset: &Dataset, text: &str) -> Result<Table, DataError> {
    let file = FileBytes { name: "small.csv", bytes: text.as_bytes() };
    parse(dataset, &dataset.layout, &[file])
}

#[test]
fn text_becomes_levels_and_missing_numbers_are_told() {
    let table = read(&dataset(24, "", ""), &(HEADER.to_owned() + &rows(24))).unwrap();
    let expected = [
        ("day (days since 1970-01-01)", ""),
        ("day (day of the year)", ""),
        ("day (weekday from Monday)", ""),
        ("colour=green", ""),
        ("colour=red", ""),
        ("size", "m"),
        ("size is missing", ""),
    ];
    let found: Vec<(&str, &str)> = table
        .feature_names
        .iter()
        .map(String::as_str)
        .zip(table.feature_units.iter().map(String::as_str))
        .collect();
    assert_eq!(found, expected, "the unit is that of the number, and a level has none");
    let third = table.features.row(3).to_vec();
    assert_eq!(third[..5], [19_786.0, 64.0, 1.0, 0.0, 1.0], "a Monday, red");
    assert!(third[5].is_nan() && third[6] == 1.0);
    assert_eq!(table.features.row(1).to_vec()[3..], [0.0, 0.0, 1.5, 0.0], "blue comes first");
    assert_eq!((table.target[5], table.target_unit.as_str()), (16.0, "kg"));
    assert_eq!((table.target_resolution, &table.dependence), (Some(0.5), &Dependence::Unknown));
    // The pins of the manifest's tables hold as long as this one does: where the reader changes on
    // purpose, they change, too.
    assert_eq!(
        parsed_sha256(&table),
        "169825fa1ca54fd5736c5e741b340e39d4f75546f8055f67522a6eaa40810f6d"
    );
}

#[test]
fn rows_without_a_target_are_left_out_and_the_rest_is_counted() {
    let text = format!("{HEADER}{}500,2024-04-01,red,3.5,\n501,2024-04-02,blue,4.5,NA\n", rows(24));
    assert_eq!(read(&dataset(24, "", ""), &text).unwrap().rows(), 24);
    let message = read(&dataset(26, "", ""), &text).unwrap_err().to_string();
    assert_eq!(message, "small.csv: found 24 rows, expected 26 rows");
}

#[test]
fn another_file_is_refused() {
    let all = HEADER.to_owned() + &rows(24);
    for (old, new, expected) in [
        ("colour", "color", "small.csv: found \"color\" as column 3 of the header"),
        (",y\n", "\n", "small.csv"),
        ("2024-03-07", "soon", "day"),
        (",10\n", ",many\n", "column \"y\": found \"many\", expected a number"),
    ] {
        let message =
            read(&dataset(24, "", ""), &all.replacen(old, new, 1)).unwrap_err().to_string();
        assert!(message.contains(expected), "{expected} in {message}");
    }
    let constant = all.replace("red", "blue").replace("green", "blue");
    let message = read(&dataset(24, "", ""), &constant).unwrap_err().to_string();
    assert!(message.contains("the column \"colour\""), "{message}");
    assert!(matches!(read(&dataset(24, "", ""), ""), Err(DataError::Own(_))));
}

#[test]
fn options_say_what_the_file_does_not() {
    let plain = read(&dataset(24, "", ""), &(HEADER.to_owned() + &rows(24))).unwrap();
    let equal = |format: &str, text: &str| {
        let table = read(&dataset(24, format, ""), text).unwrap();
        assert_eq!(parsed_sha256(&table), parsed_sha256(&plain), "{format}");
    };
    equal(", header = false", &rows(24));
    equal(", header = false, separator = \";\"", &rows(24).replace(',', ";"));
    let without_size = rows(24).replace(",,", ",?!,");
    equal(", na = [\"?!\"]", &(HEADER.to_owned() + &without_size));
    equal(", na = [\"size=?!\"]", &(HEADER.to_owned() + &without_size));
    let sums = format!("{HEADER}{}99,2024-04-01,red,1,5\n,,,,1000\n", rows(24));
    equal(", file_rows = 24", &sums);
    // É is one byte.
    let text = (HEADER.to_owned() + &rows(24)).replace("green", "\u{c9}");
    let bytes: Vec<u8> = text.chars().map(|c| c as u8).collect();
    let latin = dataset(24, ", encoding = \"latin1\"", "");
    let file = FileBytes { name: "small.csv", bytes: &bytes };
    let table = parse(&latin, &latin.layout, &[file]).unwrap();
    assert_eq!(table.feature_names[4], "colour=\u{c9}");
}

#[test]
fn columns_have_the_names_of_the_manifest() {
    let features = "features = [{ name = \"hue\", from = \"colour\" }, { name = \"length\", unit \
                    = \"m\", from = \"size\" }]\nskip = [\"id\", \"day\"]\n";
    let table = read(&dataset(24, "", features), &(HEADER.to_owned() + &rows(24))).unwrap();
    assert_eq!(table.feature_names, ["hue=green", "hue=red", "length", "length is missing"]);
    assert_eq!(table.feature_units, ["", "", "m", ""]);
    let header = "header_names = [\"No\", \"day\", \"colour\", \"size\", \"y\"]\n";
    let text = HEADER.replace("id", "No") + &rows(24);
    assert_eq!(read(&dataset(24, "", header), &text).unwrap().columns(), 7);
}

#[test]
fn equal_cells_are_a_group_and_its_columns_no_features() {
    let all = HEADER.to_owned() + &rows(24);
    let of = |more: &str| read(&dataset(24, "", more), &all).unwrap();
    let features = "features = [{ name = \"day\" }, { name = \"size\" }]\n";
    let table = of(&format!("group = [\"colour\"]\n{features}"));
    assert_eq!(table.dependence, Dependence::Groups((0..24).map(|i| i % 3).collect()));
    assert_eq!(table.columns(), 5);
    // A feature that is listed stays one.
    assert_eq!(of("group = [\"colour\"]\n").columns(), 7);
    // Rows of a group are equal in both columns; an empty cell is a value as any other.
    let table = of("group = [\"colour\", \"size\"]\nfeatures = [{ name = \"day\" }]\n");
    let cells = |i: usize| row(i).split(',').skip(2).take(2).collect::<Vec<_>>().join(",");
    let mut known: Vec<String> = Vec::new();
    let groups = (0..24).map(|i| {
        known.iter().position(|other| *other == cells(i)).unwrap_or_else(|| {
            known.push(cells(i));
            known.len() - 1
        })
    });
    assert_eq!(table.dependence, Dependence::Groups(groups.collect()));
    assert!(known.len() < 24 && table.columns() == 3, "{known:?}");
    let blocks = of("group_size = 7\n");
    assert_eq!(blocks.dependence, Dependence::Groups((0..24).map(|i| i / 7).collect()));
    assert_eq!(blocks.columns(), 7);
}

#[test]
fn rows_are_put_in_the_order_of_time() {
    let backwards: String = HEADER.to_owned() + &(0..24).rev().map(row).collect::<String>();
    let of = |more: &str, text: &str| read(&dataset(24, "", more), text).unwrap();
    let features = "features = [{ name = \"colour\" }, { name = \"size\" }]\n";
    let table = of(&format!("time = [\"day\"]\n{features}"), &backwards);
    assert_eq!(table.dependence, Dependence::Periods((0..24).collect()));
    assert_eq!(table.target.to_vec()[..3], [1.0, 4.0, 7.0]);
    assert_eq!(
        table.feature_names,
        ["day (weekday from Monday)", "colour=green", "colour=red", "size", "size is missing"],
        "24 days have each weekday several times"
    );
    assert_eq!(of("time = [\"day\"]\n", &backwards).columns(), 7, "the whole day is listed");
    // By two numbers: the first decides, and equal rows are one period.
    let text: String = (0..24)
        .map(|i| format!("{},{},red,{},{i}\n", 2000 + i % 2, 9 + i / 4 % 3, 10 + i * 7 % 24))
        .collect();
    let numbers = "time = [\"id\", \"day\"]\nskip = [\"colour\"]\nfeatures = [{ name = \"day\" }, \
                   { name = \"size\" }]\n";
    let table = of(numbers, &(HEADER.to_owned() + &text));
    let Dependence::Periods(periods) = &table.dependence else { panic!("no periods") };
    assert_eq!((periods.first(), periods.last()), (Some(&0), Some(&5)));
    assert!(table.target.iter().take(12).all(|y| y % 2.0 == 0.0), "the year 2000 comes first");
    assert_eq!(table.features.column(0).to_vec()[..5], [9.0, 9.0, 9.0, 9.0, 10.0], "9 before 10");
    assert_eq!(table.feature_names, ["day", "size"], "a number of a time stays where it is listed");
    let message =
        read(&dataset(24, "", numbers), &(HEADER.to_owned() + &rows(24))).unwrap_err().to_string();
    assert!(message.contains("column \"day\""), "{message}");
}

#[test]
fn a_target_without_its_trend_keeps_its_mean() {
    // Three periods of 1, 2 and 3 rows: mean period 4/3, slope 2.6 = (26/3) / (10/3).
    let mut target = Array1::from(vec![1.0, 2.0, 4.0, 5.0, 6.0, 7.0]);
    remove_trend(&mut target, &[0, 1, 1, 2, 2, 2]);
    let line = |period: f64| 2.6 * (period - 4.0 / 3.0);
    let expected = [
        1.0 - line(0.0),
        2.0 - line(1.0),
        4.0 - line(1.0),
        5.0 - line(2.0),
        6.0 - line(2.0),
        7.0 - line(2.0),
    ];
    for (found, expected) in target.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    }
    assert!((target.sum() - 25.0).abs() < 1e-12);
    // A line leaves its mean, and one period has no line.
    let mut line = Array1::from_iter((0..9).map(|i| 3.0 - 0.5 * f64::from(i)));
    remove_trend(&mut line, &[0, 1, 2, 3, 4, 5, 6, 7, 8]);
    assert!(line.iter().all(|value| (value - 1.0).abs() < 1e-12), "{line}");
    let mut same = Array1::from(vec![1.0, 2.0]);
    remove_trend(&mut same, &[0, 0]);
    assert_eq!(same.to_vec(), [1.0, 2.0]);
    // Target 3i + 1 of 24 days: nothing but its mean is left.
    let by_day = dataset(24, "", "time = [\"day\"]\n");
    let table = read(&Dataset { detrended: true, ..by_day }, &(HEADER.to_owned() + &rows(24)));
    assert!(table.unwrap().target.iter().all(|value| (value - 35.5).abs() < 1e-9));
}

#[test]
fn files_lie_one_below_the_other() {
    let text = format!(
        "[[dataset]]\nkey = \"small\"\ntitle = \"t\"\ncitation = \"c\"\nlicence = \"l\"\nhome = \
         \"h\"\nrows = 24\nformat = {{ kind = \"table\", header = false, stacked = {{ column = \
         \"year\", cells = [\"2023\", \"2024\"] }} }}\ncolumns = [\"x\", \"y\"]\nfeatures = [{{ \
         name = \"x\" }}]\ntarget = {{ name = \"y\" }}\ntime = [\"year\"]\nfiles = [{{ name = \
         \"b\", sha256 = \"{0}\", sources = [] }}, {{ name = \"a\", sha256 = \"{0}\", sources = [] \
         }}]\n",
        "0".repeat(64)
    );
    let dataset = Manifest::parse(&text).unwrap().get("small").unwrap().clone();
    let of = |start: usize| -> String {
        (start..start + 12).map(|i| format!("{},{i}\n", i * 7 % 5)).collect()
    };
    let (first, second) = (of(0), of(12));
    let files = [("a", &second), ("b", &first)]
        .map(|(name, text)| FileBytes { name, bytes: text.as_bytes() });
    let table = parse(&dataset, &dataset.layout, &files).unwrap();
    assert_eq!(table.target.to_vec(), (0..24).map(f64::from).collect::<Vec<_>>());
    assert_eq!(table.dependence, Dependence::Periods((0..24).map(|i| i / 12).collect()));
    let message = parse(&dataset, &dataset.layout, &files[..1]).unwrap_err().to_string();
    assert_eq!(message, "b: found no such file, expected a file of the dataset");
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(
        bytes in proptest::collection::vec(any::<u8>(), 0..300),
        more in prop_oneof![
            Just(""),
            Just("group = [\"id\"]\n"),
            Just("time = [\"id\"]\n"),
            Just("group_size = 2\n"),
        ],
    ) {
        let more = if more.starts_with("group_size") || more.is_empty() {
            more.to_owned()
        } else {
            format!("{more}skip = []\n")
        };
        let dataset = dataset(20, "", &more);
        let text = [HEADER.as_bytes(), rows(20).as_bytes(), &bytes].concat();
        for bytes in [&bytes, &text] {
            let file = FileBytes { name: "small.csv", bytes };
            if let Ok(table) = parse(&dataset, &dataset.layout, &[file]) {
                prop_assert_eq!(table.rows(), 20);
            }
        }
    }
}
