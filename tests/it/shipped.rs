//! A smaller run beside the shipped one: what ran here, what is equal, and what differs.

use std::fs;
use std::path::{Path, PathBuf};

use uqbench_system::hash::sha256;

use super::command::Dir;

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
    ended.prints(&format!(
        "{count} trials ran on this machine and are also in the shipped run: {count} are equal, 0 \
         differ."
    ));

    // One more digit in the number of training rows, under a right checksum.
    let file = trials(&dir)[0].join("result.json");
    let text = fs::read_to_string(&file).unwrap();
    let body = text.split_once(",\"body\":").unwrap().1.strip_suffix("}\n").unwrap();
    let at = body.find("\"train_rows\": ").unwrap() + 14;
    let body = format!("{}9{}", &body[..at], &body[at..]);
    fs::write(&file, format!("{{\"checksum\":\"{}\",\"body\":{body}}}\n", sha256(body.as_bytes())))
        .unwrap();
    let key = trials(&dir)[0].file_name().unwrap().to_str().unwrap().to_owned();
    let differs = format!("{} are equal, 1 differ.", count - 1);
    dir.run(RUN).code(0).prints(&differs).prints(&key).prints("uqbench rerun KEY --pack FILE");
    // In a clone the pack shows both values, and what would change.
    fs::create_dir_all(dir.path("reports/packs")).unwrap();
    let pack = Path::new(env!("CARGO_MANIFEST_DIR")).join("reports/packs/jcm-theorem-1.pack");
    fs::copy(pack, dir.path("reports/packs/jcm-theorem-1.pack")).unwrap();
    dir.run(RUN)
        .code(0)
        .prints(&differs)
        .prints("training rows")
        .prints("relative difference")
        .prints("erdict");
}

#[test]
fn trials_of_a_pack_did_not_run_here() {
    let dir = Dir::new();
    let pack = Path::new(env!("CARGO_MANIFEST_DIR")).join("reports/packs/jcm-theorem-1.pack");
    dir.run(&format!("store merge {} --into store", pack.display())).code(0);
    let ended = dir.run("run jcm-theorem-1 --profile full").code(0);
    assert!(!ended.out.contains("ran on this machine"), "{}", ended.out);
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
