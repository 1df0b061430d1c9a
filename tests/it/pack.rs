//! Pack a store, render from the pack, join stores and packs, and remove what no run will use
//! again.

use std::fs;
use std::path::PathBuf;

use uqbench_run::benchmark::{Profile, find};
use uqbench_run::runner::key::{TrialKey, key_of_spec};
use uqbench_run::runner::plan::{Filter, plan, trials};
use uqbench_run::runner::record::{open_seal, seal, sealed};
use uqbench_run::runner::store::{Found, Store};

use super::command::{Dir, files};
use super::mocks;
use super::wording::{counts, line, shape};

/// A folder with a store of the smoke profile of three benchmarks with tables, figures, claims and
/// side tables.
fn ran() -> Dir {
    let dir = Dir::new();
    dir.run(&format!("run {BENCHMARKS} --profile smoke")).code(0);
    dir
}

const BENCHMARKS: &str = "dtb-figure-3 jcm-theorem-1 wiener-figure-2";

#[test]
fn a_pack_renders_the_pages_of_its_store_in_another_folder() {
    let dir = ran();
    let packed =
        dir.run(&format!("store pack store three.pack {BENCHMARKS} --profile smoke")).code(0);
    assert!(packed.last().contains("three.pack"), "{}", packed.last());
    let other = Dir::new();
    fs::copy(dir.path("three.pack"), other.path("three.pack")).unwrap();
    other.run(&format!("report {BENCHMARKS} --profile smoke --from three.pack --out out")).code(0);
    assert!(
        files(&other.path("out")) == files(&dir.path("out")),
        "the same pages, tables and figures"
    );
    assert!(!other.path("store").exists(), "nothing but the pages is written");
    let (store, pack) =
        (files(&dir.path("store")), fs::metadata(dir.path("three.pack")).unwrap().len());
    assert!(pack * 2 < store.values().map(|bytes| bytes.len() as u64).sum::<u64>(), "{pack} bytes");
}

#[test]
fn a_frozen_store_has_nothing_that_another_program_adds_later() {
    let dir = ran();
    let plans = plan(&[find("dtb-figure-3").unwrap()], Profile::Smoke, &Filter::default()).unwrap();
    let keys: Vec<TrialKey> = trials(&plans).into_iter().map(|trial| trial.key).collect();
    let open = || Store::open_existing(dir.path("store")).unwrap();
    let store = open();
    let (late, aside) = (store.folder(&keys[0]), dir.path("aside"));
    fs::rename(&late, &aside).unwrap();
    store.freeze(&keys).unwrap();
    fs::rename(&aside, &late).unwrap();
    assert_eq!(store.find(&keys[0]).unwrap(), Found::Absent);
    assert!(matches!(store.find(&keys[1]).unwrap(), Found::Finished(_)));
    assert!(matches!(open().find(&keys[0]).unwrap(), Found::Finished(_)));
}

#[test]
fn a_pack_that_is_cut_changed_or_asked_for_what_it_lacks_is_an_error() {
    let dir = ran();
    dir.run(&format!("store pack store three.pack {BENCHMARKS} --profile smoke")).code(0);
    let whole = fs::read(dir.path("three.pack")).unwrap();
    let report =
        |dir: &Dir| dir.run("report dtb-figure-3 --profile smoke --from three.pack --out again");
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 1;
    for (bytes, words) in [
        (whole[..whole.len() - 7].to_vec(), "its bytes are not those that were written"),
        (flipped, "its bytes are not those that were written"),
        (b"uqbench-pack 3\n".to_vec(), "has format 3, and this program"),
        (
            b"uqbench-pack 1\n".to_vec(),
            "its format is no longer read; the version of uqbench that wrote it reads it",
        ),
        (b"anything\nelse\n".to_vec(), "three.pack is not a pack: it is another kind of file"),
    ] {
        fs::write(dir.path("three.pack"), bytes).unwrap();
        report(&dir).code(1).says(words);
        assert!(!dir.path("again").exists());
    }
    fs::write(dir.path("three.pack"), whole).unwrap();
    report(&dir).code(0);
    dir.run("run dtb-figure-3 --profile smoke --store three.pack")
        .code(1)
        .says("is not empty and is not a store: it is a file");
}

