//! Count how the expected trials ended, each of them once.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::key::TrialKey;
use super::outcome::{Failure, Outcome};
use super::plan::Planned;
use super::store::{Found, Store, StoreError, Unreadable};

/// How the expected trials ended. Every expected trial is counted once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Number of expected trials.
    pub expected: usize,
    /// Found finished in the store.
    pub reused: usize,
    /// Finished in this run.
    pub ran: usize,
    /// Damaged trials that were moved to quarantine and run again.
    pub quarantined: usize,
    /// Attempts that were repeated because the machine failed, not the method.
    pub retried: usize,
    /// Finished ones by outcome: `ok`, `diverged`, `unsupported`.
    pub outcomes: BTreeMap<&'static str, usize>,
    /// Unfinished ones by failure.
    pub failures: BTreeMap<&'static str, usize>,
    /// Why trials returned no predictions: the first reasons, each once.
    pub reasons: Vec<Reason>,
}

/// Why trials returned no predictions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The first trial with this reason: method, dataset, split.
    pub first: String,
    /// The reason.
    pub why: String,
    /// Number of further trials with this reason.
    pub more: usize,
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.first, self.why)?;
        match self.more {
            0 => Ok(()),
            1 => f.write_str(" (and 1 more trial)"),
            more => write!(f, " (and {more} more trials)"),
        }
    }
}

/// The state of an expected trial in a store.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// It is finished.
    Finished(Outcome),
    /// Its bytes are damaged.
    Damaged(String),
    /// It cannot be read.
    Unreadable(String),
    /// Its last attempt did not finish.
    Failed(Failure),
    /// Nothing is known of it.
    NotRun,
}

impl Standing {
    /// Of one trial.
    ///
    /// # Errors
    /// As [`Store::find_readable`].
    pub fn of(store: &Store, key: &TrialKey) -> Result<Self, StoreError> {
        let read = store.readable(key, Self::read(store, key))?;
        Ok(read.unwrap_or_else(|Unreadable(why)| Self::Unreadable(why)))
    }

    fn read(store: &Store, key: &TrialKey) -> Result<Self, StoreError> {
        Ok(match store.find(key)? {
            Found::Finished(result) => Self::Finished(result.outcome.clone()),
            Found::Damaged(damage) => Self::Damaged(damage),
            Found::Absent => store.failure(key)?.map_or(Self::NotRun, Self::Failed),
        })
    }
}

/// Number of reasons that are kept.
const REASONS: usize = 10;

impl Tally {
    /// Adds another tally of other trials.
    pub fn add(&mut self, other: &Self) {
        self.expected += other.expected;
        self.reused += other.reused;
        self.ran += other.ran;
        self.quarantined += other.quarantined;
        self.retried += other.retried;
        for (word, count) in &other.outcomes {
            *self.outcomes.entry(word).or_default() += count;
        }
        for (word, count) in &other.failures {
            *self.failures.entry(word).or_default() += count;
        }
        other.reasons.iter().for_each(|reason| self.remember(reason.clone()));
    }

    fn remember(&mut self, reason: Reason) {
        if let Some(known) = self.reasons.iter_mut().find(|known| known.why == reason.why) {
            known.more += 1 + reason.more;
        } else if self.reasons.len() < REASONS {
            self.reasons.push(reason);
        }
    }

    /// Counts one expected trial by its state in a store.
    pub fn count(&mut self, trial: &Planned, standing: &Standing) {
        self.expected += 1;
        match standing {
            Standing::Finished(outcome) => {
                self.reused += 1;
                self.outcome(trial, outcome);
            }
            Standing::Damaged(damage) => {
                *self.failures.entry("damaged").or_default() += 1;
                self.remember(Reason {
                    first: trial.name(),
                    why: format!("damaged: {damage}"),
                    more: 0,
                });
            }
            Standing::Unreadable(why) => {
                *self.failures.entry("unreadable").or_default() += 1;
                self.remember(Reason { first: trial.name(), why: why.clone(), more: 0 });
            }
            Standing::Failed(failure) => self.failure(trial, failure),
            Standing::NotRun => *self.failures.entry("not run").or_default() += 1,
        }
    }

    /// Counts an expected trial that finished in this run.
    pub fn finished(&mut self, trial: &Planned, outcome: &Outcome) {
        self.ran += 1;
        self.outcome(trial, outcome);
    }

    fn outcome(&mut self, trial: &Planned, outcome: &Outcome) {
        *self.outcomes.entry(outcome.word()).or_default() += 1;
        if let Some(reason) = outcome.reason() {
            let why = format!("{}: {reason}", outcome.word());
            self.remember(Reason { first: trial.name(), why, more: 0 });
        }
    }

    /// Counts an expected trial that did not finish.
    pub fn failure(&mut self, trial: &Planned, failure: &Failure) {
        *self.failures.entry(failure.word()).or_default() += 1;
        self.remember(Reason { first: trial.name(), why: failure.message(), more: 0 });
    }

    /// Counts expected trials that were not started as cancelled.
    pub fn cancel_rest(&mut self) {
        let ended = self.reused + self.ran + self.failures.values().sum::<usize>();
        if self.expected > ended {
            *self.failures.entry(Failure::Cancelled.word()).or_default() += self.expected - ended;
        }
    }

    /// How the trials ended that gave no predictions: `2 diverged, 1 timed out`.
    pub fn others(&self) -> String {
        let others = self.outcomes.iter().filter(|(word, _)| **word != "ok").chain(&self.failures);
        others.map(|(word, count)| format!("{count} {word}")).collect::<Vec<_>>().join(", ")
    }

    /// Number of expected trials that did not finish.
    pub fn unfinished(&self) -> usize {
        self.expected - self.reused - self.ran
    }

    /// Number of expected trials that did not finish, except those whose data, or whose method, are
    /// unavailable.
    pub fn unexcused(&self) -> usize {
        self.unfinished() - self.failed("unavailable")
    }

    /// Number of trials that did not finish for this reason.
    pub fn failed(&self, word: &str) -> usize {
        self.failures.get(word).copied().unwrap_or(0)
    }
}

impl std::fmt::Display for Tally {
    /// One line: how many of the expected trials finished, and how the others ended.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let finished = self.reused + self.ran;
        write!(
            f,
            "{finished} of {} expected trials finished ({} reused, {} run)",
            self.expected, self.reused, self.ran
        )?;
        for (word, count) in
            self.outcomes.iter().filter(|(word, _)| **word != "ok").chain(&self.failures)
        {
            write!(f, ", {count} {word}")?;
        }
        if self.quarantined > 0 {
            write!(f, ", {} damaged and run again", self.quarantined)?;
        }
        if self.retried > 0 {
            write!(f, ", {} repeated after failures of the machine", self.retried)?;
        }
        Ok(())
    }
}
