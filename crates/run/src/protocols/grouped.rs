//! Draw the test rows at random, and keep rows of equal features on one side.

use serde::{Deserialize, Serialize};

use super::kind::{ProtocolKind, Usage};
use super::limits::check_test_size;
use super::repetition::Repetition;
use uq_core::Table;
use uqbench_data::splits::{self, Split, SplitError, TestSize};

/// One random split per repetition that keeps rows of equal features on one side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grouped {
    /// How large the test part is, as nearly as the groups allow.
    pub test: TestSize,
}

impl ProtocolKind for Grouped {
    fn keeps_groups(&self) -> bool {
        true
    }

    fn check(&self, _: &Usage) -> Result<(), String> {
        check_test_size(self.test)
    }

    fn divide(&self, repetition: &Repetition, all: &Table) -> Result<Split, SplitError> {
        splits::grouped(all, self.test, &mut repetition.streams.stream("split", repetition.split))
    }
}
