//! Bring a store up to a plan: find what is there, run what is missing, in parallel over trials.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::ThreadPool;
use rayon::prelude::*;

use super::execute::Executor;
use super::outcome::{Failure, Outcome};
use super::plan::Planned;
use super::progress::Progress;
use super::scores;
use super::store::{Found, Store, StoreError};
use crate::methods::CancelToken;
use crate::metrics::MetricId;

/// How the expected trials ended. Every expected trial is counted once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Number of expected trials.
    pub expected: usize,
    /// Found finished in the store.
    pub reused: usize,
    /// Finished in this run.
    pub ran: usize,
    /// Damaged ones found, put aside and run again.
    pub quarantined: usize,
    /// Finished ones by outcome: `ok`, `diverged`, `unsupported`.
    pub outcomes: BTreeMap<&'static str, usize>,
    /// Unfinished ones by failure.
    pub failures: BTreeMap<&'static str, usize>,
    /// One message a kind of failure.
    pub messages: BTreeMap<&'static str, String>,
}

impl Tally {
    /// Adds another tally.
    pub fn add(&mut self, other: &Self) {
        self.expected += other.expected;
        self.reused += other.reused;
        self.ran += other.ran;
        self.quarantined += other.quarantined;
        for (word, count) in &other.outcomes {
            *self.outcomes.entry(word).or_default() += count;
        }
        for (word, count) in &other.failures {
            *self.failures.entry(word).or_default() += count;
        }
        for (word, message) in &other.messages {
            self.messages.entry(word).or_insert_with(|| message.clone());
        }
    }

    /// Number of trials that did not finish for this reason.
    pub fn failed(&self, word: &str) -> usize {
        self.failures.get(word).copied().unwrap_or(0)
    }

    fn finished(&mut self, outcome: &Outcome) {
        *self.outcomes.entry(outcome.word()).or_default() += 1;
    }

    fn failure(&mut self, failure: &Failure) {
        *self.failures.entry(failure.word()).or_default() += 1;
        self.messages.entry(failure.word()).or_insert_with(|| failure.message());
    }
}

impl std::fmt::Display for Tally {
    /// One line: how many of the expected trials are there, and what became of the others.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let finished = self.reused + self.ran;
        write!(
            f,
            "{finished} of {} expected trials finished ({} reused, {} run)",
            self.expected, self.reused, self.ran
        )?;
        for (word, count) in self.outcomes.iter().filter(|(word, _)| **word != "ok").chain(&self.failures) {
            write!(f, ", {count} {word}")?;
        }
        if self.quarantined > 0 {
            write!(f, ", {} damaged and run again", self.quarantined)?;
        }
        Ok(())
    }
}

/// Runs the trials that the store does not have, in their order, `pool`'s threads at a time.
///
/// Scores by `metrics` are derived as trials finish. A failing trial changes no other one. When cancelled, trials in
/// flight are dropped, finished ones stay.
///
/// # Errors
/// [`StoreError`] where the store cannot be read or written: the run stops, what is stored stays.
pub fn run(
    trials: &[Planned],
    metrics: &[MetricId],
    store: &Store,
    executor: &dyn Executor,
    pool: &ThreadPool,
    cancel: &CancelToken,
    progress: &Progress,
) -> Result<Tally, StoreError> {
    let found: Vec<Found> =
        pool.install(|| trials.par_iter().map(|trial| store.find(&trial.key)).collect::<Result<_, _>>())?;
    let mut tally = Tally { expected: trials.len(), ..Tally::default() };
    let mut missing = Vec::new();
    for (trial, found) in trials.iter().zip(&found) {
        match found {
            Found::Finished(result) => {
                tally.reused += 1;
                tally.finished(&result.outcome);
                progress.advance();
                continue;
            }
            Found::Quarantined(damage) => {
                tally.quarantined += 1;
                progress.say(&format!("warning: trial {} was damaged ({damage}); it runs again", trial.key));
            }
            Found::Absent => {}
        }
        missing.push(trial);
    }

    // A counter, not a parallel iterator: trials start in the order of the plan, so the first figure is ready first.
    let next = AtomicUsize::new(0);
    let shared = Mutex::new((tally, None::<StoreError>));
    pool.broadcast(|_| {
        while let Some(trial) = missing.get(next.fetch_add(1, Ordering::Relaxed)) {
            if cancel.is_cancelled() {
                break;
            }
            let end = executor.execute(&trial.experiment.spec(trial.split), cancel);
            let stored = match &end {
                Ok(record) => store.keep(record).and_then(|()| scores::of_record(store, record, metrics)),
                Err(Failure::Cancelled) => break,
                Err(failure) => store.remember_failure(&trial.key, failure),
            };
            let Ok(mut guard) = shared.lock() else { break };
            match (&end, stored) {
                (_, Err(error)) => {
                    guard.1.get_or_insert(error);
                    next.store(missing.len(), Ordering::Relaxed); // the others stop after their trial in flight
                    break;
                }
                (Ok(record), Ok(())) => {
                    guard.0.ran += 1;
                    guard.0.finished(&record.result.outcome);
                }
                (Err(failure), Ok(())) => guard.0.failure(failure),
            }
            drop(guard);
            progress.advance();
        }
    });
    let (mut tally, error) = shared.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some(error) = error {
        return Err(error);
    }
    let unfinished = tally.failures.values().sum::<usize>();
    let dropped = tally.expected - tally.reused - tally.ran - unfinished;
    if dropped > 0 {
        tally.failures.insert(Failure::Cancelled.word(), dropped);
    }
    Ok(tally)
}
