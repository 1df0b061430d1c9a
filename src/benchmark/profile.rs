//! Say how much of a benchmark is run.

use serde::{Deserialize, Serialize};

/// How much is run.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, clap::ValueEnum,
)]
#[serde(rename_all = "kebab-case")]
pub enum Profile {
    /// A few splits, to see that everything works: under a minute.
    Smoke,
    /// Enough for every table and figure in rough: under five minutes for all papers.
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
    /// Whether rows that are variants of the main protocol run too.
    #[serde(default = "yes")]
    pub variants: bool,
}

fn yes() -> bool {
    true
}
