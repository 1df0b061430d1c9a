//! Define the profiles, which set how much of a benchmark is run.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::protocols::Protocol;

/// How much is run.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Profile {
    /// A few splits, to check that everything works: under a minute.
    Smoke,
    /// A rough version of every table and figure: under five minutes for all papers.
    #[default]
    Quick,
    /// The paper's own number of repetitions.
    Full,
}

impl Profile {
    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Smoke => "smoke",
            Self::Quick => "quick",
            Self::Full => "full",
        }
    }
}

/// What one profile runs: the first `splits` repetitions of the named datasets and methods.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProfileSpec {
    /// Number of repetitions; a smaller profile's are the first of a larger one's.
    pub splits: u64,
    /// Datasets; absent means all.
    pub datasets: Option<Vec<String>>,
    /// Names of the methods; absent means all. The reference methods run besides.
    pub methods: Option<Vec<String>>,
    /// Whether rows that are variants of the main protocol run too.
    #[serde(default = "yes")]
    pub variants: bool,
    /// Repeats the first of these repetitions with other seeds, to separate the variance over seeds
    /// from that over splits.
    pub seeds: Option<Seeds>,
    /// Parameters, by a method's name, that this profile changes in all of its rows, such as fewer
    /// steps and restarts. Such trials differ from those of a larger profile.
    #[serde(default)]
    pub budgets: BTreeMap<String, serde_json::Map<String, serde_json::Value>>,
}

impl ProfileSpec {
    /// Whether the rows of this method run.
    pub fn runs(&self, method: &str) -> bool {
        self.methods.as_ref().is_none_or(|ids| ids.iter().any(|id| id == method))
    }

    /// A method's parameters under this profile.
    pub fn parameters(&self, method: &str, own: &serde_json::Value) -> serde_json::Value {
        let Some(budget) = self.budgets.get(method) else { return own.clone() };
        let mut all = own.as_object().cloned().unwrap_or_default();
        all.extend(budget.clone());
        all.into()
    }
}

/// How many seeds each of the first repetitions runs with.
///
/// Only main methods on main datasets have seeds. Variants, points of a curve and deterministic
/// methods do not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seeds {
    /// Number of seeds K, including seed 0.
    pub count: u64,
    /// Number of repetitions S: the first ones.
    pub splits: u64,
}

/// Repetitions of the profiles that a file leaves out, of a protocol that has any number of them.
const USUAL: [(Profile, u64); 3] = [(Profile::Full, 20), (Profile::Quick, 3), (Profile::Smoke, 1)];

/// All three profiles: those that are left out run all datasets and methods, and no more
/// repetitions than a larger one.
pub(super) fn completed(
    mut profiles: BTreeMap<Profile, ProfileSpec>,
    protocol: &Protocol,
) -> BTreeMap<Profile, ProfileSpec> {
    let kind = protocol.kind();
    let mut most = kind.repetitions().unwrap_or(u64::MAX);
    for (profile, usual) in USUAL {
        let spec = profiles.entry(profile).or_insert_with(|| ProfileSpec {
            splits: usual.saturating_mul(kind.splits_a_repetition()).min(most),
            datasets: None,
            methods: None,
            variants: true,
            seeds: None,
            budgets: BTreeMap::new(),
        });
        most = most.min(spec.splits);
    }
    profiles
}

fn yes() -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn profiles_that_are_left_out_have_the_usual_sizes_within_what_the_protocol_allows() {
        let splits = |text: &str, protocol: &str| {
            let protocol: BTreeMap<String, Protocol> =
                toml::from_str(&format!("protocol = {protocol}")).unwrap();
            let all = completed(toml::from_str(text).unwrap(), &protocol["protocol"]);
            [Profile::Smoke, Profile::Quick, Profile::Full].map(|profile| all[&profile].splits)
        };
        let holdout = "{ holdout = { test = { fraction = 0.1 } } }";
        assert_eq!(splits("", holdout), [1, 3, 20]);
        assert_eq!(splits("", "{ k-fold = { folds = 5 } }"), [1, 3, 5]);
        assert_eq!(splits("", "{ numpy-k-fold = { folds = 5, seed = 0 } }"), [5, 15, 100]);
        assert_eq!(splits("[full]\nsplits = 2", holdout), [1, 2, 2]);
        assert_eq!(splits("[quick]\nsplits = 7", holdout), [1, 7, 20]);
    }

    #[test]
    fn a_budget_overrides_what_a_row_says_and_leaves_the_rest() {
        let text = "splits = 1\nbudgets = { gp = { steps = 5, restarts = 1 } }";
        let spec: ProfileSpec = toml::from_str(text).unwrap();
        let own = json!({ "noise": false, "steps": 1000 });
        assert_eq!(
            spec.parameters("gp", &own),
            json!({ "noise": false, "steps": 5, "restarts": 1 })
        );
        assert_eq!(
            spec.parameters("gp", &serde_json::Value::Null),
            json!({ "steps": 5, "restarts": 1 })
        );
        assert_eq!(spec.parameters("tree", &own), own);
    }
}
