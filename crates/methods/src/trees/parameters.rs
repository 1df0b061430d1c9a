//! State the parameters of a regression tree.

use serde::{Deserialize, Serialize};

use crate::parameter::{Such, parameters};

parameters! {
    /// Parameters of a regression tree.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct CartParameters {
        /// Largest number of splits between root and leaf (scikit-learn's sense); null: no limit.
        max_depth: Option<usize> = None, in 0..;
        /// Smallest weight (number of rows) of a leaf.
        min_leaf: usize = 1, in 1..;
        /// Features tried at each split: all, or this many drawn anew.
        features: SplitFeatures = SplitFeatures::All, in SplitFeatures::ALLOWED;
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

impl SplitFeatures {
    /// The choices.
    pub const ALLOWED: Such<Self> =
        Such("\"all\" or a whole number of at least 1", |features| *features != Self::Count(0));
}
