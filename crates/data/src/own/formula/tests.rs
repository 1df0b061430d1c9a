//! Formulas are found to the target's rounding, and neither noise nor chance is one.

use super::*;
use crate::own::Cells;
use rand::RngExt;
use uq_core::math::random::Streams;

/// The columns that each warning names, of a table with these rows of x1, x2, … and y.
fn named(rows: &[Vec<f64>]) -> Vec<Vec<String>> {
    let width = rows[0].len() - 1;
    let header: String = (1..=width).map(|j| format!("x{j},")).collect();
    let line = |row: &Vec<f64>| {
        row.iter()
            .map(|x| if x.is_nan() { String::new() } else { x.to_string() })
            .collect::<Vec<_>>()
            .join(",")
    };
    let text = format!("{header}y\n{}\n", rows.iter().map(line).collect::<Vec<_>>().join("\n"));
    let own = OwnTable::new(&Cells::parse("my.csv", text.as_bytes()).unwrap(), "y", &[]).unwrap();
    let found = formulas(&own);
    assert!(found.iter().all(|finding| finding.topic == Topic::Leak));
    found.into_iter().map(|finding| finding.columns).collect()
}

/// Numbers between 0 and 1.
fn uniform(name: &str) -> impl FnMut() -> f64 {
    let mut stream = Streams::new(7, name).stream("x", 0);
    move || stream.random::<f64>()
}

fn cents(x: f64) -> f64 {
    (100.0 * x).round() / 100.0
}

/// Rows of `columns` numbers with two digits after the point between 1 and 50, and their target.
fn table(rows: usize, columns: usize, target: impl Fn(&[f64]) -> f64) -> Vec<Vec<f64>> {
    let mut next = uniform("table");
    let row = |_| {
        let mut x: Vec<f64> = (0..columns).map(|_| cents(1.0 + 49.0 * next())).collect();
        x.push(target(&x));
        x
    };
    (0..rows).map(row).collect()
}

fn expect(rows: &[Vec<f64>], columns: &[&str]) {
    assert_eq!(named(rows), [columns.to_vec()]);
}

#[test]
fn sums_differences_and_weighted_sums_are_found() {
    expect(&table(200, 4, |x| cents(x[0] + x[2])), &["x1", "x3"]);
    expect(&table(200, 4, |x| cents(x[1] - x[3])), &["x2", "x4"]);
    expect(&table(40, 3, |x| (x[0] + x[2]).round()), &["x1", "x3"]);
    expect(
        &table(200, 5, |x| (0.4 * x[0] + 0.35 * x[1] + 0.25 * x[4]).round()),
        &["x1", "x2", "x5"],
    );
    expect(
        &table(200, 6, |x| x[0] / 3.0 + x[1] / 7.0 + x[2] + x[3] * 1.23456789 - x[5] + 4.0),
        &["x1", "x2", "x3", "x4", "x6"],
    );
}

#[test]
fn products_ratios_and_shares_are_found() {
    expect(&table(150, 3, |x| cents(x[0] * x[2])), &["x1", "x3"]);
    expect(&table(150, 3, |x| (10.0 * 703.0 * x[1] / x[0].powi(2)).round() / 10.0), &["x1", "x2"]);
    expect(&table(150, 4, |x| cents(3.6 * x[1] / x[3])), &["x2", "x4"]);
    expect(
        &table(150, 4, |x| (x[0] * x[1] * x[2] / 1000.0 * 1e3).round() / 1e3),
        &["x1", "x2", "x3"],
    );
    expect(&table(150, 3, |x| cents(x[0] * x[1] * (1.0 - x[2] / 100.0))), &["x1", "x2", "x3"]);
    expect(&table(150, 4, |x| cents(x[0] * x[1] + x[3])), &["x1", "x2", "x4"]);
    expect(&table(150, 4, |x| (1000.0 * x[0] / (x[0] + x[1])).round() / 10.0), &["x1", "x2"]);
    expect(&table(150, 4, |x| x[0].max(x[3])), &["x1", "x4"]);
    expect(&table(150, 3, |x| 0.007184 * x[0].powf(0.425) * x[1].powf(0.725)), &["x1", "x2"]);
}

