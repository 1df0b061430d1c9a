//! Measure the commands that read a store, on as many trials as asked for, which a generator
//! writes.
//!
//! Not a part of the suite: `just scale TRIALS` and `just scale-shards TRIALS` run it. It prints
//! time, largest resident memory and entries on the disk.

use std::ffi::OsString;
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};
use std::{env, fs, io};

use uq_core::CancelToken;
use uqbench_data::Library;
use uqbench_run::benchmark::{Benchmark, Profile};
use uqbench_run::runner::derived;
use uqbench_run::runner::execute::{Executor, InProcess, Job};
use uqbench_run::runner::plan::{Filter, plan, trials};
use uqbench_run::runner::record::{TrialRecord, seal, unseal};
use uqbench_run::runner::store::Store;
use uqbench_system::disk::{Durability, Kind};
use uqbench_system::{Disk, RealDisk};

use super::command::Dir;
use super::determinism::no_sources;
use super::mocks;

/// Splits of each method: a benchmark may have no more.
const SPLITS: u64 = 100_000;

/// The machine's disk without synchronisation, which would take most of the time.
#[derive(Debug)]
struct Unsynchronised;

impl Disk for Unsynchronised {
    fn read(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        RealDisk.read(path, most)
    }

    fn length(&self, path: &Path) -> io::Result<u64> {
        RealDisk.length(path)
    }

    fn kind(&self, path: &Path) -> io::Result<Kind> {
        RealDisk.kind(path)
    }

