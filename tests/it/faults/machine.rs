//! A failure of the machine is tried again with back-off, counted, and never blamed on a method.

use std::collections::{HashMap, HashSet};
use std::sync::Mutex;

use rayon::ThreadPoolBuilder;
use uq_core::CancelToken;
use uqbench_data::Library;
use uqbench_run::benchmark::{Benchmark, Profile};
use uqbench_run::runner::costs::Costs;
use uqbench_run::runner::execute::{Executor, InProcess, Job, Unfinished};
use uqbench_run::runner::key::TrialKey;
use uqbench_run::runner::outcome::Failure;
use uqbench_run::runner::plan::{Filter, plan, trials};
use uqbench_run::runner::progress::Progress;
use uqbench_run::runner::record::{Limits, TrialRecord};
use uqbench_run::runner::run::{Runner, survey};
use uqbench_run::runner::store::Store;
use uqbench_run::runner::tally::Tally;

use crate::command::{Dir, attempts};
use crate::determinism::no_sources;
use crate::mocks;

/// The limits of every trial.
const LIMITS: Limits = Limits { seconds: Some(60), memory: None };

/// The memory that is seen of a trial that fails.
const MEMORY: u64 = 5 << 20;

/// Fails this many times before it runs a trial.
struct Failing<'a> {
    inner: InProcess<'a>,
    failure: Failure,
    left: Mutex<usize>,
}

impl Executor for Failing<'_> {
    fn execute(&self, job: &Job, cancel: &CancelToken) -> Result<TrialRecord, Unfinished> {
        let mut left = self.left.lock().unwrap();
        if *left > 0 {
            *left -= 1;
            return Err(Unfinished { failure: self.failure.clone(), peak_memory: Some(MEMORY) });
        }
        self.inner.execute(job, cancel)
    }
}

fn run(dir: &Dir, name: &str, failure: Failure, times: usize) -> Tally {
    run_without(dir, name, failure, times, HashMap::new())
}

/// The same where some data are missing.
fn run_without(
    dir: &Dir,
    name: &str,
    failure: Failure,
    times: usize,
    missing_data: HashMap<String, Failure>,
) -> Tally {
    let benchmark =
        Benchmark::parse("mocks", &mocks::benchmark(&mocks::answering(2, 0), 1)).unwrap();
    let plans = plan(&[benchmark], Profile::Smoke, &Filter::default()).unwrap();
    let store = Store::open(dir.path(name)).unwrap();
    let library = Library::new(no_sources());
    let executor = Failing { inner: InProcess::new(&library, 1), failure, left: Mutex::new(times) };
    let pool = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let (cancel, fresh) = (CancelToken::default(), HashSet::new());
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
    let surveyed = survey(trials(&plans), &store, &pool).unwrap();
    let (tally, error) = runner.run(&surveyed, |_| LIMITS, &Progress::hidden());
    assert!(error.is_none());
    tally
}

#[test]
fn a_failure_of_the_machine_is_tried_again_and_one_of_the_method_is_not() {
    let dir = Dir::new();
    let again = || Failure::Lost("no process can be started: EAGAIN".into());
    let passing = run(&dir, "passing", again(), 2);
    assert_eq!((passing.ran, passing.retried, passing.unfinished()), (2, 2, 0));
    let lasting = run(&dir, "lasting", again(), 4);
    assert_eq!(
        (lasting.ran, lasting.retried, lasting.failed("lost"), lasting.failed("crashed")),
        (1, 3, 1, 0)
    );
    for failure in
        [Failure::Crashed("by its own fault".into()), Failure::TimedOut, Failure::OutOfMemory]
    {
        let own = run(&dir, failure.word(), failure.clone(), 1);
        assert_eq!((own.ran, own.retried, own.failed(failure.word())), (1, 0, 1));
    }
}

#[test]
fn an_attempt_that_fails_keeps_where_when_how_long_and_with_what_memory_it_ran() {
    let dir = Dir::new();
    run(&dir, "own", Failure::OutOfMemory, 1);
    let own = attempts(&dir.path("own"));
    let (key, attempt) = own.first_key_value().unwrap();
    let run = attempt.run.as_deref().unwrap();
    assert_eq!((own.len(), &attempt.failure), (1, &Failure::OutOfMemory));
    assert_eq!((run.peak_memory, run.limits), (Some(MEMORY), Some(LIMITS)));
    assert!(
        run.seconds.is_some() && run.beside.is_some() && run.started > 1_000_000_000,
        "{run:?}"
    );
    // Stores and packs that are made of it have the same.
    for into in ["joined", "joined.pack"] {
        Store::merge(&[Store::open_existing(dir.path("own")).unwrap()], &dir.path(into)).unwrap();
        let joined = Store::open_existing(dir.path(into)).unwrap();
        assert_eq!(
            joined.last_attempt(&TrialKey::parse(key).unwrap()).unwrap().as_ref(),
            Some(attempt),
            "{into}"
        );
    }
    // One without data did not run.
    let missing =
        HashMap::from([("motorcycle-94".to_owned(), Failure::Unavailable("no source".into()))]);
    let tally = run_without(&dir, "missing", Failure::TimedOut, 0, missing);
    assert_eq!(tally.failed("unavailable"), 2);
    for attempt in attempts(&dir.path("missing")).into_values() {
        let run = attempt.run.unwrap();
        assert_eq!(
            (run.seconds, run.peak_memory, run.limits, run.beside.is_none()),
            (None, None, None, true)
        );
        assert!(
            run.started > 1_000_000_000 && run.machine.program.starts_with("uqbench "),
            "{run:?}"
        );
    }
}
