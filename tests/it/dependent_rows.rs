//! Try methods on tables whose rows depend on each other: in groups, or in time.

use std::fs;

use serde_json::Value;

use super::command::{Dir, files};
use super::wording::{headings, line, paragraph, shape};

/// 240 days in a shuffled order: y follows x and rises with the day.
fn series(dir: &Dir) {
    let line = |i: usize| {
        let day = i * 77 % 240;
        let x = (i * 7919 % 1000) as f64 / 100.0;
        format!(
            "2024-{:02}-{:02},{x},{}",
            1 + day / 28,
            1 + day % 28,
            x + day as f64 / 4.0 + (i * 37 % 240) as f64 / 40.0
        )
    };
    let lines: Vec<String> = (0..240).map(line).collect();
    dir.write("my.csv", &format!("day,x,y\n{}\n", lines.join("\n")));
}

/// 30 shops of eight rows, each with a level of its own.
fn panel(dir: &Dir) {
    let line = |i: usize| {
        let (shop, x) = (i % 30, (i * 7919 % 1000) as f64 / 100.0);
        format!("shop {shop},{x},{}", x + (shop * 7 % 30) as f64 + (i * 37 % 240) as f64 / 240.0)
    };
    let lines: Vec<String> = (0..240).map(line).collect();
    dir.write("my.csv", &format!("shop,x,y\n{}\n", lines.join("\n")));
}

const LINEAR: &str =
    "--methods linear-gaussian --predict-with linear-gaussian --predict new.csv --out pred.csv";