#[test]
fn stores_and_packs_are_joined_whole_or_not_at_all() {
    let dir = Dir::new();
    dir.write("both.toml", &mocks::benchmark(&mocks::answering(2, 0), 2));
    dir.run("run both.toml --store whole").code(0);
    dir.run("run both.toml --store a --splits 1").code(0);
    dir.run("run both.toml --store b").code(0);
    let merged = dir.run("store merge a b --into joined").code(0);
    assert_eq!(merged.counts(), [4]);
    insta::assert_snapshot!(merged.last(), @"wrote joined: 4 trials");
    assert!(dir.kept("joined") == dir.kept("whole"));
    let again = dir.run("run both.toml --store joined").code(0);
    assert_eq!(again.counts(), [4, 4, 4, 0]);

    dir.run("store merge a b --into joined")
        .code(1)
        .says("joined exists; `--into` needs a new folder");
    dir.run("store pack a a.pack both.toml").code(0);
    dir.run("store pack b b.pack both.toml").code(0);
    dir.run("store merge a.pack b.pack --into both.pack").code(0);
    dir.run("report both.toml --from both.pack --out packed").code(0);
    dir.run("report both.toml --store whole --out stored").code(0);
    // The pages of trials tell when each ran, which differs between the two runs.
    let but_trials = |out: &str| {
        let mut all = files(&dir.path(out));
        all.retain(|name, _| !name.starts_with("site/trial-"));
        all
    };
    assert!(but_trials("packed") == but_trials("stored"));
    let merged = dir.run("store merge a.pack b --into from-both").code(0);
    assert_eq!(merged.counts(), [4]);
}

#[test]
fn check_compare_and_store_check_read_a_pack_as_they_read_its_store() {
    let dir = Dir::new();
    dir.write("both.toml", &mocks::benchmark(&mocks::answering(2, 0), 3));
    dir.run("run both.toml --profile smoke").code(0);
    dir.run("store pack store both.pack both.toml --profile smoke").code(0);
    dir.run("check both.toml --against blessed.toml --bless --reason first").code(0);
    fs::rename(dir.path("store"), dir.path("aside")).unwrap();
    let same = |words: &str, option: &str| {
        let of = |place: &str| dir.run(&format!("{words} {option} {place}")).code(0).out;
        let (packed, stored) = (of("both.pack"), of("aside"));
        assert_eq!(packed, stored, "{words}");
        assert!(!packed.is_empty(), "{words}");
    };
    for option in ["--from", "--store"] {
        same("check both.toml --against blessed.toml", option);
        same("compare --benchmarks both.toml --profile smoke", option);
        same("store check", option);
    }
    // A score that got worse is found in a pack, too.
    let text = fs::read_to_string(dir.path("blessed.toml")).unwrap();
    let mut blessed: toml::Table = toml::from_str(&text).unwrap();
    for cell in blessed["cells"].as_array_mut().unwrap() {
        for score in cell["scores"].as_array_mut().unwrap() {
            *score = (score.as_float().unwrap() / 2.0).into();
        }
    }
    dir.write("blessed.toml", &toml::to_string(&blessed).unwrap());
    dir.run("check both.toml --against blessed.toml --from both.pack").code(4);
    // Two packs, or a pack and a store, are compared as two stores are.
    let page =
        |a: &str, b: &str| dir.run(&format!("compare {a} {b} --benchmarks both.toml")).code(0).out;
    fs::copy(dir.path("both.pack"), dir.path("twin.pack")).unwrap();
    dir.run("store merge aside --into twin").code(0);
    let of_stores = page("aside", "twin");
    let of_packs =
        page("both.pack", "twin.pack").replace("both.pack", "aside").replace("twin.pack", "twin");
    assert_eq!(of_packs, of_stores);
    dir.run("compare both.pack anything").code(2).says("`both.pack` is a store");
    // Nothing in a pack can be repaired.
    dir.run("store check --repair --store both.pack").code(1).says("it is a file");
}

