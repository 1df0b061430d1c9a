//! Tables of one's own that look ordinary: the target is computed from features, a column numbers
//! the rows, a row sums up the others.

use std::fs;

use super::command::Dir;
use super::wording::{counts, line};

/// A number from 0 to 1 that looks random, for each row and column.
fn uniform(i: usize, j: usize) -> f64 {
    let x = ((i * 7919 + j * 104_729 + 12_345) as f64 * 0.618_033_988_749_895).fract();
    ((x * 9973.0).sin() * 43_758.545_3).abs().fract()
}

fn write(dir: &Dir, name: &str, header: &str, lines: impl Iterator<Item = String>) {
    dir.write(name, &format!("{header}\n{}\n", lines.collect::<Vec<_>>().join("\n")));
}

/// 200 days of two counts and their sum with an error of at most so much.
fn rides(dir: &Dir, name: &str, error: f64) {
    let line = |i: usize| {
        let [casual, registered] = [0, 1].map(|j| (20.0 + 300.0 * uniform(i, j)).round());
        let sum = casual + registered + (error * (2.0 * uniform(i, 2) - 1.0)).round();
        format!("{},{casual},{registered},{sum}", (20.0 * uniform(i, 3)).round())
    };
    write(dir, name, "temperature,casual,registered,cnt", (0..200).map(line));
}

#[test]
fn columns_that_add_up_to_the_target_are_named_by_audit_and_try() {
    let dir = Dir::new();
    rides(&dir, "rides.csv", 0.0);
    let told = dir.run("audit rides.csv --target cnt").code(3).out;
    let warning = told.lines().find(|line| line.contains("warning")).unwrap();
    assert!(["\"casual\"", "\"registered\""].iter().all(|name| warning.contains(name)), "{told}");
    assert!(!warning.contains("temperature"), "{told}");
    let parts = dir.run("audit rides.csv --target casual").code(3).out;
    assert!(["\"cnt\"", "\"registered\""].iter().all(|name| parts.contains(name)), "{parts}");
    let ended = dir
        .run("try --verbose rides.csv --target cnt --jobs 1 --methods linear-gaussian,unconditional-gaussian")
        .code(0);
    for text in [&ended.out, &ended.err] {
        assert!(text.contains("\"casual\"") && text.contains("\"registered\""), "{text}");
    }
    rides(&dir, "noisy.csv", 3.0);
    dir.run("audit noisy.csv --target cnt").code(0);
}

/// The sine of a feature is no formula that is known, and a Gaussian process interpolates it.
#[test]
fn a_target_without_noise_is_told_and_no_leak() {
    let dir = Dir::new();
    let x = |i: usize, j: usize| f64::from((1000.0 * uniform(i, j)).round() as i32);
    let line = |i: usize| {
        let kind = i % 4;
        // Four lines, one for each level: a weighted sum with a fee.
        format!(
            "{},{},{}",
            x(i, 0),
            ["a", "b", "c", "d"][kind],
            0.5 * x(i, 0) + [3.0, 170.0, -80.0, 400.0][kind]
        )
    };
    write(&dir, "fees.csv", "x,kind,y", (0..120).map(line));
    dir.run("audit fees.csv --target y").code(0);
    let ended = dir
        .run("try --verbose fees.csv --target y --jobs 1 --methods linear-gaussian,unconditional-gaussian")
        .code(0);
    let warned = |text: &str| {
        text.lines()
            .any(|line| line.to_lowercase().contains("warning") && line.contains("linear-gaussian"))
    };
    assert!(warned(&ended.err), "{}", ended.err);
    assert!(warned(&ended.out), "{}", ended.out);
}

/// The numbers of a shuffled half of a frame, and the same frame numbered anew.
#[test]
fn the_index_of_pandas_is_no_feature_of_a_table_or_of_new_rows() {
    let dir = Dir::new();
    let row = |i: usize| (10.0 * uniform(i, 0), (i as f64) / 20.0 + uniform(i, 1));
    let numbered = |i: usize, number: usize| format!("{number},{:.3},{:.3}", row(i).0, row(i).1);
    let half = (0..120).map(|i| (i * 97 + 11) % 241);
    write(&dir, "train.csv", ",x,y", half.map(|i| numbered(i, i)));
    let told = dir.run("audit train.csv --target y").code(3).out;
    let size = |told: &str| counts(line(told, &["120 "]))[..2].to_vec();
    assert_eq!(size(&told), [120, 1], "rows and features: {told}");
    assert!(told.contains("\"column 1\""), "{told}");
    let kept = dir.run("audit train.csv --target y --keep-index").out;
    assert_eq!(size(&kept), [120, 2], "{kept}");
    dir.run(
        "try --verbose train.csv --target y --jobs 1 --methods linear-gaussian,unconditional-gaussian \
             --predict-with linear-gaussian --save m.model",
    )
    .code(0);
    let new = || (0..30).map(|i| i * 8);
    write(&dir, "a.csv", ",x,y", new().map(|i| numbered(i, i)));
    write(&dir, "b.csv", ",x,y", new().enumerate().map(|(number, i)| numbered(i, number)));
    write(&dir, "c.csv", "__index_level_0__,x", new().map(|i| format!("{i},{:.3}", row(i).0)));
    let predicted = ["a", "b", "c"].map(|name| {
        dir.run(&format!("predict m.model {name}.csv --out {name}-out.csv")).code(0);
        fs::read_to_string(dir.path(&format!("{name}-out.csv"))).unwrap()
    });
    assert!(predicted[0] == predicted[1] && predicted[1] == predicted[2], "{predicted:?}");
}

