//! Files of a selection stand for the words of the command line that they keep.

use super::command::Dir;
use super::mocks;

/// A folder with a benchmark of three methods on one dataset, with four splits.
fn field() -> Dir {
    let dir = Dir::new();
    dir.write("mocks.toml", &mocks::benchmark(&mocks::answering(3, 0), 4));
    dir
}

#[test]
fn one_file_serves_every_command_that_takes_benchmarks() {
    let dir = field();
    dir.run("new mine.toml --like mocks.toml --profile smoke --splits 2")
        .code(0)
        .prints("`uqbench run mine.toml`");
    let ended = dir.run("run mine.toml").code(0);
    assert_eq!(ended.counts(), [6, 6, 0, 6]);
    // The profile of the file, which is not the default, and its splits.
    let page = std::fs::read_to_string(dir.path("out/mocks.md")).unwrap();
    assert!(page.contains("Profile smoke; 6 of 6 "), "{page}");
    dir.run("report mine.toml").code(0).says("1 of 1 ");
    dir.run("status mine.toml").code(0).prints("6");
    dir.run("export store out.csv mine.toml").code(0);
    let rows = std::fs::read_to_string(dir.path("out.csv")).unwrap();
    assert_eq!(rows.lines().filter(|line| line.contains(",rmse,")).count(), 6, "{rows}");
    dir.run("store pack store mine.pack mine.toml").code(0);
    dir.run("compare --benchmarks mine.toml --metrics rmse").code(0).prints("answer 0");
    // The command line outweighs the file.
    let ended = dir.run("run mine.toml --splits 3").code(0);
    assert_eq!(ended.counts(), [9, 9, 6, 3]);
}

#[test]
fn a_selection_that_selects_nothing_that_exists_is_refused_before_it_is_written() {
    let dir = field();
    for (options, why) in [
        ("--like mocks.toml --datasets motorcycle-95", "did you mean `motorcycle-94`?"),
        ("--like mocks.toml --methods tree", "no method `tree` in the chosen benchmarks"),
        ("--like mocs", "mocs"),
        ("--datasets yacht", "--like NAME names them"),
        ("--like mocks.toml --table my.csv --target y", "cannot be used with"),
    ] {
        dir.run(&format!("new mine.toml {options}")).code(2).says(why);
        assert!(!dir.path("mine.toml").exists(), "{options}");
    }
    dir.run("new mine.py --like mocks.toml").code(2).says("--like NAME names them");
    dir.write("mine.toml", "select = [\"mocks.toml\"]\nsplit = 2\n");
    dir.run("run mine.toml").code(2).says("selection mine.toml").says("unknown field `split`");
}
