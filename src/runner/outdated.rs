//! Tell which stored trials another version of the program would run again, and which pages show them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::definition::is_current;
use super::key::{SCHEMA, TrialKey, TrialSpec};
use super::plan::{Plan, trials};
use super::store::{Found, Store, StoreError};
use crate::methods::registry;
use crate::protocols::Protocol;

/// Why this program would not plan such a trial; `None` where it would: its method, protocol and data have the same versions.
pub fn outdated(spec: &TrialSpec) -> Option<String> {
    let method = &spec.method;
    let Ok(now) = registry::build(method, &spec.parameters) else {
        return Some(format!("{method} does not take the parameters of its trials any more"));
    };
    let version = |what: &str, now: u32, then: u32| {
        (now != then).then(|| format!("{what} has version {now}, its trials have version {then}"))
    };
    version(method, now.version(), spec.method_version)
        .or_else(|| (now.parameters() != spec.parameters).then(|| format!("{method} has other parameters")))
        .or_else(|| version("the protocol", Protocol::VERSION, spec.protocol_version))
        .or_else(|| version("a trial's specification", SCHEMA, spec.schema))
        .or_else(|| {
            (!is_current(&spec.dataset, &spec.definition)).then(|| format!("the data of {} are others", spec.dataset))
        })
}

/// A page whose stored trials another version of the program made.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stale {
    /// The benchmark.
    pub benchmark: String,
    /// Why, as [`outdated`] says.
    pub reason: String,
}

/// The pages of these plans that show outdated trials of a store, with the number of those trials. A trial that was never
/// run makes no page stale.
///
/// # Errors
/// [`StoreError::Read`].
pub fn stale<'a>(
    plans: impl IntoIterator<Item = &'a Plan>,
    store: &Store,
) -> Result<BTreeMap<Stale, usize>, StoreError> {
    // By what a later version of the program does not change.
    let of = |spec: &TrialSpec| (spec.dataset.clone(), spec.method.clone(), spec.seed, spec.split);
    let mut reasons: HashMap<_, BTreeSet<String>> = HashMap::new();
    for key in store.keys()? {
        let Found::Finished(result) = store.find(&key)? else { continue };
        if let Some(reason) = outdated(&result.spec) {
            reasons.entry(of(&result.spec)).or_default().insert(reason);
        }
    }
    let mut stale: BTreeMap<Stale, usize> = BTreeMap::new();
    for plan in plans {
        let absent = |key: &TrialKey| Ok::<bool, StoreError>(store.find(key)? == Found::Absent);
        for trial in trials([plan]) {
            let Some(reasons) = reasons.get(&of(&trial.experiment.spec(trial.split))) else { continue };
            if absent(&trial.key)? {
                let reason = reasons.iter().cloned().collect::<Vec<_>>().join("; ");
                *stale.entry(Stale { benchmark: plan.benchmark.id.clone(), reason }).or_default() += 1;
            }
        }
    }
    Ok(stale)
}
