//! Bring a store up to a plan: find what is there, run what is missing, in parallel over trials.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::ThreadPool;
use rayon::prelude::*;
use thiserror::Error;

use super::execute::Executor;
use super::outcome::{Failure, Outcome};
use super::plan::Planned;
use super::progress::Progress;
use super::scores;
use super::store::{Found, Store, StoreError};
use crate::methods::CancelToken;
use crate::metrics::MetricId;

/// Why a run stops before its end.
#[derive(Debug, Error)]
pub enum RunError {
    /// The store cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Data are other bytes than the pinned ones, or cannot be understood.
    #[error("{0}")]
    BadData(String),
}

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
    /// Why trials gave no predictions: the first reasons, each once.
    pub reasons: Vec<String>,
}

/// Number of reasons that are kept.
const REASONS: usize = 10;

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
        other.reasons.iter().for_each(|reason| self.remember(reason.clone()));
    }

    fn remember(&mut self, reason: String) {
        if self.reasons.len() < REASONS && !self.reasons.contains(&reason) {
            self.reasons.push(reason);
        }
    }

    /// Counts expected trials that no run began as cancelled.
    pub fn cancel_rest(&mut self) {
        let ended = self.reused + self.ran + self.failures.values().sum::<usize>();
        if self.expected > ended {
            *self.failures.entry(Failure::Cancelled.word()).or_default() += self.expected - ended;
        }
    }

    /// Number of expected trials that did not finish.
    pub fn unfinished(&self) -> usize {
        self.expected - self.reused - self.ran
    }

    /// Number of expected trials that did not finish, but for those whose data no source has.
    pub fn unexcused(&self) -> usize {
        self.unfinished() - self.failed("unavailable")
    }

    /// Counts one expected trial as it is in a store, with the last failure where it is not there.
    pub fn count(&mut self, found: &Found, failure: Option<&Failure>) {
        self.expected += 1;
        match (found, failure) {
            (Found::Finished(result), _) => {
                self.reused += 1;
                self.finished(&result.outcome);
            }
            (Found::Quarantined(damage), _) => {
                *self.failures.entry("damaged").or_default() += 1;
                self.remember(format!("damaged: {damage}"));
            }
            (Found::Absent, Some(failure)) => self.failure(failure),
            (Found::Absent, None) => *self.failures.entry("not run").or_default() += 1,
        }
    }

    /// Number of trials that did not finish for this reason.
    pub fn failed(&self, word: &str) -> usize {
        self.failures.get(word).copied().unwrap_or(0)
    }

    fn finished(&mut self, outcome: &Outcome) {
        *self.outcomes.entry(outcome.word()).or_default() += 1;
        if let Some(reason) = outcome.reason() {
            self.remember(format!("{}: {reason}", outcome.word()));
        }
    }

    fn failure(&mut self, failure: &Failure) {
        *self.failures.entry(failure.word()).or_default() += 1;
        self.remember(failure.message());
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
/// [`RunError`] where the store cannot be read or written, or data are not the pinned ones: what is stored stays.
pub fn run(
    trials: &[Planned],
    metrics: &[MetricId],
    store: &Store,
    executor: &dyn Executor,
    pool: &ThreadPool,
    cancel: &CancelToken,
    progress: &Progress,
) -> Result<Tally, RunError> {
    let found: Vec<Found> =
        pool.install(|| trials.par_iter().map(|trial| store.find(&trial.key)).collect::<Result<_, StoreError>>())?;
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
    let shared = Mutex::new((tally, None::<RunError>));
    pool.broadcast(|_| {
        while let Some(trial) = missing.get(next.fetch_add(1, Ordering::Relaxed)) {
            if cancel.is_cancelled() {
                break;
            }
            let end = executor.execute(&trial.experiment.spec(trial.split), cancel);
            let stored = match &end {
                Ok(record) => {
                    store.keep(record).and_then(|()| scores::of_record(store, record, metrics)).map_err(RunError::from)
                }
                Err(Failure::Cancelled) => break,
                Err(Failure::BadData(message)) => Err(RunError::BadData(message.clone())),
                Err(failure) => store.remember_failure(&trial.key, failure).map_err(RunError::from),
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
    tally.cancel_rest();
    Ok(tally)
}
