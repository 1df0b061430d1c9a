//! Numbers as people and programs write them.

use super::ordinary::{column, says};
use super::*;

#[test]
fn decimal_commas_are_read_in_every_column() {
    let plain =
        own(&small(|i, [_, c, _]| [format!("{}", 1000 + i), c, format!("{}.5", i * 3)])).unwrap();
    let text = small(|i, [_, c, _]| [format!("1.{:03}", i), c, format!("{}.5", i * 3)]);
    let german: String = text
        .replace(',', ";")
        .lines()
        .map(|line| {
            let (rest, y) = line.rsplit_once(';').unwrap();
            format!("{rest};{}\n", y.replace('.', ","))
        })
        .collect();
    let found = own(&german).unwrap();
    assert_eq!(found.table, plain.table, "{:?}", found.findings);
    assert!(
        says(&found, "\"1.000\" is read as 1000") && says(&found, "\"0,5\" is read as 0.5"),
        "{:?}",
        found.findings
    );
    let new = found.encoding.features(&parse("x;colour\n2.500,25;red\n").unwrap()).unwrap();
    assert_eq!(new[(0, 0)], 2500.25);
}

#[test]
fn currencies_thousands_and_per_cent_signs_are_read() {
    let found =
        own(&small(|i, [_, _, y]| [format!("\"$1,{:03}.50\"", i), format!("{}.5 %", i), y]))
            .unwrap();
    assert_eq!(column(&found, "x")[3], 1003.5);
    assert_eq!(column(&found, "colour")[3], 3.5);
    assert!(says(&found, "\"$1,000.50\" is read as 1000.5"), "{:?}", found.findings);
    // A few different texts are a category, numbers with a unit that is no currency among them.
    let of_few = |unit: &'static str| {
        own(&small(|i, [x, _, y]| [x, format!("{} {unit}", i % 3), y])).unwrap()
    };
    assert_eq!(of_few("kg").table.feature_names[1..], ["colour=1 kg", "colour=2 kg"]);
    assert_eq!(of_few("%").table.feature_names[1..], ["colour"]);
}

#[test]
fn numbers_in_brackets_are_negative() {
    let found = own(&small(|i, [_, c, y]| {
        [if i % 3 == 0 { format!("({i}.5)") } else { format!("{i}.5") }, c, y]
    }))
    .unwrap();
    assert_eq!(column(&found, "x")[..4], [-0.5, 1.5, 2.5, -3.5]);
    assert!(
        says(&found, "has numbers in brackets, such as (0.5), which are read as negative"),
        "{:?}",
        found.findings
    );
}

#[test]
fn an_infinite_number_is_to_be_left_empty() {
    let message =
        error_message(&small(|i, [x, c, y]| [if i == 3 { "inf".into() } else { x }, c, y]));
    assert!(
        message.contains(
            "found \"inf\", expected a finite number; leave the cell empty where none is known"
        ),
        "{message}"
    );
}

#[test]
fn long_numbers_that_round_to_equal_ones_are_no_feature() {
    let found = own(&small(|i, [x, _, y]| [x, format!("123456789012345678{i:02}"), y])).unwrap();
    assert_eq!(found.table.feature_names, ["x"]);
    assert!(
        says(&found, "it is left out; numbers with that many digits are rounded"),
        "{:?}",
        found.findings
    );
}

#[test]
fn numbers_of_rows_are_found_among_decimal_commas() {
    let lines: String =
        (0..20).map(|i| format!("{i};{},5;{}\n", i * 7 % 20, i * 11 % 20 * 2)).collect();
    let found = own(&format!("n;x;y\n{lines}")).unwrap();
    let told: Vec<String> =
        found.findings.iter().chain(&suspicions(&found)).map(ToString::to_string).collect();
    let about = |name: &str| {
        told.iter().filter(|text| text.contains(&format!("\"{name}\""))).collect::<Vec<_>>()
    };
    assert!(
        matches!(about("n")[..], [only] if only.contains("has each whole number of a range once")),
        "{told:?}"
    );
    assert!(
        matches!(about("x")[..], [only] if only.contains("is numbers as people write them")),
        "{told:?}"
    );
    assert!(about("y").is_empty(), "{told:?}");
}
