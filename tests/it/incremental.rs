//! Report again, and render those pages alone of which something has changed.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use uqbench_run::benchmark::{Profile, find};
use uqbench_run::runner::key::TrialKey;
use uqbench_run::runner::outcome::Failure;
use uqbench_run::runner::plan::{Filter, plan, trials};
use uqbench_run::runner::record::{PROVENANCE, RESULT, ROWS, open_seal, seal, sealed};
use uqbench_run::runner::store::Store;

use super::command::{Dir, Ended, Limited, files};
use super::mocks;
use super::wording::line;

/// Two tables that share their trials, and a figure with trials of its own.
const BENCHMARKS: &str = "dtb-table-1 dtb-table-2 dtb-figure-3";

fn ran() -> Dir {
    let dir = Dir::new();
    dir.run(&format!("run {BENCHMARKS} --profile smoke")).code(0);
    dir
}

/// The report of these benchmarks, and of every benchmark for none.
fn report(dir: &Dir, words: &str) -> Ended {
    dir.run(&format!("report --profile smoke {words}"))
}

/// The benchmarks whose pages were rendered.
fn rendered(ended: &Ended) -> Vec<&str> {
    let mut all: Vec<&str> = ended
        .err
        .lines()
        .filter_map(|line| line.split_once(": wrote "))
        .map(|(id, _)| id)
        .collect();
    all.sort_unstable();
    all
}

/// The benchmarks of which a report renders the pages, and whether the folder then has the bytes of
/// a report into a new folder that renders every page.
#[track_caller]
fn again(dir: &Dir, words: &str) -> Vec<String> {
    let ended = report(dir, words);
    let (kept, aside) = (dir.path("store/scores/pages"), dir.path("pages"));
    fs::rename(&kept, &aside).unwrap();
    let whole = report(dir, &format!("{words} --out whole"));
    assert!(rendered(&whole).len() >= rendered(&ended).len().max(1), "{}", whole.err);
    fs::remove_dir_all(&kept).unwrap();
    fs::rename(&aside, &kept).unwrap();
    let (mut out, whole) = (files(&dir.path("out")), files(&dir.path("whole")));
    fs::remove_dir_all(dir.path("whole")).unwrap();
    // Pages of other benchmarks stay, and those of trials that no page leads to any more.
    out.retain(|name, _| whole.contains_key(name));
    let names = |all: &BTreeMap<String, Vec<u8>>| all.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&out), names(&whole));
    let other: Vec<&String> = out.keys().filter(|name| out[*name] != whole[*name]).collect();
    assert!(other.is_empty(), "{other:?}");
    rendered(&ended).into_iter().map(str::to_owned).collect()
}

/// The first trial of a benchmark, and its folder.
fn first(dir: &Dir, benchmark: &str) -> (TrialKey, PathBuf) {
    let plans = plan(&[find(benchmark).unwrap()], Profile::Smoke, &Filter::default()).unwrap();
    let key = trials(&plans).swap_remove(0).key;
    let folder = Store::open_existing(dir.path("store")).unwrap().folder(&key);
    (key, folder)
}

/// Changes a sealed file.
fn edit(path: &PathBuf, change: impl FnOnce(&mut Value)) {
    let mut value = serde_json::from_slice(open_seal(&fs::read(path).unwrap()).unwrap()).unwrap();
    change(&mut value);
    fs::write(path, sealed(&serde_json::to_vec(&value).unwrap())).unwrap();
}

#[test]
fn a_report_of_which_nothing_has_changed_renders_nothing_and_says_the_same() {
    let dir = ran();
    let first = report(&dir, BENCHMARKS).code(0);
    let nothing = line(&first.err, &["3 of 3 "]);
    insta::assert_snapshot!(nothing, @"3 of 3 benchmarks: nothing has changed since the pages were rendered");
    assert!(rendered(&first).is_empty(), "the run has rendered them: {}", first.err);
    let before = files(&dir.path("out"));
    let second = report(&dir, BENCHMARKS).code(0).says(nothing);
    assert_eq!(second.out, first.out);
    assert!(files(&dir.path("out")) == before);
    assert!(again(&dir, BENCHMARKS).is_empty());
    report(&dir, &format!("{BENCHMARKS} --out other")).code(0).says(nothing);
    assert!(files(&dir.path("other")) == before);
    // A run that has nothing to run renders nothing either, and prints the same pages.
    let ended = dir.run(&format!("run {BENCHMARKS} --profile smoke")).code(0).says(nothing);
    assert!(ended.prints("DTB · Table 1").out.contains("DTB · Figure 3"));
    // PNGs are drawn anew, so that they are never those of another figure.
    assert_eq!(again(&dir, &format!("{BENCHMARKS} --png")).len(), 3);
    assert!(files(&dir.path("out")).keys().any(|name| name.ends_with(".png")));
}

