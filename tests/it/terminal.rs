//! What a person at a terminal sees: a bar while trials run, and at the end findings, where to
//! look, and the tally.

use std::iter::once;
use std::process::Command;

use super::command::{Dir, started};
use super::wording::counts;

/// What the program shows on a terminal of its own, and its exit code. `None` where no `script` of
/// util-linux can make one.
fn on_a_terminal(dir: &Dir, words: &str) -> Option<(String, Option<i32>)> {
    let command = dir.command(words);
    let quoted = |word: &std::ffi::OsStr| format!("'{}'", word.to_str().unwrap());
    let line: Vec<String> =
        once(command.get_program()).chain(command.get_args()).map(quoted).collect();
    let mut script = Command::new("script");
    script
        .args(["--quiet", "--return", "--command", &line.join(" "), "/dev/null"])
        .current_dir(dir.path("."));
    let Some(output) = started(&mut script) else {
        println!("not tested: there is no `script`");
        return None;
    };
    Some((String::from_utf8(output.stdout).unwrap(), output.status.code()))
}

#[test]
fn a_run_shows_a_bar_and_a_report_ends_with_findings_and_where_to_look() {
    let dir = Dir::new();
    let Some((run, code)) = on_a_terminal(&dir, "run dtb-table-1 --profile smoke") else { return };
    assert_eq!(code, Some(0), "{run}");
    assert!(
        run.contains("\r") && run.contains("dtb-table-1 [=") && run.contains("] 35/35 trials"),
        "{run}"
    );
    assert!(!run.contains("trials after"), "plain lines are for files: {run}");
    let (report, code) = on_a_terminal(&dir, "report --profile smoke").unwrap();
    assert_eq!(code, Some(3), "most benchmarks have not run: {report}");
    let lines: Vec<&str> = report.lines().map(str::trim_end).collect();
    let [.., findings, tally, place] = lines.as_slice() else { panic!("{report}") };
    assert!(
        findings.starts_with("+ DTB, Table 2: ") || findings.starts_with("- DTB, Table 1: "),
        "{findings}"
    );
    assert!(
        place.starts_with("report: file://") && place.contains("/out/site/index.html ("),
        "{place}"
    );
    let tally = counts(tally);
    assert_eq!((tally[0], &tally[2..4]), (35, &[35, 0][..]), "{tally:?}");
    assert!(!report.contains("| ---"), "Markdown is for files: {report}");
    let piped = dir.run("report --profile smoke").code(3);
    assert!(piped.out.contains("| ---"), "{}", piped.out);
}

#[test]
fn a_page_fits_the_window_and_has_no_mark_of_markdown() {
    let dir = Dir::new();
    let rows: String = (0..60).map(|i| format!("{i},{},7,{}\n", i * i % 17, 3 * i % 11)).collect();
    dir.write("my.csv", &format!("row,\"a|b\",same,y\n{rows}"));
    let Some((audit, code)) = on_a_terminal(&dir, "audit my.csv --target y") else { return };
    assert_eq!(code, Some(3), "{audit}");
    let lines: Vec<&str> = audit.lines().map(str::trim_end).collect();
    assert_eq!(lines[..2], ["y of my.csv", "==========="], "{audit}");
    assert!(
        lines.iter().all(|line| line.chars().count() <= 80),
        "a window that has no width is 80 wide: {audit}"
    );
    assert!(lines.iter().any(|line| line.starts_with("warning   ")), "{audit}");
    assert!(!audit.contains('\\') && !audit.contains("| "), "{audit}");
    assert!(dir.run("audit my.csv --target y").code(3).out.contains("| -------- |"));
}
