//! Watch a model by what came true, and recalibrate it: `watch` and `recalibrate`.

use std::fmt::Write as _;
use std::fs;

use serde_json::Value;

use super::command::Dir;

/// A table of 300 rows on a line with uniform errors of ±1, and its model.
fn fitted() -> Dir {
    let dir = Dir::new();
    let line = |i: usize| {
        let x = (i * 7919 % 1000) as f64 / 100.0;
        format!("t{i},{x},{}", 3.0 * x + error(i))
    };
    let lines: Vec<String> = (0..300).map(line).collect();
    dir.write("my.csv", &format!("house,x,y\n{}\n", lines.join("\n")));
    dir.run(
        "try my.csv --target y --id house --methods calibrated-linear-gaussian --save my.model \
         --predict-with calibrated-linear-gaussian",
    )
    .code(0);
    dir
}

/// An error in ±1, which is uniform over many rows.
fn error(i: usize) -> f64 {
    ((i * 37 + i / 8 * 11) % 200) as f64 / 100.0 - 1.0
}

/// The features of `rows` new houses from `first` on, and what came true for them, one each day:
/// their outcomes are off by `shift` of the day.
fn new_rows(dir: &Dir, name: &str, first: usize, rows: usize, shift: impl Fn(usize) -> f64) {
    let (mut new, mut sold) = ("house,x\n".to_owned(), "house,day,y\n".to_owned());
    for i in first..first + rows {
        let x = (i * 6271 % 1000) as f64 / 100.0;
        let day = i - first;
        writeln!(new, "h{i},{x}").unwrap();
        let date = format!("2024-{:02}-{:02}", 1 + day / 28 % 12, 1 + day % 28);
        writeln!(sold, "h{i},{date},{}", 3.0 * x + error(i) + shift(day)).unwrap();
    }
    dir.write(&format!("{name}-new.csv"), &new);
    dir.write(&format!("{name}-sold.csv"), &sold);
}

fn predict(dir: &Dir, model: &str, name: &str) {
    dir.run(&format!("predict {model} {name}-new.csv --out {name}-pred.csv")).code(0);
}

