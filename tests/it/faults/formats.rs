//! Formats carry a version: older ones are read, newer ones are refused by name, and nothing is
//! moved.

use std::fs;
use std::path::Path;

use uqbench_run::runner::record::{TrialResult, seal, unseal};
use uqbench_run::runner::store::{Found, MARKER, Store, StoreError};

use super::{first, stored};
use crate::command::{Dir, files};

/// The store of format 1 in this repository, as an early program wrote it.
fn oldest(dir: &Dir) {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    fs::copy(data.join("store-v1.toml"), dir.path("store-v1.toml")).unwrap();
    for (path, bytes) in files(&data.join("store-v1")) {
        let to = dir.path("store").join(path);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::write(to, bytes).unwrap();
    }
    // Git stores no empty folder.
    for folder in ["quarantine", "tmp"] {
        fs::create_dir_all(dir.path("store").join(folder)).unwrap();
    }
}

#[test]
fn a_store_of_the_first_format_is_read_at_once_and_marked_at_the_first_write() {
    let dir = Dir::new();
    oldest(&dir);
    let whole = files(&dir.path("store/trials"));
    let status = dir.run("status store-v1.toml").code(3);
    assert!(status.out.contains("| 2 diverged, 2 crashed |"), "{}", status.out);
    assert!(!dir.path("store").join(MARKER).exists(), "status writes nothing");
    let report = dir.run("report store-v1.toml").code(3);
    assert_eq!(
        report.last(),
        "6 of 8 expected trials finished (6 reused, 0 run), 2 diverged, 2 crashed"
    );
    let printed =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/store-v1.csv"))
            .unwrap();
    assert_eq!(
        fs::read_to_string(dir.path("out/store-v1.csv")).unwrap(),
        printed,
        "the numbers of that program"
    );
    let ended = dir.run("run store-v1.toml").code(3);
    assert_eq!(
        ended.last(),
        "6 of 8 expected trials finished (6 reused, 0 run), 2 diverged, 2 crashed"
    );
    assert!(fs::read_to_string(dir.path("store").join(MARKER)).unwrap().contains("format = 1"));
    assert!(files(&dir.path("store/trials")) == whole);
    assert_eq!(fs::read_dir(dir.path("store/quarantine")).unwrap().count(), 0);
}

#[test]
fn a_newer_store_is_refused_by_name_and_not_touched() {
    let dir = stored();
    fs::write(dir.path("store").join(MARKER), "format = 2\nshape = \"round\"\n").unwrap();
    let before = files(&dir.path("store"));
    for words in [
        "run mocks.toml",
        "report mocks.toml",
        "status mocks.toml",
        "compare --benchmarks mocks.toml",
        "store check --store store",
    ] {
        dir.run(words)
            .code(1)
            .says("the store ")
            .says("has format 2")
            .says("uqbench 0.1.0, reads formats up to 1");
    }
    dir.run("compare store store").code(1).says("has format 2");
    assert!(files(&dir.path("store")) == before);
    for text in ["", "format = \"1\"", "format = 0", "{"] {
        fs::write(dir.path("store").join(MARKER), text).unwrap();
        dir.run("status mocks.toml").code(1).says(MARKER);
    }
}

/// Replaces the first result by a changed one with a valid seal.
fn forge(
    dir: &Dir,
    change: impl FnOnce(&mut serde_json::Value),
) -> uqbench_run::runner::key::TrialKey {
    let path = first(&dir.path("store"), "result.json");
    let mut value: serde_json::Value = unseal(&fs::read(&path).unwrap()).unwrap();
    let key = serde_json::from_value(value["key"].clone()).unwrap();
    change(&mut value);
    fs::write(path, seal(&value).unwrap()).unwrap();
    key
}

#[test]
fn a_trial_of_a_newer_program_is_refused_and_stays() {
    let changes: [fn(&mut serde_json::Value); 2] = [
        |value| value["spec"]["schema"] = 2.into(),
        |value| {
            value["spec"]["schema"] = 2.into();
            value["spec"]["protocol"] = serde_json::json!({ "folding": 3 });
        },
    ];
    for change in changes {
        let dir = stored();
        let key = forge(&dir, change);
        let before = files(&dir.path("store/trials"));
        for words in ["run mocks.toml", "report mocks.toml", "status mocks.toml"] {
            dir.run(words).code(1).says(&format!("trial {key} has format 2"));
        }
        let checked = dir.run("store check --repair --store store").code(3);
        assert!(
            checked.out.contains("1 not read") && checked.out.contains("has format 2"),
            "{}",
            checked.out
        );
        assert!(files(&dir.path("store/trials")) == before);
    }
}

