//! Count the trials of a store that a choice leaves out, by benchmark, profile and reason.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::key::{TrialKey, TrialSpec};
use super::outdated::outdated;
use super::plan::{Filter, Plan, PlanError, plan, trials};
use super::store::Store;
use crate::benchmark::{Benchmark, Profile};

/// Why a choice leaves trials out.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// A known benchmark plans them under this profile, and neither of both, or other methods,
    /// datasets or splits, were chosen.
    NotChosen {
        /// The benchmark.
        benchmark: String,
        /// The smallest profile that has them.
        profile: Profile,
    },
    /// Another version of the program made them.
    Outdated(String),
    /// A known benchmark plans this method on this dataset, but with other data, settings or files.
    Changed {
        /// The benchmark.
        benchmark: String,
        /// Their dataset.
        dataset: String,
        /// Their method.
        method: String,
    },
    /// A known benchmark has their first split, but each of its profiles has fewer splits.
    MoreSplits {
        /// The benchmark.
        benchmark: String,
    },
    /// No benchmark that was named or that comes with this program plans them.
    UnknownBenchmark {
        /// Their dataset.
        dataset: String,
        /// Their method.
        method: String,
    },
    /// Their last attempt failed, and no known benchmark plans them.
    Failed,
    /// Their stored bytes are not those that were written.
    Damaged,
    /// They cannot be read, for this reason.
    Unreadable(String),
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Self::NotChosen { benchmark, profile } => {
                write!(f, "{benchmark}, profile {}: not chosen", profile.as_str())
            }
            Self::MoreSplits { benchmark } => {
                write!(f, "{benchmark}: each profile has fewer splits")
            }
            Self::Outdated(why) => f.write_str(why),
            Self::Changed { benchmark, dataset, method } => {
                write!(
                    f,
                    "{benchmark}: {method} on {dataset} has other data, settings or files now"
                )
            }
            Self::UnknownBenchmark { dataset, method } => write!(
                f,
                "{method} on {dataset}: no benchmark that was named or that comes with this \
                 program plans them; name its file"
            ),
            Self::Failed => {
                f.write_str("their last attempt failed, and no known benchmark plans them")
            }
            Self::Damaged => f.write_str("their stored bytes are damaged"),
            Self::Unreadable(why) => f.write_str(why),
        }
    }
}

/// The profiles, the smallest first.
const PROFILES: [Profile; 3] = [Profile::Smoke, Profile::Quick, Profile::Full];

/// The trials of a store, failed ones included, that are not among these, by reason.
pub struct LeftOut {
    /// Number of trials of the store, failed ones included.
    pub stored: usize,
    /// Number of those that are left out, by reason.
    pub reasons: BTreeMap<Reason, usize>,
}

impl LeftOut {
    /// Counts what `plans` leave out of the trials `stored`. The benchmarks of the plans and
    /// `known` ones tell where a trial is from.
    ///
    /// # Errors
    /// [`PlanError`] where a known benchmark cannot be planned.
    pub fn count(
        store: &Store,
        stored: &[TrialKey],
        plans: &[Plan],
        known: &[Benchmark],
    ) -> Result<Self, PlanError> {
        let chosen: HashSet<TrialKey> = trials(plans).into_iter().map(|trial| trial.key).collect();
        let left: Vec<&TrialKey> = stored.iter().filter(|key| !chosen.contains(*key)).collect();
        let mut reasons = BTreeMap::new();
        if !left.is_empty() {
            let known = Known::of(plans, known)?;
            for key in left {
                *reasons.entry(reason(store, key, &known)).or_default() += 1;
            }
        }
        Ok(Self { stored: stored.len(), reasons })
    }

    /// Number of trials that are left out.
    pub fn total(&self) -> usize {
        self.reasons.values().sum()
    }
}

/// What known benchmarks plan.
struct Known {
    /// For every trial the first benchmark that plans it, and its smallest profile.
    trials: HashMap<TrialKey, (String, Profile)>,
    /// For every dataset and method the first benchmark that has both.
    pairs: HashMap<(String, String), String>,
}

impl Known {
    fn of(plans: &[Plan], known: &[Benchmark]) -> Result<Self, PlanError> {
        let named: HashSet<&str> = plans.iter().map(|plan| plan.benchmark.id.as_str()).collect();
        let others = known.iter().filter(|benchmark| !named.contains(benchmark.id.as_str()));
        let all: Vec<Benchmark> =
            plans.iter().map(|plan| &plan.benchmark).chain(others).cloned().collect();
        let (mut places, mut pairs) = (HashMap::new(), HashMap::new());
        for profile in PROFILES {
            let plans = plan(&all, profile, &Filter::default())?;
            for trial in trials(&plans) {
                let benchmark = || trial.plan.benchmark.id.clone();
                if trial.split == 0 {
                    pairs.entry(pair(&trial.experiment.template)).or_insert_with(benchmark);
                }
                places.entry(trial.key.clone()).or_insert_with(|| (benchmark(), profile));
            }
        }
        Ok(Self { trials: places, pairs })
    }
}

/// The dataset and the method of a trial.
fn pair(spec: &TrialSpec) -> (String, String) {
    (spec.dataset.clone(), spec.method_name().into())
}

/// Why a trial is left out. Its record alone is read, not its predictions.
fn reason(store: &Store, key: &TrialKey, known: &Known) -> Reason {
    if let Some((benchmark, profile)) = known.trials.get(key).cloned() {
        return Reason::NotChosen { benchmark, profile };
    }
    let spec = match store.specification(key) {
        Ok(Some(spec)) => spec,
        Ok(None) if store.last_attempt(key).is_ok_and(|attempt| attempt.is_some()) => {
            return Reason::Failed;
        }
        Ok(None) => return Reason::Damaged,
        Err(error) => return Reason::Unreadable(error.to_string()),
    };
    let first = TrialSpec { split: 0, ..spec.clone() }.key();
    if let Some((benchmark, _)) = known.trials.get(&first) {
        return Reason::MoreSplits { benchmark: benchmark.clone() };
    }
    let (dataset, method) = pair(&spec);
    let unplanned = || match known.pairs.get(&pair(&spec)).cloned() {
        Some(benchmark) => Reason::Changed { benchmark, dataset, method },
        None => Reason::UnknownBenchmark { dataset, method },
    };
    outdated(&spec).map_or_else(unplanned, Reason::Outdated)
}