#[test]
fn a_few_wrong_rows_and_missing_cells_hide_no_formula() {
    let mut rows = table(300, 4, |x| cents(x[0] + x[2]));
    for i in [17, 90, 205] {
        rows[i][4] *= 10.0;
    }
    (0..30).for_each(|i| rows[10 * i][0] = f64::NAN);
    expect(&rows, &["x1", "x3"]);
}

#[test]
fn noise_that_the_target_shows_is_no_formula() {
    let mut noise = uniform("noise");
    for (step, size) in [(0.01, 0.05), (0.01, 1.0), (1.0, 2.0), (1e-9, 1e-3)] {
        let mut rows = table(300, 4, |x| x[0] + 2.0 * x[2]);
        for row in &mut rows {
            row[4] = ((row[4] + size * (noise() - 0.5)) / step).round() * step;
        }
        assert_eq!(named(&rows), [[""; 0]; 0], "step {step}, noise {size}");
    }
    let mut rows = table(300, 3, |x| x[0] * x[1]);
    rows.iter_mut().for_each(|row| row[3] = cents(row[3] * (1.0 + 0.01 * noise())));
    assert_eq!(named(&rows), [[""; 0]; 0]);
}

/// Nothing of these numbers is known of each other, and there are many pairs.
#[test]
fn chance_is_no_formula() {
    let mut next = uniform("chance");
    for (rows, columns, levels) in
        [(24, 60, 2.0), (24, 60, 12.0), (60, 100, 3.0), (200, 30, 20.0), (20, 20, 1000.0)]
    {
        let mut row = |_| (0..=columns).map(|_| (levels * next()).floor()).collect::<Vec<f64>>();
        let mut all: Vec<Vec<f64>> = (0..rows).map(&mut row).collect();
        // A target of many values.
        all.iter_mut().enumerate().for_each(|(i, row)| row[columns] = ((i * 13) % 29) as f64);
        assert_eq!(named(&all), [[""; 0]; 0], "{rows} rows, {columns} columns, {levels} levels");
    }
}

#[test]
fn strongly_related_columns_are_no_formula() {
    // Each column is the target with noise of its own, in whole numbers.
    let mut next = uniform("related");
    let mut row = |i: usize| {
        let y = (i % 41) as f64;
        (0..8).map(|_| (y + 3.0 * (next() - 0.5)).round()).chain([y]).collect::<Vec<f64>>()
    };
    let rows: Vec<Vec<f64>> = (0..200).map(&mut row).collect();
    assert_eq!(named(&rows), [[""; 0]; 0]);
}

#[test]
fn a_copy_belongs_to_no_formula() {
    let rows = table(200, 3, |x| 1.8 * x[1] + 32.0);
    assert_eq!(named(&rows), [[""; 0]; 0], "the leak of a single column is another warning");
}

#[test]
fn a_column_alone_has_its_formula() {
    let of = |target: fn(f64) -> f64| {
        let rows = table(100, 2, |x| target(x[0]));
        let line = |row: &Vec<f64>| format!("{},{},{}\n", row[0], row[1], row[2]);
        let text = "x1,x2,y\n".to_owned() + &rows.iter().map(line).collect::<String>();
        formula_of_column(
            &OwnTable::new(&Cells::parse("my.csv", text.as_bytes()).unwrap(), "y", &[]).unwrap(),
            "x1",
        )
    };
    for (target, expected) in [
        ((|x| 1000.0 * x) as fn(f64) -> f64, "1000 × \"x1\""),
        (|x| x + 273.15, "\"x1\" + 273.15"),
        (|x| 1.8 * x + 32.0, "1.8 × \"x1\" + 32"),
        (|x| cents(1.8 * x + 32.0), "1.8 × \"x1\" + 32"),
        (|x| x / 3.0, "0.333333 × \"x1\""),
        (|x| x, "\"x1\""),
        (|x| 7.0 - x, "7 − \"x1\""),
        (|x| x * x, "\"x1\"²"),
        (|x| 2.0 / x, "2 × 1 / \"x1\""),
    ] {
        assert_eq!(of(target).as_deref(), Some(format!("\"y\" = {expected}").as_str()));
    }
    assert_eq!(of(|x| (x * 7.7).sin()), None);
}
