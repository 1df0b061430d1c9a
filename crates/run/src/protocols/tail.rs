//! Test at one end of a feature's range.

use serde::{Deserialize, Serialize};

use super::kind::{ProtocolKind, TestRows, Usage};
use super::limits::check_feature;
use super::repetition::Repetition;
use uq_core::Table;
use uqbench_data::splits::{self, End, Split, SplitError};

/// The test rows lie at one end of one feature's range.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tail {
    /// The feature's name.
    pub feature: String,
    /// The share of rows at that end.
    pub share: f64,
    /// Which end.
    pub end: End,
}

impl ProtocolKind for Tail {
    fn repetitions(&self) -> Option<u64> {
        Some(1)
    }

    fn test_rows(&self) -> TestRows {
        TestRows::Chosen
    }

    fn check(&self, usage: &Usage) -> Result<(), String> {
        check_feature("tail", &self.feature, self.share, usage)
    }

    fn divide(&self, repetition: &Repetition, all: &Table) -> Result<Split, SplitError> {
        splits::tail(all, &self.feature, self.share, self.end, repetition.split)
    }
}