#[test]
fn a_changed_score_renders_the_pages_that_show_it_and_those_about_all_benchmarks() {
    let dir = ran();
    let all = report(&dir, "");
    assert!(rendered(&all).len() > 20, "{}", all.err);
    assert!(again(&dir, "").is_empty());
    let before = files(&dir.path("out"));
    let (key, _) = first(&dir, "dtb-figure-3");
    let cache = dir.path("store/scores").join(&key.as_str()[..2]).join(format!("{key}.json"));
    edit(&cache, |cached| {
        for of_reading in cached["scores"].as_object_mut().unwrap().values_mut() {
            of_reading
                .as_object_mut()
                .unwrap()
                .values_mut()
                .for_each(|score| *score = json!(0.015_625));
        }
    });
    assert_eq!(again(&dir, ""), ["dtb-figure-3"]);
    let after = files(&dir.path("out"));
    let changed: Vec<&String> =
        after.keys().filter(|name| before.get(*name) != Some(&after[*name])).collect();
    let of_own = |name: &str| name.contains("dtb-figure-3") || name.contains(&key.as_str()[..8]);
    let of_all = ["index.md", "scorecard.csv", "scorecard.json", "site/index.html"];
    assert!(
        changed.iter().all(|name| of_own(name) || of_all.contains(&name.as_str())),
        "{changed:?}"
    );
    for name in ["dtb-figure-3.md", "dtb-figure-3.csv", "site/dtb-figure-3.html", "site/index.html"]
    {
        assert!(changed.iter().any(|changed| *changed == name), "{name}: {changed:?}");
    }
    assert!(again(&dir, "").is_empty());
}

#[test]
fn a_trial_that_goes_fails_comes_or_becomes_another_one_renders_the_pages_that_show_it() {
    let dir = ran();
    let before = files(&dir.path("out"));
    let (key, folder) = first(&dir, "dtb-figure-3");
    let figure = ["dtb-figure-3"];
    fs::rename(&folder, dir.path("aside")).unwrap();
    assert_eq!(again(&dir, BENCHMARKS), figure);
    assert!(files(&dir.path("out")) != before);

    fs::write(
        dir.path("store/failures").join(format!("{key}.json")),
        seal(&Failure::TimedOut).unwrap(),
    )
    .unwrap();
    assert_eq!(again(&dir, BENCHMARKS), figure);
    let failed = report(&dir, BENCHMARKS).code(3);
    assert!(
        rendered(&failed).is_empty() && failed.last().ends_with("1 timed out"),
        "kept, too: {}",
        failed.last()
    );

    // It is added.
    fs::rename(dir.path("aside"), &folder).unwrap();
    assert_eq!(again(&dir, BENCHMARKS), figure);
    assert!(files(&dir.path("out")) == before);

    // Another trial under its key.
    let (record, provenance) = (folder.join(RESULT), folder.join(PROVENANCE));
    let own = fs::read(&record).unwrap();
    edit(&record, |result| result["outcome"] = json!({ "diverged": "another outcome" }));
    assert_eq!(again(&dir, BENCHMARKS), figure);
    assert!(
        String::from_utf8_lossy(&files(&dir.path("out"))["site/index.html"])
            .contains("another outcome")
    );
    fs::write(&record, own).unwrap();

    // It ran elsewhere: its provenance alone says so.
    let own = fs::read(&provenance).unwrap();
    edit(&provenance, |provenance| provenance["platform"] = json!("another platform"));
    assert_eq!(again(&dir, BENCHMARKS), figure);
    fs::write(&provenance, own).unwrap();
    assert_eq!(again(&dir, BENCHMARKS), figure);
    assert!(files(&dir.path("out")) == before);
}