fn json(dir: &Dir) -> Value {
    let text = fs::read_to_string(dir.path("uqbench-report/watch/watch.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn a_model_without_drift_is_kept_and_one_with_a_jump_is_recalibrated_and_certified_by_later_rows() {
    let dir = fitted();
    new_rows(&dir, "calm", 1000, 200, |_| 0.0);
    predict(&dir, "my.model", "calm");
    let calm = "watch my.model calm-pred.csv --truth calm-sold.csv --id house --time day";
    let kept = dir.run(&format!("{calm} --every month")).code(0);
    assert!(kept.out.contains("**No alarm: keep the model.**"), "{}", kept.out);
    assert!(kept.out.lines().count() <= 25, "{}", kept.out);
    assert!(kept.out.contains("| 2024-03 "), "{}", kept.out);
    assert_eq!(json(&dir)["advice"], "keep");
    for file in ["watch.md", "watch.csv", "watch-coverage.svg", "site/watch.html"] {
        assert!(dir.path(&format!("uqbench-report/watch/{file}")).exists(), "{file}");
    }

    // A jump by two halves of the range of errors after 100 rows.
    new_rows(&dir, "jump", 2000, 240, |day| if day < 100 { 0.0 } else { 1.5 });
    predict(&dir, "my.model", "jump");
    let words = "jump-pred.csv --truth jump-sold.csv --id house --time day";
    let alarm = dir.run(&format!("watch my.model {words}")).code(3);
    assert!(alarm.out.contains("**Recalibrate the model.**"), "{}", alarm.out);
    assert!(alarm.out.contains("Coverage: **alarm** in the week from 2024-"), "{}", alarm.out);
    let newest = json(&dir)["newest_rows"].as_u64().unwrap();
    assert!(newest.abs_diff(140) < 20, "{newest}");
    let next = format!("uqbench recalibrate my.model {words}");
    assert!(alarm.out.contains(&next) && alarm.out.contains("--last"), "{}", alarm.out);

    let moved =
        dir.run(&format!("recalibrate my.model {words} --last {newest} --out new.model")).code(0);
    moved
        .says("lower ends move up by")
        .says("upper ends up by")
        .says("these rows say nothing of its intervals");
    // Predictions of the model before are no predictions of the new one, and would be moved twice.
    for command in ["watch new.model", "recalibrate new.model --out twice.model"] {
        let ended = dir.run(&format!("{command} {words}"));
        ended.says("240 predictions that the model made before this recalibration").code(1);
    }
    assert!(!dir.path("twice.model").exists());
    // Its own rows are no rows to judge it by, though it predicts them again; those before the jump
    // were another world.
    predict(&dir, "new.model", "jump");
    let rest = dir.run(&format!("watch new.model {words}")).code(3);
    rest.says(&format!("note: {newest} of 240 rows have recalibrated the model and are left out"));
    dir.run(&format!("watch my.model {words}")).says("a recalibrated model made").code(1);
    // The next ones are covered as promised.
    new_rows(&dir, "later", 5000, 200, |_| 1.5);
    predict(&dir, "new.model", "later");
    let words = "later-pred.csv --truth later-sold.csv --id house --time day";
    let certified = dir.run(&format!("watch new.model {words}")).code(0);
    assert!(certified.out.contains("have moved the intervals of this model"), "{}", certified.out);
    let found = json(&dir);
    let share = found["covered"].as_f64().unwrap() / found["rows"].as_f64().unwrap();
    assert!((0.85..=0.97).contains(&share), "{share}");
    // The whole prediction has moved with its interval.
    let first = |name: &str| -> Vec<f64> {
        let text = fs::read_to_string(dir.path(&format!("{name}-pred.csv"))).unwrap();
        let cells = text.lines().nth(1).unwrap().split(',');
        cells.map(|cell| cell.parse().unwrap_or(f64::NAN)).collect()
    };
    let after = first("later");
    predict(&dir, "my.model", "later");
    let before = first("later");
    assert!((after[2] - before[2] - 1.5).abs() < 0.4, "{before:?}, {after:?}");
    assert_eq!(before.len() + 1, after.len(), "a column names the recalibration");
}

#[test]
fn features_that_have_moved_are_told_and_an_older_model_says_what_it_lacks() {
    let dir = fitted();
    let rows: String = (0..100).map(|i| format!("{}\n", 8.0 + f64::from(i) / 20.0)).collect();
    dir.write("far.csv", &format!("x\n{rows}"));
    let outcomes = (0..100).map(|i| {
        let x = 8.0 + f64::from(i) / 20.0;
        format!("{x},{}\n", 3.0 * x + error(i as usize))
    });
    dir.write("far-sold.csv", &format!("x,y\n{}", outcomes.collect::<String>()));
    dir.run("predict my.model far.csv --out far-pred.csv").code(0);
    let words = "watch my.model far-pred.csv --truth far-sold.csv --id row --rows far.csv";
    let found = dir.run(words).code(0);
    assert!(found.out.contains("Features: 1 feature has changed: \"x\" above"), "{}", found.out);
    assert_eq!(json(&dir)["features"][0]["name"], "x");
    assert!(found.out.contains("| rows 51 to 100 "), "{}", found.out);
    assert!(found.out.contains("`--time` names a column"), "{}", found.out);
}

#[test]
fn what_cannot_be_watched_or_recalibrated_is_refused_and_nothing_is_written() {
    let dir = fitted();
    new_rows(&dir, "few", 1000, 12, |_| 0.0);
    predict(&dir, "my.model", "few");
    let words = "few-pred.csv --truth few-sold.csv --id row";
    for (command, code, part) in [
        ("watch few-pred.csv few-pred.csv", 1, "this is no model file"),
        ("watch my.model few-pred.csv --truth few-sold.csv", 2, "--id"),
        ("watch my.model few-pred.csv --truth few-sold.csv --id hous", 2, "did you mean"),
        (&format!("watch my.model {words} --y price"), 2, "no column \"price\""),
        (&format!("watch my.model {words} --every week"), 2, "need --time with a column of dates"),
        (&format!("watch my.model {words} --every 0"), 2, "expected day, week, month"),
        (&format!("watch my.model {words} --tolerance 0.95"), 2, "expected less than the level"),
        (&format!("watch my.model {words} --time x"), 2, "no column \"x\""),
        ("watch my.model few-new.csv", 2, "--truth: few-new.csv has no column \"y\""),
        (&format!("watch my.model {words} --time row"), 2, "`row` numbers the predictions"),
        (&format!("recalibrate my.model {words} --out new.model"), 1, "expected 19 or more"),
        (&format!("recalibrate my.model {words} --out my.model"), 2, "would be overwritten"),
        ("recalibrate my.model few-pred.csv --out new.model", 2, "--id"),
        (
            &format!("recalibrate my.model {words} --half-life 0 --out new.model"),
            2,
            "a number of rows above 0",
        ),
        (
            &format!("recalibrate my.model {words} --half-life 5 --out new.model"),
            1,
            "a longer --half-life",
        ),
    ] {
        let ended = dir.run(command);
        assert!(ended.err.contains(part), "{command}: {part}: {}", ended.err);
        ended.code(code);
    }
    assert!(!dir.path("new.model").exists());
    // The newest predictions have no outcome yet, and one day has one date.
    dir.write("late-pred.csv", "row,house,mean,lower,upper\n1,h9,1,0,2\n");
    let both = "watch my.model few-pred.csv late-pred.csv --truth few-sold.csv --id house";
    dir.run(both).says("late-pred.csv: no prediction has an outcome in few-sold.csv").code(0);
    let alone = "watch my.model late-pred.csv --truth few-sold.csv --id house";
    dir.run(alone).says("no row that has an outcome").code(1);
    let day = "house,day,y\nh1000,31.12.2024,3\nh1001,31.12.2024,4\n";
    dir.write("day.csv", day);
    let one = "watch my.model few-pred.csv --truth day.csv --id house --time day";
    let one = dir.run(one).says("the days of \"day\" are 2024-12-31 to 2024-12-31");
    assert!(one.out.contains("| 2024-12-30 "), "{}", one.out);
    dir.write("bad.csv", "house,day,y\nh1000,soon,3\nh1001,2024-12-31,4\n");
    let bad = dir.run("watch my.model few-pred.csv --truth bad.csv --id house --time day");
    bad.says("bad.csv, line 2, column \"day\": found \"soon\"").code(1);
    // Two predictions of one row, as where yesterday's file was given twice.
    let twice = dir.run(&format!("watch my.model few-pred.csv {words}"));
    twice.says("a second prediction of \"1\"").code(1);
}