#[test]
fn a_run_goes_on_from_a_pack_without_predictions() {
    let dir = Dir::new();
    dir.write("both.toml", &mocks::benchmark(&mocks::answering(2, 0), 2));
    dir.run("run both.toml --store whole").code(0);
    dir.run("run both.toml --store a --splits 1").code(0);
    dir.run("store pack a a.pack both.toml").code(0);
    let merged = dir.run("store merge a.pack --into b").code(0);
    assert_eq!(merged.counts()[..2], [2, 2]);
    insta::assert_snapshot!(merged.last(), @"wrote b: 2 trials, 2 of them from packs without predictions: a run counts them as finished, and `export`, `compare` and `report` with --refill compute what their pages have not shown so far");
    let run = dir.run("run both.toml --store b").code(0);
    assert_eq!(run.counts(), [4, 4, 2, 2]);
    dir.run("store check --store b").code(0);
    // It can be packed and joined again, and a store that has the predictions fills them in.
    dir.run("store pack b b.pack both.toml").code(0);
    let but_trials = |from: &str| {
        dir.run(&format!("report both.toml --from {from} --out out-{from}")).code(0);
        let mut all = files(&dir.path(&format!("out-{from}")));
        all.retain(|name, _| !name.starts_with("site/trial-"));
        all
    };
    let expected = but_trials("whole");
    assert!(but_trials("b") == expected && but_trials("b.pack") == expected);
    let merged = dir.run("store merge b whole --into filled").code(0);
    assert_eq!(merged.counts(), [4]);
    // What was not packed is an error that says how to compute it again; a file that is lost
    // otherwise is still damage.
    dir.run("export b predictions.csv both.toml --predictions")
        .code(1)
        .says("--refill runs them again");
    let lost =
        files(&dir.path("filled")).into_keys().find(|name| name.ends_with("rows.parquet")).unwrap();
    fs::remove_file(dir.path("filled").join(lost)).unwrap();
    dir.run("store check --store filled").code(3).prints("rows.parquet: it is missing");
}

#[test]
fn stores_that_disagree_are_named_and_nothing_is_written() {
    let dir = Dir::new();
    dir.write("mocks.toml", &mocks::benchmark(&mocks::answering(1, 0), 1));
    dir.run("run mocks.toml --store a").code(0);
    // The same trial with another seal of other content: a program that broke determinism.
    let name =
        files(&dir.path("a")).into_keys().find(|name| name.ends_with("result.json")).unwrap();
    let text = fs::read_to_string(dir.path("a").join(&name)).unwrap();
    let body = text.split_once("\"body\":").unwrap().1.strip_suffix("}\n").unwrap();
    let changed = body.replacen("\"train_rows\": ", "\"train_rows\": 1", 1).replacen(
        "\"test_rows\": ",
        "\"test_rows\": 1",
        1,
    );
    assert_ne!(changed, body);
    dir.run("run mocks.toml --store b").code(0);
    fs::write(dir.path("b").join(&name), sealed(changed.as_bytes())).unwrap();
    let ended = dir.run("store merge a b --into c").code(1);
    ended.says("a and b disagree on trial").says("nothing was written");
    assert!(!dir.path("c").exists());
    let left: Vec<_> =
        fs::read_dir(dir.path(".")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().starts_with(".file-")), "{left:?}");
}

#[test]
fn trials_of_another_version_are_listed_and_removed_on_request() {
    let dir = Dir::new();
    dir.write("mocks.toml", &mocks::benchmark(&mocks::answering(2, 0), 1));
    dir.run("run mocks.toml").code(0);
    let before = dir.kept("store");
    let none = dir.run("store gc --store store").code(0);
    // Trials of other versions of all, files, kept pages, unfinished trials, and megabytes.
    assert_eq!(none.counts(), [0, 2, 0, 1, 0, 0, 0]);
    insta::assert_snapshot!(none.last(), @"0 of 2 trials (those of other versions), 0 files about absent or finished trials, 1 kept page of benchmarks that do not come with this program and the steps of 0 finished trials, 0.0 MB; `--remove` removes them");
    let (stale, _) = add_stale_trial(&dir);
    let listed = dir.run("store gc --store store").code(0);
    assert_eq!(listed.counts()[..3], [1, 3, 0], "{}", listed.last());
    assert!(stale.exists(), "it is only listed");
    let removed = dir.run("store gc --remove --store store").code(0);
    assert_eq!(removed.counts()[..2], [1, 3]);
    insta::assert_snapshot!(shape(removed.last()), @"removed # of # trials (those of other versions), # files about absent or finished trials, # kept page of benchmarks that do not come with this program and the steps of # finished trials, #.# MB");
    assert!(dir.kept("store") == before, "every other trial stays");
}

