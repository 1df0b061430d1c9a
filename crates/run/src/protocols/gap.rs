//! Test inside an interval of one feature.

use serde::{Deserialize, Serialize};

use super::kind::{ProtocolKind, TestRows, Usage};
use super::limits::check_feature;
use super::repetition::Repetition;
use uq_core::Table;
use uqbench_data::splits::{self, Split, SplitError};

/// The test rows lie in an interval of one feature: the middle one, then others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gap {
    /// The feature's name.
    pub feature: String,
    /// The share of rows inside the interval.
    pub share: f64,
}

impl ProtocolKind for Gap {
    fn test_rows(&self) -> TestRows {
        TestRows::Chosen
    }

    fn check(&self, usage: &Usage) -> Result<(), String> {
        check_feature("gap", &self.feature, self.share, usage)
    }

    fn divide(&self, repetition: &Repetition, all: &Table) -> Result<Split, SplitError> {
        splits::gap(all, &self.feature, self.share, repetition.split)
    }
}
