//! A failure of the machine is tried again with back-off, counted, and never blamed on a method.

use std::collections::{HashMap, HashSet};
use std::sync::Mutex;

use rayon::ThreadPoolBuilder;
use uqbench::benchmark::{Benchmark, Profile};
use uqbench::data::Library;
use uqbench::runner::costs::Costs;
use uqbench::runner::execute::{Executor, InProcess, Job};
use uqbench::runner::outcome::Failure;
use uqbench::runner::plan::{Filter, plan, trials};
use uqbench::runner::progress::Progress;
use uqbench::runner::record::{Limits, TrialRecord};
use uqbench::runner::run::{Runner, survey};
use uqbench::runner::store::Store;
use uqbench::runner::tally::Tally;
use uqbench::system::CancelToken;

use crate::command::Dir;
use crate::determinism::no_sources;
use crate::mocks;

/// Fails this many times before it runs a trial.
struct Failing<'a> {
    inner: InProcess<'a>,
    failure: Failure,
    left: Mutex<usize>,
}

impl Executor for Failing<'_> {
    fn execute(&self, job: &Job, cancel: &CancelToken) -> Result<TrialRecord, Failure> {
        let mut left = self.left.lock().unwrap();
        if *left > 0 {
            *left -= 1;
            return Err(self.failure.clone());
        }
        self.inner.execute(job, cancel)
    }
}

fn run(dir: &Dir, name: &str, failure: Failure, times: usize) -> Tally {
    let benchmark = Benchmark::parse("mocks", &mocks::benchmark(&mocks::answering(2, 0), 1)).unwrap();
    let plans = plan(&[benchmark], Profile::Smoke, &Filter::default()).unwrap();
    let store = Store::open(dir.path(name)).unwrap();
    let library = Library::new(no_sources());
    let executor = Failing { inner: InProcess::new(&library, 1), failure, left: Mutex::new(times) };
    let pool = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let (cancel, missing_data, fresh) = (CancelToken::default(), HashMap::new(), HashSet::new());
    let costs = Costs::shipped().unwrap();
    let runner =
        Runner { store: &store, executor: &executor, pool: &pool, cancel: &cancel, missing_data, fresh, costs };
    let surveyed = survey(trials(&plans), &store, &pool).unwrap();
    let (tally, error) = runner.run(&surveyed, |_| Limits::default(), &Progress::hidden());
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
    assert_eq!((lasting.ran, lasting.retried, lasting.failed("lost"), lasting.failed("crashed")), (1, 3, 1, 0));
    for failure in [Failure::Crashed("by its own fault".into()), Failure::TimedOut, Failure::OutOfMemory] {
        let own = run(&dir, failure.word(), failure.clone(), 1);
        assert_eq!((own.ran, own.retried, own.failed(failure.word())), (1, 0, 1));
    }
}
