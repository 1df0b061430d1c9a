//! Disturb a running smoke profile with random kills, signals and read errors, and end with the
//! store of an undisturbed run.
//!
//! Not a part of the suite: `just soak MINUTES` runs it. Its seed and its counts are printed.

use std::collections::BTreeMap;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rustix::process::{Pid, Resource, Rlimit, Signal, kill_process, prlimit};

use super::command::{Dir, Limited, files};
use super::faults::workers::workers_of;

/// Metrics of cost differ from run to run; every other table is the same to the byte.
fn comparable(pages: BTreeMap<String, Vec<u8>>) -> BTreeMap<String, Vec<u8>> {
    let mut pages = pages;
    pages.retain(|name, _| {
        !name.starts_with("jcm-cost") && name.ends_with(".csv") && name != "scorecard.csv"
    });
    pages
}

fn smoke(dir: &Dir, store: &str, jobs: u32) -> Command {
    let mut command = dir.command(&format!(
        "reproduce --profile smoke --store {store} --out out-{store} --jobs {jobs}"
    ));
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

/// The disturbances of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Blow {
    Kill,
    Interrupt,
    Terminate,
    HangUp,
    Stop,
    KillWorker,
    StopWorker,
    FewFiles,
    KillDuringReport,
    Nothing,
}

const BLOWS: [Blow; 10] = [
    Blow::Kill,
    Blow::Interrupt,
    Blow::Terminate,
    Blow::HangUp,
    Blow::Stop,
    Blow::KillWorker,
    Blow::StopWorker,
    Blow::FewFiles,
    Blow::KillDuringReport,
    Blow::Nothing,
];

#[test]
#[ignore = "runs as long as requested: just soak MINUTES"]
fn a_disturbed_run_ends_like_an_undisturbed_one() {
    let minutes: f64 =
        env::var("UQBENCH_SOAK_MINUTES").ok().and_then(|text| text.parse().ok()).unwrap_or(1.0);
    let seed: u64 =
        env::var("UQBENCH_SOAK_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let dir = Dir::new();
    assert!(smoke(&dir, "whole", 2).ended().status.success());
    let trials = dir.provenances("whole").len();

    let (start, mut counts, mut codes, mut runs) =
        (Instant::now(), BTreeMap::new(), BTreeMap::new(), 0);
    let mut stores = 0;
    while start.elapsed() < Duration::from_secs_f64(60.0 * minutes) {
        // A fresh store from time to time, so that all parts of a run are disturbed.
        if dir.provenances("store").len() >= trials {
            check(&dir, "store", "whole");
            fs::remove_dir_all(dir.path("store")).unwrap();
            stores += 1;
        }
        let mut child = smoke(&dir, "store", random.random_range(1..=3)).spawn().unwrap();
        runs += 1;
        let id = Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
        let blow = BLOWS[random.random_range(0..BLOWS.len())];
        *counts.entry(blow).or_insert(0) += 1;
        let wait = random.random_range(10..6000);
        let waited = Instant::now();
        while waited.elapsed() < Duration::from_millis(wait) && child.try_wait().unwrap().is_none()
        {
            std::thread::sleep(Duration::from_millis(2));
        }
        hit(&dir, blow, id, &mut random);
        let ended = child.ended();
        let err = String::from_utf8(ended.stderr).unwrap();
        *codes.entry(ended.status.to_string()).or_insert(0) += 1;
        assert!(
            !err.contains("panicked") && !err.contains("damaged"),
            "{blow:?}, seed {seed}: {err}"
        );
        let quarantine = dir.path("store/quarantine");
        assert!(
            !quarantine.exists() || fs::read_dir(quarantine).unwrap().count() == 0,
            "{blow:?}: {err}"
        );
    }
    assert!(smoke(&dir, "store", 2).ended().status.success());
    check(&dir, "store", "whole");
    assert_eq!(fs::read_dir(dir.path("store/tmp")).unwrap().count(), 0);
    println!(
        "seed {seed}: {runs} runs disturbed in {:.1} min, {stores} stores filled, {trials} trials \
         each",
        start.elapsed().as_secs_f64() / 60.0
    );
    println!("blows: {counts:?}\nends: {codes:?}");
}

fn hit(dir: &Dir, blow: Blow, id: Pid, random: &mut ChaCha8Rng) {
    let send = |signal| {
        let _ = kill_process(id, signal); // it may have ended by itself
    };
    match blow {
        Blow::Kill => send(Signal::KILL),
        Blow::Interrupt => send(Signal::INT),
        Blow::Terminate => send(Signal::TERM),
        Blow::HangUp => send(Signal::HUP),
        Blow::Stop => {
            send(Signal::STOP);
            std::thread::sleep(Duration::from_millis(random.random_range(1..1500)));
            send(Signal::CONT);
        }
        Blow::KillWorker | Blow::StopWorker => {
            for worker in workers_of(dir).into_iter().filter_map(Pid::from_raw) {
                if blow == Blow::KillWorker {
                    let _ = kill_process(worker, Signal::KILL);
                } else {
                    let _ = kill_process(worker, Signal::STOP);
                    std::thread::sleep(Duration::from_millis(random.random_range(1..700)));
                    let _ = kill_process(worker, Signal::CONT);
                }
            }
        }
        // Every file that is opened from now on may exceed the limit.
        Blow::FewFiles => {
            let files = random.random_range(4..40);
            let _ = prlimit(
                Some(id),
                Resource::Nofile,
                Rlimit { current: Some(files), maximum: Some(4096) },
            );
        }
        Blow::KillDuringReport => {
            let report = dir
                .command("report --profile smoke --out out-report")
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn();
            if let Ok(mut report) = report {
                std::thread::sleep(Duration::from_millis(random.random_range(1..400)));
                let _ = report.kill();
                report.ended();
            }
            send(Signal::KILL);
        }
        Blow::Nothing => {}
    }
}

/// The store and its report are those of the undisturbed run.
fn check(dir: &Dir, store: &str, whole: &str) {
    assert!(dir.kept(store) == dir.kept(whole), "the stores differ");
    let report = |store: &str| {
        let out = format!("report-{store}");
        let _ = fs::remove_dir_all(dir.path(&out));
        let ended = dir.run(&format!("report --profile smoke --store {store} --out {out}"));
        assert!(ended.code == Some(0) || ended.code == Some(3), "{ended:?}");
        comparable(files(&dir.path(&out)))
    };
    let (found, expected) = (report(store), report(whole));
    assert!(expected.len() > 15 && found == expected, "the reports differ");
}
