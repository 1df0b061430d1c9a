//! Test what `try` says first: the answer on the terminal and on the page, and the interval of each
//! row.

use std::fs;

use super::command::{Dir, files};
use super::try_table::my;
use uqbench_report::export::for_terminal;

/// What two lines of standard error and the answer have together on a terminal of 100 columns.
const MOST_LINES: usize = 25;

#[test]
fn the_answer_fits_a_terminal_and_leads_to_the_page() {
    let dir = Dir::new();
    my(&dir, "boston");
    let options = "--target y --jobs 1 --methods linear-gaussian,calibrated-linear-gaussian,tree";
    let ended = dir.run(&format!("try my.csv {options}")).code(0);
    let progress = |line: &&str| line.starts_with("try: ");
    let told: Vec<&str> = ended.err.lines().filter(|line| !progress(line)).collect();
    let (first, plan) = (told[0], told[1]);
    assert!(first.starts_with("warning: the target looks censored: 16 rows"), "{first}");
    assert!(plan.starts_with("plan: 5 methods, 5 folds, divided twice: about "), "{plan}");
    assert_eq!(told.len(), 2, "{}", ended.err);
    let shown = for_terminal(&ended.out, 100);
    let lines = shown.trim_end().lines().count();
    assert!(lines + told.len() <= MOST_LINES, "{lines} lines:\n{shown}");
    for part in
        ["**Recommended: `", "| calibrated-linear-gaussian", "- Warning: ", "--save my.model"]
    {
        assert!(ended.out.contains(part), "{part} in\n{}", ended.out);
    }
    assert!(!ended.out.contains("## Methods"), "{}", ended.out);
    let written = files(&dir.path("uqbench-report/try"));
    for name in ["my-held-out.png", "my-held-out.svg", "my-calibration.svg", "my-rows.csv"] {
        assert!(written.contains_key(name), "{name} among {:?}", written.keys());
    }
    let page = String::from_utf8_lossy(&written["site/my.html"]).into_owned();
    let answer = page.split("class=\"beside\"").nth(1).unwrap();
    let answer = answer.split("<h2>").next().unwrap();
    for part in ["Recommended: ", "figure-my-held-out", "Warning: ", "--save my.model"] {
        assert!(answer.contains(part), "{part} in\n{answer}");
    }
    assert!(page.contains("<details><summary><h2>Calibration: y of my.csv</h2>"), "not folded");

    let whole = dir.run(&format!("try --verbose my.csv {options}")).code(0);
    assert!(whole.out.starts_with(ended.out.split("- Next: ").next().unwrap()), "{}", whole.out);
    assert!(whole.out.contains("## Methods"), "{}", whole.out);
    assert!(whole.err.contains("\n  linear-gaussian "), "{}", whole.err);
}

/// The rows are a series, in another order than that of time. The third line has no target.
#[test]
fn each_row_has_its_interval_under_its_number_its_line_and_its_identifier() {
    let dir = Dir::new();
    let row = |i: usize| {
        let day = 199 - i;
        let y = if i == 1 { String::new() } else { format!("{}", day % 7 + day / 10) };
        format!("house {i},{day},{},{y}", day % 7)
    };
    let rows: Vec<String> = (0..200).map(row).collect();
    dir.write("my.csv", &format!("house,day,x,y\n{}\n", rows.join("\n")));
    dir.run(
        "try my.csv --target y --id house --time day --keep --jobs 1 --methods linear-gaussian \
         --figures out",
    )
    .code(0);
    let text = fs::read_to_string(dir.path("out/my-rows.csv")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "row,line,house,outcome,mean,lower,upper,inside");
    assert!(lines[1].starts_with("1,2,house 0,22,"), "{}", lines[1]);
    // The second row has no target. Rows before the first block in time are not tested.
    assert!(lines[2].starts_with("3,4,house 2,20,"), "{}", lines[2]);
    assert_eq!(lines.len(), 1 + 99, "of 199 rows with a target the later half is tested");
}

#[test]
fn how_the_file_was_read_stands_on_the_page() {
    let dir = Dir::new();
    let row = |i: usize| format!("{},{},{}\n", ["a", "b"][i % 2], i % 10, i % 10 + 3 * (i % 2));
    dir.write("my.csv", &format!("kind,x,y\n{}", (0..60).map(row).collect::<String>()));
    let ended = dir.run("try my.csv --target y --jobs 1 --methods linear-gaussian").code(0);
    assert!(ended.err.contains("on the page, or with --verbose)"), "{}", ended.err);
    let page = fs::read_to_string(dir.path("uqbench-report/try/site/my.html")).unwrap();
    let (_, read) = page.split_once("<h2>How the file was read</h2>").unwrap();
    assert!(read.contains("is categorical: one-hot encoded"), "{read}");
}
