//! Read every finished trial of a store, whatever benchmark planned it.

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::ThreadPool;
use rayon::prelude::*;

use super::versions::{Version, experiment};
use uq_core::metrics::MetricId;
use uqbench_run::runner::derived;
use uqbench_run::runner::key::TrialKey;
use uqbench_run::runner::record::TrialResult;
use uqbench_run::runner::scores::Scores;
use uqbench_run::runner::store::{Found, Store, StoreError};

/// A finished trial with its scores.
pub type Trial = (Arc<TrialResult>, Scores);

/// Which repetition of an experiment: its split, and its seed.
pub type Repetition = (u64, u64);

/// The finished trials of one experiment by one version of its method.
pub struct Attempted {
    /// The version.
    pub version: Version,
    /// Start of its last trial, in seconds since 1970; 0 where that is not known.
    pub started: u64,
    /// Its trials.
    pub trials: BTreeMap<Repetition, Trial>,
}

/// The finished trials of one store, by experiment (without split, seed and versions), and for each
/// the versions, the newest one first.
pub struct Contents(pub BTreeMap<String, Vec<Attempted>>);

/// A trial that was read, with its start.
struct ReadTrial {
    trial: Trial,
    started: u64,
}

impl Contents {
    /// Reads a store, and scores its trials by these metrics.
    ///
    /// # Errors
    /// [`StoreError`] where it cannot be read.
    pub fn read(
        store: &Store,
        metrics: &[MetricId],
        pool: &ThreadPool,
    ) -> Result<Self, StoreError> {
        let one = |key: &TrialKey| -> Result<Option<ReadTrial>, StoreError> {
            let Found::Finished(result) = store.find(key)? else { return Ok(None) };
            let scores = derived::scores(store, &result, metrics)?;
            let started = store.provenance(key)?.map_or(0, |provenance| provenance.started);
            Ok(Some(ReadTrial { trial: (result, scores), started }))
        };
        let one = |key: TrialKey| Ok(store.readable(&key, one(&key))?.ok().flatten());
        let keys = store.keys()?;
        let found: Vec<_> =
            pool.install(|| keys.into_par_iter().map(one).collect::<Result<_, _>>())?;
        let mut contents: BTreeMap<String, Vec<Attempted>> = BTreeMap::new();
        for ReadTrial { trial, started } in found.into_iter().flatten() {
            let spec = &trial.0.spec;
            let (repetition, version) = ((spec.split, spec.seed), Version::of(spec));
            let versions = contents.entry(experiment(spec)).or_default();
            let at =
                versions.iter().position(|known| known.version == version).unwrap_or_else(|| {
                    versions.push(Attempted { version, started, trials: BTreeMap::new() });
                    versions.len() - 1
                });
            let attempted = &mut versions[at];
            attempted.started = attempted.started.max(started);
            attempted.trials.insert(repetition, trial);
        }
        for versions in contents.values_mut() {
            versions.sort_by(|a, b| b.age().cmp(&a.age()));
        }
        Ok(Self(contents))
    }

    /// Number of finished trials.
    pub fn trials(&self) -> usize {
        self.0.values().flatten().map(|attempted| attempted.trials.len()).sum()
    }
}

impl Attempted {
    /// What orders versions, the oldest one first: the numbers of the program's versions, then the
    /// start of the last trial.
    pub fn age(&self) -> (&[u32; 3], u64, &str) {
        (&self.version.program, self.started, &self.version.text)
    }
}
