//! Compare stored trials with those of the shipped run: the full run whose pages are in `reports/`
//! and whose packs are beside them.
//!
//! `benchmarks/shipped-trials.txt` has a line for each of its finished trials: the first sixteen
//! digits of its key, and those of the checksum of its record, which holds the hashes of its
//! predictions and side tables. `uqbench dev index reports/packs/*.pack` writes it.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::key::TrialKey;
use super::plan::{Plan, Planned, trials};
use super::record::{TrialResult, checksum};
use super::store::{Found, Store, StoreError};
use uqbench_system::carried::text;

/// The list of trials of the shipped run.
const TRIALS: &str = "benchmarks/shipped-trials.txt";

/// Digits of a key and of a checksum that a line has.
const DIGITS: usize = 16;

/// The finished trials of the shipped run.
pub struct Shipped(HashMap<&'static str, &'static str>);

/// The trials of some plans beside the shipped run.
#[derive(Default)]
pub struct Beside<'a> {
    /// Number of finished trials that the shipped run has, too, with an equal record.
    pub equal: usize,
    /// Finished trials with another record.
    pub differing: Vec<Planned<'a>>,
}

/// The line of a trial.
pub fn line(result: &TrialResult) -> Option<String> {
    let checksum = checksum(result).ok()?;
    Some(format!("{} {}", &result.key.as_str()[..DIGITS], &checksum[..DIGITS]))
}

impl Shipped {
    /// The trials that come with the program.
    pub fn read() -> &'static Self {
        static SHIPPED: LazyLock<Shipped> = LazyLock::new(|| {
            Shipped(
                text(TRIALS)
                    .unwrap_or_default()
                    .lines()
                    .filter_map(|line| line.split_once(' '))
                    .collect(),
            )
        });
        &SHIPPED
    }

    /// Number of trials.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Whether it has this trial.
    pub fn has(&self, key: &TrialKey) -> bool {
        self.0.contains_key(&key.as_str()[..DIGITS])
    }

    /// Whether a trial has the record of the shipped one; `None` where the shipped run does not
    /// have it.
    pub fn is_equal(&self, result: &TrialResult) -> Option<bool> {
        let shipped = self.0.get(&result.key.as_str()[..DIGITS])?;
        let own = checksum(result).ok()?;
        Some(own.starts_with(shipped))
    }

    /// The finished trials of these plans beside those of the shipped run; of those that a store
    /// has, as far as `counts` takes them.
    ///
    /// # Errors
    /// [`StoreError`] where the store cannot be read.
    pub fn beside<'a>(
        &self,
        plans: &'a [Plan],
        store: &Store,
        counts: impl Fn(&TrialKey) -> Result<bool, StoreError>,
    ) -> Result<Beside<'a>, StoreError> {
        let mut beside = Beside::default();
        for trial in trials(plans).into_iter().filter(|trial| self.has(&trial.key)) {
            let Some(Found::Finished(result)) = store.find_readable(&trial.key)? else { continue };
            if !counts(&trial.key)? {
                continue;
            }
            match self.is_equal(&result) {
                Some(true) => beside.equal += 1,
                Some(false) => beside.differing.push(trial),
                None => {}
            }
        }
        Ok(beside)
    }
}

impl Beside<'_> {
    /// Number of trials that both have.
    pub fn count(&self) -> usize {
        self.equal + self.differing.len()
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn every_line_is_a_trial_and_a_committed_pack_has_the_lines_of_its_trials() {
        let lines: Vec<&str> = text(TRIALS).unwrap().lines().collect();
        assert!(lines.is_sorted() && lines.len() > 20_000, "{}", lines.len());
        assert_eq!(Shipped::read().count(), lines.len(), "no key twice");
        let digits =
            |part: &str| part.len() == DIGITS && part.bytes().all(|b| b.is_ascii_hexdigit());
        assert!(
            lines.iter().all(|line| line
                .split_once(' ')
                .is_some_and(|(key, sum)| digits(key) && digits(sum)))
        );
        let pack =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../reports/packs/jcm-theorem-1.pack");
        let pack = Store::open_existing(pack).unwrap();
        for key in pack.keys().unwrap() {
            let Found::Finished(result) = pack.find(&key).unwrap() else { panic!("{key}") };
            assert_eq!(Shipped::read().is_equal(&result), Some(true));
            assert!(lines.binary_search(&line(&result).unwrap().as_str()).is_ok());
            let mut other = (*result).clone();
            other.train_rows += 1;
            assert_eq!(Shipped::read().is_equal(&other), Some(false));
        }
    }
}
