//! Audit tables of one's own.

use super::command::Dir;

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
    assert!(quiet.out.contains("40 rows, 1 feature.\n\nNo findings."), "{}", quiet.out);
    let lines_of_whole: Vec<String> =
        (0..40).map(|i| format!("{},{}", (i * i) % 37, 5 * (i * 7 % 40))).collect();
    write(&dir, "rounded.csv", "x,y", &lines_of_whole);
    let rounded = dir.run("audit rounded.csv --target y").code(0);
    assert!(
        rounded.out.contains("| note     | the target is rounded to multiples of 5"),
        "{}",
        rounded.out
    );
    dir.run("audit good.csv --target z").code(2).says("--target: good.csv has no column \"z\"");
    let leak: Vec<String> =
        lines.iter().map(|line| format!("{line},{}", line.rsplit_once(',').unwrap().1)).collect();
    write(&dir, "leak.csv", "x,y,copy", &leak);
    let told = dir.run("audit leak.csv --target y").code(3);
    assert!(told.out.contains("\"copy\" alone reproduces the target"), "{}", told.out);
    assert!(!dir.path("uqbench-report").exists());
}

#[test]
fn an_audit_tests_the_order_of_the_rows() {
    let dir = Dir::new();
    let trend: Vec<String> =
        (0..200).map(|i| format!("{},{},{}", i / 20, i * 7919 % 1000, i + i * 37 % 10)).collect();
    write(&dir, "my.csv", "shop,x,y", &trend);
    let part =
        "| warning  | the targets of neighbouring rows are much alike (rank von Neumann ratio 0.0";
    let told = dir.run("audit my.csv --target y").code(3);
    assert!(
        told.out.contains(part) && told.out.contains("tests from past to future"),
        "{}",
        told.out
    );
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
    assert!(
        told.out.contains("| note     | the targets of neighbouring rows are somewhat alike"),
        "{}",
        told.out
    );
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
    assert!(
        told.contains(
            "\nwarning: the targets of neighbouring rows are much alike (rank von Neumann ratio 0."
        ),
        "{told}"
    );
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
    let part = "the target falls with the time \"day\" (rank correlation -0.9";
    let told = dir.run("audit my.csv --target y --time day").code(3).out;
    assert!(told.contains(part), "{told}");
    assert!(
        !dir.run("audit my.csv --target y --time day --keep").out.contains("falls with the time")
    );
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
    let part = "| warning  | 119 of 179 rows equal an earlier one, target included: they are taken \
                for copies, which stay on one side of every split.";
    assert!(told.contains(part), "{told}");
    table("twice.csv", 120, false);
    let told = dir.run("audit twice.csv --target y").code(3).out;
    assert!(told.contains("the table has every row 2 times, target included"), "{told}");
    assert!(
        told.contains("rows of equal features are kept on one side of every split")
            && !told.contains("taken for copies"),
        "{told}"
    );
    table("measured.csv", 180, true);
    let told = dir.run("audit measured.csv --target y").out;
    assert!(!told.contains("kept on one side") && !told.contains("taken for copies"), "{told}");
}
