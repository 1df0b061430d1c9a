//! Divide trials among machines: shards on one store or on several, killed and continued, give what
//! one machine gives.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;

use rustix::process::Signal;

use super::command::{Dir, Ended, Limited, files, wait_until};
use super::mocks::{self, Mock};
use super::wording::{self, counts};

/// Three mocks on four splits.
pub fn twelve_trials() -> String {
    mocks::benchmark(&mocks::answering(3, 1), 4)
}

/// The files of a report that state neither times nor hosts: the index of the site and the pages of
/// trials do.
pub fn pages(dir: &Dir, store: &str, out: &str) -> BTreeMap<String, Vec<u8>> {
    pages_of(dir, &format!("--store {store}"), out)
}

/// The same of a store or of a pack, by the option that names it.
fn pages_of(dir: &Dir, source: &str, out: &str) -> BTreeMap<String, Vec<u8>> {
    dir.run(&format!("report mocks.toml {source} --out {out}")).code(0);
    let mut all = files(&dir.path(out));
    all.retain(|name, _| {
        !name.starts_with("site/trial-")
            && name != "site/index.html"
            && !name.contains("provenance")
    });
    assert!(
        all.contains_key("mocks.md") && all.contains_key("site/mocks.html"),
        "{:?}",
        all.keys()
    );
    all
}

/// A folder with `mocks.toml`, a store `whole` that one machine has filled, and a plan for `shards`
/// shards.
fn planned(shards: usize) -> Dir {
    let dir = Dir::new();
    dir.write("mocks.toml", &twelve_trials());
    dir.run("run mocks.toml --store whole --out unused").code(0);
    let ended = dir.run(&format!("plan mocks.toml --shards {shards} --out plan.json"));
    ended.code(0).prints(&format!("plan.json: {shards} "));
    dir
}

fn task(dir: &Dir, words: &str, variable: &str, number: usize) -> Ended {
    let mut command = dir.command(words);
    command.env(variable, number.to_string());
    Ended::of(words, command.ended())
}

#[test]
fn a_plan_counts_trials_costs_and_what_is_stored() {
    let dir = Dir::new();
    dir.write("mocks.toml", &twelve_trials());
    let row = |ended: Ended| -> Vec<String> {
        let line = ended.out.lines().find(|line| line.starts_with("| mocks ")).unwrap().to_owned();
        line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()
    };
    // Of a method that was never measured ten seconds are expected.
    let fresh = row(dir.run("plan mocks.toml --store store").code(0));
    assert_eq!(fresh, ["mocks", "12", "0", "2 min 0 s", "2 min 0 s", "10 s", "", "12 unknown"]);
    assert!(!dir.path("store").exists(), "planning makes no store");
    dir.run("run mocks.toml --splits 3").code(0);
    let later = row(dir.run("plan mocks.toml --store store").code(0));
    assert_eq!(later, ["mocks", "12", "9", "2 min 0 s", "30 s", "10 s", "", "12 unknown"]);
}

#[test]
fn two_shards_at_once_on_one_store_give_the_pages_of_one_machine() {
    let dir = planned(2);
    let both = [1, 2]
        .map(|number| dir.start(&format!("run --plan plan.json --shard {number}/2 --jobs 2")));
    for (number, ended) in (1..).zip(both.map(|started| started.end().code(0))) {
        assert_eq!(ended.counts(), [number, 2, 6, 6, 0, 6]);
    }
    assert!(dir.kept("store") == dir.kept("whole"));
    assert!(pages(&dir, "store", "out-shards") == pages(&dir, "whole", "out-whole"));
    assert!(!dir.path("out").exists(), "a shard writes no page");
}

#[test]
fn merged_stores_of_shards_give_the_pages_of_one_machine() {
    let dir = planned(3);
    for number in 1..=3 {
        dir.run(&format!("run --plan plan.json --shard {number}/3 --store part-{number}")).code(0);
    }
    dir.run("store merge part-1 part-2 part-3 --into merged").code(0).prints("12 trials");
    assert!(dir.kept("merged") == dir.kept("whole"));
    assert!(pages(&dir, "merged", "out-merged") == pages(&dir, "whole", "out-whole"));
}

#[test]
fn packs_of_shards_give_the_pages_of_one_machine() {
    let dir = planned(3);
    for number in 1..=3 {
        dir.run(&format!("run --plan plan.json --shard {number}/3 --store part-{number}")).code(0);
        dir.run(&format!("store pack part-{number} part-{number}.pack mocks.toml --whole")).code(0);
    }
    let packs = "part-1.pack part-2.pack part-3.pack";
    dir.run(&format!("store merge {packs} --into merged.pack")).code(0).prints("12 trials");
    dir.run(&format!("store merge {packs} --into merged")).code(0).prints("12 trials");
    assert!(dir.kept("merged") == dir.kept("whole"), "no prediction is lost");
    dir.run("status --plan plan.json --store merged.pack")
        .code(0)
        .prints("| all   |       12 |       12 |");
    assert!(
        pages_of(&dir, "--from merged.pack", "out-merged") == pages(&dir, "whole", "out-whole")
    );
}

