//! A folder that is no store is never changed, whatever its name and contents.

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::time::{Duration, SystemTime};

use uqbench_run::runner::store::{MARKER, Store, StoreError};

use super::{first, flip, stored};
use crate::command::{Dir, files};
use crate::mocks;

/// A folder with a user's file.
fn foreign(dir: &Dir, name: &str, file: &str) {
    let path = dir.path(name).join(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, "mine").unwrap();
}

#[test]
fn a_folder_that_is_no_store_is_refused_by_name_and_not_touched() {
    let dir = Dir::new();
    dir.write("mocks.toml", &mocks::benchmark(&mocks::answering(1, 0), 1));
    for (name, file) in [
        ("p", "tmp/notes"),
        ("q", "trials/notes"),
        ("r", "notes"),
        ("s", "quarantine/a"),
        ("t", "lock"),
    ] {
        foreign(&dir, name, file);
        for words in [
            "run",
            "report",
            "status",
            "compare Mock --benchmarks",
            "check --against b.toml",
            "store check",
        ] {
            dir.write("b.toml", "profile = \"smoke\"\nblessed = []\ncells = []\n");
            let words = if words.starts_with("store") {
                words.to_owned()
            } else {
                format!("{words} mocks.toml")
            };
            let ended = dir.run(&format!("{words} --store {name}"));
            assert!(matches!(ended.code, Some(1)), "{words}: {ended:?}");
            let ended =
                ended.says(&format!("{name} is not empty and is not a store")).says("--store DIR");
            assert_eq!(ended.out, "", "{words}");
        }
        assert_eq!(files(&dir.path(name)), [(file.to_owned(), b"mine".to_vec())].into(), "{name}");
    }
}

#[test]
fn a_store_without_a_marker_needs_its_whole_layout_and_a_sealed_trial() {
    let dir = Dir::new();
    for folder in ["trials", "scores", "failures", "quarantine", "tmp"] {
        fs::create_dir_all(dir.path("store").join(folder)).unwrap();
    }
    foreign(&dir, "store", "lock");
    foreign(&dir, "store", "tmp/notes");
    let why = |dir: &Dir| match Store::open(dir.path("store")) {
        Err(StoreError::Foreign { why, .. }) => why,
        end => panic!("{end:?}"),
    };
    assert!(why(&dir).contains("no finished trial"), "{}", why(&dir));
    let whole = stored();
    fs::remove_file(whole.path("store").join(MARKER)).unwrap();
    fs::remove_dir(whole.path("store/quarantine")).unwrap();
    assert!(why(&whole).contains("no `quarantine`"), "{}", why(&whole));
    fs::create_dir(whole.path("store/quarantine")).unwrap();
    foreign(&whole, "store", "notes");
    assert!(why(&whole).contains("`notes`"), "{}", why(&whole));
    fs::remove_file(whole.path("store/notes")).unwrap();
    drop(Store::open(whole.path("store")).unwrap());
    let results = |dir: &Dir| {
        files(&dir.path("store/trials")).into_keys().filter(|path| path.ends_with("result.json"))
    };
    for path in
        results(&whole).map(|path| whole.path("store/trials").join(path)).collect::<Vec<_>>()
    {
        flip(&path);
    }
    assert!(why(&whole).contains("no finished trial"), "{}", why(&whole));
}

