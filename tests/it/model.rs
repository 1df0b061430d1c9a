//! Save what `try` recommends, and predict new rows from the file alone.

mod refused;

use std::fs;

use super::command::{Dir, Ended, Limited, files};
use super::wording::{counts, line, paragraph, shape};

/// Rows with a name, a number that is sometimes missing, a category, a date, and skewed noise.
fn table(rows: usize) -> String {
    let line = |i: usize| {
        let x = (i * 7919 % 1000) as f64 / 100.0;
        let shown = if i % 11 == 3 { "NA".into() } else { x.to_string() };
        let (colour, slope) = [("red", 2.0), ("blue", 1.0), ("a, b", 0.5)][i % 3];
        let noise = -(((i * 37 % rows) as f64 + 0.5) / rows as f64).ln();
        format!(
            "house {i},{shown},\"{colour}\",2024-{:02}-{:02},{}",
            1 + i / 28 % 12,
            1 + i % 28,
            slope * x + noise
        )
    };
    format!("house,x,colour,day,y\n{}\n", (0..rows).map(line).collect::<Vec<_>>().join("\n"))
}

/// New rows in another order of columns, two of which have no answer, and one a level and a missing
/// date that no other row has.
const NEW: &str = "day,colour,house,x,y\n2024-05-06,red,one,3.5,7\n2024-07-08,red,two,many,\nsoon,blue,three,2,\n\
                   2024-02-03,\"a, b\",four,,\n2025-01-01,blue,five,70,1\n,green,six,1,\n";

/// Saves and predicts with these options, and predicts again in a folder that has the model and the
/// new rows alone.
fn both(table: &str, new: &str, options: &str) -> (Vec<u8>, Vec<u8>) {
    let dir = Dir::new();
    dir.write("my.csv", table);
    dir.write("new.csv", new);
    dir.run(&format!(
        "try --verbose my.csv --target y {options} --predict new.csv --out pred.csv --save my.model"
    ))
    .code(0)
    .says("my.model");
    let elsewhere = Dir::new();
    fs::copy(dir.path("my.model"), elsewhere.path("my.model")).unwrap();
    elsewhere.write("new.csv", new);
    let ended = elsewhere.run("predict my.model new.csv --out pred.csv").code(0);
    assert_eq!(ended.out, "");
    let written = fs::read(elsewhere.path("pred.csv")).unwrap();
    // Standard output has the same bytes.
    let printed = elsewhere.run("predict my.model new.csv").code(0);
    assert_eq!(printed.out.as_bytes(), written);
    (fs::read(dir.path("pred.csv")).unwrap(), written)
}

#[test]
fn a_saved_model_predicts_to_the_byte_what_try_predicts_and_needs_no_table() {
    let text = table(120);
    for method in [
        "linear-gaussian",
        "calibrated-linear-gaussian",
        "calibrated-boosting-quantiles",
        "adaptive-boosting-quantiles",
        "calibrated-quantile-forest-validated",
        "deep-ensemble",
        "mc-dropout",
        "exact-gp",
        "dtb",
        "stack",
        "conformalised-quantiles",
        "validated",
    ] {
        let (expected, found) = both(
            &text,
            NEW,
            &format!("--id house --seed 5 --methods {method} --predict-with {method}"),
        );
        let shown = String::from_utf8_lossy(&found);
        assert!(expected == found, "{method}\n{}\n{shown}", String::from_utf8_lossy(&expected));
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!(
            lines[0], "row,house,mean,lower,upper,sd,aleatoric_sd,epistemic_sd,reason,note",
            "{method}"
        );
        assert!(
            lines[1].starts_with("1,one,")
                && lines[4].starts_with("4,four,")
                && !lines[4].contains(",,,,,"),
            "{shown}"
        );
        assert!(lines[2].contains("expected a number"), "{shown}");
        assert!(lines[3].contains("expected a date of the form"), "{shown}");
        assert!(
            lines[6].starts_with("6,six,") && lines[6].contains("has the unseen level"),
            "{shown}"
        );
        assert!(
            !lines[6].contains(",,,,,") && lines[6].contains("is missing: the median"),
            "{shown}"
        );
    }
}

