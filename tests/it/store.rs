//! Damage a store, and restore the same bytes.

use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::{ProptestConfig, any, prop_assert, prop_assert_eq, proptest};
use uq_core::metrics::{DiscretisedLogScore, MetricId, PeakMemory};
use uq_methods::CancelToken;
use uqbench_data::Library;
use uqbench_run::protocols::ScoreUnits;
use uqbench_run::runner::derived;
use uqbench_run::runner::execute::{Executor, InProcess, Job};
use uqbench_run::runner::key::TrialSpec;
use uqbench_run::runner::record::{FileStamp, TrialRecord, TrialResult, unseal};
use uqbench_run::runner::store::{Found, Store, StoreError};

use super::command::{Dir, files};
use super::determinism::no_sources;
use super::mocks;

/// Folder of every trial in a store.
fn folders(store: &Path) -> Vec<PathBuf> {
    let results =
        files(&store.join("trials")).into_keys().filter(|name| name.ends_with("result.json"));
    results.map(|name| store.join("trials").join(name).parent().unwrap().to_path_buf()).collect()
}

/// A trial of DTB with its side tables, run here.
fn record() -> TrialRecord {
    let dir = Dir::new();
    dir.run("run dtb-figure-3 --profile smoke").code(0);
    let folder = folders(&dir.path("store")).swap_remove(0);
    let result: TrialResult = unseal(&fs::read(folder.join("result.json")).unwrap()).unwrap();
    run_again(&result.spec)
}

fn run_again(spec: &TrialSpec) -> TrialRecord {
    let library = Library::new(no_sources());
    InProcess::new(&library, 1).execute(&Job::new(spec.clone()), &CancelToken::default()).unwrap()
}

#[test]
fn every_cut_and_every_flip_is_found_and_repaired() {
    let record = record();
    let names = ["result.json", "rows.parquet", "artefacts.json"];
    proptest!(ProptestConfig::with_cases(48), |(which in 0..3usize, at in any::<u32>(), flip in 0u8..=255)| {
        let dir = Dir::new();
        let key = &record.result.key;
        let store = Store::open(dir.path("store")).unwrap();
        store.keep(&record).unwrap();
        let whole = dir.kept("store");
        drop(store);

        let path = folders(&dir.path("store"))[0].join(names[which]);
        let mut bytes = fs::read(&path).unwrap();
        let length = bytes.len();
        let at = at as usize % length;
        if flip == 0 { bytes.truncate(at) } else { bytes[at] ^= flip }
        fs::write(&path, bytes).unwrap();

        let store = Store::open(dir.path("store")).unwrap();
        match store.find(key).unwrap() {
            // A blank between two tokens of JSON has no meaning, nor has the end of the last line.
            Found::Finished(found) => {
                prop_assert_eq!(&*found, &record.result);
                prop_assert!(flip != 0 || (names[which], at) == ("result.json", length - 1), "cut at {}", at);
            }
            Found::Damaged(damage) => {
                prop_assert!(damage.starts_with(names[which]), "{}", damage);
                store.set_aside(key).unwrap();
                prop_assert_eq!(store.find(key).unwrap(), Found::Absent);
                store.keep(&record).unwrap();
                prop_assert!(dir.kept("store") == whole);
            }
            Found::Absent => prop_assert!(false, "the trial is there"),
        }
    });
}

#[test]
fn a_damaged_trial_is_put_aside_reported_and_run_again() {
    let dir = Dir::new();
    let words = "run dtb-figure-3 --profile smoke";
    dir.run(words).code(0);
    let whole = dir.kept("store");
    let root = dir.path("store");
    let (mut damaged, mut told) = (0, String::new());
    for name in ["result.json", "rows.parquet", "artefacts.json"] {
        type Damage = fn(&Path);
        let damages: [Damage; 3] = [
            |path| fs::remove_file(path).unwrap(),
            |path| fs::write(path, "").unwrap(),
            |path| {
                let mut bytes = fs::read(path).unwrap();
                bytes[0] ^= 0x10;
                fs::write(path, bytes).unwrap();
            },
        ];
        for damage in damages {
            damage(&folders(&root)[0].join(name));
            let ended = dir.run(words).code(0).says(&format!("was damaged ({name}"));
            assert_eq!(ended.counts(), [2, 2, 1, 1, 1]);
            told = ended.last().to_owned();
            assert!(dir.kept("store") == whole, "{name}");
            damaged += 1;
            assert_eq!(fs::read_dir(root.join("quarantine")).unwrap().count(), damaged);
        }
    }
    insta::assert_snapshot!(told, @"2 of 2 expected trials finished (1 reused, 1 run), 1 damaged and run again");
}

#[test]
fn lost_provenance_costs_the_trial_nothing_else() {
    let dir = Dir::new();
    let words = "run dtb-figure-3 --profile smoke";
    dir.run(words).code(0);
    // The index of the site and a trial's own page show provenance.
    let pages = || {
        let mut all = files(&dir.path("out"));
        all.retain(|name, _| !name.starts_with("site/trial-") && name != "site/index.html");
        all
    };
    let (whole, page) = (dir.kept("store"), pages());
    for damage in [None, Some(""), Some("{ \"body\": {}, \"checksum\": \"0\" }")] {
        for folder in folders(&dir.path("store")) {
            let _ = fs::remove_file(folder.join("provenance.json"));
            if let Some(text) = damage {
                fs::write(folder.join("provenance.json"), text).unwrap();
            }
        }
        fs::remove_dir_all(dir.path("store/scores")).unwrap();
        let ended = dir.run(words).code(0);
        assert_eq!(ended.counts(), [2, 2, 2, 0]);
        assert!(dir.kept("store") == whole && pages() == page);
    }
}