#[test]
fn no_link_is_followed_and_only_our_own_names_are_removed() {
    let dir = stored();
    let (store, tmp) = (dir.path("store"), dir.path("store/tmp"));
    let key = "ab".repeat(32);
    foreign(&dir, "outside", "notes");
    // A user's files, and those that killed runs left, of this version and of the one before.
    for name in ["notes", "file-", "file-x-1", &format!("{key}-7-x")] {
        fs::write(tmp.join(name), "mine").unwrap();
    }
    let random = "0f".repeat(16);
    for name in [format!("{key}-7-1"), format!("{key}-{random}")] {
        fs::create_dir(tmp.join(&name)).unwrap();
        fs::write(tmp.join(&name).join("rows.parquet"), "half").unwrap();
    }
    fs::create_dir(tmp.join(format!("{key}-7-2"))).unwrap();
    fs::write(tmp.join(format!("{key}-7-2")).join("notes"), "mine").unwrap();
    for name in ["file-7-1".to_owned(), format!("file-{random}")] {
        fs::write(tmp.join(name), "half").unwrap();
    }
    // What may be another host's work is swept once it is old.
    for entry in fs::read_dir(&tmp).unwrap().map(Result::unwrap) {
        let long_ago = SystemTime::now() - Duration::from_secs(7200);
        File::open(entry.path()).unwrap().set_modified(long_ago).unwrap();
    }
    symlink(dir.path("outside"), tmp.join(format!("{key}-7-3"))).unwrap();
    symlink(dir.path("outside/notes"), tmp.join("file-7-3")).unwrap();
    dir.run("run mocks.toml").code(0);
    let mut left: Vec<String> = fs::read_dir(&tmp)
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
    left.sort();
    let [folder, link, odd] = ["7-2", "7-3", "7-x"].map(|end| format!("{key}-{end}"));
    assert_eq!(left, [folder.as_str(), &link, &odd, "file-", "file-7-3", "file-x-1", "notes"]);
    assert_eq!(files(&dir.path("outside")), [("notes".to_owned(), b"mine".to_vec())].into());

    fs::remove_dir_all(&tmp).unwrap();
    symlink(dir.path("outside"), &tmp).unwrap();
    dir.run("run mocks.toml").code(1).says("its `tmp` is a link");
    assert_eq!(files(&dir.path("outside")), [("notes".to_owned(), b"mine".to_vec())].into());
    assert!(store.join(MARKER).exists());
}

#[test]
fn a_store_is_marked_first_and_an_incomplete_one_is_completed() {
    let dir = Dir::new();
    dir.write("mocks.toml", &mocks::benchmark(&mocks::answering(1, 0), 1));
    fs::create_dir(dir.path("store")).unwrap();
    fs::write(dir.path("store").join(format!(".{MARKER}.{}.part", "0a".repeat(16))), "for")
        .unwrap();
    dir.run("run mocks.toml").code(0);
    let other = Dir::new();
    other.write("mocks.toml", &mocks::benchmark(&mocks::answering(1, 0), 1));
    fs::create_dir(other.path("store")).unwrap();
    fs::write(other.path("store").join(MARKER), "format = 1\n").unwrap();
    other.run("run mocks.toml").code(0);
    assert!(dir.kept("store") == other.kept("store"));
}

#[test]
fn a_damaged_trial_is_listed_and_repaired_and_an_intact_one_restored() {
    let dir = stored();
    let whole = dir.kept("store");
    assert_eq!(
        dir.run("store check --store store").code(0).last().split(',').next(),
        Some("4 intact")
    );
    // An intact trial in quarantine, as an earlier version left it after read errors.
    let result = first(&dir.path("store"), "result.json");
    let folder = result.parent().unwrap();
    let key = folder.file_name().unwrap().to_string_lossy().into_owned();
    fs::rename(folder, dir.path("store/quarantine").join(format!("{key}-4711-0"))).unwrap();
    let listed = dir.run("store check --store store").code(0);
    assert!(listed.out.contains(&format!("intact in quarantine: trial {key}\n")), "{}", listed.out);
    assert!(dir.kept("store") != whole, "a check without --repair changes nothing");
    let repaired = dir.run("store check --repair --store store").code(0);
    assert!(repaired.out.contains(&format!("restored: trial {key}\n")), "{}", repaired.out);
    assert!(dir.kept("store") == whole);

    flip(&result);
    let listed = dir.run("store check --store store").code(3);
    assert!(
        listed.out.contains(&format!("damaged: trial {key}: result.json: checksum")),
        "{}",
        listed.out
    );
    assert_eq!(fs::read_dir(dir.path("store/quarantine")).unwrap().count(), 0);
    dir.run("store check --repair --store store").code(0).prints("1 moved to quarantine");
    assert_eq!(
        dir.run("store check --store store").code(0).last(),
        "3 intact, 0 damaged, 0 intact in quarantine, 1 damaged in quarantine, 0 not read"
    );
    dir.run("run mocks.toml").code(0);
    assert!(dir.kept("store") == whole);
}
