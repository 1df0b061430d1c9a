//! Complete a store for a plan: find the stored trials, and run the missing ones in parallel.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rayon::ThreadPool;
use rayon::prelude::*;

use super::attempt::{Attempt, Run};
use super::company::Company;
use super::costs::{Costs, Known};
use super::derived;
use super::execute::{Executor, Job, Unfinished};
use super::journal::Steps;
use super::key::TrialKey;
use super::outcome::Failure;
use super::plan::{Plan, Planned};
use super::progress::{Kind, Progress};
use super::record::{Limits, TrialRecord, now};
use super::store::{Found, Store, StoreError};
use super::tally::{Standing, Tally};
use super::trial::data_failure;
use uq_core::CancelToken;
use uqbench_data::Library;

/// The parts that are needed to run trials.
pub struct Runner<'a> {
    /// The store of finished trials.
    pub store: &'a Store,
    /// The executor that runs them.
    pub executor: &'a dyn Executor,
    /// The threads that each take one trial at a time.
    pub pool: &'a ThreadPool,
    /// The flag that asks to stop.
    pub cancel: &'a CancelToken,
    /// Datasets that are unavailable or differ from the pinned bytes, each with the failure of its
    /// trials.
    pub missing_data: HashMap<String, Failure>,
    /// Trials that need a new process, because their time or memory is scored.
    pub fresh: HashSet<TrialKey>,
    /// What trials will cost, for the time that is left.
    pub costs: &'a Costs,
}

/// Trials with their state in the store.
pub type Surveyed<'a> = Vec<(Planned<'a>, Found)>;

/// Looks up every trial in the store, and moves damaged ones to quarantine, so that they can run
/// again.
///
/// # Errors
/// [`StoreError`] where the store cannot be read, or a damaged trial cannot be moved.
pub fn survey<'a>(
    trials: Vec<Planned<'a>>,
    store: &Store,
    pool: &ThreadPool,
) -> Result<Surveyed<'a>, StoreError> {
    let look = |trial: Planned<'a>| {
        let found = store.find_usable(&trial.key)?;
        if matches!(found, Found::Damaged(_)) {
            store.set_aside(&trial.key)?;
        }
        Ok((trial, found))
    };
    pool.install(|| trials.into_par_iter().map(look).collect())
}

/// Fetches and verifies every dataset that a missing trial needs, before the first trial runs.
/// Datasets that are known to be missing are not requested again.
pub fn prepare_data(
    surveyed: &Surveyed,
    library: &Library,
    cancel: &CancelToken,
    known: &HashMap<String, Failure>,
) -> HashMap<String, Failure> {
    let needed = surveyed.iter().filter(|(_, found)| !matches!(found, Found::Finished(_)));
    // A user's table was read when the benchmark was.
    let needed = needed.filter(|(trial, _)| trial.dataset().own.is_none());
    let datasets: BTreeSet<&str> =
        needed.map(|(trial, _)| trial.experiment.template.dataset.as_str()).collect();
    let asked = datasets
        .into_iter()
        .filter(|dataset| !known.contains_key(*dataset) && !cancel.is_cancelled());
    asked
        .filter_map(|dataset| Some((dataset.to_owned(), data_failure(dataset, library)?)))
        .collect()
}

/// Pauses before a trial is tried again because the machine failed, not the method.
const BACK_OFF: [Duration; 3] =
    [Duration::from_millis(100), Duration::from_secs(1), Duration::from_secs(3)];

/// Repeats an operation, with growing pauses, while its error is transient. Counts the repetitions.
fn with_back_off<T, E>(
    cancel: &CancelToken,
    may_pass: impl Fn(&E) -> bool,
    mut attempt: impl FnMut() -> Result<T, E>,
) -> (Result<T, E>, usize) {
    for (made, pause) in BACK_OFF.into_iter().enumerate() {
        match attempt() {
            Err(error) if may_pass(&error) && !cancel.is_cancelled() => wait(pause, cancel),
            end => return (end, made),
        }
    }
    (attempt(), BACK_OFF.len())
}

