//! Tell the versions of a method apart: trials that differ in nothing but what was run.
//!
//! The version of a method of this program is a number. That of a method outside of it is its
//! command, the hashes of its files and what it says of itself. An experiment has all of a trial's
//! specification but its version, its split and its seed.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use serde::Deserialize;
use serde_json::{Value, json};

use uqbench_run::external::{ExternalParameters, ID};
use uqbench_run::registry::own_build;
use uqbench_run::runner::key::{TrialKey, TrialSpec, canonical};
use uqbench_run::runner::plan::{Experiment, Plan};
use uqbench_run::runner::store::{Store, StoreError};

/// Number of digits of a hash that tell two files apart.
const DIGITS: usize = 7;

/// What was run, as far as a specification tells it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    /// Versions of the program's trials, protocols and method.
    pub program: [u32; 3],
    /// The parameters that belong to the version, as canonical JSON.
    pub text: String,
    /// The version in words.
    pub words: String,
}

impl Version {
    /// Of a trial.
    pub fn of(spec: &TrialSpec) -> Self {
        let program = [spec.schema, spec.protocol_version, spec.method_version];
        match external(spec) {
            Some(stated) => {
                Self { program, text: json!(stated).to_string(), words: words(&stated) }
            }
            None => {
                let text = canonical(&spec.parameters);
                Self { program, text, words: format!("version {}", spec.method_version) }
            }
        }
    }
}

/// The parameters of an external method.
fn external(spec: &TrialSpec) -> Option<ExternalParameters> {
    (spec.method == ID).then(|| ExternalParameters::deserialize(&*spec.parameters).ok()).flatten()
}

/// What an external method says of its versions, the hashes of its files, and its settings.
fn words(stated: &ExternalParameters) -> String {
    let versions =
        stated.description.versions.iter().map(|(name, version)| format!("{name} {version}"));
    let files = stated
        .files
        .iter()
        .map(|(name, hash)| format!("{name} {}", hash.get(..DIGITS).unwrap_or(hash)));
    let settings = (!stated.settings.is_empty())
        .then(|| format!("settings {}", canonical(&json!(stated.settings))));
    let all: Vec<String> = versions.chain(files).chain(settings).collect();
    if all.is_empty() { stated.command.join(" ") } else { all.join(", ") }
}

/// The identity of an experiment: its specification without repetition and versions. An external
/// method is known by its name and its settings.
pub fn experiment(spec: &TrialSpec) -> String {
    without_version(spec, |stated| json!({ "name": stated.name, "settings": stated.settings }))
}

/// As [`experiment`], but of an external method whatever its settings.
pub fn experiment_of_name(spec: &TrialSpec) -> String {
    without_version(spec, |stated| json!({ "name": stated.name }))
}

