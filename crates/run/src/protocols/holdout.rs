//! Draw the test rows at random, anew in each repetition.

use serde::{Deserialize, Serialize};

use super::kind::{ProtocolKind, Usage};
use super::limits::check_test_size;
use super::repetition::Repetition;
use uq_core::Table;
use uqbench_data::splits::{self, Split, SplitError, TestSize};

/// One random split into training and test rows per repetition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Holdout {
    /// How large the test part is.
    pub test: TestSize,
}

impl ProtocolKind for Holdout {
    fn check(&self, _: &Usage) -> Result<(), String> {
        check_test_size(self.test)
    }

    fn divide(&self, repetition: &Repetition, all: &Table) -> Result<Split, SplitError> {
        splits::random(
            all.rows(),
            self.test,
            &mut repetition.streams.stream("split", repetition.split),
        )
    }
}
