//! Read every finished trial of a store, whatever benchmark planned it.

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::ThreadPool;
use rayon::prelude::*;
use serde_json::Value;

use crate::metrics::MetricId;
use crate::runner::derived;
use crate::runner::key::{TrialSpec, canonical};
use crate::runner::record::TrialResult;
use crate::runner::scores::Scores;
use crate::runner::store::{Found, Store, StoreError};

/// A finished trial with its scores.
pub type Trial = (Arc<TrialResult>, Scores);

/// Which repetition of an experiment: its split, and its seed.
pub type Repetition = (u64, u64);

/// The finished trials of one store, by experiment (a specification without split, seed and versions) and repetition.
pub struct Contents(pub BTreeMap<String, BTreeMap<Repetition, Trial>>);

impl Contents {
    /// Reads a store, and scores its trials by these metrics.
    ///
    /// # Errors
    /// [`StoreError`] where it cannot be read.
    pub fn read(store: &Store, metrics: &[MetricId], pool: &ThreadPool) -> Result<Self, StoreError> {
        let one = |key| -> Result<Option<Trial>, StoreError> {
            let Found::Finished(result) = store.find(&key)? else { return Ok(None) };
            let scores = derived::scores(store, &result, metrics)?;
            Ok(Some((result, scores)))
        };
        let keys = store.keys()?;
        let found: Vec<_> = pool.install(|| keys.into_par_iter().map(one).collect::<Result<_, _>>())?;
        let mut contents: BTreeMap<String, BTreeMap<Repetition, Trial>> = BTreeMap::new();
        for (result, scores) in found.into_iter().flatten() {
            let versions = |spec: &TrialSpec| (spec.schema, spec.protocol_version, spec.method_version);
            let repetitions = contents.entry(identity(&result.spec)).or_default();
            let repetition = (result.spec.split, result.spec.seed);
            // Of two versions in one store, the later one counts.
            if repetitions.get(&repetition).is_none_or(|(old, _)| versions(&old.spec) <= versions(&result.spec)) {
                repetitions.insert(repetition, (result, scores));
            }
        }
        Ok(Self(contents))
    }

    /// Number of finished trials.
    pub fn trials(&self) -> usize {
        self.0.values().map(BTreeMap::len).sum()
    }

    /// Number of trials that another store has, too.
    pub fn common_trials(&self, other: &Self) -> usize {
        let of = |(identity, own): (&String, &BTreeMap<Repetition, Trial>)| {
            other.0.get(identity).map_or(0, |others| own.keys().filter(|one| others.contains_key(one)).count())
        };
        self.0.iter().map(of).sum()
    }
}

/// The identity of an experiment: its specification without repetition and versions of the program.
pub fn identity(spec: &TrialSpec) -> String {
    let mut value = serde_json::to_value(spec).unwrap_or_default();
    if let Some(map) = value.as_object_mut() {
        for part in ["schema", "protocol_version", "method_version", "split", "seed", "dataset"] {
            map.remove(part);
        }
        if let Some(parameters) = map.get_mut("parameters") {
            without_versions(parameters);
        }
    }
    canonical(&value)
}

/// Combinators store the versions of their learners among their parameters.
fn without_versions(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.remove("version");
            map.values_mut().for_each(without_versions);
        }
        Value::Array(items) => items.iter_mut().for_each(without_versions),
        _ => {}
    }
}