fn wait(pause: Duration, cancel: &CancelToken) {
    let start = Instant::now();
    while start.elapsed() < pause && !cancel.is_cancelled() {
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The kind of a trial whose cost nobody has measured, such as that of a method in another
/// language: the first ones tell.
pub fn learned_kind(trial: &Planned, costs: &Costs) -> Option<Kind> {
    let spec = &trial.experiment.template;
    let kind = || Kind { method: spec.method_name().to_owned(), dataset: spec.dataset.clone() };
    (costs.of_trial(trial).known == Known::Unknown).then(kind)
}

impl Runner<'_> {
    /// Runs the trials that the store does not have, in their order, one on each thread of the pool
    /// at a time.
    ///
    /// `limits` gives the limits of the trials of a plan. Scores by the plan's metrics are derived
    /// as trials finish. A failing trial does not affect other trials. After a cancellation running
    /// trials are dropped, and finished ones stay. An error means that the store cannot be written;
    /// the tally then counts the trials up to the error.
    pub fn run(
        &self,
        surveyed: &Surveyed,
        limits: impl Fn(&Plan) -> Limits + Sync,
        progress: &Progress,
    ) -> (Tally, Option<StoreError>) {
        let mut tally = Tally::default();
        let mut missing = Vec::new();
        for (trial, found) in surveyed {
            match found {
                Found::Finished(result) => {
                    tally.count(trial, &Standing::Finished(result.outcome.clone()));
                    progress.advance(0.0);
                    continue;
                }
                Found::Damaged(damage) => {
                    tally.quarantined += 1;
                    let (name, key) = (trial.name(), &trial.key);
                    progress.say(&format!(
                        "warning: {name} was damaged ({damage}); it runs again (trial {key})"
                    ));
                }
                Found::Absent => {}
            }
            tally.expected += 1;
            missing.push(trial);
        }

        // A counter instead of a parallel iterator, so that trials start in the order of the plan
        // and the first figure is ready first.
        let next = AtomicUsize::new(0);
        let shared = Mutex::new((tally, None::<StoreError>));
        let company = Company::default();
        self.pool.broadcast(|_| {
            while let Some(trial) = missing.get(next.fetch_add(1, Ordering::Relaxed)) {
                if self.cancel.is_cancelled() {
                    break;
                }
                let kind = learned_kind(trial, self.costs);
                let learned = kind.as_ref().and_then(|kind| progress.expected(kind));
                let expected = learned.unwrap_or_else(|| self.costs.of_trial(trial).seconds);
                let started = Instant::now();
                let begun = progress.begin(expected);
                let (end, retried) = self.attempt(trial, limits(trial.plan), &company, progress);
                let patiently = |call: &dyn Fn() -> Result<(), StoreError>| {
                    with_back_off(self.cancel, StoreError::may_pass, call)
                };
                let (stored, again) = match &end {
                    Err(Attempt { failure: Failure::Cancelled, .. }) => break,
                    Ok(record) => patiently(&|| self.store.keep(record)),
                    Err(attempt) => patiently(&|| self.store.remember_attempt(&trial.key, attempt)),
                };
                let is_stored = stored.is_ok();
                let (tidied, once_more) = match &end {
                    Ok(record) if is_stored => patiently(&|| self.tidy(trial, record)),
                    _ => (stored, 0),
                };
                // Its scores cannot be made, which its page says. No other trial ends for it.
                let tidied = match tidied {
                    Err(error @ StoreError::Damaged { .. }) => {
                        progress.say(&format!("warning: {}: {error}", trial.name()));
                        Ok(())
                    }
                    tidied => tidied,
                };
                let mut guard = shared.lock().unwrap_or_else(PoisonError::into_inner);
                guard.0.retried += retried + again + once_more;
                match &end {
                    Ok(record) if is_stored => guard.0.finished(trial, &record.result.outcome),
                    Err(attempt) if is_stored => guard.0.failure(trial, &attempt.failure),
                    _ => {}
                }
                if let Err(error) = tidied {
                    guard.1.get_or_insert(error);
                    // the other threads then stop, too
                    next.store(missing.len(), Ordering::Relaxed);
                    break;
                }
                drop(guard);
                drop(begun);
                match kind {
                    Some(kind) => progress.advance_of(&kind, started.elapsed().as_secs_f64()),
                    None => progress.advance(expected),
                }
            }
        });
        let (mut tally, error) = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
        tally.cancel_rest();
        (tally, error)
    }

    /// Runs one trial, and repeats it where the machine failed. Counts the repetitions.
    fn attempt(
        &self,
        trial: &Planned,
        limits: Limits,
        company: &Company,
        progress: &Progress,
    ) -> (Result<TrialRecord, Attempt>, usize) {
        if let Some(failure) = self.missing_data.get(&trial.experiment.template.dataset) {
            return (Err(Attempt::before_start(failure.clone())), 0);
        }
        let steps = match self.steps(trial) {
            Ok(steps) => steps,
            Err(error) => {
                return (Err(Attempt::before_start(Failure::Crashed(error.to_string()))), 0);
            }
        };
        let folder = steps.as_ref().map(|(steps, _)| steps.folder().to_owned());
        let _watched = steps.map(|(steps, most)| progress.watch(trial.name(), steps, most));
        let job = Job {
            spec: trial.experiment.spec(trial.split),
            limits,
            fresh: self.fresh.contains(&trial.key),
            place: trial.experiment.method.place.clone(),
            table: trial.dataset().own.clone(),
            steps: folder,
        };
        let is_lost = |attempt: &Attempt| matches!(attempt.failure, Failure::Lost(_));
        with_back_off(self.cancel, is_lost, || {
            let (started, clock) = (now(), Instant::now());
            let (end, beside) = company.accompany(|| self.executor.execute(&job, self.cancel));
            let (beside, limits) = (Some(beside), Some(limits));
            match end {
                Ok(mut record) => {
                    record.provenance.beside = beside;
                    record.provenance.limits = limits;
                    Ok(record)
                }
                Err(Unfinished { failure, peak_memory }) => {
                    let seconds = Some(clock.elapsed().as_secs_f64());
                    let run = Run { started, seconds, peak_memory, beside, limits, ..Run::here() };
                    Err(Attempt { failure, run: Some(Box::new(run)) })
                }
            }
        })
    }

    /// Where a sequential trial keeps its steps, and their number; `None` for other trials.
    fn steps(&self, trial: &Planned) -> Result<Option<(Steps, usize)>, StoreError> {
        match trial.experiment.template.protocol.kind().kept_steps() {
            0 => Ok(None),
            most => self.store.steps(&trial.key).map(|steps| Some((steps, most))),
        }
    }

    /// Caches the scores of a stored trial, and removes its steps. The trial is finished whether
    /// this succeeds or not.
    fn tidy(&self, trial: &Planned, record: &TrialRecord) -> Result<(), StoreError> {
        derived::keep_scores(self.store, record, &trial.plan.first_metrics())?;
        match self.steps(trial)? {
            Some(_) => self.store.remove_steps(&trial.key),
            None => Ok(()),
        }
    }
}
