//! Audit tables of one's own.

use super::command::Dir;
use super::wording::{counts, in_one_line, line};

/// The row of an audit of this severity that has these facts, with single blanks.
fn finding(audit: &str, severity: &str, facts: &[&str]) -> String {
    let start = format!("| {severity} ");
    in_one_line(line(audit, &[&[&*start][..], facts].concat()))
}

/// All rows of an audit below its heads, with single blanks.
fn findings(audit: &str) -> String {
    let rows = audit.lines().filter(|line| line.starts_with('|')).skip(2);
    rows.map(in_one_line).collect::<Vec<_>>().join("\n")
}

fn write(dir: &Dir, name: &str, header: &str, lines: &[String]) {
    dir.write(name, &format!("{header}\n{}\n", lines.join("\n")));
}

#[test]
fn an_audit_lists_findings_and_runs_nothing() {
    let dir = Dir::new();
    let lines: Vec<String> =
        (0..40).map(|i| format!("{},{}", (i * i) % 37, f64::from(i * 7 % 40).sqrt())).collect();
    write(&dir, "good.csv", "x,y", &lines);
    let quiet = dir.run("audit good.csv --target y").code(0);
    assert_eq!(counts(line(&quiet.out, &["40 "]))[..2], [40, 1]);
    insta::assert_snapshot!(quiet.out, @"
    # y of good.csv

    40 rows, 1 feature.

    No findings.
    ");
    let lines_of_whole: Vec<String> =
        (0..40).map(|i| format!("{},{}", (i * i) % 37, 5 * (i * 7 % 40))).collect();
    write(&dir, "rounded.csv", "x,y", &lines_of_whole);
    let rounded = dir.run("audit rounded.csv --target y").code(0);
    insta::assert_snapshot!(finding(&rounded.out, "note", &[" 5"]), @"| note | the target is rounded to multiples of 5 |");
    dir.run("audit good.csv --target z").code(2).says("--target: good.csv has no column \"z\"");
    let leak: Vec<String> =
        lines.iter().map(|line| format!("{line},{}", line.rsplit_once(',').unwrap().1)).collect();
    write(&dir, "leak.csv", "x,y,copy", &leak);
    let told = dir.run("audit leak.csv --target y").code(3);
    insta::assert_snapshot!(finding(&told.out, "warning", &["\"copy\""]), @r#"| warning | the feature "copy" alone reproduces the target (rank correlation 1.0000); "y" = "copy": if it is not known before the target is, leave its column out with --drop "copy", or every score is too good |"#);
    assert!(!dir.path("uqbench-report").exists());
}

#[test]
fn an_audit_tests_the_order_of_the_rows() {
    let dir = Dir::new();
    let trend: Vec<String> =
        (0..200).map(|i| format!("{},{},{}", i / 20, i * 7919 % 1000, i + i * 37 % 10)).collect();
    write(&dir, "my.csv", "shop,x,y", &trend);
    let told = dir.run("audit my.csv --target y").code(3);
    insta::assert_snapshot!(finding(&told.out, "warning", &["von Neumann ratio 0.0"]), @"| warning | the targets of neighbouring rows are much alike (rank von Neumann ratio 0.01; rows in random order have about 2), as in a series, in groups, or in a sorted file; if new rows will be later ones or of other groups, folds of random rows promise too much: --time COLUMN tests from past to future, --group COLUMN tests whole groups |");
    let stated = dir.run("audit my.csv --target y --group shop");
    assert!(!stated.out.contains("von Neumann"), "{}", stated.out);
    let shuffled: Vec<String> = (0..200).map(|i| trend[i * 77 % 200].clone()).collect();
    write(&dir, "shuffled.csv", "shop,x,y", &shuffled);
    assert!(!dir.run("audit shuffled.csv --target y").out.contains("von Neumann"));
    // Pairs of equal targets: every other neighbour is alike.
    let pairs: Vec<String> =
        (0..200).map(|i| format!("{},{}", i * 7919 % 100, (i / 2) * 37 % 100)).collect();
    write(&dir, "pairs.csv", "x,y", &pairs);
    let told = dir.run("audit pairs.csv --target y").code(0);
    insta::assert_snapshot!(finding(&told.out, "note", &["von Neumann"]), @"| note | the targets of neighbouring rows are somewhat alike (rank von Neumann ratio 1.37; rows in random order have about 2), as in a series, in groups, or in a sorted file; if new rows will be later ones or of other groups, folds of random rows promise too much: --time COLUMN tests from past to future, --group COLUMN tests whole groups |");
}

#[test]
fn an_audit_reads_what_other_programs_write() {
    let dir = Dir::new();
    let lines: Vec<String> =
        (0..40).map(|i| format!("{};{};", (i * i) % 37, f64::from(i * 7 % 40).sqrt())).collect();
    write(&dir, "my.csv", "sep=;\nx;y", &lines);
    for name in ["utf8", "Latin1", "ISO-8859-1", "windows-1252"] {
        dir.run(&format!("audit my.csv --target y --encoding {name}")).code(0);
    }
    dir.run("audit my.csv --target y --encoding cp437").code(2);
    dir.write("my.json", "[{\"x\": 1, \"y\": 2}]");
    dir.run("audit my.json --target y").code(1).says("my.json: found JSON, expected a table");
}

#[test]
fn a_description_has_the_order_of_the_rows_too() {
    let dir = Dir::new();
    let trend: Vec<String> =
        (0..60).map(|i| format!("{},{}", i * 7919 % 1000, i + i * 37 % 10)).collect();
    write(&dir, "my.csv", "x,y", &trend);
    let told = dir.run("data describe my.csv --target y").code(0).out;
    insta::assert_snapshot!(line(&told, &["warning: ", "von Neumann ratio 0."]), @"warning: the targets of neighbouring rows are much alike (rank von Neumann ratio 0.07; rows in random order have about 2), as in a series, in groups, or in a sorted file; if new rows will be later ones or of other groups, folds of random rows promise too much: --time COLUMN tests from past to future, --group COLUMN tests whole groups");
    let shuffled: Vec<String> = (0..60).map(|i| trend[i * 37 % 60].clone()).collect();
    write(&dir, "shuffled.csv", "x,y", &shuffled);
    assert!(!dir.run("data describe shuffled.csv --target y").code(0).out.contains("von Neumann"));
}

#[test]
fn an_audit_warns_of_a_trend_that_no_feature_follows() {
    let dir = Dir::new();
    let trend: Vec<String> =
        (0..60).map(|i| format!("{i},{},{}", i * 7919 % 1000, 200 - i + i * 37 % 10)).collect();
    write(&dir, "my.csv", "day,x,y", &trend);
    let told = dir.run("audit my.csv --target y --time day").code(3).out;
    insta::assert_snapshot!(finding(&told, "warning", &["\"day\"", "-0.9"]), @r#"| warning | the target falls with the time "day" (rank correlation -0.99), which is no feature, so that methods answer later rows as if the trend had ended: --keep makes it one, and linear methods then continue the trend |"#);
    assert!(!dir.run("audit my.csv --target y --time day --keep").out.contains("-0.9"));
}

/// 60 rows, of which the first `rows` of three copies are in the file.
#[test]
fn copies_are_told_from_repeated_measurements_also_where_a_row_is_missing() {
    let dir = Dir::new();
    let table = |name: &str, rows: usize, measured: bool| {
        let line = |i: usize| {
            let (row, noise) = (i % 60, if measured { i * 37 % 101 } else { 0 });
            format!(
                "{},{},{}",
                row * 7 % 61,
                row * 11 % 61,
                (row * 13 % 59) as f64 + noise as f64 / 64.0
            )
        };
        write(&dir, name, "a,b,y", &(0..rows).map(line).collect::<Vec<_>>());
    };
    table("less.csv", 179, false);
    let told = dir.run("audit less.csv --target y").code(3).out;
    insta::assert_snapshot!(finding(&told, "warning", &["119 of 179 "]), @"| warning | 119 of 179 rows equal an earlier one, target included: they are taken for copies, which stay on one side of every split. Intervals about coverage count copies as rows of their own, and are too short |");
    table("twice.csv", 120, false);
    let told = dir.run("audit twice.csv --target y").code(3).out;
    insta::assert_snapshot!(findings(&told), @"
    | warning | the table has every row 2 times, target included: copies stay on one side of every split. Intervals about coverage count copies as rows of their own, and are too short |
    | note | the target is rounded to multiples of 1 |
    | note | 60 rows are exact twins of an earlier one |
    | note | rows of equal features are kept on one side of every split |
    ");
    table("measured.csv", 180, true);
    let told = dir.run("audit measured.csv --target y").out;
    insta::assert_snapshot!(findings(&told), @"");
}
