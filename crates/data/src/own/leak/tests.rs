use super::*;
use crate::own::Cells;
use crate::{Library, Manifest, NetworkOptions, SourceOptions};
use ndarray::Array1;
use proptest::prelude::{prop_assert, proptest};

const ROWS: usize = 200;

/// A number of 0 to 199 for each row, each of them once and in no order.
fn mixed(row: usize, by: usize) -> f64 {
    (row * by % ROWS) as f64
}

/// A target of both signs, from −9.95 to 9.95.
fn target(row: usize) -> f64 {
    (mixed(row, 67) - 99.5) / 10.0
}

/// The warnings about 200 rows of the columns `x`, `z` and `y`, where z has nothing to do with y.
fn warnings(x: impl Fn(usize) -> String, y: impl Fn(usize) -> f64) -> String {
    let line = |row: usize| format!("{},{},{}\n", x(row), mixed(row, 91) / 7.0, y(row));
    let text: String = (0..ROWS).map(line).collect();
    let cells = Cells::parse("my.csv", format!("x,z,y\n{text}").as_bytes()).unwrap();
    let found = leaks(&OwnTable::new(&cells, "y", &[]).unwrap());
    found.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// The same of a feature that is a function of the target.
fn of(x: impl Fn(f64) -> f64) -> String {
    warnings(|row| x(target(row)).to_string(), target)
}

#[test]
fn a_feature_that_rises_or_falls_with_the_target_is_told_with_what_to_do() {
    let copy = of(|y| y);
    assert_eq!(
        copy,
        "warning: the feature \"x\" alone reproduces the target (rank correlation 1.0000); \"y\" = \
         \"x\": if it is not known before the target is, leave its column out with `drop` \"x\", \
         or every score is too good"
    );
    for (name, x) in [
        ("share", (|y| 0.92 * y) as fn(f64) -> f64),
        ("falls", |y| -3.0 * y),
        ("exponential", f64::exp),
        ("rounded to 40 steps", |y| (2.0 * y).round()),
        ("noise of 1 % of the spread", |y| y + 0.06 * (37.0 * y).sin()),
    ] {
        assert!(
            of(x).contains("\"x\" alone reproduces the target (rank correlation "),
            "{name}: {}",
            of(x)
        );
    }
    let holes =
        warnings(|row| if row % 3 == 0 { String::new() } else { target(row).to_string() }, target);
    assert!(holes.contains("(rank correlation 1.0000)"), "{holes}");
}

#[test]
fn a_strong_feature_is_no_leak() {
    for (name, x) in [
        ("noise of a fifth of the spread", (|y| y + 2.0 * (37.0 * y).sin()) as fn(f64) -> f64),
        ("five steps", |y| (y / 4.0).round()),
        ("a sign", f64::signum),
        ("a constant", |_| 3.0),
    ] {
        assert_eq!(of(x), "", "{name}");
    }
}

#[test]
fn the_square_of_a_target_is_told_whatever_its_sign() {
    let both = of(|y| y * y);
    assert!(
        both.contains(
            "the feature \"x\" alone reproduces the target (rank correlation 1.0000 with its size, \
             without its sign)"
        ),
        "{both}"
    );
    let positive =
        warnings(|row| (target(row) + 20.0).powi(2).to_string(), |row| target(row) + 20.0);
    assert!(positive.contains("(rank correlation 1.0000);"), "{positive}");
}

#[test]
fn a_feature_of_which_the_target_is_a_smooth_function_is_warnings() {
    // The root of a target has both signs.
    let smooth = warnings(|row| target(row).to_string(), |row| target(row).powi(2));
    let part = "the feature \"x\" alone reproduces the target (the two neighbouring values explain \
                100.00 % of its variance)";
    assert!(smooth.contains(part), "{smooth}");
    // Neighbours of a wave that is too short for the rows explain nothing.
    assert_eq!(warnings(|row| target(row).to_string(), |row| (40.0 * target(row)).sin()), "");
}

#[test]
fn levels_are_judged_together() {
    let level = |row: usize| row * 67 % 7;
    let of = |row: usize| [9.0, 2.0, 5.0, 1.0, 7.0, 3.0, 8.0][level(row)];
    let grade = warnings(|row| format!("G{}", level(row)), of);
    assert_eq!(
        grade,
        "warning: the column \"x\" alone reproduces the target (the other rows of the same level \
         explain 100.00 % of its variance): if it is not known before the target is, leave its \
         column out with `drop` \"x\", or every score is too good"
    );
    let number = warnings(|row| level(row).to_string(), of);
    assert!(
        number.contains(
            "the feature \"x\" alone reproduces the target (the other rows of the same \
                         value explain"
        ),
        "{number}"
    );
    assert_eq!(
        warnings(|row| format!("G{}", level(row)), |row| of(row) + 0.05 * target(row)),
        "",
        "99 % are no copy"
    );
    // Pairs of equal rows: names of what was measured twice.
    assert_eq!(warnings(|row| format!("P{}", row % 100), |row| mixed(row % 100, 37)), "");
}

#[test]
fn levels_of_one_row_explain_nothing() {
    let y: Vec<f64> = (0..40).map(|row| ((row * 17) % 40) as f64).collect();
    let ids: Vec<usize> = (0..40).collect();
    assert_eq!(by_levels(&ids, &y), None, "as many levels as rows");
    let few: Vec<usize> = (0..40).map(|row| if row < 3 { row } else { 9 }).collect();
    assert!(by_levels(&few, &y).unwrap() < 0.0, "{:?}", by_levels(&few, &y));
    assert_eq!(by_levels(&[0; 10], &y[..10]), None, "few rows");
}

#[test]
fn what_orders_the_rows_is_named_only_where_its_ranks_are_those_of_the_target() {
    // A slow wave: neighbouring rows have neighbouring targets.
    let wave = |row: usize| (row as f64 / 20.0).sin();
    assert_eq!(warnings(|row| row.to_string(), wave), "");
    assert_ne!(
        warnings(|row| mixed(row, 67).to_string(), |row| (mixed(row, 67) / 20.0).sin()),
        "",
        "the same in no order"
    );
    let day = |row: usize| format!("2024-{:02}-{:02}", 1 + row / 28, 1 + row % 28);
    assert_eq!(warnings(day, wave), "");
    // Whole numbers of a trend share their ranks.
    assert_eq!(warnings(|row| row.to_string(), |row| (row / 8) as f64), "");
    assert!(
        warnings(|row| row.to_string(), |row| 2.0 * row as f64)
            .contains("(rank correlation 1.0000)")
    );
}

#[test]
fn the_only_number_of_a_table_may_determine_the_target() {
    let text: String =
        (0..ROWS).map(|row| format!("{},{}\n", target(row), target(row).powi(2))).collect();
    let cells = Cells::parse("my.csv", format!("x,y\n{text}").as_bytes()).unwrap();
    assert_eq!(leaks(&OwnTable::new(&cells, "y", &[]).unwrap()), []);
}

#[test]
fn no_bundled_dataset_has_a_leak() {
    let cache = tempfile::tempdir().unwrap();
    let library = Library::new(SourceOptions {
        cache: Some(cache.path().to_owned()),
        mirror: None,
        offline: true,
        progress: false,
        network: NetworkOptions::default(),
    });
    let manifest = Manifest::shipped().unwrap();
    let mut read = 0;
    for dataset in manifest.datasets().iter().chain(manifest.variants()) {
        let Ok(table) = library.load(dataset) else { continue };
        read += 1;
        for (name, values) in table.feature_names.iter().zip(table.features.columns()) {
            let is_only = table.columns() == 1;
            assert_eq!(
                of_number(values, table.target.view(), false, is_only),
                Leak::None,
                "{}: {name}",
                dataset.key
            );
        }
    }
    assert!(read >= 20, "{read} datasets were read");
}

proptest! {
    #[test]
    fn an_increasing_map_of_the_feature_changes_no_finding_by_ranks(
        values in proptest::collection::vec(-5.0..5.0f64, 20..60),
    ) {
        let y = Array1::from_iter((0..values.len()).map(|i| ((i * 7) % 11) as f64));
        let x = Array1::from(values);
        let of = |x: &Array1<f64>| of_number(x.view(), y.view(), false, true);
        prop_assert!(of(&x) == of(&x.mapv(f64::exp)));
    }

    #[test]
    fn shares_are_at_most_one(rows in proptest::collection::vec((0u8..6, -5.0..5.0f64), 30..60)) {
        let (levels, y): (Vec<u8>, Vec<f64>) = rows.into_iter().unzip();
        let x: Vec<f64> = levels.iter().map(|level| f64::from(*level)).collect();
        let shares = [by_levels(&levels, &y), by_neighbours(&x, &y)];
        prop_assert!(shares.iter().flatten().all(|share| *share <= 1.0));
    }
}
