//! What a pack has left out is computed again, compared with the pack, and kept.

use std::fs;
use std::path::Path;

use super::command::Dir;
use super::wording::{counts, shape};

fn pack(benchmark: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join(format!("reports/packs/{benchmark}.pack"))
        .display()
        .to_string()
}

/// The line that says that so many trials ran again, and that as many are kept.
fn kept(told: &str, is_it: impl Fn(u64) -> bool) -> &str {
    let has_both =
        |line: &&str| matches!(counts(line)[..], [ran, kept] if ran == kept && is_it(ran));
    told.lines().find(has_both).unwrap_or_else(|| panic!("{told}"))
}

fn rows(dir: &Dir) -> usize {
    fs::read_to_string(dir.path("predictions.csv")).unwrap().lines().count()
}

#[test]
fn predictions_that_a_pack_has_left_out_are_computed_again_and_the_pages_stay() {
    let dir = Dir::new();
    let (pack, export) = (
        pack("jcm-theorem-1"),
        "predictions.csv jcm-theorem-1 --profile full --predictions --offline",
    );
    // A pack is not changed: its error says what makes a store of it.
    dir.run(&format!("export {pack} {export} --refill"))
        .code(1)
        .says("store merge")
        .says("10 trials");
    dir.run(&format!("store merge {pack} --into store")).code(0);
    dir.run(&format!("export store {export}")).code(1).says("10 trials").says("--refill");
    let refilled = dir.run(&format!("export store {export} --refill")).code(0);
    insta::assert_snapshot!(shape(kept(&refilled.err, |trials| trials == 10)), @"# trials ran again with the numbers of the pack, and # are kept");
    let all = rows(&dir);
    assert!(all > 10, "{all}");
    // They are kept: nothing runs again.
    dir.run(&format!("export store {export} --refill")).code(0);
    assert_eq!(rows(&dir), all);
    dir.run("store check --store store").code(0);
    let reports = Path::new(env!("CARGO_MANIFEST_DIR")).join("reports");
    let verify = format!(
        "report jcm-theorem-1 --profile full --formats md,csv,svg --verify --out {}",
        reports.display()
    );
    dir.run(&verify).code(0);
}

#[test]
fn a_metric_that_is_new_to_a_pack_is_computed_from_trials_that_run_again() {
    let dir = Dir::new();
    dir.run(&format!("store merge {} --into store", pack("jcm-theorem-1"))).code(0);
    dir.run(&format!("store merge {} --into dtb", pack("dtb-table-1"))).code(0);
    let compare = "compare --benchmarks dtb-table-1 --datasets grid,california --splits 2 \
                   --methods dtb --profile full --metrics mae --store dtb --offline";
    let ended = dir.run(compare);
    ended.code(1).says("--refill");
    let refilled = dir.run(&format!("{compare} --refill")).code(0);
    insta::assert_snapshot!(shape(kept(&refilled.err, |trials| trials > 0)), @"# trials ran again with the numbers of the pack, and # are kept");
    dir.run(compare).code(0);
}

#[test]
fn a_trial_that_the_pack_states_otherwise_is_not_kept() {
    let dir = Dir::new();
    dir.run(&format!("store merge {} --into store", pack("jcm-theorem-1"))).code(0);
    // The first trial's number of training rows.
    let mut folders: Vec<_> = fs::read_dir(dir.path("store/trials"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    folders.sort();
    let trial = fs::read_dir(&folders[0]).unwrap().next().unwrap().unwrap().path();
    let text = fs::read_to_string(trial.join("result.json")).unwrap();
    let body = text.split_once(",\"body\":").unwrap().1.strip_suffix("}\n").unwrap();
    let at = body.find("\"train_rows\": ").unwrap() + 14;
    let body = format!("{}9{}", &body[..at], &body[at..]);
    let sealed = format!(
        "{{\"checksum\":\"{}\",\"body\":{body}}}\n",
        uqbench_system::hash::sha256(body.as_bytes())
    );
    fs::write(trial.join("result.json"), sealed).unwrap();
    let export = "export store predictions.csv jcm-theorem-1 --profile full --predictions \
                  --offline --refill";
    dir.run(export).code(3).says("different").says("9 trials");
    assert!(trial.join("packed").exists(), "it stays as the pack has it");
    assert!(!dir.path("predictions.csv").exists());
}