#[test]
fn a_valid_file_of_another_layout_is_not_damaged() {
    let dir = stored();
    let key = forge(&dir, |value| value["outcome"] = "splendid".into());
    let store = Store::open(dir.path("store")).unwrap();
    assert!(
        matches!(store.find(&key), Err(StoreError::NotUnderstood { .. })),
        "{:?}",
        store.find(&key)
    );
    drop(store);
    dir.run("run mocks.toml").code(1).says("cannot read its content");
    assert_eq!(fs::read_dir(dir.path("store/quarantine")).unwrap().count(), 0);
}

#[test]
fn a_record_that_is_not_its_key_is_damaged() {
    type Change = fn(&mut serde_json::Value);
    let changes: [Change; 3] = [
        |value| value["spec"]["root_seed"] = 2.into(),
        |value| value["spec"]["split"] = 7.into(),
        |value| {
            let stamp = value["files"]["rows.parquet"].clone();
            value["files"]["../../../../secret"] = stamp;
        },
    ];
    for change in changes {
        let dir = stored();
        let key = forge(&dir, change);
        let store = Store::open(dir.path("store")).unwrap();
        let Found::Damaged(why) = store.find(&key).unwrap() else { panic!("it was accepted") };
        assert!(why.contains("another trial") || why.contains("a file that no trial has"), "{why}");
        drop(store);
        let ended = dir.run("run mocks.toml").code(0).says("was damaged");
        assert_eq!(
            ended.last(),
            "4 of 4 expected trials finished (3 reused, 1 run), 1 damaged and run again"
        );
    }
}

#[test]
fn a_forged_record_is_reported_and_causes_no_panic() {
    type Change = fn(&mut TrialResult);
    let changes: [Change; 4] = [
        |result| result.test_rows = usize::MAX / 2,
        |result| result.test_rows = 0,
        |result| result.layout = serde_json::from_str(r#"{"y":0,"x":null,"readings":[]}"#).unwrap(),
        |result| {
            let mut layout = serde_json::to_value(&result.layout).unwrap();
            layout["readings"][0]["form"] =
                serde_json::json!({ "gaussian": { "mean": 999, "variance": 0 } });
            result.layout = serde_json::from_value(layout).unwrap();
        },
    ];
    for (i, change) in changes.into_iter().enumerate() {
        let dir = stored();
        let path = first(&dir.path("store"), "result.json");
        let mut result: TrialResult = unseal(&fs::read(&path).unwrap()).unwrap();
        change(&mut result);
        fs::write(&path, seal(&result).unwrap()).unwrap();
        fs::remove_dir_all(dir.path("store/scores")).unwrap();
        let ended = dir.run("report mocks.toml");
        assert!(!ended.err.contains("panicked") && ended.code != Some(101), "{i}: {ended:?}");
        if i != 2 {
            ended.code(3).says("is damaged");
        }
    }
}

#[test]
fn cached_scores_are_bound_to_their_trial() {
    let dir = Dir::new();
    let text = crate::mocks::benchmark(&crate::mocks::answering(1, 0), 2)
        .replace("id = \"mock\"", "id = \"tree\"");
    let text: Vec<&str> = text.lines().filter(|line| !line.starts_with("parameters")).collect();
    dir.write("trees.toml", &text.join("\n"));
    dir.run("run trees.toml").code(0);
    let page = fs::read(dir.path("out/mocks.csv")).unwrap();
    let mut scores = files(&dir.path("store/scores"));
    scores.retain(|name, _| !name.starts_with("pages"));
    let [(one, bytes), (other, others)] = &scores.iter().collect::<Vec<_>>()[..] else {
        panic!("two trials")
    };
    assert_ne!(bytes, others);
    fs::write(dir.path("store/scores").join(other), bytes).unwrap();
    dir.run("report trees.toml").code(0);
    assert!(
        fs::read(dir.path("out/mocks.csv")).unwrap() == page,
        "scores of {one} were taken for those of {other}"
    );
    let mended = &files(&dir.path("store/scores"))[*other];
    assert!(mended != *bytes, "the cache is repaired");
}
