//! Report again, and render those pages alone of which something has changed.

use std::collections::BTreeMap;
use std::fs;

use uqbench::benchmark::{Profile, find};
use uqbench::runner::plan::{Filter, plan, trials};
use uqbench::runner::record::{RESULT, ROWS};
use uqbench::runner::store::Store;

use super::command::{Dir, Ended, files};
use super::mocks;

/// Two tables that share their trials, and a figure with trials of its own.
const BENCHMARKS: &str = "dtb-table-1 dtb-table-2 dtb-figure-3 --profile smoke";
const NOTHING: &str = "3 of 3 benchmarks: nothing has changed, their pages stay";

fn ran() -> Dir {
    let dir = Dir::new();
    dir.run(&format!("run {BENCHMARKS}")).code(0);
    dir
}

fn report(dir: &Dir, options: &str) -> Ended {
    dir.run(&format!("report {BENCHMARKS} {options}"))
}

/// The benchmarks whose pages were rendered.
fn rendered(ended: &Ended) -> Vec<&str> {
    let mut all: Vec<&str> =
        ended.err.lines().filter_map(|line| line.split_once(": wrote ")).map(|(id, _)| id).collect();
    all.sort_unstable();
    all
}

/// The files of a report into a new folder, for which every page is rendered.
fn whole(dir: &Dir, options: &str) -> BTreeMap<String, Vec<u8>> {
    let new = tempfile::tempdir_in(dir.path("")).unwrap();
    let ended = report(dir, &format!("--out {} {options}", new.path().display()));
    assert_eq!(rendered(&ended).len(), 3);
    files(new.path())
}

#[test]
fn a_report_of_which_nothing_has_changed_renders_nothing_and_says_the_same() {
    let dir = ran();
    let first = report(&dir, "").code(0);
    assert!(rendered(&first).is_empty(), "the run has written them: {}", first.err);
    let second = report(&dir, "").code(0).says(NOTHING);
    assert_eq!(second.out, first.out);
    assert!(files(&dir.path("out")) == whole(&dir, ""));
    // Figures as PNG are other files.
    assert_eq!(rendered(&report(&dir, "--png").code(0)).len(), 3);
    report(&dir, "--png").code(0).says(NOTHING);
    assert!(files(&dir.path("out")) == whole(&dir, "--png"));
    // A run that has nothing to run writes nothing either, and prints the same pages.
    let again = dir.run(&format!("run {BENCHMARKS}")).code(0).says(NOTHING);
    assert!(again.prints("DTB · Table 1").out.contains("DTB · Figure 3"));
}

#[test]
fn a_changed_trial_renders_the_pages_that_show_it_and_no_others() {
    let dir = ran();
    report(&dir, "").code(0).says(NOTHING);
    let plans = plan(&[find("dtb-figure-3").unwrap()], Profile::Smoke, &Filter::default()).unwrap();
    let key = trials(&plans).swap_remove(0).key;
    let folder = Store::open_existing(dir.path("store")).unwrap().folder(&key);
    let before = files(&dir.path("out"));

    // It is gone.
    fs::rename(&folder, dir.path("aside")).unwrap();
    let gone = report(&dir, "").code(3);
    assert_eq!(rendered(&gone), ["dtb-figure-3"]);
    assert!(files(&dir.path("out")) == whole(&dir, ""));
    assert!(files(&dir.path("out")) != before);

    // It has failed.
    let failures = dir.path("store/failures");
    let failed = uqbench::runner::record::seal(&uqbench::runner::outcome::Failure::TimedOut).unwrap();
    fs::write(failures.join(format!("{key}.json")), failed).unwrap();
    let failed = report(&dir, "").code(3);
    assert_eq!(rendered(&failed), ["dtb-figure-3"]);
    assert!(failed.last().ends_with("1 timed out"), "{}", failed.last());
    assert!(report(&dir, "").code(3).says(NOTHING).last() == failed.last(), "known trials are counted as found ones");
    assert!(files(&dir.path("out")) == whole(&dir, ""));

    // It is back.
    fs::rename(dir.path("aside"), &folder).unwrap();
    assert_eq!(rendered(&report(&dir, "").code(0)), ["dtb-figure-3"]);
    assert!(files(&dir.path("out")) == before);

    // Where it ran is another place: only its provenance tells so.
    let path = folder.join("provenance.json");
    let text = fs::read(&path).unwrap();
    fs::remove_file(&path).unwrap();
    assert_eq!(rendered(&report(&dir, "").code(0)), ["dtb-figure-3"]);
    assert!(files(&dir.path("out")) == whole(&dir, ""));
    fs::write(&path, text).unwrap();
    assert_eq!(rendered(&report(&dir, "").code(0)), ["dtb-figure-3"]);
    assert!(files(&dir.path("out")) == before);
}

