//! A smaller run beside the shipped one: what ran here, what is equal, and what differs.

use std::fs;
use std::path::{Path, PathBuf};

use uqbench_system::hash::sha256;

use super::command::Dir;
use super::wording::{counts, shape};

const RUN: &str = "run jcm-theorem-1 --profile quick";

/// The folders of all stored trials.
fn trials(dir: &Dir) -> Vec<PathBuf> {
    let parts = fs::read_dir(dir.path("store/trials")).unwrap().map(|part| part.unwrap().path());
    let mut all: Vec<PathBuf> = parts
        .flat_map(|part| {
            fs::read_dir(part).unwrap().map(|trial| trial.unwrap().path()).collect::<Vec<_>>()
        })
        .collect();
    all.sort();
    all
}

#[test]
fn trials_that_ran_here_are_counted_and_one_that_differs_is_explained() {
    let dir = Dir::new();
    let ended = dir.run(RUN).code(0);
    let count = trials(&dir).len();
    // Trials that ran here and are shipped; those that are equal, and those that differ.
    let equal = ended.out.lines().find(|line| counts(line) == [count, count, 0].map(|n| n as u64));
    insta::assert_snapshot!(shape(equal.expect("all are equal")), @"# trials ran on this machine and are also in the shipped run: # are equal, # differ.");

    // One more digit in the number of training rows, under a right checksum.
    let file = trials(&dir)[0].join("result.json");
    let text = fs::read_to_string(&file).unwrap();
    let body = text.split_once(",\"body\":").unwrap().1.strip_suffix("}\n").unwrap();
    let at = body.find("\"train_rows\": ").unwrap() + 14;
    let body = format!("{}9{}", &body[..at], &body[at..]);
    fs::write(&file, format!("{{\"checksum\":\"{}\",\"body\":{body}}}\n", sha256(body.as_bytes())))
        .unwrap();
    let key = trials(&dir)[0].file_name().unwrap().to_str().unwrap().to_owned();
    let differs = |told: &str| {
        let numbers = [count, count - 1, 1].map(|number| number as u64);
        told.lines().any(|line| counts(line).starts_with(&numbers))
    };
    let ended = dir.run(RUN).code(0).prints(&key).prints("uqbench rerun KEY --pack FILE");
    assert!(differs(&ended.out), "{}", ended.out);
    // In a clone the pack shows both values, and what would change.
    fs::create_dir_all(dir.path("reports/packs")).unwrap();
    let pack = Path::new(env!("CARGO_MANIFEST_DIR")).join("reports/packs/jcm-theorem-1.pack");
    fs::copy(pack, dir.path("reports/packs/jcm-theorem-1.pack")).unwrap();
    let ended =
        dir.run(RUN).code(0).prints("training rows").prints("relative difference").prints("erdict");
    assert!(differs(&ended.out), "{}", ended.out);
}

#[test]
fn trials_of_a_pack_did_not_run_here() {
    let dir = Dir::new();
    let pack = Path::new(env!("CARGO_MANIFEST_DIR")).join("reports/packs/jcm-theorem-1.pack");
    dir.run(&format!("store merge {} --into store", pack.display())).code(0);
    let count = trials(&dir).len() as u64;
    let ended = dir.run("run jcm-theorem-1 --profile full").code(0);
    let is_compared = |line: &str| counts(line) == [count, count, 0];
    assert!(!ended.out.lines().any(is_compared), "{}", ended.out);
}

#[test]
fn a_number_says_how_many_of_the_shipped_trials_behind_it_ran_here() {
    let dir = Dir::new();
    dir.run("run dtb-table-2 --profile smoke --datasets california").code(0);
    let page = dir.page("out/dtb-table-2.md");
    let here: Vec<&str> = page
        .lines()
        .filter(|line| line.starts_with("| Housing") && line.contains(" of 20 |"))
        .collect();
    assert!(
        !here.is_empty() && here.iter().all(|line| line.contains("too few repetitions")),
        "{page}"
    );
    assert!(
        page.lines().any(|line| line.starts_with("| Bike") && line.contains("| shipped |")),
        "{page}"
    );
}
