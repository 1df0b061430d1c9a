//! Times of the runner itself: a trial that does nothing, the disk's share of it, and planning.

#![allow(clippy::expect_used, reason = "a benchmark that cannot run should stop")]

use std::fs::{self, File};
use std::hint::black_box;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use uq_core::metrics::{Crps, MetricId, Rmse};
use uq_methods::CancelToken;
use uqbench_data::{Library, SourceOptions};
use uqbench_run::benchmark::{Benchmark, Profile};
use uqbench_run::runner::derived;
use uqbench_run::runner::execute::{Executor, InProcess, Job};
use uqbench_run::runner::plan::{Filter, Plan, plan, trials};
use uqbench_run::runner::store::Store;

/// A method that does nothing, with this number of repetitions.
fn mock_plan(splits: u64) -> Vec<Plan> {
    let text = format!(
        "id = \"mock\"\npaper = \"none\"\nside_table = \"none\"\ntitle = \"none\"\nprotocol_source \
         = \"printed\"\n\
         protocol = {{ holdout = {{ test = {{ fraction = 0.2 }} }} }}\n\
         datasets = [{{ key = \"motorcycle-94\", heading = \"Motorcycle\" }}]\n\
         methods = [{{ id = \"mock\", columns = [{{ heading = \"mock\" }}] }}]\n\
         metrics = [{{ id = \"rmse\", heading = \"RMSE\" }}, {{ id = \"crps\", heading = \"CRPS\" \
         }}]\n\
         profiles = {{ smoke = {{ splits = 1 }}, quick = {{ splits = 1 }}, full = {{ splits = \
         {splits} }} }}\n"
    );
    let benchmark = Benchmark::parse("mock", &text).expect("the benchmark is sound");
    plan(&[benchmark], Profile::Full, &Filter::default()).expect("the benchmark can be planned")
}

/// Puts four small files in a folder, synchronises each, renames the folder, synchronises its
/// parent.
fn disk(root: &Path, name: u64) {
    let folder = root.join(format!("tmp-{name}"));
    fs::create_dir(&folder).expect("the disk takes a folder");
    for file in 0..4 {
        let mut file =
            File::create_new(folder.join(file.to_string())).expect("the disk takes a file");
        file.write_all(&[7; 1500]).expect("the disk takes bytes");
        file.sync_all().expect("the disk synchronises");
    }
    let synced = |path: &Path| {
        File::open(path).and_then(|handle| handle.sync_all()).expect("the disk synchronises")
    };
    synced(&folder);
    fs::rename(&folder, root.join(name.to_string())).expect("the disk renames");
    synced(root);
}

fn trial(criterion: &mut Criterion) {
    let root = tempfile::tempdir().expect("there is a temporary folder");
    let plans = mock_plan(10_000_000);
    let experiment = &plans[0].experiments[0];
    let library = Library::new(SourceOptions {
        cache: Some(root.path().join("cache")),
        mirror: None,
        offline: true,
        progress: false,
        network: Default::default(),
    });
    let executor = InProcess::new(&library, 1);
    let (cancel, metrics) = (CancelToken::default(), [MetricId::Rmse(Rmse), MetricId::Crps(Crps)]);
    let store = Store::open(root.path().join("store")).expect("the store opens");
    let mut split = 0;
    let mut execute = || {
        split += 1;
        executor.execute(&Job::new(experiment.spec(split)), &cancel).expect("the mock predicts")
    };

    let mut group = criterion.benchmark_group("trial that does nothing");
    group.bench_function("execute and encode", |b| b.iter(|| black_box(execute())));
    group.bench_function("keep and score", |b| {
        b.iter_custom(|count| {
            let records: Vec<_> = (0..count).map(|_| execute()).collect();
            let start = Instant::now();
            for record in &records {
                store.keep(record).expect("the store keeps");
                derived::keep_scores(&store, record, &metrics).expect("scores are derived");
            }
            start.elapsed()
        });
    });
    let disk_root = root.path().join("disk");
    fs::create_dir(&disk_root).expect("the disk takes a folder");
    let mut name = 0;
    group.bench_function("the disk alone: four files and two folders synchronised", |b| {
        b.iter_custom(|count| {
            let mut total = Duration::ZERO;
            for _ in 0..count {
                name += 1;
                let start = Instant::now();
                disk(&disk_root, name);
                total += start.elapsed();
            }
            total
        });
    });
    group.finish();
}

fn planning(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("planning");
    group.sample_size(10);
    group.bench_function("100 000 trials", |b| {
        b.iter(|| {
            let plans = mock_plan(100_000);
            black_box(trials(&plans).len())
        });
    });
    group.finish();
}

criterion_group!(benches, trial, planning);
criterion_main!(benches);
