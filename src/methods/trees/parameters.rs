//! State the parameters of a regression tree.

use serde::{Deserialize, Serialize};

use crate::methods::ParameterError;

/// Parameters of a regression tree.
///
/// | name | default | range | meaning |
/// | --- | --- | --- | --- |
/// | `max_depth` | null | ≥ 0 or null | splits between root and leaf at most (scikit-learn's sense); null: no limit |
/// | `min_leaf` | 1 | ≥ 1 | weight (number of rows) of a leaf at least |
/// | `features` | `"all"` | `"all"` or ≥ 1 | features tried at each split: all, or this many drawn anew |
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CartParameters {
    /// Splits between root and leaf at most; `None`: no limit.
    pub max_depth: Option<usize>,
    /// Weight of a leaf at least.
    pub min_leaf: usize,
    /// Features tried at each split.
    pub features: SplitFeatures,
}

impl Default for CartParameters {
    fn default() -> Self {
        Self { max_depth: None, min_leaf: 1, features: SplitFeatures::All }
    }
}

/// Features tried at each split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(expecting = "features is either \"all\" or a whole number")]
pub enum SplitFeatures {
    /// All of them, in their order.
    #[serde(rename = "all")]
    All,
    /// This many, drawn anew at each node without replacement; all where there are fewer.
    #[serde(untagged)]
    Count(usize),
}

impl CartParameters {
    /// Checks the ranges.
    ///
    /// # Errors
    /// [`ParameterError`] for a parameter out of its range.
    pub(super) fn check(&self) -> Result<(), ParameterError> {
        ParameterError::check(self.min_leaf >= 1, "min_leaf", self.min_leaf, "a whole number of at least 1")?;
        let sampled = !matches!(self.features, SplitFeatures::Count(0));
        ParameterError::check(sampled, "features", 0, "\"all\" or a whole number of at least 1")
    }
}
