//! Claim that a curve has its minimum within an interval.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::super::Benchmark;
use super::kind::ClaimKind;
use uq_core::metrics::MetricId;

/// A metric, as a function of `x`, has its minimum within an interval.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MinimumWithin {
    /// The metric.
    pub metric: MetricId,
    /// Labels that select the curve.
    pub labels: BTreeMap<String, String>,
    /// The interval.
    pub within: (f64, f64),
}

impl ClaimKind for MinimumWithin {
    fn metrics(&self) -> Vec<MetricId> {
        vec![self.metric]
    }

    fn check(&self, benchmark: &Benchmark) -> Result<(), String> {
        benchmark.has_column(&self.labels)
    }
}