#[test]
fn a_folder_is_verified_against_a_pack_and_stale_pages_are_excused() {
    let dir = Dir::new();
    dir.write("mocks.toml", &mocks::benchmark(&mocks::answering(2, 0), 1));
    dir.run("run mocks.toml --out out").code(0);
    dir.run("store pack store mocks.pack mocks.toml").code(0);
    let verify = "report mocks.toml --from mocks.pack --out out --verify";
    let fine = dir.run(verify).code(0);
    assert!(fine.last().contains("mocks.pack"), "{}", fine.last());
    insta::assert_snapshot!(shape(fine.last()), @"# files in out are what mocks.pack renders");
    let page = dir.path("out/mocks.md");
    let text = fs::read(&page).unwrap();
    fs::write(&page, [&text[..], b"A word too many."].concat()).unwrap();
    let before = fs::read(&page).unwrap();
    dir.run(verify).code(1).says("1 of").says("mocks.md").says("without --verify");
    assert_eq!(fs::read(&page).unwrap(), before, "nothing is written");
    // The page's trial is one of another version.
    let (_, own) = add_stale_trial(&dir);
    fs::remove_dir_all(own).unwrap();
    let stale = dir.run("report mocks.toml --store store --out out --verify").code(0);
    let excused = stale.out.lines().next().unwrap();
    assert!(excused.contains("mocks.md") && excused.contains("mock "), "{excused}");
    insta::assert_snapshot!(excused, @"stale: mocks.md: mock has version 1, its trials have version 1000 (1 trial)");
}

#[test]
fn a_pack_of_several_benchmarks_is_verified_without_their_names() {
    let dir = ran();
    dir.run(&format!("store pack store three.pack {BENCHMARKS} --profile smoke")).code(0);
    let verify = "report --from three.pack --profile smoke --out out --verify";
    let found = dir.run(verify).code(0);
    let verified = found.out.lines().find_map(|line| line.strip_prefix("verified: ")).unwrap();
    let mut names: Vec<&str> = verified.split(", ").collect();
    names.sort_unstable();
    assert_eq!(names.join(" "), BENCHMARKS);
    fs::write(dir.path("out/jcm-theorem-1.md"), "another text").unwrap();
    dir.run(verify).code(1).says("jcm-theorem-1.md");
    dir.run("report --from three.pack --profile full --out out --verify")
        .code(1)
        .says("has all trials of no benchmark");
}

#[test]
fn a_benchmark_that_shares_its_trials_with_one_of_a_pack_is_not_mistaken_for_it() {
    let dir = Dir::new();
    dir.run("run dtb-table-1 --profile smoke").code(0);
    dir.run("store pack store one.pack dtb-table-1 --profile smoke").code(0);
    let found = dir.run("report --from one.pack --profile smoke --out out --verify").code(0);
    assert!(found.out.contains("\nverified: dtb-table-1\n"), "{}", found.out);
    insta::assert_snapshot!(line(&found.out, &["dtb-table-2", "one.pack"]), @"not verified: dtb-table-2: one.pack was made for other pages of its trials");
}

#[test]
fn pages_whose_trials_another_version_made_are_named() {
    let dir = Dir::new();
    dir.write("mocks.toml", &mocks::benchmark(&mocks::answering(2, 0), 1));
    dir.run("run mocks.toml").code(0);
    let fresh = dir.run("dev stale mocks.toml --store store").code(0);
    assert_eq!(fresh.counts(), [0, 1]);
    insta::assert_snapshot!(fresh.last(), @"0 of 1 page are stale");
    let (stale, own) = add_stale_trial(&dir);
    let both = dir.run("dev stale mocks.toml --store store").code(0);
    assert_eq!(both.counts(), [0, 1], "the trial of this version is there, too");
    fs::remove_dir_all(own).unwrap();
    let listed = dir.run("dev stale mocks.toml --store store").code(3);
    let why = listed.out.lines().next().unwrap();
    assert!(why.contains("mocks.md") && counts(why) == [1, 1000, 1], "{why}");
    insta::assert_snapshot!(why, @"mocks.md: mock has version 1, its trials have version 1000 (1 trial)");
    assert_eq!(listed.counts(), [1, 1]);
    fs::remove_dir_all(stale).unwrap();
    dir.run("dev stale mocks.toml --store store").code(0);
}