fn without_version(spec: &TrialSpec, known_by: impl Fn(&ExternalParameters) -> Value) -> String {
    let mut value = serde_json::to_value(spec).unwrap_or_default();
    if let Some(map) = value.as_object_mut() {
        for part in ["schema", "protocol_version", "method_version", "split", "seed", "dataset"] {
            map.remove(part);
        }
        match (external(spec), map.get_mut("parameters")) {
            (Some(stated), Some(parameters)) => *parameters = known_by(&stated),
            (None, Some(parameters)) => without_versions(parameters),
            (_, None) => {}
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

/// A method of some plans of which a store has trials in several versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeveralVersions {
    /// Its heading.
    pub method: String,
    /// The version that is shown.
    pub shown: StoredVersion,
    /// The others, by their words.
    pub others: Vec<StoredVersion>,
}

/// Trials of one version in a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredVersion {
    /// The version in words.
    pub words: String,
    /// Number of its finished trials, of the experiments of the plans.
    pub trials: usize,
    /// Number of trials that are expected of each version.
    pub expected: usize,
}

/// An experiment of the plans, whatever its version.
#[derive(Default)]
struct PlannedExperiment {
    heading: String,
    splits: u64,
    versions: BTreeSet<Version>,
}

/// What the plans and the store say of one method.
#[derive(Default)]
struct Shown {
    versions: BTreeSet<String>,
    trials: usize,
    expected: usize,
    others: BTreeMap<String, usize>,
}

/// The methods of which the store has trials of experiments of the plans in another version than
/// the one that is shown, by heading. Specifications are read, not verified: a damaged trial counts
/// until it is shown.
///
/// # Errors
/// [`StoreError`] where the store cannot be read.
pub fn several_versions(plans: &[Plan], store: &Store) -> Result<Vec<SeveralVersions>, StoreError> {
    let stored: HashSet<TrialKey> = store.keys()?.into_iter().collect();
    let mut planned = HashSet::new();
    let mut shown: BTreeMap<String, Shown> = BTreeMap::new();
    let mut experiments: BTreeMap<String, PlannedExperiment> = BTreeMap::new();
    for experiment in plans.iter().flat_map(Plan::all_experiments) {
        let (heading, version) =
            (experiment.method.heading().to_owned(), Version::of(&experiment.template));
        let of_method = shown.entry(heading.clone()).or_default();
        of_method.versions.insert(version.words.clone());
        let known = experiments.entry(experiment_of_name(&experiment.template)).or_default();
        known.heading = heading;
        known.splits = known.splits.max(experiment.splits);
        known.versions.insert(version);
        for key in keys(experiment) {
            if planned.insert(key.clone()) {
                of_method.expected += 1;
                of_method.trials += usize::from(stored.contains(&key));
            }
        }
    }
    for key in stored.iter().filter(|key| !planned.contains(key)) {
        let Some(spec) = store.specification(key)? else { continue };
        let Some(known) = experiments.get(&experiment_of_name(&spec)) else { continue };
        let version = Version::of(&spec);
        let is_other = spec.split < known.splits && !known.versions.contains(&version);
        if let Some(of_method) = shown.get_mut(&known.heading).filter(|_| is_other) {
            *of_method.others.entry(version.words).or_default() += 1;
        }
    }
    let one = |(method, of_method): (String, Shown)| {
        let Shown { versions, trials, expected, others } = of_method;
        let version = |(words, trials)| StoredVersion { words, trials, expected };
        let shown = version((versions.into_iter().collect::<Vec<_>>().join("; "), trials));
        (!others.is_empty()).then(|| SeveralVersions {
            method,
            shown,
            others: others.into_iter().map(version).collect(),
        })
    };
    Ok(shown.into_iter().filter_map(one).collect())
}

/// Trials of a method that the program has added, which another build of the program has made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherBuilds {
    /// Its heading.
    pub method: String,
    /// Number of the trials.
    pub trials: usize,
}

/// The methods of the program's own of which the store has planned trials by another build: their
/// code may have changed since.
///
/// # Errors
/// [`StoreError`] where the store cannot be read.
pub fn other_builds(plans: &[Plan], store: &Store) -> Result<Vec<OtherBuilds>, StoreError> {
    let mut all: BTreeMap<String, BTreeSet<TrialKey>> = BTreeMap::new();
    for experiment in plans.iter().flat_map(Plan::all_experiments) {
        let TrialSpec { method, parameters, .. } = &experiment.template;
        let Some(here) = own_build(method, parameters) else { continue };
        for key in keys(experiment) {
            let provenance = store.readable(&key, store.provenance(&key))?.ok().flatten();
            let there = provenance.and_then(|provenance| provenance.build);
            if there.is_some_and(|there| there != here) {
                all.entry(experiment.method.heading().to_owned()).or_default().insert(key);
            }
        }
    }
    let one =
        |(method, keys): (String, BTreeSet<TrialKey>)| OtherBuilds { method, trials: keys.len() };
    Ok(all.into_iter().map(one).collect())
}

fn keys(experiment: &Experiment) -> impl Iterator<Item = TrialKey> + '_ {
    (0..experiment.splits).map(|split| experiment.key(split))
}
