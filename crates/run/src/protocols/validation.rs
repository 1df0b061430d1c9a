//! Hold out a part of another protocol's training rows.

use serde::{Deserialize, Serialize};

use super::Protocol;
use super::kind::{ProtocolKind, TestRows, Usage};
use super::repetition::Repetition;
use uq_core::Table;
use uqbench_data::splits::{self, Split, SplitError, TestSize};

/// A part of the training rows of another protocol's repetition, held out at random. Where that
/// protocol keeps rows of equal features on one side, so does this one. The other protocol's test
/// rows are not used. Planned by a benchmark's `[validation]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Validation {
    /// The protocol whose training rows are divided.
    pub of: Box<Protocol>,
    /// The share of them that is held out.
    pub fraction: f64,
}

impl ProtocolKind for Validation {
    fn repetitions(&self) -> Option<u64> {
        self.of.kind().repetitions()
    }

    fn repetitions_of(&self, dataset: &str) -> Option<u64> {
        self.of.kind().repetitions_of(dataset)
    }

    fn splits_a_repetition(&self) -> u64 {
        self.of.kind().splits_a_repetition()
    }

    fn test_rows(&self) -> TestRows {
        self.of.kind().test_rows()
    }

    fn compares_methods(&self) -> bool {
        self.of.kind().compares_methods()
    }

    fn keeps_groups(&self) -> bool {
        self.of.kind().keeps_groups()
    }

    fn check(&self, _: &Usage) -> Result<(), String> {
        Err("the protocol `validation` has no test rows; `[validation]` plans it beside another \
             one"
        .into())
    }

    fn divide(&self, repetition: &Repetition, all: &Table) -> Result<Split, SplitError> {
        let Split { train, .. } = self.of.kind().divide(repetition, all)?;
        let size = TestSize::Fraction(self.fraction);
        let mut rng = repetition.streams.stream("validation", repetition.split);
        let inner = if self.of.kind().keeps_groups() {
            splits::grouped(&all.select(&train), size, &mut rng)?
        } else {
            splits::random(train.len(), size, &mut rng)?
        };
        let rows = |inner: Vec<usize>| inner.into_iter().map(|row| train[row]).collect();
        Ok(Split { train: rows(inner.train), test: rows(inner.test) })
    }
}