/// The content of a model file, unpacked.
fn unpacked(dir: &Dir) -> Vec<u8> {
    let file = fs::read(dir.path("my.model")).unwrap();
    zstd::decode_all(file.splitn(3, |byte| *byte == b'\n').nth(2).unwrap()).unwrap()
}

/// Features have as many digits as a number holds.
#[test]
fn the_file_of_a_linear_or_boosted_model_holds_no_row_of_the_table() {
    let dir = Dir::new();
    let features = |i: usize| [(i * 7919 % 1000) as f64 / 7.0, (i * 104_729 % 997) as f64 / 11.0];
    let line = |i: usize| {
        let [a, b] = features(i);
        format!("{a},{b},{}", 2.0 * a - b + ((i * 37 % 120) as f64).sqrt())
    };
    let text: Vec<String> = (0..120).map(line).collect();
    dir.write("my.csv", &format!("a,b,y\n{}\n", text.join("\n")));
    dir.write("new.csv", "a,b\n3.5,7\n80,20\n");
    for method in [
        "linear-gaussian",
        "ridge",
        "boosting-quantiles",
        "calibrated-boosting-quantiles",
        "exact-gp",
    ] {
        let of = format!("--methods {method} --predict-with {method}");
        dir.run(&format!(
            "try --verbose my.csv --target y {of} --predict new.csv --out a.csv --save my.model"
        ))
        .code(0);
        dir.run("predict my.model new.csv --out b.csv").code(0);
        assert!(
            fs::read(dir.path("a.csv")).unwrap() == fs::read(dir.path("b.csv")).unwrap(),
            "{method}"
        );
        let content = unpacked(&dir);
        // The ends of the ranges and the medians are told, and boosting splits between rows.
        let held = (0..120)
            .flat_map(features)
            .filter(|x| content.windows(8).any(|eight| eight == x.to_le_bytes()));
        assert!(held.count() <= 6, "{method}");
        assert!(
            !content.windows(text[50].len()).any(|bytes| bytes == text[50].as_bytes()),
            "{method}"
        );
    }
}

#[test]
fn quantiles_and_parquet_are_of_the_same_prediction() {
    let dir = Dir::new();
    dir.write("my.csv", &table(120));
    dir.write("new.csv", NEW);
    let of = "--target y --id house --methods calibrated-linear-gaussian --predict-with \
              calibrated-linear-gaussian";
    dir.run(&format!(
        "try --verbose my.csv {of} --predict new.csv --quantiles 0.5,0.05,0.5 --out a.csv --save my.model"
    ))
    .code(0);
    let text = fs::read_to_string(dir.path("a.csv")).unwrap();
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(lines[0][3..7], ["lower", "upper", "q0.05", "q0.5"]);
    // The central 90 % interval begins at the quantile 0.05.
    assert!(lines[1][5] == lines[1][3] && lines[1][6].parse::<f64>().is_ok(), "{text}");
    dir.run("predict my.model new.csv --quantiles 0.05,0.5 --out a.parquet").code(0);
    let bytes = fs::read(dir.path("a.parquet")).unwrap();
    assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
    dir.run("predict my.model new.csv --quantiles 1.5")
        .code(2)
        .says("expected a number between 0 and 1");
    dir.run("try --verbose my.csv --target y --quantiles 0.5")
        .code(2)
        .says("--quantiles: they are of predictions");
}

