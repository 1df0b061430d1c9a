//! Measure `try` on tables at the limits of what it is made for, within a budget.
//!
//! Not a part of the suite: `just scale-of-try` runs it. It prints time, processor time and largest
//! resident memory.

use std::fmt::Write as _;
use std::fs;
use std::io::{BufWriter, Write as _};

use uq_core::math::random::{Streams, standard_normal};

use super::command::Dir;
use super::scale::measure;

/// Rows and features.
const TABLES: [(&str, usize, usize); 3] =
    [("tall", 200_000, 30), ("wide", 2_000, 3_000), ("large", 10_000, 1_000)];

/// A target of four of the features, with noise that grows with the first one.
fn write_table(dir: &Dir, name: &str, rows: usize, features: usize) {
    let mut rng = Streams::new(1, name).stream("rows", 0);
    let mut file = BufWriter::new(fs::File::create(dir.path(&format!("{name}.csv"))).unwrap());
    let names: Vec<String> = (0..features).map(|column| format!("x{column}")).collect();
    writeln!(file, "{},y", names.join(",")).unwrap();
    for _ in 0..rows {
        let x: Vec<f64> = (0..features).map(|_| standard_normal(&mut rng)).collect();
        let noise = standard_normal(&mut rng) * (0.5 + x[0].abs());
        let y = 2.0 * x[0] + x[1].abs() + x[2] * x[3] + noise;
        let mut line = String::new();
        x.iter().for_each(|x| write!(line, "{x:.4},").unwrap());
        writeln!(file, "{line}{y:.5}").unwrap();
    }
}

#[test]
#[ignore = "it takes ten minutes: `just scale-of-try`"]
fn tables_at_the_limits_end_within_the_budget() {
    let dir = Dir::new();
    for (name, rows, features) in TABLES {
        write_table(&dir, name, rows, features);
        measure(&dir, &format!("try {name}.csv --target y --budget 5min"));
    }
}