#[test]
fn pages_of_a_folder_are_judged_by_the_trials_that_they_list() {
    let dir = Dir::new();
    dir.write("mocks.toml", &mocks::benchmark(&mocks::answering(2, 0), 2));
    dir.run("run mocks.toml --out out").code(0);
    fs::remove_dir_all(dir.path("store")).unwrap();
    let stale = "dev stale mocks.toml --pages out";
    assert_eq!(dir.run(stale).code(0).counts(), [0, 1]);
    // A program with other data would have listed other trials.
    let list = dir.path("out/mocks-trials.csv");
    let text = fs::read_to_string(&list).unwrap();
    let key = text.lines().nth(1).unwrap().split(',').next().unwrap();
    fs::write(&list, text.replace(key, &"0".repeat(64))).unwrap();
    let found = dir.run(stale).code(3);
    assert_eq!(found.counts(), [1, 1]);
    insta::assert_snapshot!(found.last(), @"1 of 1 page is stale");
    let why = line(&found.out, &["mocks.md", "mock ", "motorcycle-94"]);
    assert_eq!(counts(why).last(), Some(&1), "{why}");
    insta::assert_snapshot!(why, @"mocks.md: mock on motorcycle-94: its trials are none that this program would run (1 trial)");
    fs::write(&list, "a,b\n1,2\n").unwrap();
    dir.run(stale).code(1).says("mocks-trials.csv is no list of trials");
    fs::remove_file(&list).unwrap();
    dir.run(stale).code(0).prints("not known: mocks.md");
    dir.run("dev stale mocks.toml --pages out --store store").code(2);
}

/// Adds a trial of another version of the mock, whose key is the hash of its specification. Returns
/// its folder, and that of the trial that it is a copy of.
fn add_stale_trial(dir: &Dir) -> (PathBuf, PathBuf) {
    let trials = dir.path("store").join("trials");
    let name = files(&trials).into_keys().find(|name| name.ends_with("result.json")).unwrap();
    let folder = trials.join(&name).parent().unwrap().to_path_buf();
    let text = fs::read(trials.join(&name)).unwrap();
    let mut result: serde_json::Value = serde_json::from_slice(open_seal(&text).unwrap()).unwrap();
    result["spec"]["method_version"] = 1000.into();
    let key = key_of_spec(result["spec"].clone());
    result["key"] = key.as_str().into();
    let stale = trials.join(&key.as_str()[..2]).join(key.as_str());
    fs::create_dir_all(&stale).unwrap();
    for file in ["rows.parquet", "artefacts.json", "provenance.json"] {
        fs::copy(folder.join(file), stale.join(file)).unwrap();
    }
    fs::write(stale.join("result.json"), seal(&result).unwrap()).unwrap();
    (stale, folder)
}

#[cfg(unix)]
#[test]
fn a_merge_that_is_killed_leaves_a_whole_store_or_none() {
    let dir = Dir::new();
    dir.write("mocks.toml", &mocks::benchmark(&mocks::answering(40, 0), 5));
    dir.run("run mocks.toml --store a").code(0);
    let mut ends = [0, 0];
    for delay in (0..60).step_by(4) {
        let into = format!("into-{delay}");
        let started = dir.start(&format!("store merge a --into {into}"));
        std::thread::sleep(std::time::Duration::from_millis(delay));
        started.signal(rustix::process::Signal::KILL);
        started.end();
        let is_there = dir.path(&into).exists();
        ends[usize::from(is_there)] += 1;
        assert!(!is_there || dir.kept(&into) == dir.kept("a"), "killed after {delay} ms");
    }
    assert!(ends[0] > 0, "no merge was killed before its end");
    // The next merge removes what they left, but for a folder that has no lock yet, or has got it
    // in the last two seconds.
    std::thread::sleep(std::time::Duration::from_millis(2200));
    dir.run("store merge a --into last").code(0);
    let names = fs::read_dir(dir.path("")).unwrap().map(|entry| entry.unwrap().path());
    let left: Vec<_> = names
        .filter(|path| path.join("lock").exists() && path.to_str().unwrap().contains("/.file-"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}