#[test]
fn groups_times_and_one_bound_are_kept_too() {
    let shop = |i: usize| format!("shop {}", i % 12);
    let rows = |first: &dyn Fn(usize) -> String| {
        let line = |i: usize| {
            format!("{},{},{}", first(i), (i * 7919 % 1000) as f64 / 100.0, i as f64 / 10.0)
        };
        (0..120).map(line).collect::<Vec<_>>().join("\n")
    };
    let methods = "--methods calibrated-linear-gaussian --predict-with calibrated-linear-gaussian";
    for (by, text, new) in [
        ("group", format!("g,x,y\n{}\n", rows(&shop)), "g,x\nshop 3,1\nshop 99,2\n"),
        (
            "time",
            format!("g,x,y\n{}\n", rows(&|i| (i * 77 % 120).to_string())),
            "g,x\n5,1\n130,2\n",
        ),
    ] {
        for side in ["upper", "lower", "both"] {
            let (expected, found) =
                both(&text, new, &format!("--{by} g --side {side} --level 0.8 {methods}"));
            assert!(expected == found, "{by} {side}");
            let head = String::from_utf8_lossy(&found).lines().next().unwrap().to_owned();
            assert_eq!(head.contains("lower"), side != "upper", "{head}");
            assert_eq!(head.contains("upper"), side != "lower", "{head}");
        }
    }
    // What of new rows is told with the table is told without it.
    let dir = Dir::new();
    dir.write("my.csv", &format!("g,x,y\n{}\n", rows(&shop)));
    dir.write("new.csv", "g,x\nshop 3,1\nshop 99,2\n");
    dir.run(&format!("try --verbose my.csv --target y --group g {methods} --save my.model"))
        .code(0);
    let told = dir.run("predict my.model new.csv").code(0);
    insta::assert_snapshot!(line(&told.err, &["1 of 2 ", "\"g\""]), @r#"note: 1 of 2 new rows are of groups of the table ("g"): the page is about new groups, and the intervals of known ones may be wider than necessary"#);
}

/// A model of 40 rows by a method that is fitted at once; returns what was told.
fn saved(dir: &Dir) -> Ended {
    dir.write("my.csv", &table(60));
    dir.run(
        "try --verbose my.csv --target y --id house --methods linear-gaussian --predict-with linear-gaussian \
         --save my.model",
    )
    .code(0)
}

#[test]
fn a_prediction_says_what_the_comparison_promises_and_what_is_wrong_with_the_rows() {
    let dir = Dir::new();
    let saved = saved(&dir);
    insta::assert_snapshot!(shape(line(&saved.err, &["`linear-gaussian`", "60 rows"])), @"`linear-gaussian` is fitted on all # rows, expected to take about a second or less");
    fs::remove_file(dir.path("my.csv")).unwrap();
    dir.write("new.csv", NEW);
    let told = dir.run("predict my.model new.csv --out pred.csv").code(0);
    let found = |facts: &[&str]| line(&told.err, facts).to_owned();
    let model = found(&["`linear-gaussian`", "y of my.csv"]);
    assert!(model.contains(env!("CARGO_PKG_VERSION")), "{model}");
    let promised: Vec<&str> = told.err.lines().filter(|line| line.starts_with("- ")).collect();
    assert!(promised.len() >= 3, "coverage, guarantee, and of which rows: {promised:?}");
    insta::assert_snapshot!(shape(&promised.join("\n")), @"
    - Its # % intervals cover #.# % (# % interval: #.# to #.# %) of the test rows: too few rows to tell whether that is near the level.
    - Its coverage is measured and not guaranteed: no theorem is known for this method.
    - With the choice of the method repeated on other rows each time, the coverage is #.# % (# % interval: #.# to #.# %).
    - The coverage is an average over new rows of the same kind. It is not for later times, other places or feature values out of range, and not for each group of rows.
    ");
    // What is wrong with the new rows: the target beside them, their range, two that have no
    // answer, a level and a date.
    found(&["60 rows", "7 features"]);
    let notes = [
        found(&["note: ", "new.csv", "\"y\""]),
        found(&["warning: ", "2 of 4 "]),
        found(&["warning: ", " 2 new rows"]),
        found(&["warning: ", "\"colour\"", "1 new row"]),
        found(&["warning: ", "\"day\"", "1 new row"]),
    ];
    insta::assert_snapshot!(notes.join("\n"), @r#"
    note: new.csv: the target, "y", is ignored
    warning: 2 of 4 new rows lie outside the range of the table's rows ("x" 1, "day (days since 1970-01-01)" 2, "day (day of the year)" 1): their intervals rest on no data
    warning: 2 new rows have no prediction, and the column `reason` says why; the first: new.csv, line 3, column "x": found "many", expected a number
    warning: the column "colour" has in 1 new row levels that no row has that methods are fitted on ("green" 1): the most frequent level, "a, b", is taken in their place
    warning: the column "day" is missing in 1 new row, and in none of the rows that methods are fitted on: the median is filled in
    "#);
    let written = found(&["pred.csv", "`linear-gaussian`"]);
    assert_eq!(counts(&written), [4, 2], "rows with a prediction, and blank ones");
    insta::assert_snapshot!(written, @"wrote pred.csv: 4 rows predicted by `linear-gaussian`, 2 are blank");
    // One row is enough, by a pipe, too; an existing file is replaced.
    let one = "house,x,colour,day\na,1,red,2024-03-04\n";
    dir.write("new.csv", one);
    dir.run("predict my.model new.csv --out pred.csv").code(0).says("pred.csv: 1 ");
    let written = fs::read_to_string(dir.path("pred.csv")).unwrap();
    assert_eq!(written.lines().count(), 2, "{written}");
    let mut command = dir.command("predict my.model -");
    command.stdin(fs::File::open(dir.path("new.csv")).unwrap());
    let output = command.ended();
    assert!(output.status.success() && output.stdout == written.as_bytes());
}

#[test]
fn rows_without_the_column_that_identifies_them_are_predicted_with_a_warning() {
    let dir = Dir::new();
    saved(&dir);
    dir.write("new.csv", "x,colour,day,houses\n1,red,2024-03-04,a\n");
    let told = dir.run("predict my.model new.csv --out pred.csv").code(0);
    insta::assert_snapshot!(line(&told.err, &["warning: ", "\"house\"", "\"houses\""]), @r#"warning: the --id of `try`: new.csv has no column "house" (is it "houses"?), so that the predictions have none either; their column `row` counts the new rows"#);
    let text = fs::read_to_string(dir.path("pred.csv")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "row,mean,lower,upper,sd,aleatoric_sd,epistemic_sd");
    assert!(lines.len() == 2 && lines[1].starts_with("1,") && !lines[1].contains(",,"), "{text}");
}

#[test]
fn rows_of_which_none_can_be_answered_are_written_with_their_reasons() {
    let dir = Dir::new();
    saved(&dir);
    dir.write("new.csv", "house,x,colour,day\na,many,red,2024-03-04\nb,1,red\n");
    let none =
        "none of 2 new rows can be answered; the column `reason` of the predictions says why";
    dir.run("predict my.model new.csv --out pred.csv")
        .code(1)
        .says(none)
        .says("wrote pred.csv: no row predicted");
    let of_model = fs::read_to_string(dir.path("pred.csv")).unwrap();
    let lines: Vec<&str> = of_model.lines().collect();
    assert_eq!(lines[0], "row,house,mean,lower,upper,sd,aleatoric_sd,epistemic_sd,reason");
    assert!(
        lines[1].starts_with("1,a,,,,,,,")
            && lines[1].contains("column \"\"x\"\": found \"\"many\"\""),
        "{of_model}"
    );
    assert!(
        lines[2].starts_with("2,b,,,,,,,")
            && lines[2].contains("line 3: found 3 cells, expected 4"),
        "{of_model}"
    );
    dir.run(
        "try --verbose my.csv --target y --id house --methods linear-gaussian --predict-with linear-gaussian \
         --predict new.csv --out pred.csv",
    )
    .code(1)
    .says(none);
    assert_eq!(fs::read_to_string(dir.path("pred.csv")).unwrap(), of_model);
}

#[test]
fn a_plan_repeats_one_bound_and_the_page_follows_it() {
    let dir = Dir::new();
    dir.write("my.csv", &table(120));
    let words = "try --verbose my.csv --target y --drop house --methods calibrated-linear-gaussian --side \
                 upper --level 0.8";
    let out = dir.run(words).code(0).out;
    for part in ["80 % upper bound", "| Mean distance |", "| Pinball loss |"] {
        assert!(out.contains(part), "{part} in\n{out}");
    }
    insta::assert_snapshot!(shape(paragraph(&out, &["80 %", "Guaranteed: "])), @"Coverage: the share of the test rows at or below their # % upper bound, the predicted quantile #.#. It is near the level where its whole # % interval (Clopper & Pearson; each row counts once) lies within # points of # %, too low or too high where the interval lies outside that band; else there are too few rows to tell. Guaranteed: the least coverage by a theorem, for exchangeable rows. Mean distance: of the bound from the predicted mean. Pinball loss: #.# times the distance of a target above its bound, or #.# times that of one below it (Koenker & Bassett #); the interval score is made of the losses of both ends. CRPS (continuous ranked probability score): the error of the whole distribution. Both are in the target's unit, lower is better; ± standard deviation over folds. Log-likelihood in nat, higher is better.");
    let first = files(&dir.path("uqbench-report/try"));
    let text = |files: &std::collections::BTreeMap<String, Vec<u8>>, name: &str| {
        String::from_utf8(files[name].clone()).unwrap()
    };
    assert!(text(&first, "my-plan.json").contains("\"side\": \"upper\""));
    for name in ["my-comparison.csv", "my-comparison.json"] {
        for part in [
            "bound-coverage(level=0.8,side=upper)",
            "bound-distance(level=0.8,side=upper)",
            "pinball(level=0.8)",
        ] {
            assert!(text(&first, name).contains(part), "{part} in {name}");
        }
    }
    dir.run(
        "try --verbose my.csv --target y --drop house --figures again --plan uqbench-report/try/my-plan.json",
    )
    .code(0);
    assert!(first == files(&dir.path("again")));
}

/// Normal distributions with mean and variance of the training targets.
#[cfg(target_os = "linux")]
#[test]
fn an_external_method_is_run_by_its_own_program_again() {
    use super::external::{DESCRIPTION, MOMENTS, script};

    let dir = Dir::new();
    dir.write("my.csv", &table(60));
    dir.write("new.csv", NEW);
    dir.write("moments.sh", &script(DESCRIPTION, MOMENTS));
    let output = dir
        .command(
            "try --verbose my.csv --target y --id house --methods unconditional-gaussian --predict-with \
             moments --predict new.csv",
        )
        .args(["--out", "pred.csv", "--save", "my.model", "--with", "sh moments.sh"])
        .ended();
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && err.contains("`moments`") && err.contains(" 60 rows"),
        "{err}"
    );
    dir.run("predict my.model new.csv").code(2).says(
        "`moments` is an external method, and a model does not contain its program: --with \"sh \
         moments.sh\"",
    );
    let run = |command: &str| {
        let output = dir
            .command("predict my.model new.csv --out again.csv")
            .args(["--with", command])
            .ended();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, err) = run("sh moments.sh");
    let changed = |err: &str| {
        err.lines().any(|line| line.starts_with("warning: ") && line.contains("`moments`"))
    };
    assert!(code == Some(0) && !changed(&err), "{err}");
    insta::assert_snapshot!(line(&err, &["60 rows", "7 features"]), @"it is fitted anew on 60 rows and 7 features, of unknown duration");
    assert!(fs::read(dir.path("pred.csv")).unwrap() == fs::read(dir.path("again.csv")).unwrap());
    dir.write("other.sh", &script(DESCRIPTION, MOMENTS));
    let (code, err) = run("sh other.sh");
    assert!(code == Some(2) && err.contains("--with: found `other`, expected `moments`"), "{err}");
    dir.write("moments.sh", &(script(DESCRIPTION, MOMENTS) + "# changed\n"));
    let (code, err) = run("sh moments.sh");
    assert!(code == Some(0) && changed(&err), "{err}");
    insta::assert_snapshot!(line(&err, &["warning: ", "`moments`"]), @"warning: the files or the description of `moments` have changed since the comparison, so that its predictions may be others");
}