/// Shops with three numbers each.
fn shops() -> Vec<(String, [f64; 3])> {
    let shop = |i: usize| {
        let [staff, visits] =
            [(1.0 + 9.0 * uniform(i, 0)).round(), (30.0 + 90.0 * uniform(i, 1)).round()];
        let sales = (100.0 * (2.0 * visits + 60.0 * uniform(i, 2))).round() / 100.0;
        (["North", "South", "East", "West"][i % 4].to_owned(), [staff, visits, sales])
    };
    (0..120).map(shop).collect()
}

fn write_shops(dir: &Dir, name: &str, rows: &[(String, [f64; 3])]) {
    let line = |(region, [staff, visits, sales]): &(String, [f64; 3])| {
        format!("{region},{staff},{visits},{sales:.2}")
    };
    write(dir, name, "region,staff,visits,sales", rows.iter().map(line));
}

#[test]
fn a_line_of_totals_is_named_and_a_shop_called_so_is_not() {
    let dir = Dir::new();
    let rows = shops();
    let total = [0, 1, 2].map(|j| rows.iter().map(|(_, row)| row[j]).sum::<f64>());
    write_shops(&dir, "clean.csv", &rows);
    dir.run("audit clean.csv --target sales").code(0);
    for label in ["Grand Total", "", "Summe"] {
        let with: Vec<_> = rows.iter().cloned().chain([(label.to_owned(), total)]).collect();
        write_shops(&dir, "total.csv", &with);
        let told = dir.run("audit total.csv --target sales").code(3).out;
        assert!(told.contains("line 122"), "{label}: {told}");
    }
    let mut named = rows.clone();
    named[60].0 = "Total Wine".into();
    named[119].1 = [60.0, 900.0, 3000.0];
    write_shops(&dir, "named.csv", &named);
    let told = dir.run("audit named.csv --target sales").out;
    assert!(!told.contains("line "), "{told}");
}

/// 60 rows with a copy of the target.
fn leak(dir: &Dir) {
    let line = |i: usize| {
        let y = 7.0 * uniform(i, 0) + uniform(i, 1);
        format!("{:.3},{y:.4},{y:.4}", 7.0 * uniform(i, 0))
    };
    write(dir, "leak.csv", "x,y_copy,y", (0..60).map(line));
}

#[test]
fn a_new_benchmark_and_its_run_say_what_audit_warns_of() {
    let dir = Dir::new();
    leak(&dir);
    dir.run("new leak.toml --table leak.csv --target y").code(0).says("\"y_copy\"");
    let run = "run leak.toml --profile smoke --methods linear-gaussian --jobs 1";
    let ended = dir.run(run).code(0);
    assert_eq!(ended.err.matches("\"y_copy\" alone").count(), 1, "{}", ended.err);
    assert!(!ended.err.contains("--drop"), "a benchmark file has keys: {}", ended.err);
    let text = fs::read_to_string(dir.path("leak.toml")).unwrap();
    assert!(text.contains("\nprotocol = { holdout"), "{text}");
}

#[test]
fn a_new_benchmark_keeps_twins_together() {
    let dir = Dir::new();
    let line =
        |i: usize| format!("{:.2},{:.3}", 9.0 * uniform(i % 50, 0), 4.0 * uniform(i % 50, 1));
    write(&dir, "twins.csv", "x,y", (0..60).map(line));
    dir.run("new twins.toml --table twins.csv --target y").code(0);
    let text = fs::read_to_string(dir.path("twins.toml")).unwrap();
    assert!(
        text.contains("\nprotocol = { grouped") && !text.contains("\nprotocol = { holdout"),
        "{text}"
    );
    dir.run("run twins.toml --profile smoke --methods linear-gaussian --jobs 1").code(0);
}
