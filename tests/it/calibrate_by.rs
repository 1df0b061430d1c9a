//! Calibrate apart in each value of a column: `--calibrate-by`.

use std::fs;

use super::command::{Dir, files};
use super::wording::{line, shape};

/// 400 rows on a line. In every eighth, of the kind "rough", the errors are ten times as large as
/// in the others.
fn rough_and_smooth(dir: &Dir) {
    let line = |i: usize| {
        let x = (i * 7919 % 1000) as f64 / 100.0;
        let error = ((i * 37 + i / 8 * 11) % 200) as f64 / 100.0 - 1.0;
        let (kind, size) = if i.is_multiple_of(8) { ("rough", 10.0) } else { ("smooth", 1.0) };
        format!("{x},{kind},2024-01-{:02},{}", 1 + i % 20, 3.0 * x + size * error)
    };
    let lines: Vec<String> = (0..400).map(line).collect();
    dir.write("my.csv", &format!("x,kind,day,y\n{}\n", lines.join("\n")));
    dir.write(
        "new.csv",
        "x,kind,day\n5,rough,2024-01-05\n5,smooth,2024-01-05\n5,strange,2024-01-05\n",
    );
}

/// The widths of the intervals of the new rows.
fn widths(dir: &Dir, file: &str) -> Vec<f64> {
    let text = fs::read_to_string(dir.path(file)).unwrap();
    let header: Vec<&str> = text.lines().next().unwrap().split(',').collect();
    let place = |name: &str| header.iter().position(|column| *column == name).unwrap();
    let of = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let number = |name: &str| cells[place(name)].parse::<f64>().unwrap();
        number("upper") - number("lower")
    };
    text.lines().skip(1).map(of).collect()
}

const TRY: &str = "try --verbose my.csv --target y --drop day --methods calibrated-linear-gaussian";
const PREDICT: &str = "--predict new.csv --out pred.csv --predict-with calibrated-linear-gaussian";

#[test]
fn a_level_that_is_covered_too_rarely_is_offered_and_calibrated_apart() {
    let dir = Dir::new();
    rough_and_smooth(&dir);
    let plain = dir.run(&format!("{TRY} {PREDICT}")).code(0).out;
    let warning = line(&plain, &["Warning: ", "kind=rough (", "`--calibrate-by kind`"]);
    insta::assert_snapshot!(shape(warning), @"- Warning: its intervals cover too few rows of some kinds: kind=rough (#.# % of # rows). No other method here that uses the features covers enough of them; `--calibrate-by kind` calibrates the values of that column apart.");
    let even = widths(&dir, "pred.csv");
    assert!((even[0] - even[1]).abs() < 0.2, "{even:?}");

    let by = format!("{TRY} {PREDICT} --calibrate-by kind --figures by");
    let first = dir.run(&by).code(0).out;
    insta::assert_snapshot!(shape(line(&first, &["\"kind\"", "20 rows"])), @r#"- `calibrated-linear-gaussian`: least squares with normal errors of constant variance; calibrated by its errors at out-of-fold rows, apart in each value of "kind" with # rows or more."#);
    let warns = |page: &str| {
        page.lines().any(|line| line.contains("Warning: ") && line.contains("kind=rough ("))
    };
    assert!(warns(&plain) && !warns(&first), "{first}");
    let apart = widths(&dir, "pred.csv");
    // Uniform errors of ±10 and ±1, and an unseen level, for which the most frequent one stands.
    assert!(
        (apart[0] - 18.0).abs() < 3.0 && (apart[1] - 1.8).abs() < 0.5 && apart[2] == apart[1],
        "{apart:?}"
    );

    // The plan repeats it to the byte, and the saved fit predicts the same.
    let of_first = files(&dir.path("by"));
    let predictions = fs::read(dir.path("pred.csv")).unwrap();
    let again = format!(
        "try --verbose my.csv --target y --drop day {PREDICT} --figures again --plan by/my-plan.json"
    );
    assert_eq!(dir.run(&again).code(0).out, first);
    assert!(of_first == files(&dir.path("again")));
    assert_eq!(fs::read(dir.path("pred.csv")).unwrap(), predictions);
    dir.run(&format!(
        "{TRY} --calibrate-by kind --save my.model --predict-with calibrated-linear-gaussian"
    ))
    .code(0);
    dir.run("predict my.model new.csv --out saved.csv").code(0);
    assert_eq!(fs::read(dir.path("saved.csv")).unwrap(), predictions);
}

#[test]
fn what_cannot_be_calibrated_apart_is_told() {
    let dir = Dir::new();
    rough_and_smooth(&dir);
    let wrong = |rest: &str| dir.run(&format!("try --verbose my.csv --target y {rest}")).code(2);
    let calibrated = "--methods calibrated-linear-gaussian --calibrate-by";
    wrong(&format!("{calibrated} kin"))
        .says("\"kin\" is no feature, did you mean `kind`?")
        .says("\"x\", \"kind\", \"day\"");
    wrong(&format!("{calibrated} y")).says("\"y\" is no feature");
    wrong(&format!("{calibrated} day")).says("\"day\" has dates, expected a category");
    wrong(&format!("{calibrated} x")).says("no value of \"x\" has 20 rows or more");
    wrong("--methods linear-gaussian --calibrate-by kind")
        .says("none of the methods is calibrated");
    dir.run("try --verbose my.csv --target y --plan any.json --calibrate-by kind")
        .code(2)
        .says("cannot be used with");
    let both = wrong("--group kind --time day");
    both.says("`--time day` alone if they are later rows of known groups")
        .says("`--group kind` alone if they are of new");
}
