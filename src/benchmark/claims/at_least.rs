//! Claim that a score is large enough.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::super::Benchmark;
use super::kind::ClaimKind;
use crate::metrics::MetricId;

/// A metric of one column is at least so large.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AtLeast {
    /// The metric.
    pub metric: MetricId,
    /// Labels that select the column.
    #[serde(default)]
    pub labels: BTreeMap<String, String>,
    /// Dataset key; the first dataset where absent.
    pub dataset: Option<String>,
    /// The bound.
    pub bound: f64,
}

impl ClaimKind for AtLeast {
    fn metrics(&self) -> Vec<MetricId> {
        vec![self.metric]
    }

    fn check(&self, benchmark: &Benchmark) -> Result<(), String> {
        benchmark.has_column(&self.labels)?;
        benchmark.has_main_datasets(self.dataset.as_slice())
    }
}
