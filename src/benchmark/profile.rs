//! Define the profiles, which set how much of a benchmark is run.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// How much is run.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, clap::ValueEnum,
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
    /// Repeats the first of these repetitions with other seeds, to separate the variance over seeds from that over
    /// splits.
    pub seeds: Option<Seeds>,
    /// Parameters, by a method's name, that this profile changes in all of its rows, such as fewer steps and restarts.
    /// Such trials differ from those of a larger profile.
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
/// Only main methods on main datasets have seeds. Variants, points of a curve and deterministic methods do not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seeds {
    /// Number of seeds K, including seed 0.
    pub count: u64,
    /// Number of repetitions S: the first ones.
    pub splits: u64,
}

fn yes() -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_budget_overrides_what_a_row_says_and_leaves_the_rest() {
        let text = "splits = 1\nbudgets = { gp = { steps = 5, restarts = 1 } }";
        let spec: ProfileSpec = toml::from_str(text).unwrap();
        let own = json!({ "noise": false, "steps": 1000 });
        assert_eq!(spec.parameters("gp", &own), json!({ "noise": false, "steps": 5, "restarts": 1 }));
        assert_eq!(spec.parameters("gp", &serde_json::Value::Null), json!({ "steps": 5, "restarts": 1 }));
        assert_eq!(spec.parameters("tree", &own), own);
    }
}
