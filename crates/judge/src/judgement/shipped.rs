//! Say how much of the shipped run of each printed number this run has, too.

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};

use crate::evidence::{Evidence, EvidenceError};
use uqbench_run::benchmark::{Profile, label_text};
use uqbench_run::runner::key::TrialKey;
use uqbench_run::runner::plan::{Filter, plan, trials};
use uqbench_run::runner::shipped::Shipped;
use uqbench_run::runner::store::Found;

/// How many trials of the shipped run behind a number this run has with an equal record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Share {
    /// Those that are equal.
    pub equal: usize,
    /// Those with another record.
    pub differing: usize,
    /// All trials of the shipped run behind the number.
    pub of: usize,
}

/// Where a number comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// All of its trials ran here.
    Here,
    /// Some of them did.
    Partly,
    /// None did.
    Shipped,
}

impl Share {
    /// Where the number comes from; `None` where the shipped run has no trial of it.
    pub fn origin(self) -> Option<Origin> {
        match self.equal {
            _ if self.of == 0 => None,
            0 => Some(Origin::Shipped),
            equal if equal == self.of => Some(Origin::Here),
            _ => Some(Origin::Partly),
        }
    }
}

/// Shares by dataset, column and variant, as rows of the scorecard name them. None in the full
/// profile, which is no part of the shipped run but the same run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shares(HashMap<[String; 3], Share>);

impl Shares {
    /// Those of a benchmark.
    ///
    /// # Errors
    /// [`EvidenceError`] where stored trials cannot be read.
    pub(super) fn collect(evidence: &Evidence) -> Result<Self, EvidenceError> {
        let own = evidence.results.plan;
        let mut shares = HashMap::new();
        // Only trials of this plan count: a page is a function of these.
        let planned: HashSet<TrialKey> = trials([own]).into_iter().map(|trial| trial.key).collect();
        let full = match own.profile {
            Profile::Full => None,
            _ => plan(std::slice::from_ref(&own.benchmark), Profile::Full, &Filter::default()).ok(),
        };
        for plan in full.iter().flatten() {
            for experiment in &plan.experiments {
                let dataset = &plan.benchmark.datasets[experiment.dataset];
                let mut share = Share::default();
                let keys = (0..experiment.splits).map(|split| experiment.key(split));
                for key in keys.filter(|key| Shipped::read().has(key)) {
                    share.of += 1;
                    if planned.contains(&key)
                        && let Some(Found::Finished(result)) = evidence.store.find_readable(&key)?
                    {
                        let is_equal = Shipped::read().is_equal(&result) == Some(true);
                        share.equal += usize::from(is_equal);
                        share.differing += usize::from(!is_equal);
                    }
                }
                let variant = dataset
                    .variant
                    .as_ref()
                    .or(experiment.method.variant.as_ref())
                    .cloned()
                    .unwrap_or_default();
                for column in &experiment.method.columns {
                    shares.insert(
                        [dataset.key.clone(), label_text(&column.labels), variant.clone()],
                        share,
                    );
                }
            }
        }
        Ok(Self(shares))
    }

    /// That of a row; nothing where the shipped run has no trial of it.
    pub fn of(&self, dataset: &str, column: &str, variant: &str) -> Share {
        self.0.get(&[dataset, column, variant].map(str::to_owned)).copied().unwrap_or_default()
    }

    /// Whether there are any: not in the full profile, and not of a benchmark that the shipped run
    /// does not have.
    pub fn are_known(&self) -> bool {
        self.0.values().any(|share| share.of > 0)
    }
}
