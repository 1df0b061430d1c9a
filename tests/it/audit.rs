//! Audit tables of one's own.

use super::command::Dir;

fn write(dir: &Dir, name: &str, header: &str, lines: &[String]) {
    dir.write(name, &format!("{header}\n{}\n", lines.join("\n")));
}

#[test]
fn an_audit_lists_findings_and_runs_nothing() {
    let dir = Dir::new();
    let lines: Vec<String> = (0..40).map(|i| format!("{},{}", (i * i) % 37, f64::from(i * 7 % 40).sqrt())).collect();
    write(&dir, "good.csv", "x,y", &lines);
    let quiet = dir.run("audit good.csv --target y").code(0);
    assert!(quiet.out.contains("40 rows, 1 feature.\n\nNo findings."), "{}", quiet.out);
    let lines_of_whole: Vec<String> = (0..40).map(|i| format!("{},{}", (i * i) % 37, 5 * (i * 7 % 40))).collect();
    write(&dir, "rounded.csv", "x,y", &lines_of_whole);
    let rounded = dir.run("audit rounded.csv --target y").code(0);
    assert!(rounded.out.contains("| note     | the target is rounded to multiples of 5"), "{}", rounded.out);
    dir.run("audit good.csv --target z").code(2).says("--target: good.csv has no column \"z\"");
    let leak: Vec<String> = lines.iter().map(|line| format!("{line},{}", line.rsplit_once(',').unwrap().1)).collect();
    write(&dir, "leak.csv", "x,y,copy", &leak);
    let told = dir.run("audit leak.csv --target y").code(3);
    assert!(told.out.contains("\"copy\" alone reproduces the target"), "{}", told.out);
    assert!(!dir.path("uqbench-report").exists());
}

#[test]
fn an_audit_tests_the_order_of_the_rows() {
    let dir = Dir::new();
    let trend: Vec<String> = (0..200).map(|i| format!("{},{},{}", i / 20, i * 7919 % 1000, i + i * 37 % 10)).collect();
    write(&dir, "my.csv", "shop,x,y", &trend);
    let part = "| warning  | the targets of neighbouring rows are much alike (rank von Neumann ratio 0.0";
    let told = dir.run("audit my.csv --target y").code(3);
    assert!(told.out.contains(part) && told.out.contains("tests from past to future"), "{}", told.out);
    let stated = dir.run("audit my.csv --target y --group shop");
    assert!(!stated.out.contains("von Neumann"), "{}", stated.out);
    let shuffled: Vec<String> = (0..200).map(|i| trend[i * 77 % 200].clone()).collect();
    write(&dir, "shuffled.csv", "shop,x,y", &shuffled);
    assert!(!dir.run("audit shuffled.csv --target y").out.contains("von Neumann"));
    // Pairs of equal targets: every other neighbour is alike.
    let pairs: Vec<String> = (0..200).map(|i| format!("{},{}", i * 7919 % 100, (i / 2) * 37 % 100)).collect();
    write(&dir, "pairs.csv", "x,y", &pairs);
    let told = dir.run("audit pairs.csv --target y").code(0);
    assert!(told.out.contains("| note     | the targets of neighbouring rows are somewhat alike"), "{}", told.out);
}

#[test]
fn an_audit_reads_what_other_programs_write() {
    let dir = Dir::new();
    let lines: Vec<String> = (0..40).map(|i| format!("{};{};", (i * i) % 37, f64::from(i * 7 % 40).sqrt())).collect();
    write(&dir, "my.csv", "sep=;\nx;y", &lines);
    for name in ["utf8", "Latin1", "ISO-8859-1", "windows-1252"] {
        dir.run(&format!("audit my.csv --target y --encoding {name}")).code(0);
    }
    dir.run("audit my.csv --target y --encoding utf-16").code(2).says("[possible values: utf-8, latin-1]");
    dir.write("my.json", "[{\"x\": 1, \"y\": 2}]");
    dir.run("audit my.json --target y").code(1).says("my.json: found JSON, expected a table");
}