#[test]
fn a_page_that_is_lost_or_was_edited_is_written_again() {
    let dir = ran();
    let before = files(&dir.path("out"));
    let of_site = before.keys().find(|name| name.starts_with("site/trial-")).unwrap();
    for name in ["dtb-figure-3.md", "dtb-table-1.csv", "dtb-table-2-differences.svg", "site/dtb-table-2.html", of_site]
    {
        let path = dir.path("out").join(name);
        fs::remove_file(&path).unwrap();
        assert!(!rendered(&report(&dir, "").code(0)).is_empty(), "{name}");
        assert!(files(&dir.path("out")) == before, "{name}");
        fs::write(&path, "another text").unwrap();
        assert!(!rendered(&report(&dir, "").code(0)).is_empty(), "{name}");
        assert!(files(&dir.path("out")) == before, "{name}");
    }
    report(&dir, "").code(0).says(NOTHING);
    // Pages about all of them are written in any case.
    fs::write(dir.path("out/site/index.html"), "another text").unwrap();
    report(&dir, "").code(0).says(NOTHING);
    assert!(files(&dir.path("out")) == before);
    // What the store knows of pages is a cache: without it, or with another one, everything is rendered.
    let known = dir.path("store/scores/pages");
    let one = known.join("dtb-figure-3-smoke.json");
    fs::write(&one, "{}").unwrap();
    assert_eq!(rendered(&report(&dir, "").code(0)), ["dtb-figure-3"]);
    fs::remove_dir_all(&known).unwrap();
    assert_eq!(rendered(&report(&dir, "").code(0)).len(), 3);
    assert!(files(&dir.path("out")) == before);
}

#[test]
fn another_choice_of_trials_and_another_benchmark_file_are_rendered() {
    let dir = Dir::new();
    let text = mocks::benchmark(&mocks::answering(2, 0), 2);
    dir.write("mocks.toml", &text);
    dir.run("run mocks.toml").code(0);
    let says = |words: &str| rendered(&dir.run(words)).len();
    assert_eq!(says("report mocks.toml"), 0);
    assert_eq!(says("report mocks.toml --splits 1"), 1);
    assert_eq!(says("report mocks.toml --splits 1"), 0);
    assert_eq!(says("report mocks.toml"), 1);
    dir.write("mocks.toml", &text.replace("title = \"Mocks\"", "title = \"Others\""));
    assert_eq!(says("report mocks.toml"), 1);
    assert!(fs::read_to_string(dir.path("out/mocks.md")).unwrap().contains("Others"));
}

#[test]
fn a_damaged_trial_is_reported_each_time() {
    let dir = Dir::new();
    dir.write("mocks.toml", &mocks::benchmark(&mocks::answering(2, 0), 2));
    dir.run("run mocks.toml").code(0);
    for file in [RESULT, ROWS] {
        let name = files(&dir.path("store")).into_keys().find(|name| name.ends_with(file)).unwrap();
        let path = dir.path("store").join(name);
        let intact = fs::read(&path).unwrap();
        let mut bytes = intact.clone();
        bytes[intact.len() / 2] ^= 1;
        fs::write(&path, bytes).unwrap();
        for _ in 0..2 {
            dir.run("report mocks.toml").code(3).says("is damaged (");
        }
        fs::write(&path, intact).unwrap();
        dir.run("report mocks.toml").code(0);
    }
}