#[test]
fn a_killed_shard_that_is_queued_again_continues() {
    let dir = Dir::new();
    let mut trials = mocks::answering(5, 1);
    trials.push(Mock { behaviour: "answer", sleep_ms: 3_600_000, tag: 9 });
    dir.write("mocks.toml", &mocks::benchmark(&trials, 1));
    dir.run("plan mocks.toml --shards 1 --out plan.json").code(0);
    let started = dir.start("run --plan plan.json --jobs 1");
    wait_until(|| dir.provenances("store").len() == 5, "the short ones finish");
    started.signal(Signal::KILL);
    assert_eq!(started.end().code, None);
    let before = dir.provenances("store");
    // The task of an array that is queued again has the same number. This time its time limit ends
    // it, by a signal.
    let mut command = dir.command("run --plan plan.json --jobs 1");
    command.env("SLURM_ARRAY_TASK_ID", "1").stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let status = dir.run("status --plan plan.json").code(3);
    assert!(status.out.contains("| all "), "the status needs no scheduler");
    let mut line = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.starts_with("trials: 1 at a time"), "{line}");
    let id = rustix::process::Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
    rustix::process::kill_process(id, Signal::TERM).unwrap();
    let output = child.ended();
    assert_eq!(output.status.code(), Some(130));
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(counts(wording::line(&told, &["1 cancelled"])).ends_with(&[5, 6, 5, 0, 1]), "{told}");
    assert!(dir.provenances("store") == before, "no finished trial ran again");
}

#[test]
fn every_scheduler_numbers_the_shards() {
    let dir = planned(2);
    for variable in uqbench_run::runner::shards::TASK_VARIABLES {
        let _ = fs::remove_dir_all(dir.path("store"));
        for number in [1, 2] {
            let ended = task(&dir, "run --plan plan.json", variable, number).code(0);
            assert_eq!(ended.counts()[..4], [number as u64, 2, 6, 6], "{variable}");
        }
        assert!(dir.kept("store") == dir.kept("whole"), "{variable}");
        task(&dir, "run --plan plan.json", variable, 3).code(2).says(variable).says("from 1 to 2");
    }
    dir.run("run --plan plan.json").code(2).says("which shard?").says("--shard I/2");
    dir.run("run --plan plan.json --shard 3/2").code(2).says("expected 1/2 to 2/2");
}

#[test]
fn status_shows_what_is_left_of_each_shard() {
    let dir = planned(2);
    // Programs of a scheduler would leave a trace.
    fs::create_dir(dir.path("bin")).unwrap();
    let asked = dir.path("asked");
    for name in ["squeue", "sacct", "scontrol", "sinfo", "qstat", "bjobs"] {
        let path = dir.path("bin").join(name);
        fs::write(&path, format!("#!/bin/sh\necho {name} >> {}\nexit 1\n", asked.display()))
            .unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let rows = |store: &str, code: i32| -> Vec<String> {
        let words = format!("status --plan plan.json --store {store}");
        let mut command = dir.command(&words);
        command.env("PATH", format!("{}:/usr/bin:/bin", dir.path("bin").display()));
        let out = Ended::of(&words, command.ended()).code(code).out;
        let cells = |line: &str| {
            line.split('|').map(str::trim).collect::<Vec<_>>().join(" ").trim().to_owned()
        };
        out.lines().skip(2).map(cells).collect()
    };
    dir.run("run --plan plan.json --shard 2/2").code(0);
    assert_eq!(
        rows("store", 3),
        ["1 6 0 1 min 0 s 6 not run", "2 6 6 0 s", "all 12 6 1 min 0 s 6 not run"]
    );
    assert_eq!(rows("whole", 0), ["1 6 6 0 s", "2 6 6 0 s", "all 12 12 0 s"]);
    assert!(!asked.exists(), "a scheduler was asked");
}

#[test]
fn a_plan_of_other_trials_or_of_none_runs_nothing() {
    let dir = planned(2);
    let refused = |part: &str| {
        for words in [
            "run --plan plan.json --shard 1/2",
            "status --plan plan.json",
            "submit plan.json --slurm",
        ] {
            let ended = dir.run(words).code(1).says(part).says("uqbench plan");
            assert_eq!(
                (ended.err.matches("error: ").count(), ended.out.as_str()),
                (1, ""),
                "{words}: {}",
                ended.err
            );
        }
        assert!(!dir.path("store").exists());
    };
    dir.write("mocks.toml", &twelve_trials().replacen("tag = 2", "tag = 7", 1));
    refused("4 of 12 trials of the file do not exist here, and 4 others do");
    dir.write("mocks.toml", &twelve_trials());
    let plan = fs::read_to_string(dir.path("plan.json")).unwrap();
    dir.write("plan.json", &plan.replacen("mocks", "mocka", 1));
    refused("is damaged: checksum");
    dir.write("plan.json", "[]");
    refused("no plan");
}

#[test]
fn a_plan_takes_no_command_of_the_command_line() {
    let dir = Dir::new();
    dir.write("mocks.toml", &twelve_trials());
    let words = "plan mocks.toml --shards 2 --out plan.json --with true";
    dir.run(words).code(2).says("takes no --with").says("benchmark file");
    assert!(!dir.path("plan.json").exists());
    dir.run("run mocks.toml --plan plan.json").code(2);
    dir.run("run --plan plan.json --profile full").code(2);
}
