//! Take the standard splits of the Bayesian-network literature.

use super::kind::{ProtocolKind, Usage};
use super::repetition::{Repetition, RowSubset};
use uq_core::Table;
use uqbench_data::splits::{self, STANDARD_SPLITS, Split, SplitError, standard_set};

/// The standard 90/10 splits of the Bayesian-network literature, as they were published.
pub struct Standard;

impl ProtocolKind for Standard {
    fn repetitions(&self) -> Option<u64> {
        Some(STANDARD_SPLITS)
    }

    fn repetitions_of(&self, dataset: &str) -> Option<u64> {
        standard_set(dataset).ok().map(|set| set.splits)
    }

    fn check(&self, usage: &Usage) -> Result<(), String> {
        if usage.rows != RowSubset::All {
            return Err(
                "the standard splits index all rows of a dataset, but only a subset takes part"
                    .into(),
            );
        }
        usage
            .datasets
            .iter()
            .try_for_each(|key| standard_set(key).map(|_| ()).map_err(|error| error.to_string()))
    }

    fn divide(&self, repetition: &Repetition, all: &Table) -> Result<Split, SplitError> {
        splits::standard(repetition.dataset, all.rows(), repetition.split)
    }
}
