//! Tell which stored trials another version of the program would run again, and which pages show
//! them, by a store or by the trials that a page lists.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use serde::Deserialize;

use super::definition::is_current;
use super::key::{SCHEMA, TrialKey, TrialSpec, key_of_spec};
use super::outcome::Outcome;
use super::plan::{Experiment, Plan, trials};
use super::store::{Found, Store, StoreError};
use crate::protocols::Protocol;
use crate::registry;

/// Why this program would not plan such a trial; `None` where it would: its method, protocol and
/// data have the same versions.
pub fn outdated(spec: &TrialSpec) -> Option<String> {
    let method = &spec.method;
    let Ok(now) = registry::build(method, &spec.parameters) else {
        return Some(format!("{method} does not take the parameters of its trials any more"));
    };
    let version =
        |what: &str, now: u32, then: u32| (now != then).then(|| versions(what, now, then));
    version(method, now.version(), spec.method_version)
        .or_else(|| {
            (now.parameters() != *spec.parameters).then(|| format!("{method} has other parameters"))
        })
        .or_else(|| version("the protocol", Protocol::VERSION, spec.protocol_version))
        .or_else(|| version("a trial's specification", SCHEMA, spec.schema))
        .or_else(|| {
            (!is_current(&spec.dataset, &spec.definition))
                .then(|| format!("the data of {} are others", spec.dataset))
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

/// The pages of these plans that show outdated trials of a store, with the number of those trials.
/// A trial that was never run makes no page stale.
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
        let Some(Found::Finished(result)) = store.find_readable(&key)? else { continue };
        if let Some(reason) = outdated(&result.spec) {
            reasons.entry(of(&result.spec)).or_default().insert(reason);
        }
    }
    let mut stale: BTreeMap<Stale, usize> = BTreeMap::new();
    for plan in plans {
        let absent = |key: &TrialKey| {
            Ok::<bool, StoreError>(store.find_readable(key)? == Some(Found::Absent))
        };
        for trial in trials([plan]) {
            let Some(reasons) = reasons.get(&of(&trial.experiment.spec(trial.split))) else {
                continue;
            };
            if absent(&trial.key)? {
                let reason = reasons.iter().cloned().collect::<Vec<_>>().join("; ");
                *stale
                    .entry(Stale { benchmark: plan.benchmark.id.clone(), reason })
                    .or_default() += 1;
            }
        }
    }
    Ok(stale)
}

/// A trial in the list beside a page, `ID-trials.csv`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Listed {
    /// Its key.
    pub trial: String,
    /// Key of its dataset.
    pub dataset: String,
    /// Name of its method in the registry.
    pub method: String,
    /// Which repetition.
    pub split: u64,
    /// The method's seed.
    pub seed: u64,
    /// How it ended.
    pub outcome: String,
}

/// Why a page is stale that shows the listed trials: those that this program would not plan for it,
/// by reason, with their number. A page shows what is finished alone.
pub fn stale_list(plan: &Plan, listed: &[Listed]) -> BTreeMap<Stale, usize> {
    let planned: HashSet<String> =
        trials([plan]).into_iter().map(|trial| trial.key.to_string()).collect();
    let shown = listed.iter().filter(|one| Outcome::WORDS.contains(&one.outcome.as_str()));
    let mut stale: BTreeMap<Stale, usize> = BTreeMap::new();
    for one in shown.filter(|one| !planned.contains(&one.trial)) {
        let reason = earlier(plan, one).unwrap_or_else(|| {
            format!(
                "{} on {}: its trials are none that this program would run",
                one.method, one.dataset
            )
        });
        *stale.entry(Stale { benchmark: plan.benchmark.id.clone(), reason }).or_default() += 1;
    }
    stale
}

/// The earlier version of the method or of the protocol that gives a trial its key, in words;
/// `None` where none does.
fn earlier(plan: &Plan, listed: &Listed) -> Option<String> {
    let is_it = |experiment: &&Experiment| {
        let dataset = &plan.benchmark.datasets[experiment.dataset].key;
        (dataset, &experiment.template.method, experiment.template.seed)
            == (&listed.dataset, &listed.method, listed.seed)
    };
    for experiment in plan.all_experiments().filter(is_it) {
        let now = experiment.spec(listed.split);
        for protocol_version in (1..=now.protocol_version).rev() {
            for method_version in (1..=now.method_version).rev() {
                let then = TrialSpec { protocol_version, method_version, ..now.clone() };
                let key = key_of_spec(serde_json::to_value(&then).ok()?);
                if key.as_str() == listed.trial {
                    let mut reasons = Vec::new();
                    if method_version != now.method_version {
                        reasons.push(versions(&now.method, now.method_version, method_version));
                    }
                    if protocol_version != now.protocol_version {
                        reasons.push(versions(
                            "the protocol",
                            now.protocol_version,
                            protocol_version,
                        ));
                    }
                    return Some(reasons.join("; "));
                }
            }
        }
    }
    None
}

fn versions(what: &str, now: u32, then: u32) -> String {
    format!("{what} has version {now}, its trials have version {then}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benchmark::{Profile, find};
    use crate::runner::plan::{Filter, plan};

    /// The list of a benchmark's trials, as a program with another version of one method wrote it.
    fn listed(plan: &Plan, change: impl Fn(&mut TrialSpec)) -> Vec<Listed> {
        let of_trial = |trial: crate::runner::plan::Planned| {
            let mut spec = trial.experiment.spec(trial.split);
            let (dataset, method) = (trial.dataset().key.clone(), spec.method.clone());
            change(&mut spec);
            let key = key_of_spec(serde_json::to_value(&spec).unwrap());
            Listed {
                trial: key.to_string(),
                dataset,
                method,
                split: spec.split,
                seed: spec.seed,
                outcome: "ok".into(),
            }
        };
        trials([plan]).into_iter().map(of_trial).collect()
    }

    #[test]
    fn a_change_of_a_methods_version_names_the_pages_that_list_its_trials() {
        let of = |id: &str| {
            plan(&[find(id).unwrap()], Profile::Full, &Filter::default()).unwrap().remove(0)
        };
        let (with, without) = (of("jcm-table-2"), of("dtb-figure-3"));
        assert!(
            with.experiments
                .iter()
                .any(|e| e.template.method == "deep-gp" && e.template.method_version > 1)
        );
        let before = |spec: &mut TrialSpec| {
            if spec.method == "deep-gp" {
                spec.method_version -= 1;
            }
        };
        assert!(stale_list(&with, &listed(&with, |_| ())).is_empty(), "the same program");
        assert!(stale_list(&without, &listed(&without, before)).is_empty(), "it has no such trial");
        let mut old = listed(&with, before);
        let stale = stale_list(&with, &old);
        let count = old.iter().filter(|one| one.method == "deep-gp").count();
        assert_eq!(stale.values().copied().collect::<Vec<_>>(), [count]);
        let reason = &stale.keys().next().unwrap().reason;
        assert!(
            reason.starts_with("deep-gp has version ")
                && reason.contains(", its trials have version "),
            "{reason}"
        );
        // What is not finished is on no page.
        old.iter_mut().for_each(|one| one.outcome = "not in the store".into());
        assert!(stale_list(&with, &old).is_empty());
        let other = listed(&with, |spec| spec.root_seed += 1);
        let stale = stale_list(&with, &other);
        assert_eq!(stale.values().sum::<usize>(), other.len());
        assert!(stale.keys().all(|page| page.reason.ends_with("none that this program would run")));
    }
}
