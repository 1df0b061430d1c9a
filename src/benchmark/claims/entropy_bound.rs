//! Claim that a closed form bounds the entropy of every normal mixture.

use serde::Deserialize;

use super::super::Benchmark;
use super::kind::ClaimKind;
use crate::metrics::MetricId;

/// A closed form bounds the entropy of every normal mixture: judged by integration over random mixtures, not by runs.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EntropyBound {
    /// Which one.
    pub bound: Bound,
}

/// A bound of the entropy of a normal mixture (JCM, Theorem 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bound {
    /// Eq. (19), from below.
    Pairwise,
    /// Eq. (20), from above.
    ComponentAverage,
}

impl ClaimKind for EntropyBound {
    fn metrics(&self) -> Vec<MetricId> {
        Vec::new()
    }

    fn check(&self, _: &Benchmark) -> Result<(), String> {
        Ok(())
    }
}