    fn modified(&self, path: &Path) -> io::Result<SystemTime> {
        RealDisk.modified(path)
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<OsString>> {
        RealDisk.list(folder)
    }

    fn create_folder(&self, path: &Path) -> io::Result<()> {
        RealDisk.create_folder(path)
    }

    fn create_folders(&self, path: &Path) -> io::Result<()> {
        RealDisk.create_folders(path)
    }

    fn write_new(&self, path: &Path, bytes: &[u8], _: Durability) -> io::Result<()> {
        RealDisk.write_new(path, bytes, Durability::Cached)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        RealDisk.rename(from, to)
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        RealDisk.remove_file(path)
    }

    fn remove_folder(&self, path: &Path) -> io::Result<()> {
        RealDisk.remove_folder(path)
    }

    fn sync_file(&self, _: &Path) -> io::Result<()> {
        Ok(())
    }

    fn sync_folder(&self, _: &Path) -> io::Result<()> {
        Ok(())
    }
}

/// Writes a store of the trials of a benchmark, those of one method by its number or of all: the
/// first one of each method runs, and the others have its predictions and scores.
fn generate(text: &str, root: &Path, of_method: Option<usize>) -> usize {
    let benchmark = Benchmark::parse("mocks", text).unwrap();
    let plans = plan(&[benchmark], Profile::Quick, &Filter::default()).unwrap();
    let store = Store::open_on(Arc::new(Unsynchronised), root).unwrap();
    let (library, metrics) = (Library::new(no_sources()), plans[0].first_metrics());
    let executor = InProcess::new(&library, 1);
    let mut made: Option<(TrialRecord, serde_json::Value)> = None;
    let mut all = trials(&plans);
    if let Some(number) = of_method {
        let splits = all.iter().map(|trial| trial.split + 1).max().unwrap() as usize;
        all = all.split_off(number * splits);
        all.truncate(splits);
    }
    for trial in &all {
        let spec = trial.experiment.spec(trial.split);
        if trial.split == 0 {
            let record =
                executor.execute(&Job::new(spec.clone()), &CancelToken::default()).unwrap();
            derived::keep_scores(&store, &record, &metrics).unwrap();
            let scores = unseal(&store.derived(&trial.key).unwrap().unwrap()).unwrap();
            made = Some((record, scores));
        }
        let (record, scores) = made.as_mut().unwrap();
        (record.result.key, record.result.spec) = (trial.key.clone(), spec);
        store.keep(record).unwrap();
        scores["trial"] = serde_json::to_value(&trial.key).unwrap();
        store.keep_derived(&trial.key, seal(scores).unwrap().as_bytes()).unwrap();
    }
    all.len()
}

/// Files and folders below a folder.
fn entries(folder: &Path) -> usize {
    let all = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    all.map(|path| 1 + if path.is_dir() { entries(&path) } else { 0 }).sum()
}

/// Processor seconds of the ended processes that this one has started: fields 16 and 17 of its line
/// in `/proc`, in hundredths.
fn used_by_children() -> f64 {
    let line = fs::read_to_string("/proc/self/stat").unwrap();
    let fields = line.rsplit_once(')').unwrap().1.split_whitespace().skip(13).take(2);
    fields.map(|ticks| ticks.parse::<f64>().unwrap()).sum::<f64>() / 100.0
}

/// Time, processor time and largest resident memory of a command. What reads a store has one
/// thread.
pub(super) fn measure(dir: &Dir, words: &str) {
    let (start, before) = (Instant::now(), used_by_children());
    let mut command = dir.command(words);
    let mut child = command
        .env("RAYON_NUM_THREADS", "1")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    let ended = loop {
        if let Some(ended) = child.try_wait().unwrap() {
            break ended;
        }
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("0");
        let kib: usize =
            line.split_whitespace().next().and_then(|number| number.parse().ok()).unwrap_or(0);
        peak = peak.max(kib);
        std::thread::sleep(Duration::from_millis(5));
    };
    let (wall, used) = (start.elapsed().as_secs_f64(), used_by_children() - before);
    println!("{wall:>8.1} s wall {:>8.1} s used {:>6} MiB  uqbench {words}", used, peak / 1024);
    assert!(ended.success(), "{words}");
}

#[test]
#[ignore = "it takes minutes: `just scale TRIALS`"]
fn the_commands_that_read_a_store() {
    let count: u64 = env::var("UQBENCH_SCALE_TRIALS").unwrap().parse().unwrap();
    let dir = Dir::new();
    let (methods, splits) = (count.div_ceil(SPLITS), count.min(SPLITS));
    let text = mocks::benchmark(&mocks::answering(methods, 0), splits);
    dir.write("mocks.toml", &text);
    let start = Instant::now();
    let made = generate(&text, &dir.path("store"), None);
    println!(
        "{made} trials written in {:.1} s, {} entries",
        start.elapsed().as_secs_f64(),
        entries(&dir.path("store"))
    );
    measure(&dir, "plan mocks.toml --shards 64 --out plan.json --store store");
    println!("{:>8.1} MB plan.json", megabytes(&dir, "plan.json"));
    for words in [
        "status --plan plan.json",
        "status mocks.toml",
        "report mocks.toml",
        "store pack store store.pack mocks.toml",
        "status mocks.toml --store store.pack",
        "report mocks.toml --from store.pack",
    ] {
        measure(&dir, words);
    }
    println!("{:>8.1} MB store.pack", megabytes(&dir, "store.pack"));
}

fn megabytes(dir: &Dir, file: &str) -> f64 {
    fs::metadata(dir.path(file)).unwrap().len() as f64 / 1e6
}

#[test]
#[ignore = "it takes minutes: `just scale-shards TRIALS`"]
fn shards_that_are_packed_where_they_ran() {
    let count: u64 = env::var("UQBENCH_SCALE_TRIALS").unwrap().parse().unwrap();
    let dir = Dir::new();
    // A shard is a method.
    let shards = count.div_ceil(SPLITS) as usize;
    let text = mocks::benchmark(&mocks::answering(shards as u64, 0), count.min(SPLITS));
    dir.write("mocks.toml", &text);
    for shard in 0..shards {
        let start = Instant::now();
        let made = generate(&text, &dir.path("shard"), Some(shard));
        println!(
            "{made} trials of shard {shard} written in {:.1} s",
            start.elapsed().as_secs_f64()
        );
        measure(&dir, &format!("store pack shard shard-{shard}.pack mocks.toml --whole"));
        fs::remove_dir_all(dir.path("shard")).unwrap();
    }
    let packs: Vec<String> = (0..shards).map(|shard| format!("shard-{shard}.pack")).collect();
    for words in [
        &format!("store merge {} --into whole.pack", packs.join(" ")),
        "status mocks.toml --store whole.pack",
        "report mocks.toml --from whole.pack",
    ] {
        measure(&dir, words);
    }
    println!("{:>8.1} MB whole.pack", megabytes(&dir, "whole.pack"));
}