#[test]
fn later_rows_are_tested_by_earlier_ones() {
    let dir = Dir::new();
    series(&dir);
    dir.write("new.csv", "x,day\n3,2024-09-20\n4,2024-01-05\n");
    let ended = dir
        .run(&format!("try --verbose my.csv --target y --time day {LINEAR}"))
        .code(0)
        .says("60 fits of at most 168 ");
    let told = [
        line(&ended.err, &["\"day\"", "\"day (weekday from Monday)\""]),
        line(&ended.err, &["warning: ", "\"day\"", "0.9"]),
        line(&ended.err, &["warning: ", "1 of 2 ", "\"day\"", "2024-09-16"]),
    ];
    insta::assert_snapshot!(told.join("\n"), @r#"
    note: the rows are put in the order of the column "day"; it is no feature but for what recurs, "day (weekday from Monday)", because every later row lies beyond its range (--keep makes it one)
    warning: the target grows with the time "day" (rank correlation 0.99), which is no feature, so that methods answer later rows as if the trend had ended: --keep makes it one, and linear methods then continue the trend
    warning: 1 of 2 new rows are earlier than the last row of the table ("day" is 2024-09-16 there): the page is about later rows
    "#);
    let of_table = paragraph(&ended.out, &["240 rows, 2 features", "\"day\"", " 120 ", "5 blocks"]);
    insta::assert_snapshot!(of_table, @r#"240 rows, 2 features. From past to future, in the order of the column "day": the rows after the first 120 are 5 blocks in time, and each is tested once, by models of all rows before it (rolling origin). What is stated here is for later rows; folds of random rows would promise more."#);
    for part in ["| linear-gaussian ", "too low"] {
        assert!(ended.out.contains(part), "{part} in\n{}", ended.out);
    }
    assert_eq!(fs::read_to_string(dir.path("pred.csv")).unwrap().lines().count(), 3);
    let (_, below) = ended.out.split_once("240 rows, 2 features").unwrap();
    let headline = below.split_once("## Methods").unwrap().0;
    insta::assert_snapshot!(line(headline, &["Warning: ", "\"day\"", "--keep"]), @r#"- Warning: the target grows with the time "day" (rank correlation 0.99), which is no feature, so that methods answer later rows as if the trend had ended: --keep makes it one, and linear methods then continue the trend"#);
    let compared = fs::read_to_string(dir.path("uqbench-report/try/my-comparison.json")).unwrap();
    let compared: Value = serde_json::from_str(&compared).unwrap();
    let warnings = compared["warnings"].as_array().unwrap();
    let is_of_day = |warning: &Value| warning.as_str().unwrap().contains("\"day\"");
    assert!(warnings.iter().any(is_of_day), "{warnings:?}");
    assert_eq!(compared["recommendation"]["method"], Value::Null);
    insta::assert_snapshot!(headings(&ended.out), @"
    # y of my.csv
    ## Methods
    ## Why none is recommended
    ## Coverage of linear-gaussian by block in time
    ");

    // A linear method continues the trend where it knows the day.
    let kept = dir
        .run("try --verbose my.csv --target y --time day --keep --methods linear-gaussian")
        .code(0)
        .out;
    for part in ["**Recommended: `linear-gaussian`.**", "| 2024-05-09 to 2024-06-04 "] {
        assert!(kept.contains(part), "{part} in\n{kept}");
    }
    insta::assert_snapshot!(headings(&kept), @"
    # y of my.csv
    ## Methods
    ## Why linear-gaussian
    ## Coverage of linear-gaussian by block in time
    ## Coverage of linear-gaussian by kind of row
    ## Where linear-gaussian covers worst
    ");
    assert!(!kept.contains("rank correlation"), "{kept}");
    let random = dir.run("try --verbose my.csv --target y --methods linear-gaussian").code(0);
    insta::assert_snapshot!(line(&random.err, &["--time \"day\""]), @r#"note: if new rows will be later than these, --time "day" tests past to future"#);
    assert!(dir.run("audit my.csv --target y").out.contains("--time \"day\""));
}

#[test]
fn a_plan_has_the_column_that_rows_depend_on() {
    let dir = Dir::new();
    series(&dir);
    dir.run(
        "try --verbose my.csv --target y --time day --keep --methods tree,adaptive-linear-gaussian",
    )
    .code(0);
    let of_first = files(&dir.path("uqbench-report/try"));
    let plan = String::from_utf8(of_first["my-plan.json"].clone()).unwrap();
    for part in [
        "\"by\": \"time\"",
        "\"column\": \"day\"",
        "\"keep\": true",
        "\"repeats\": 1",
        "\"gamma\": 0.005",
    ] {
        assert!(plan.contains(part), "{part} in {plan}");
    }
    let again =
        "try --verbose my.csv --target y --figures again --plan uqbench-report/try/my-plan.json";
    dir.run(again).code(0);
    assert!(of_first == files(&dir.path("again")));
    dir.run(&format!("{again} --time day")).code(2).says("cannot be used with");
}

#[test]
fn rows_of_a_group_are_tested_by_other_groups() {
    let dir = Dir::new();
    panel(&dir);
    dir.write("new.csv", "x,shop\n3,shop 3\n4,shop 99\n");
    let ended = dir.run(&format!("try --verbose my.csv --target y --group shop {LINEAR}")).code(0);
    insta::assert_snapshot!(line(&ended.err, &["column \"shop\""]), @r#"note: the column "shop" is the group of each row; it is no feature"#);
    insta::assert_snapshot!(line(&ended.err, &["note: ", "1 of 2 "]), @r#"note: 1 of 2 new rows are of groups of the table ("shop"): the page is about new groups, and the intervals of known ones may be wider than necessary"#);
    let of_table = paragraph(&ended.out, &["240 rows, 1 feature", "5-fold", " 30 ", "\"shop\""]);
    insta::assert_snapshot!(of_table, @r#"240 rows, 1 feature. 5-fold cross-validation by the 30 groups of the column "shop": each row is tested 4 times, by models that have seen no row of its group. What is stated here is for rows of new groups; folds of random rows would promise more."#);
}

#[test]
fn a_series_is_warned_of_before_the_table_where_nothing_is_stated() {
    let dir = Dir::new();
    let lines: Vec<String> =
        (0..200).map(|i| format!("{},{}", i * 7919 % 1000, i + i * 37 % 10)).collect();
    dir.write("my.csv", &format!("x,y\n{}\n", lines.join("\n")));
    let out = dir.run("try --verbose my.csv --target y --methods linear-gaussian").code(0).out;
    let headline = out.split_once("## Methods").unwrap().0;
    let warning = line(headline, &["von Neumann ratio 0.", "`--time COLUMN`"]);
    insta::assert_snapshot!(shape(warning), @"- Warning: the targets of neighbouring rows are much alike (rank von Neumann ratio #.#; rows in random order have about #), as in a series, in groups, or in a sorted file, and so are the errors of the recommended method at neighbouring rows (#.#). Rows are divided at random here, so that each has neighbours in the training set. If new rows are later ones or of other groups, expect a lower coverage and larger errors than stated here: `--time COLUMN` tests from past to future, `--group COLUMN` tests whole groups.");
}

#[test]
fn a_column_that_says_nothing_is_refused_with_what_to_do() {
    let dir = Dir::new();
    series(&dir);
    for (words, code, part) in [
        ("--time dya", 2, "--time: my.csv has no column \"dya\""),
        ("--group y", 2, "--group: \"y\" is the target, which is not known of new rows"),
        ("--group day --time day", 2, "--group and --time exclude each other"),
        ("--keep", 2, "--group <COLUMN>"),
    ] {
        dir.run(&format!("try --verbose my.csv --target y {words}")).code(code).says(part);
    }
    let text = fs::read_to_string(dir.path("my.csv")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let without = |cell: &str| {
        format!("{}\n{cell},{}", lines[0], lines[2..].join("\n").split_once(',').unwrap().1)
    };
    for (first, part) in [
        ("", "my.csv, line 2, column \"day\": found a missing value (an empty cell)"),
        (
            "soon",
            "my.csv, line 2, column \"day\": found \"soon\", expected a date such as 2024-12-31",
        ),
    ] {
        dir.write("bad.csv", &without(first));
        dir.run("try --verbose bad.csv --target y --time day")
            .code(1)
            .says(&part.replace("my.csv", "bad.csv"));
    }
    let one: Vec<String> = lines[1..].iter().map(|line| format!("a,{line}")).collect();
    dir.write("one.csv", &format!("shop,{}\n{}\n", lines[0], one.join("\n")));
    dir.run("try --verbose one.csv --target y --group shop --drop day")
        .code(1)
        .says("--group: shop: found 1 group, expected 5 or more")
        .says("leave --group out");
    let times: Vec<String> =
        (0..60).map(|i| format!("{},{},{}", i / 20, i * 7 % 11, i * 37 % 60)).collect();
    dir.write("few.csv", &format!("t,x,y\n{}\n", times.join("\n")));
    dir.run("audit few.csv --target y --time t")
        .code(1)
        .says("--time: t: found too few different times");
}
