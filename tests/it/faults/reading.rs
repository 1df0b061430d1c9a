//! A file that cannot be read is not damaged: it is an error of the run with its name, and nothing
//! is moved. Every command reports damage.

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use uqbench_run::runner::record::{ROWS, TrialRecord, TrialResult, unseal};
use uqbench_run::runner::store::{Found, Store, StoreError};

use super::disk::{Call, EACCES, EIO, EMFILE, ESTALE, Fault, Faulty};
use super::{first, flip, stored};
use crate::command::{Dir, Limited, files, started};
use crate::mocks;

/// A store, the result of its first trial, and its disk.
fn on_faulty_disk(dir: &Dir) -> (Store, TrialResult, Arc<Faulty>) {
    let result: TrialResult =
        unseal(&fs::read(first(&dir.path("store"), "result.json")).unwrap()).unwrap();
    let disk = Faulty::new();
    (Store::open_on(disk.clone(), dir.path("store")).unwrap(), result, disk)
}

#[test]
fn a_read_error_moves_nothing_and_is_named() {
    let dir = stored();
    let whole = files(&dir.path("store"));
    for (file, code) in [
        ("result.json", EIO),
        ("rows.parquet", EACCES),
        ("result.json", ESTALE),
        ("rows.parquet", EMFILE),
    ] {
        let (store, result, disk) = on_faulty_disk(&dir);
        let before = disk.moved();
        disk.set(Call::Read, file, Fault::Error(code), usize::MAX);
        match store.find(&result.key) {
            Err(StoreError::Read { path, source }) => {
                assert!(
                    path.ends_with(file) && source.raw_os_error() == Some(code),
                    "{path:?} {source}"
                );
            }
            end => panic!("{file}, error {code}: {end:?}"),
        }
        assert!(store.damaged().is_empty() && disk.moved() == before);
        disk.heal();
        assert_eq!(
            store.find(&result.key).unwrap(),
            Found::Finished(Arc::new(result)),
            "error {code} has passed"
        );
    }
    assert!(files(&dir.path("store")) == whole);
}

#[test]
fn a_temporary_read_error_is_retried() {
    let dir = stored();
    for code in [ESTALE, EMFILE] {
        let (store, result, disk) = on_faulty_disk(&dir);
        disk.set(Call::Read, "result.json", Fault::Error(code), 2);
        assert!(matches!(store.find(&result.key).unwrap(), Found::Finished(_)), "error {code}");
    }
}

#[test]
fn a_short_read_is_not_damage() {
    let dir = stored();
    let (store, result, disk) = on_faulty_disk(&dir);
    disk.set(Call::Read, "rows.parquet", Fault::Short(100), 2);
    assert!(
        matches!(store.find(&result.key).unwrap(), Found::Finished(_)),
        "the third read is whole"
    );
    let (store, result, disk) = on_faulty_disk(&dir);
    disk.set(Call::Read, "result.json", Fault::Short(0), usize::MAX);
    let error = store.find(&result.key).unwrap_err().to_string();
    assert!(error.contains("only 0 of ") && error.contains("result.json"), "{error}");
    disk.heal();
    // Missing bytes are damage; so are bytes that were read whole and have changed since.
    assert!(matches!(store.find(&result.key).unwrap(), Found::Finished(_)));
    flip(&store.folder(&result.key).join(ROWS));
    assert!(matches!(store.file(&result, ROWS), Err(StoreError::Damaged { .. })));
}

#[test]
fn a_rename_that_is_delayed_or_reported_as_failed_loses_nothing() {
    let (dir, other) = (stored(), Dir::new());
    let (store, result, _) = on_faulty_disk(&dir);
    let bytes = result
        .files
        .keys()
        .map(|name| (name.clone(), store.file(&result, name).unwrap()))
        .collect();
    let provenance = store.provenance(&result.key).unwrap().unwrap();
    let record = TrialRecord { result: result.clone(), files: bytes, provenance };
    for (name, call, fault, times) in [
        ("late", Call::Length, Fault::Error(2), 3),
        ("denied", Call::Rename, Fault::Lie(EIO), 1),
        ("slow", Call::Rename, Fault::Late(Duration::from_millis(300)), 1),
    ] {
        let disk = Faulty::new();
        let store = Store::open_on(disk.clone(), other.path(name)).unwrap();
        disk.set(call, "trials", fault, times);
        store.keep(&record).unwrap();
        assert!(
            other.kept(name).iter().all(|(path, bytes)| dir.kept("store").get(path) == Some(bytes)),
            "{name}"
        );
        assert_eq!(fs::read_dir(other.path(name).join("tmp")).unwrap().count(), 0, "{name}");
        drop(store);
        let again = Store::open(other.path(name)).unwrap();
        assert_eq!(
            again.find(&result.key).unwrap(),
            Found::Finished(Arc::new(result.clone())),
            "{name}"
        );
    }
    // A rename that really failed is an error, and leaves nothing.
    let disk = Faulty::new();
    let store = Store::open_on(disk.clone(), other.path("refused")).unwrap();
    disk.set(Call::Rename, "trials", Fault::Error(EIO), 1);
    assert!(matches!(store.keep(&record), Err(StoreError::Write { .. })));
    assert!(other.kept("refused").is_empty());
    assert_eq!(fs::read_dir(other.path("refused/tmp")).unwrap().count(), 0);
}

/// Runs the program as a user whom permissions restrict; `None` where this user cannot do so.
fn as_nobody(dir: &Dir, words: &str) -> Option<std::process::Output> {
    const NOBODY: u32 = 65534;
    let mut command = dir.command(words);
    command.uid(NOBODY).gid(NOBODY);
    started(&mut command)
}

