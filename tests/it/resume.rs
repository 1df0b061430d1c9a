//! Interrupt a run in every way, continue it, and compare its bytes with an uninterrupted run.

use std::fs::{self, File};
use std::time::{Duration, SystemTime};

use rustix::process::Signal;
use uqbench_run::runner::store::Store;

use super::command::{Dir, wait_until};
use super::mocks::{self, Mock};

/// Number of finished trials in a store.
fn finished(dir: &Dir) -> usize {
    dir.provenances("store").len()
}

#[test]
fn after_kill_9_only_missing_trials_run() {
    let dir = Dir::new();
    let mut mocks = mocks::answering(6, 20);
    dir.write("mocks.toml", &mocks::benchmark(&mocks, 3));
    dir.run("run mocks.toml --store whole").code(0);

    // However slow this machine is, the sleeper in the middle keeps the run from ending before the
    // kill.
    mocks.insert(3, Mock { behaviour: "answer", sleep_ms: 3_600_000, tag: 9 });
    dir.write("endless.toml", &mocks::benchmark(&mocks, 3));
    for kill_after in [1, 5, 9] {
        let started = dir.start("run endless.toml --jobs 1");
        wait_until(|| finished(&dir) >= kill_after, "trials finish");
        started.signal(Signal::KILL);
        assert_eq!(started.end().code, None, "it ended by the signal");
    }
    let before = dir.provenances("store");
    let ended = dir.run("run mocks.toml").code(0);
    let (reused, ran) = (before.len(), 18 - before.len());
    assert_eq!(reused, 9);
    assert_eq!(ended.counts(), [18, 18, reused, ran].map(|count| count as u64));
    assert!(dir.kept("store") == dir.kept("whole"));
    let after = dir.provenances("store");
    for (name, bytes) in &before {
        assert!(after.get(name) == Some(bytes), "{name}: a finished trial was run again");
    }
}

#[test]
fn ctrl_c_keeps_finished_trials_and_drops_the_others() {
    let dir = Dir::new();
    let mut mocks = mocks::answering(4, 1);
    dir.write("short.toml", &mocks::benchmark(&mocks, 1));
    mocks.push(Mock { behaviour: "answer", sleep_ms: 3_600_000, tag: 9 });
    dir.write("long.toml", &mocks::benchmark(&mocks, 1));
    dir.run("run short.toml --store whole").code(0);
    let mut lasts = Vec::new();
    for isolation in ["thread", "process"] {
        let store = dir.path("store");
        let _ = fs::remove_dir_all(&store);
        let started = dir.start(&format!("run long.toml --isolation {isolation}"));
        wait_until(|| finished(&dir) == 4, "the short ones finish");
        started.signal(Signal::INT);
        let ended = started.end().code(130).says("stopping; once more to stop at once");
        assert_eq!(ended.counts(), [4, 5, 0, 4, 1]);
        lasts.push(ended.last().to_owned());
        assert!(dir.kept("store") == dir.kept("whole"), "{isolation}");
        let ended = dir.run("run short.toml").code(0);
        assert_eq!(ended.counts(), [4, 4, 4, 0]);
    }
    insta::assert_snapshot!(lasts[0], @"interrupted: 4 of 5 expected trials finished (0 reused, 4 run), 1 cancelled; the same command goes on from here");
    assert_eq!(lasts[0], lasts[1]);
}

#[test]
fn a_second_ctrl_c_does_not_wait_for_a_hanging_trial() {
    let dir = Dir::new();
    let mut mocks = mocks::answering(2, 0);
    mocks.push(mocks::one("hang"));
    dir.write("mocks.toml", &mocks::benchmark(&mocks, 1));
    let mut started = dir.start("run mocks.toml --jobs 1");
    wait_until(|| finished(&dir) == 2, "the working ones finish");
    // The first signal is a request, which a method without a checkpoint does not notice.
    started.signal(Signal::INT);
    wait_until(
        || {
            if started.is_running() {
                started.signal(Signal::INT);
            }
            !started.is_running()
        },
        "it ends",
    );
    started.end().code(130);
    assert_eq!(finished(&dir), 2);
}

#[test]
fn two_runs_on_one_store_agree() {
    let dir = Dir::new();
    dir.write("mocks.toml", &mocks::benchmark(&mocks::answering(8, 2), 3));
    dir.run("run mocks.toml --store whole --out out-whole").code(0);
    let both = [
        dir.start("run mocks.toml --jobs 2 --out out-0"),
        dir.start("run mocks.toml --jobs 2 --out out-1"),
    ];
    for ended in both.map(|started| started.end().code(0)) {
        assert_eq!(ended.counts()[..2], [24, 24]);
    }
    assert!(dir.kept("store") == dir.kept("whole"));
    assert_eq!(fs::read_dir(dir.path("store/tmp")).unwrap().count(), 0);
}

#[test]
fn leftovers_are_removed_when_no_other_process_uses_the_store() {
    let dir = Dir::new();
    let root = dir.path("store");
    let leftover = root.join("tmp").join(format!("{}-1-0", "ab".repeat(32)));
    let leave = || {
        fs::create_dir_all(&leftover).unwrap();
        fs::write(leftover.join("rows.parquet"), "half").unwrap();
        fs::write(root.join("tmp/file-1-1"), "half").unwrap();
        for left in [leftover.clone(), root.join("tmp/file-1-1")] {
            File::open(left)
                .unwrap()
                .set_modified(SystemTime::now() - Duration::from_secs(7200))
                .unwrap();
        }
    };
    let one = Store::open(&root).unwrap();
    leave();
    let other = Store::open(&root).unwrap();
    assert!(leftover.exists(), "it may be work in progress of the other run");
    drop((one, other));
    // A child that another test starts holds this process's locks for the moment between its fork
    // and its start.
    let is_swept = || {
        drop(Store::open(&root).unwrap());
        fs::read_dir(root.join("tmp")).unwrap().count() == 0
    };
    wait_until(is_swept, "the leftovers are swept");
}

#[test]
fn a_store_opened_during_a_sweep_is_not_swept_by_a_third_process() {
    let dir = Dir::new();
    let root = dir.path("store");
    drop(Store::open(&root).unwrap());
    let sweeping = File::options().write(true).open(root.join("lock")).unwrap();
    sweeping.lock().unwrap();
    let store = std::thread::scope(|scope| {
        let opening = scope.spawn(|| Store::open(&root).unwrap());
        std::thread::sleep(Duration::from_millis(100));
        sweeping.unlock().unwrap();
        opening.join().unwrap()
    });
    let work = root.join("tmp").join(format!("{}-1-0", "ab".repeat(32)));
    fs::create_dir_all(&work).unwrap();
    File::open(&work).unwrap().set_modified(SystemTime::now() - Duration::from_secs(7200)).unwrap();
    let third = Store::open(&root).unwrap();
    assert!(work.exists(), "work in progress was swept");
    drop((store, third));
}