#[test]
fn a_damaged_cache_of_scores_is_made_again() {
    let dir = Dir::new();
    let words = "run dtb-figure-3 --profile smoke";
    let page = dir.run(words).code(0).out;
    let scores = files(&dir.path("store/scores"));
    assert_eq!(scores.len(), 3, "of two trials, and a page");
    for damage in ["", "{", "{\"body\":{},\"checksum\":\"0\"}"] {
        for name in scores.keys() {
            fs::write(dir.path("store/scores").join(name), damage).unwrap();
        }
        let again = dir.run(words).code(0);
        assert_eq!(again.counts(), [2, 2, 2, 0]);
        assert_eq!(again.out.lines().rev().nth(1), page.lines().rev().nth(1));
        assert!(files(&dir.path("store/scores")) == scores);
    }
    fs::remove_dir_all(dir.path("store/scores")).unwrap();
    dir.run("report dtb-figure-3 --profile smoke").code(0);
    assert!(files(&dir.path("store/scores")) == scores);
}

#[test]
fn other_bytes_for_the_same_trial_are_a_conflict() {
    let dir = Dir::new();
    let record = record();
    let store = Store::open(dir.path("store")).unwrap();
    store.keep(&record).unwrap();
    let whole = dir.kept("store");
    store.keep(&record).unwrap();

    let mut other = record.clone();
    let rows = other.files.get_mut("rows.parquet").unwrap();
    rows.push(0);
    let stamp = FileStamp::of(rows);
    other.result.files.insert("rows.parquet".into(), stamp);
    match store.keep(&other) {
        Err(error @ StoreError::Conflict { .. }) => {
            let message = error.to_string();
            assert!(
                message.contains("rows.parquet") && message.contains(record.result.key.as_str()),
                "{message}"
            );
        }
        end => panic!("no conflict: {end:?}"),
    }
    let mut other = record.clone();
    other.result.train_rows += 1;
    assert!(matches!(store.keep(&other), Err(StoreError::Conflict { .. })));
    assert!(dir.kept("store") == whole, "the first result stays");
    assert_eq!(fs::read_dir(store.root().join("tmp")).unwrap().count(), 0);
}

#[test]
fn a_folder_that_cannot_be_renamed_is_no_conflict() {
    let dir = Dir::new();
    let record = record();
    let store = Store::open(dir.path("store")).unwrap();
    // A file is in the place of the folder.
    let folder = store.folder(&record.result.key);
    fs::create_dir_all(folder.parent().unwrap()).unwrap();
    fs::write(&folder, "in the way").unwrap();
    match store.keep(&record) {
        Err(StoreError::Write { path, .. }) => assert_eq!(path, folder),
        end => panic!("{end:?}"),
    }
}

#[test]
fn a_store_that_cannot_be_written_is_an_error_with_a_remedy() {
    let dir = Dir::new();
    dir.write("mocks.toml", &mocks::benchmark(&mocks::answering(1, 0), 1));
    dir.write("file", "");
    dir.run("run mocks.toml --store file")
        .code(1)
        .says("it is a file")
        .says("`--store DIR` chooses");

    let locked = dir.path("locked");
    fs::create_dir(&locked).unwrap();
    let mut permissions = fs::metadata(&locked).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&locked, permissions).unwrap();
    if fs::create_dir(locked.join("probe")).is_ok() {
        println!("not tested: this user may write everywhere");
        return;
    }
    let ended =
        dir.run("run mocks.toml --store locked").code(1).says("error: ").says("`--store DIR`");
    assert_eq!(ended.out, "");
}

#[test]
fn resolution_and_memory_reach_the_scores_in_either_units() {
    let dir = Dir::new();
    let lines = mocks::benchmark(&mocks::answering(1, 0), 1)
        .replace("id = \"mock\"", "id = \"linear-gaussian\"");
    let without_parameters: Vec<&str> =
        lines.lines().filter(|line| !line.starts_with("parameters")).collect();
    dir.write("linear.toml", &without_parameters.join("\n"));
    dir.run("run linear.toml").code(0);
    let folder = folders(&dir.path("store")).swap_remove(0);
    let result: TrialResult = unseal(&fs::read(folder.join("result.json")).unwrap()).unwrap();
    let store = Store::open(dir.path("scored")).unwrap();
    let metrics =
        [MetricId::DiscretisedLogScore(DiscretisedLogScore), MetricId::PeakMemory(PeakMemory)];
    let both = [ScoreUnits::Target, ScoreUnits::Scaled].map(|score_units| {
        let mut record = run_again(&TrialSpec { score_units, ..result.spec.clone() });
        // A process of its own would have measured it.
        record.provenance.peak_memory = Some(3 << 20);
        store.keep(&record).unwrap();
        let scores = derived::scores(&store, &record.result, &metrics).unwrap();
        let reading = record.result.layout.readings().next().unwrap();
        let [cells, memory] = metrics.map(|metric| scores.get(reading, &metric).unwrap().unwrap());
        assert_eq!(memory, 3.0);
        let (low, high) = record.result.target_range.unwrap();
        (cells, record.result.target_resolution.unwrap(), high - low)
    });
    let [(target_score, target_step, target_range), (scaled_score, scaled_step, scaled_range)] =
        both;
    assert_eq!(target_step, 0.1, "as the manifest states");
    assert!(
        (scaled_step / scaled_range * target_range - target_step).abs() < 1e-12
            && scaled_step < 0.05
    );
    // A probability has no unit.
    assert!(
        target_score < 0.0 && (target_score - scaled_score).abs() < 1e-9,
        "{target_score} {scaled_score}"
    );
}
