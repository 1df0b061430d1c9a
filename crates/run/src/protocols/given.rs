//! Test the rows that a file names.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::kind::{ProtocolKind, TestRows, Usage};
use super::repetition::{Repetition, RowSubset};
use uq_core::Table;
use uqbench_data::splits::{self, GivenSplits, RowSet, Split, SplitError};

/// The test rows of each split stand in a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged, expecting = "a file of splits, or { file = \"…\", random = true }")]
pub enum Given {
    /// A file beside the benchmark file, which is not read yet.
    File(String),
    /// The file and how its test rows came about.
    Described(GivenFile),
    /// The test rows of one trial.
    Rows {
        /// The rows that are tested; all others train.
        test: RowSet,
    },
}

/// A file of splits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GivenFile {
    /// Its path from the folder of the benchmark file.
    pub file: String,
    /// Whether the test rows of a split were drawn at random from all rows. Otherwise they were
    /// chosen, as by an interval of a feature.
    #[serde(default)]
    pub random: bool,
    /// What it says, once it is read.
    #[serde(skip)]
    pub splits: Option<Arc<GivenSplits>>,
}

impl Given {
    /// The file with a description, unless it names the rows of one trial.
    pub fn described(&self) -> Option<GivenFile> {
        match self {
            Self::File(file) => Some(GivenFile { file: file.clone(), random: false, splits: None }),
            Self::Described(file) => Some(file.clone()),
            Self::Rows { .. } => None,
        }
    }

    fn splits(&self) -> Option<&GivenSplits> {
        match self {
            Self::Described(file) => file.splits.as_deref(),
            Self::File(_) | Self::Rows { .. } => None,
        }
    }

    /// The test rows of one split of a dataset; `None` where the file has none.
    fn test(&self, dataset: &str, split: u64) -> Option<&RowSet> {
        match self {
            Self::Rows { test } => Some(test),
            _ => self.splits()?.test_rows(dataset, split),
        }
    }

    /// The same protocol for one trial: it says by itself which rows are tested.
    pub fn of_trial(&self, dataset: &str, split: u64) -> Self {
        match self.test(dataset, split) {
            Some(test) => Self::Rows { test: test.clone() },
            None => self.clone(),
        }
    }
}

impl ProtocolKind for Given {
    fn repetitions(&self) -> Option<u64> {
        self.splits().map(GivenSplits::most)
    }

    fn repetitions_of(&self, dataset: &str) -> Option<u64> {
        self.splits()?.count(dataset)
    }

    fn test_rows(&self) -> TestRows {
        match self {
            Self::Described(file) if file.random => TestRows::Random,
            _ => TestRows::Chosen,
        }
    }

    fn check(&self, usage: &Usage) -> Result<(), String> {
        // A file that could not be read was reported where it was read.
        let Some(splits) = self.splits() else { return Ok(()) };
        if usage.rows != RowSubset::All {
            return Err(
                "the given splits name rows among all rows of a dataset, but only a subset \
                        takes part"
                    .into(),
            );
        }
        match usage.datasets.iter().find(|key| splits.count(key).is_none()) {
            None => Ok(()),
            Some(key) => {
                let known: Vec<String> =
                    splits.datasets().map(|known| format!("`{known}`")).collect();
                Err(format!(
                    "the file has no splits of dataset `{key}`; it has those of {}",
                    known.join(", ")
                ))
            }
        }
    }

    fn divide(&self, repetition: &Repetition, all: &Table) -> Result<Split, SplitError> {
        let Repetition { dataset, split, .. } = *repetition;
        let test = self.test(dataset, split).ok_or_else(|| SplitError::NoSuchSplit {
            what: format!("the given splits of `{dataset}`"),
            split,
            count: self.repetitions_of(dataset).unwrap_or(0),
        })?;
        splits::given(test, all.rows())
    }
}
