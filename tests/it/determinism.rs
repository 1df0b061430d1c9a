//! The same trial gives the same bytes under any number of threads, order, subset and process.

use std::collections::{BTreeMap, HashMap, HashSet};

use rayon::ThreadPoolBuilder;
use uq_methods::CancelToken;
use uqbench_data::{Library, SourceOptions};
use uqbench_run::benchmark::{Benchmark, Profile};
use uqbench_run::runner::costs::Costs;
use uqbench_run::runner::execute::InProcess;
use uqbench_run::runner::plan::{Filter, Planned, plan, trials};
use uqbench_run::runner::progress::Progress;
use uqbench_run::runner::record::Limits;
use uqbench_run::runner::run::{Runner, survey};
use uqbench_run::runner::store::Store;

use super::command::{Dir, kept};
use super::mocks;

/// Real trials of DTB with and without side tables, and mocks: 2 + 7 + 3 trials.
fn mixed(dir: &Dir) -> &'static str {
    dir.write("mocks.toml", &mocks::benchmark(&mocks::answering(3, 0), 2));
    "run dtb-figure-3 dtb-table-1 mocks.toml --profile smoke --splits 1"
}

#[track_caller]
fn assert_part_of(part: &BTreeMap<String, Vec<u8>>, whole: &BTreeMap<String, Vec<u8>>) {
    assert!(!part.is_empty());
    for (name, bytes) in part {
        assert!(whole.get(name) == Some(bytes), "{name} differs from the whole run");
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let dir = Dir::new();
    let words = mixed(&dir);
    for jobs in [1, 2, 8] {
        dir.run(&format!("{words} --jobs {jobs} --store store-{jobs}")).code(0);
    }
    let one = dir.kept("store-1");
    assert!(one.keys().any(|name| name.ends_with("artefacts.json")));
    assert!(one == dir.kept("store-2"), "2 threads");
    assert!(one == dir.kept("store-8"), "8 threads");
}

#[test]
fn one_process_for_each_trial_gives_the_same_bytes() {
    let dir = Dir::new();
    let words = mixed(&dir);
    dir.run(&format!("{words} --store threads")).code(0);
    dir.run(&format!("{words} --isolation thread --store processes")).code(0);
    assert!(dir.kept("threads") == dir.kept("processes"));
}

#[test]
fn stored_numbers_read_back_bit_equal() {
    // A float that changed between writing and reading would break a checksum, and the trial would
    // run again.
    let dir = Dir::new();
    let words = mixed(&dir);
    let first = dir.run(words).code(0);
    assert_eq!(first.counts(), [12, 12, 0, 12]);
    let second = dir.run(words).code(0);
    assert_eq!(second.counts(), [12, 12, 12, 0]);
}

#[test]
fn a_subset_gives_the_bytes_of_the_whole() {
    let dir = Dir::new();
    dir.run(
        "run dtb-table-1 --profile smoke --splits 2 --datasets california,california:raw \
             --store whole",
    )
    .code(0);
    let whole = dir.kept("whole");
    for (index, subset) in
        ["--methods linear-gaussian --splits 2", "--methods dtb --splits 1", "--splits 1"]
            .iter()
            .enumerate()
    {
        let words = format!(
            "run dtb-table-1 --profile smoke --datasets california --store part-{index} {subset}"
        );
        dir.run(&words).code(0);
        assert_part_of(&dir.kept(&format!("part-{index}")), &whole);
    }
}

#[test]
fn any_order_gives_the_same_bytes() {
    let dir = Dir::new();
    let mocks = Benchmark::parse("mocks", &mocks::benchmark(&mocks::answering(3, 0), 3)).unwrap();
    let figure = uqbench_run::benchmark::find("dtb-figure-3").unwrap();
    let plans =
        plan(&[figure, mocks], Profile::Smoke, &Filter { splits: Some(2), ..Filter::default() })
            .unwrap();
    let in_order = trials(&plans);
    let mut reversed = in_order.clone();
    reversed.reverse();
    // Stepping by a number that shares no factor with the length visits every trial once.
    let shuffled: Vec<Planned> =
        (0..in_order.len()).map(|i| in_order[(7 * i + 3) % in_order.len()].clone()).collect();
    assert!(!in_order.len().is_multiple_of(7));

    let run_all = |trials: &[Planned], name: &str| {
        let store = Store::open(dir.path(name)).unwrap();
        let library = Library::new(SourceOptions {
            cache: Some(dir.path("cache")),
            offline: true,
            ..no_sources()
        });
        let executor = InProcess::new(&library, 1);
        let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let (cancel, progress) = (CancelToken::default(), Progress::hidden());
        let surveyed = survey(trials.to_vec(), &store, &pool).unwrap();
        let (missing_data, fresh) = (HashMap::new(), HashSet::new());
        let costs = Costs::shipped().unwrap();
        let runner = Runner {
            store: &store,
            executor: &executor,
            pool: &pool,
            cancel: &cancel,
            missing_data,
            fresh,
            costs,
        };
        let (tally, error) = runner.run(&surveyed, |_| Limits::default(), &progress);
        assert!(error.is_none());
        assert_eq!((tally.expected, tally.ran), (trials.len(), trials.len()));
        kept(store.root())
    };
    let expected = run_all(&in_order, "in-order");
    assert!(expected == run_all(&reversed, "reversed"));
    assert!(expected == run_all(&shuffled, "shuffled"));
}

/// Options of a library that asks for no confirmation.
pub fn no_sources() -> SourceOptions {
    SourceOptions {
        cache: None,
        mirror: None,
        offline: true,
        progress: false,
        network: Default::default(),
    }
}
