//! Claim that a curve increases.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::super::Benchmark;
use super::kind::ClaimKind;
use uq_core::metrics::MetricId;

/// A metric increases with `x`: from each point to the next.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Increasing {
    /// The metric.
    pub metric: MetricId,
    /// Labels that select the curve.
    pub labels: BTreeMap<String, String>,
}

impl ClaimKind for Increasing {
    fn metrics(&self) -> Vec<MetricId> {
        vec![self.metric]
    }

    fn check(&self, benchmark: &Benchmark) -> Result<(), String> {
        benchmark.has_column(&self.labels)
    }
}