/// Gives all users access to a folder and everything in it.
fn give(path: &Path) {
    let done = Command::new("chmod").args(["-R", "a+rwX"]).arg(path).status().unwrap();
    assert!(done.success());
}

#[test]
fn a_file_without_read_permission_is_named_and_stays() {
    let dir = stored();
    give(&dir.path(""));
    let rows = first(&dir.path("store"), ROWS);
    let mode = |mode: &str| {
        assert!(Command::new("chmod").arg(mode).arg(&rows).status().unwrap().success())
    };
    mode("000");
    // A report of kept pages reads no predictions.
    fs::remove_dir_all(dir.path("store/scores/pages")).unwrap();
    let whole = files(&dir.path("store/trials")).len();
    for (words, code) in [
        ("run mocks.toml", 1),
        ("report mocks.toml", 3),
        ("status mocks.toml", 3),
        ("compare --benchmarks mocks.toml", 3),
    ] {
        let Some(output) = as_nobody(&dir, words) else {
            println!("not tested: this user cannot run a program as another one");
            return;
        };
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{words}: {err}");
        assert!(err.contains("rows.parquet cannot be read: "), "{words}: {err}");
        if words.starts_with("report") {
            // Of its own cells alone nothing is known.
            let trials =
                String::from_utf8(fs::read(dir.path("out/mocks-trials.csv")).unwrap()).unwrap();
            let of = |word: &str| trials.lines().filter(|line| line.contains(word)).count();
            assert!(of(",unreadable,") == 1 && of(",ok,") > 0, "{trials}");
        }
    }
    mode("644");
    assert_eq!(files(&dir.path("store/trials")).len(), whole);
    assert_eq!(fs::read_dir(dir.path("store/quarantine")).unwrap().count(), 0);
    dir.run("status mocks.toml").code(0);
}

#[test]
fn a_store_that_may_not_be_written_is_reported_with_the_same_output() {
    let dir = stored();
    fs::remove_dir_all(dir.path("store/scores")).unwrap();
    give(&dir.path(""));
    let lock = |mode: &str| {
        assert!(
            Command::new("chmod")
                .args(["-R", mode])
                .arg(dir.path("store"))
                .status()
                .unwrap()
                .success()
        )
    };
    lock("a-w");
    let before = files(&dir.path("store"));
    let Some(output) = as_nobody(&dir, "report mocks.toml --out read-only") else {
        println!("not tested: this user cannot run a program as another one");
        return;
    };
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(files(&dir.path("store")) == before, "and writes nothing there");
    lock("u+w");
    let written = dir.run("report mocks.toml --out writable").code(0);
    assert_eq!(String::from_utf8(output.stdout).unwrap(), written.out);
    assert!(files(&dir.path("read-only")) == files(&dir.path("writable")));
    assert!(!files(&dir.path("store/scores")).is_empty(), "where they can be kept, scores are");
}

#[test]
fn too_few_open_files_quarantine_nothing() {
    let dir = Dir::new();
    dir.write("mocks.toml", &mocks::benchmark(&mocks::answering(2, 0), 100));
    dir.run("run mocks.toml").code(0);
    let whole = dir.kept("store");
    for limit in [4, 5, 6, 8, 16] {
        let program = env!("CARGO_BIN_EXE_uqbench");
        let script = format!(
            "ulimit -n {limit}; exec {program} run mocks.toml --jobs 16 --store store --out out \
             --cache cache --offline"
        );
        let output = Command::new("sh").args(["-c", &script]).current_dir(dir.path("")).ended();
        let err = String::from_utf8_lossy(&output.stderr);
        assert!([Some(0), Some(1)].contains(&output.status.code()), "{limit}: {err}");
        assert!(!err.contains("damaged") && !err.contains("panicked"), "{limit}: {err}");
        assert_eq!(
            fs::read_dir(dir.path("store/quarantine")).unwrap().count(),
            0,
            "{limit}: {err}"
        );
        assert!(dir.kept("store") == whole, "{limit}");
    }
}

#[test]
fn every_command_reports_a_damaged_trial_and_moves_nothing() {
    let dir = Dir::new();
    dir.write("mocks.toml", &mocks::benchmark(&mocks::answering(2, 0), 3));
    dir.run("run mocks.toml").code(0);
    dir.run("reproduce --profile smoke --methods mock").code(2);
    assert!(
        Command::new("cp")
            .args(["-r", "store", "whole"])
            .current_dir(dir.path(""))
            .status()
            .unwrap()
            .success()
    );
    flip(&first(&dir.path("store"), ROWS));
    let trials = || {
        let mut all = files(&dir.path("store"));
        all.retain(|name, _| !name.starts_with("scores/"));
        all
    };
    let before = trials();
    for words in [
        "report mocks.toml",
        "status mocks.toml",
        "compare --benchmarks mocks.toml --metrics crps",
        "compare store whole",
    ] {
        let ended = dir
            .run(words)
            .code(3)
            .says("is damaged (rows.parquet: its bytes are not those that were written)");
        let told = ended.out.contains("1 damaged")
            || ended.out.contains("1 stored trial is damaged and was left out");
        assert!(told, "{words}: {}", ended.out);
        assert!(files(&dir.path("store/quarantine")).is_empty(), "{words}");
    }
    assert!(trials() == before);
    let page = dir.page("out/mocks.md");
    assert!(page.contains("| 1 damaged |"), "{page}");
    // A run repairs it.
    dir.run("run mocks.toml").code(0).says("was damaged");
    dir.run("report mocks.toml").code(0);
}
