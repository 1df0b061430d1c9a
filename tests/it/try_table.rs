//! Try methods on tables of one's own: real data as CSV, invalid files, predictions of rows that
//! were held out.

use std::fs;

use super::command::{Dir, Limited, files};
use super::wording::{self, counts, line, paragraph, shape};

/// A bundled dataset as CSV, its target called `y`, as separate lines.
pub fn exported(dir: &Dir, key: &str) -> (String, Vec<String>) {
    dir.run(&format!("data export {key} {key}.csv")).code(0);
    let text = fs::read_to_string(dir.path(&format!("{key}.csv"))).unwrap();
    let mut lines = text.lines().map(str::to_owned);
    let header = lines.next().unwrap();
    let (features, _) = header.rsplit_once(',').unwrap();
    (format!("{features},y"), lines.collect())
}

/// A table as a file.
pub fn write(dir: &Dir, name: &str, header: &str, lines: &[String]) {
    dir.write(name, &format!("{header}\n{}\n", lines.join("\n")));
}

/// A bundled dataset as `my.csv`.
pub fn my(dir: &Dir, key: &str) {
    let (header, lines) = exported(dir, key);
    write(dir, "my.csv", &header, &lines);
}

/// The rows of `pred.csv`, each column parsed; an empty cell is `None`.
fn predicted(dir: &Dir) -> Vec<Vec<Option<f64>>> {
    let text = fs::read_to_string(dir.path("pred.csv")).unwrap();
    let mut lines = text.lines();
    assert_eq!(lines.next().unwrap(), "row,mean,lower,upper,sd,aleatoric_sd,epistemic_sd");
    lines.map(|line| line.split(',').map(|cell| cell.parse().ok()).collect()).collect()
}

#[test]
fn a_name_that_is_too_long_for_its_files_is_refused_before_the_first_fit() {
    let dir = Dir::new();
    let lines: Vec<String> =
        (0..40).map(|i| format!("{i},{}", f64::from(i * 7 % 11).sqrt() + f64::from(i))).collect();
    for (bytes, code) in [(201, 2), (250, 2), (200, 0)] {
        let name = format!("{}.csv", "n".repeat(bytes));
        write(&dir, &name, "x,y", &lines);
        let words = format!(
            "try --verbose {name} --target y --methods linear-gaussian,unconditional-gaussian"
        );
        dir.run(&words).code(code);
        let written = dir.path("uqbench-report/try").exists();
        assert_eq!(written, code == 0, "{bytes}");
    }
}