#[test]
fn a_trial_of_two_benchmarks_renders_both_and_its_page_leads_back_to_the_first_one_of_the_report() {
    let dir = ran();
    let (_, folder) = first(&dir, "dtb-table-1");
    let tables = ["dtb-table-1", "dtb-table-2"];
    // The page of a trial of both is as in a whole report of the chosen ones, whatever was reported
    // before.
    for words in ["dtb-table-2", BENCHMARKS, "dtb-table-1"] {
        assert!(again(&dir, words).is_empty(), "{words}");
    }
    edit(&folder.join(RESULT), |result| {
        result["outcome"] = json!({ "diverged": "another outcome" })
    });
    assert_eq!(again(&dir, "dtb-table-2"), ["dtb-table-2"]);
    assert_eq!(again(&dir, BENCHMARKS), ["dtb-table-1"]);
    fs::rename(&folder, dir.path("aside")).unwrap();
    assert_eq!(again(&dir, BENCHMARKS), tables);
}

#[test]
fn a_file_that_is_lost_or_was_edited_is_written_again_without_rendering() {
    let dir = ran();
    let before = files(&dir.path("out"));
    for name in before.keys() {
        let path = dir.path("out").join(name);
        if name.len() % 2 == 0 { fs::remove_file(&path) } else { fs::write(&path, "another text") }
            .unwrap();
    }
    assert!(again(&dir, BENCHMARKS).is_empty());
    assert!(files(&dir.path("out")) == before);
}

#[test]
fn kept_pages_of_unknown_benchmarks_are_removed_on_request() {
    let dir = ran();
    dir.write("mocks.toml", &mocks::benchmark(&mocks::answering(1, 0), 1));
    dir.run("run mocks.toml --profile smoke").code(0);
    let kept = || fs::read_dir(dir.path("store/scores/pages")).unwrap().count();
    assert_eq!(kept(), 4);
    dir.run("dev gc --store store").code(0).prints(", 1 kept page ");
    dir.run("dev gc --remove --store store").code(0).prints("removed 0 of");
    assert_eq!(kept(), 3);
    assert!(rendered(&report(&dir, BENCHMARKS)).is_empty(), "the others stay");
}

#[test]
fn kept_pages_that_are_damaged_lost_or_cannot_be_kept_are_rendered() {
    let dir = ran();
    let before = files(&dir.path("out"));
    let kept = dir.path("store/scores/pages");
    let one = kept.join("dtb-figure-3-smoke");
    let intact = fs::read(&one).unwrap();
    let mut flipped = intact.clone();
    flipped[intact.len() / 2] ^= 1;
    for damaged in [&flipped, &intact[..intact.len() / 2], b""] {
        fs::write(&one, damaged).unwrap();
        assert_eq!(rendered(&report(&dir, BENCHMARKS).code(0)), ["dtb-figure-3"]);
        assert!(fs::read(&one).unwrap() == intact, "they are kept again");
    }
    // A store that refuses them gives the same report.
    fs::remove_dir_all(&kept).unwrap();
    fs::write(&kept, "a file where a folder should be").unwrap();
    for _ in 0..2 {
        assert_eq!(rendered(&report(&dir, BENCHMARKS).code(0)).len(), 3);
    }
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
#[cfg(target_os = "linux")]
fn another_program_renders_everything() {
    let dir = Dir::new();
    dir.write("mocks.toml", &mocks::benchmark(&mocks::answering(2, 0), 2));
    dir.run("run mocks.toml").code(0);
    // It does the same, and has one byte more.
    let other = dir.path("other");
    fs::copy(env!("CARGO_BIN_EXE_uqbench"), &other).unwrap();
    let mut file = fs::OpenOptions::new().append(true).open(&other).unwrap();
    std::io::Write::write_all(&mut file, b"\n").unwrap();
    drop(file);
    let words = "report mocks.toml";
    let by_other = || {
        let given = dir.command(words);
        let output = std::process::Command::new(&other)
            .args(given.get_args())
            .current_dir(dir.path(""))
            .ended();
        rendered(&Ended::of(words, output).code(0)).len()
    };
    assert_eq!([by_other(), by_other()], [1, 0]);
    assert_eq!(rendered(&dir.run(words).code(0)), ["mocks"]);
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