#[test]
fn real_tables_are_compared_drawn_and_a_method_recommended() {
    let recommended = [
        ("yacht", "linear-gaussian", "Log-likelihood", "308 rows, 6 features"),
        ("boston", "linear-gaussian", "Log-likelihood", "506 rows, 13 features"),
        ("motorcycle-94", "", "Log-likelihood", "94 rows, 1 feature"),
        ("wine-red", "linear-gaussian", "Discretised log score", "240 rows "),
    ];
    let (mut divided, mut limits) = (Vec::new(), Vec::new());
    for (key, method, score, part) in recommended {
        let dir = Dir::new();
        my(&dir, key);
        let ended = dir
            .run("try --verbose my.csv --target y --budget 20s")
            .code(0)
            .says("my-reliability.png");
        assert!(ended.out.starts_with("# y of my.csv\n"), "{key}: {}", ended.out);
        for part in [
            "| calibrated-linear-gaussian ",
            "| unconditional-quantiles ",
            "**Recommended: `",
            score,
            part,
            method,
        ] {
            assert!(ended.out.contains(part), "{key}: {part} in\n{}", ended.out);
        }
        divided.push(paragraph(&ended.out, &[" rows, ", "-fold "]).to_owned());
        limits.push(paragraph(&ended.out, &["Limits: "]).to_owned());
        assert!(!ended.err.contains("error"), "{}", ended.err);
        let drawn = files(&dir.path("uqbench-report"));
        assert!(drawn["try/my-reliability.png"].starts_with(b"\x89PNG"));
        assert!(
            String::from_utf8_lossy(&drawn["try/my-reliability.svg"]).contains("linear-gaussian")
        );
    }
    insta::assert_snapshot!(divided.join("\n"), @"
    308 rows, 6 features. 5-fold cross-validation: each row is tested twice, by models of the other folds' rows.
    506 rows, 13 features. 5-fold cross-validation: each row is tested twice, by models of the other folds' rows.
    94 rows, 1 feature. 5-fold cross-validation: each row is tested 4 times, by models of the other folds' rows.
    1599 rows, 11 features. 5-fold cross-validation: each row is tested once, by models of the other folds' rows; 240 rows equal an earlier one in every feature, and such rows stay in one fold.
    ");
    limits.dedup();
    insta::assert_snapshot!(limits.join("\n"), @"- Limits: each method ran as the list above says. What it chooses itself, it chooses inside the training rows of each fit; nothing else was tuned, so other settings may do better. The coverage is an average over new rows of the same kind. It is not for later times, other places or feature values out of range, and not for each group of rows.");
}

#[test]
fn try_gives_the_warnings_of_describe() {
    let dir = Dir::new();
    my(&dir, "wine-red");
    let ended = dir.run("try --verbose my.csv --target y --methods linear-gaussian").code(0);
    let notes = [["note: ", " 6 "], ["note: ", "240 rows"], ["", "equal features"]]
        .map(|facts| line(&ended.err, &facts));
    insta::assert_snapshot!(notes.join("\n"), @"
    note: the target is discrete: 6 distinct values in 1599 rows; a density has no bound there
    note: 240 rows are exact twins of an earlier one
    note: rows of equal features are kept on one side of every split
    ");
}

#[test]
fn features_that_do_not_vary_are_told() {
    let dir = Dir::new();
    let lines: Vec<String> =
        (0..60).map(|i| format!("3,{}", f64::from(i * 7 % 40).sqrt())).collect();
    write(&dir, "my.csv", "x,y", &lines);
    let ended = dir.run("try --verbose my.csv --target y --methods linear-gaussian").code(0);
    insta::assert_snapshot!(paragraph(&ended.out, &["60 rows, 1 "]), @"60 rows, 1 feature. 5-fold cross-validation: each row is tested 4 times, by models of the other folds' rows; no feature varies, so that the features say nothing of the target.");
}

#[test]
fn a_category_is_encoded_and_new_rows_in_another_order_get_the_same_columns() {
    let dir = Dir::new();
    let (header, lines) = exported(&dir, "boston");
    let place = header.split(',').position(|name| name == "CHAS").unwrap();
    let word = |line: &String| {
        let mut cells: Vec<&str> = line.split(',').collect();
        cells[place] = if cells[place] == "1" { "bounds river" } else { "inland" };
        cells.join(",")
    };
    write(&dir, "numbers.csv", &header, &lines);
    write(&dir, "words.csv", &header, &lines.iter().map(word).collect::<Vec<_>>());
    let backwards = |line: &str| line.split(',').rev().collect::<Vec<_>>().join(";");
    let new: Vec<String> = lines[..40].iter().map(word).map(|line| backwards(&line)).collect();
    write(&dir, "new.csv", &backwards(&header), &new);
    write(&dir, "new-numbers.csv", &header, &lines[..40]);

    // The first level in order is "bounds river": the column is 1 − CHAS, and least squares
    // predicts the same.
    let options =
        "--target y --methods linear-gaussian --predict-with linear-gaussian --out pred.csv";
    let told = dir.run(&format!("try --verbose words.csv {options} --predict new.csv")).code(0).err;
    insta::assert_snapshot!(line(&told, &["\"CHAS\"", "\"CHAS=inland\""]), @r#"note: the column "CHAS" is categorical: one-hot encoded as 1 column of 0 and 1, "CHAS=inland"; all 0 is its first level, "bounds river""#);
    insta::assert_snapshot!(line(&told, &["new.csv: ", "\"y\""]), @r#"note: new.csv: the target, "y", is ignored"#);
    let words = predicted(&dir);
    dir.run(&format!("try --verbose numbers.csv {options} --predict new-numbers.csv")).code(0);
    for (a, b) in words.iter().flatten().zip(predicted(&dir).iter().flatten()) {
        assert!((a.unwrap() - b.unwrap()).abs() < 1e-8, "{a:?} against {b:?}");
    }
}

#[test]
fn held_out_rows_are_covered_about_as_often_as_the_level_says() {
    let dir = Dir::new();
    let (header, lines) = exported(&dir, "boston");
    let (new, train): (Vec<_>, Vec<_>) =
        lines.iter().cloned().enumerate().partition(|(i, _)| i % 5 == 0);
    let lines =
        |rows: &[(usize, String)]| rows.iter().map(|(_, line)| line.clone()).collect::<Vec<_>>();
    write(&dir, "my.csv", &header, &lines(&train));
    write(&dir, "new.csv", &header, &lines(&new));
    let outcome = |line: &String| line.rsplit_once(',').unwrap().1.parse::<f64>().unwrap();
    let outcomes: Vec<f64> = lines(&new).iter().map(outcome).collect();

    for method in ["quantile-forest", "calibrated-boosting-quantiles", "linear-gaussian"] {
        let told = dir
            .run(&format!(
                "try --verbose my.csv --target y --methods {method} --predict new.csv --out pred.csv \
                 --predict-with {method}"
            ))
            .code(0);
        let written = line(&told.err, &["pred.csv: ", &format!("`{method}`")]);
        assert!(counts(written).starts_with(&[102, 404]), "new rows, and fitted ones: {written}");
        let rows = predicted(&dir);
        assert_eq!(rows.len(), outcomes.len());
        let mut covered = 0;
        for (i, (row, y)) in rows.iter().zip(&outcomes).enumerate() {
            let [
                Some(number),
                Some(mean),
                Some(lower),
                Some(upper),
                Some(sd),
                aleatoric,
                epistemic,
            ] = row[..]
            else {
                panic!("{row:?}")
            };
            assert_eq!(number, (i + 1) as f64);
            assert!(lower < mean && mean < upper);
            match method {
                "linear-gaussian" => {
                    let split = aleatoric.unwrap().powi(2) + epistemic.unwrap().powi(2);
                    assert!((sd.powi(2) - split).abs() < 1e-9 * sd.powi(2));
                }
                _ => assert_eq!((aleatoric, epistemic), (None, None)),
            }
            covered += usize::from(lower <= *y && *y <= upper);
        }
        // Binomial(102, 0.9) has standard deviation 3; the coverage of a fit varies in addition,
        // and a forest's is too high.
        assert!((82..=102).contains(&covered), "{covered} of 102");
    }

    let told = dir
        .run(
            "try --verbose my.csv --target y --methods linear-gaussian --predict new.csv --out pred.csv \
             --predict-with dtb",
        )
        .code(0);
    insta::assert_snapshot!(line(&told.err, &["`dtb`", "aleatoric_sd"]), @"note: `dtb` defines no aleatoric_sd: the column is empty");
    for row in predicted(&dir) {
        assert!(row[5].is_none());
        assert!(
            (row[4].unwrap() - row[6].unwrap()).abs() < 1e-9,
            "its spread is all epistemic: {row:?}"
        );
    }
}

#[test]
fn the_number_of_jobs_changes_no_byte() {
    // Named methods without a budget: a spent budget would end fits by the machine's speed.
    let words = "try --verbose my.csv --target y --methods linear-gaussian,log-normal-ngboost,\
                 calibrated-deep-ensemble,quick-boosting-quantiles,dtb";
    let results = ["1", "4"].map(|jobs| {
        let dir = Dir::new();
        my(&dir, "motorcycle-94");
        let words =
            format!("{words} --jobs {jobs} --predict my.csv --out pred.csv --predict-with dtb");
        let page = dir.run(&words).code(0).says("unconditional-gaussian 0.").out;
        (page, fs::read(dir.path("pred.csv")).unwrap(), files(&dir.path("uqbench-report")))
    });
    assert!(results[0] == results[1]);
    let dir = Dir::new();
    my(&dir, "motorcycle-94");
    let other = dir.run(&format!("{words} --seed 2")).code(0).out;
    assert_ne!(other, results[0].0, "another seed draws other folds");
}

#[test]
fn wrong_usage_ends_with_2_before_anything_runs() {
    let dir = Dir::new();
    my(&dir, "yacht");
    for (words, part) in [
        ("try --verbose my.csv", "--target"),
        ("try --verbose --target y", "<FILE>"),
        ("try --verbose my.csv --target Y", "did you mean `y`?"),
        ("try --verbose my.csv --target y --drop x", "--drop: my.csv has no column \"x\""),
        ("try --verbose my.csv --target y --drop y", "is the target"),
        (
            "try --verbose my.csv --target y --methods linear-gausian",
            "did you mean `linear-gaussian`?",
        ),
        ("try --verbose my.csv --target y --methods calibrated-stak", "did you mean `stack`?"),
        (
            "try --verbose my.csv --target y --budget soon",
            "expected a time such as 60s, 2min or 1h",
        ),
        (
            "try --verbose my.csv --target y --deadline soon",
            "expected a time such as 60s, 2min or 1h",
        ),
        ("try --verbose my.csv --target y --level 90", "such as 0.9 for 90 %"),
        ("try --verbose my.csv --target y --predict my.csv", "--out"),
        ("try --verbose my.csv --target y --out pred.csv", "--predict"),
        ("try --verbose my.csv --target y --predict-with dtb", "--predict"),
        ("try --verbose my.csv --target y --predict my.csv --out my.csv", "would be overwritten"),
        (
            "try --verbose - --target y --predict - --out pred.csv",
            "only one of the two files can be standard input",
        ),
        ("try --verbose my.csv --target y --id y", "--id: \"y\" is the target"),
        (
            "try --verbose my.csv --target y --predict my.csv --out pred.csv --predict-with dbt",
            "did you mean `dtb`?",
        ),
    ] {
        let ended = dir.run(words).code(2).says(part);
        assert_eq!(ended.out, "", "{words}");
    }
    assert!(!dir.path("uqbench-report").exists());
}

#[test]
fn a_file_that_is_wrong_is_named_with_line_and_column() {
    let dir = Dir::new();
    let (header, lines) = exported(&dir, "yacht");
    let edited = |line: usize, cell: &str| {
        let mut lines = lines.clone();
        let (_, rest) = lines[line - 2].split_once(',').unwrap();
        lines[line - 2] = format!("{cell},{rest}");
        lines
    };
    let first = header.split(',').next().unwrap();
    for (line, cell, part) in [
        (
            309,
            "low",
            format!("my.csv, line 309, column \"{first}\": found \"low\", expected a number"),
        ),
        (40, "1,2", "my.csv, line 40: found 8 cells, expected 7".into()),
    ] {
        write(&dir, "my.csv", &header, &edited(line, cell));
        let ended = dir.run("try --verbose my.csv --target y").code(1).says(&part);
        assert_eq!(ended.out, "");
    }
    write(&dir, "my.csv", &header, &lines[..19]);
    dir.run("try --verbose my.csv --target y")
        .code(1)
        .says("found 19 rows, expected 20 rows or more");
    fs::write(dir.path("my.csv"), b"x,y\n1,\xff\n").unwrap();
    dir.run("try --verbose my.csv --target y").code(1).says("bytes in line 2 that are not UTF-8");
    dir.run("try --verbose nowhere.csv --target y").code(1).says("nowhere.csv: cannot be read");
    dir.run("try --verbose . --target y").code(1).says("this is a folder");

    write(&dir, "my.csv", &header, &lines);
    write(&dir, "new.csv", &header, &edited(5, "many"));
    let words = "try --verbose my.csv --target y --methods linear-gaussian --predict new.csv --out pred.csv";
    dir.run(words)
        .code(0)
        .says("1 new row ")
        .says("new.csv, line 5")
        .says("found \"many\", expected a number");
    fs::remove_file(dir.path("pred.csv")).unwrap();
    dir.write("new.csv", "a,b\n1,2\n");
    dir.run(words).code(1).says("found no such column");
    assert!(!dir.path("pred.csv").exists());
    write(&dir, "new.csv", &header, &lines);
    dir.run(
        "try --verbose my.csv --target y --methods linear-gaussian --predict new.csv --out my.csv/pred.csv",
    )
    .code(1);
    let beyond = edited(5, "1000");
    write(&dir, "new.csv", &header, &beyond);
    dir.run(words).code(0).says("1 of 308 ");
}

#[test]
fn missing_cells_are_filled_in_and_new_rows_without_an_answer_are_blank() {
    let dir = Dir::new();
    let (header, lines) = exported(&dir, "yacht");
    let named = |(i, line): (usize, &String)| {
        let (first, rest) = line.split_once(',').unwrap();
        format!("boat {i},{},{rest}", if i % 10 == 3 { "NA" } else { first })
    };
    let lines: Vec<String> = lines.iter().enumerate().map(named).collect();
    write(&dir, "my.csv", &format!("boat,{header}"), &lines);
    let mut new = lines[..5].to_vec();
    new[1] = new[1]
        .rsplit_once(',')
        .map(|(rest, _)| rest.rsplit_once(',').unwrap().0.to_owned() + ",fast,")
        .unwrap();
    write(&dir, "new.csv", &format!("boat,{header}"), &new);
    let words = "try --verbose my.csv --target y --id boat --methods linear-gaussian --predict-with linear-gaussian";
    dir.run(&format!("{words} --predict new.csv --out pred.csv"))
        .code(0)
        .says(" 31 rows")
        .says("1 new row ")
        .says("pred.csv: 4 rows");
    let text = fs::read_to_string(dir.path("pred.csv")).unwrap();
    let rows: Vec<&str> = text.lines().collect();
    assert_eq!(rows[0], "row,boat,mean,lower,upper,sd,aleatoric_sd,epistemic_sd,reason");
    assert!(rows[1].starts_with("1,boat 0,") && rows[1].ends_with(','), "{text}");
    assert!(
        rows[2].starts_with("2,boat 1,,,,,,,") && rows[2].contains("new.csv, line 3"),
        "{text}"
    );
    assert!(
        rows[4].starts_with("4,boat 3,") && !rows[4].contains(",,"),
        "a missing cell has an answer: {text}"
    );
    assert_eq!(rows.len(), 6);
}

#[test]
fn the_column_that_identifies_rows_is_found_by_its_name_in_the_new_file() {
    let dir = Dir::new();
    let lines: Vec<String> =
        (0..40).map(|i| format!("house {i},{},{}", (i * i) % 37, i * 7 % 40)).collect();
    write(&dir, "my.csv", "house,x,y", &lines);
    write(&dir, "new.csv", "x;house", &["5;last house".to_owned()]);
    let words = "try --verbose my.csv --target y --methods linear-gaussian --predict new.csv --out pred.csv \
                 --predict-with linear-gaussian --id";
    let ended = dir.command(words).arg("column 1").ended();
    let told = String::from_utf8(ended.stderr).unwrap();
    assert!(ended.status.success(), "{told}");
    insta::assert_snapshot!(line(&told, &["note: new.csv"]), @"note: new.csv: cells are separated by semicolons");
    let text = fs::read_to_string(dir.path("pred.csv")).unwrap();
    assert!(text.starts_with("row,house,mean,") && text.contains("\n1,last house,"), "{text}");
    write(&dir, "new.csv", "x,home", &["5,a".to_owned()]);
    let told = dir.run(&format!("{words} house")).code(0).err;
    insta::assert_snapshot!(line(&told, &["warning: --id", "\"house\"", "\"home\""]), @r#"warning: --id: new.csv has no column "house" (is it "home"?), so that the predictions have none either; their column `row` counts the new rows"#);
    let text = fs::read_to_string(dir.path("pred.csv")).unwrap();
    assert!(text.starts_with("row,mean,lower,upper,") && text.lines().count() == 2, "{text}");
    write(&dir, "my.csv", "mean,x,y", &lines);
    dir.run(&format!("{words} mean"))
        .code(2)
        .says("predictions have a column \"mean\" of their own");
}

#[test]
fn where_all_intervals_cover_too_few_rows_none_is_recommended_but_one_can_be_named() {
    let dir = Dir::new();
    // Rows of equal features are one fold: no other row tells of their outcomes.
    let alone = (0..60).map(|i| format!("{i},{}", 37 * i % 61));
    let lines: Vec<String> = alone.chain((0..50).map(|i| format!("1000,{}", 5000 + i))).collect();
    write(&dir, "my.csv", "x,y", &lines);
    let words = "try --verbose my.csv --target y --methods unconditional-gaussian --predict my.csv --out pred.csv";
    let ended = dir.run(words).code(1).says("no method is recommended").says("--predict-with NAME");
    assert!(ended.out.contains("**Recommended: none.**"), "{}", ended.out);
    assert!(!dir.path("pred.csv").exists());
    dir.run(&format!("{words} --predict-with unconditional-quantiles")).code(0).says("110 rows");
    assert_eq!(predicted(&dir).len(), 110);
}

#[test]
fn kinds_of_rows_are_judged_and_categories_are_among_them() {
    let dir = Dir::new();
    // Red rows are ten times as noisy; the intervals of this method are equally wide everywhere.
    let noise = |i: usize| ((i * 7919) % 1000) as f64 / 1000.0 - 0.5;
    let line = |i: usize| {
        let (colour, scale) = if i.is_multiple_of(2) { ("red", 10.0) } else { ("blue", 1.0) };
        format!("{i},{colour},{}", i as f64 / 4.0 + scale * noise(i))
    };
    write(&dir, "my.csv", "x,colour,y", &(0..600).map(line).collect::<Vec<_>>());
    let out =
        dir.run("try --verbose my.csv --target y --methods calibrated-linear-gaussian").code(0).out;
    for part in [
        "## Coverage of calibrated-linear-gaussian ",
        "| colour=blue",
        "| colour=red",
        "| region x ≤ ",
    ] {
        assert!(out.contains(part), "{part} in\n{out}");
    }
    // A warning names the kind whose rows are covered too rarely.
    insta::assert_snapshot!(shape(wording::line(&out, &["Warning: ", "colour=red ("])), @"- Warning: its intervals cover too few rows of some kinds: colour=red (#.# % of # rows). No other method here that uses the features covers enough of them; `--calibrate-by colour` calibrates the values of that column apart.");
}

#[test]
fn ends_below_zero_are_told_of_new_rows_by_try_and_by_predict() {
    let dir = Dir::new();
    let noise = |i: usize| 1 + (i * 37) % 40;
    let lines: Vec<String> = (0..40).map(|i| format!("{i},{}", noise(i))).collect();
    write(&dir, "my.csv", "x,y", &lines);
    write(&dir, "new.csv", "x", &["3".to_owned(), "20".to_owned()]);
    let tried = dir
        .run(
            "try --verbose my.csv --target y --level 0.99 --methods linear-gaussian --predict new.csv --out \
             pred.csv --save my.model --predict-with linear-gaussian",
        )
        .code(0);
    let told = line(&tried.err, &["warning: ", "2 of 2 "]);
    insta::assert_snapshot!(told, @"warning: 2 of 2 predictions have a lower end below zero, but no target of the table is negative; if none can be, read it as zero");
    dir.run("predict my.model new.csv --out again.csv").code(0).says(told);
    assert!(fs::read(dir.path("pred.csv")).unwrap() == fs::read(dir.path("again.csv")).unwrap());
    write(
        &dir,
        "my.csv",
        "x,y",
        &lines.iter().map(|line| line.replace(',', ",-")).collect::<Vec<_>>(),
    );
    let negative = dir
        .run(
            "try --verbose my.csv --target y --level 0.99 --methods linear-gaussian --predict new.csv --out \
             pred.csv --predict-with linear-gaussian",
        )
        .code(0);
    assert!(!negative.err.contains("2 of 2 "), "{}", negative.err);
}
