//! Claim that a Gaussian process found the hyper-functions again from which its data were drawn.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::super::Benchmark;
use super::kind::ClaimKind;
use uq_core::metrics::MetricId;

/// On a problem that was drawn from a Gaussian process, the logarithm of each learned
/// hyper-function correlates with that of the true one by `bound` or more, in the mean over
/// repetitions.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recovered {
    /// Labels that select the column.
    pub labels: BTreeMap<String, String>,
    /// Key of the dataset.
    pub dataset: String,
    /// The correlation.
    pub bound: f64,
}

impl ClaimKind for Recovered {
    fn metrics(&self) -> Vec<MetricId> {
        Vec::new()
    }

    fn check(&self, benchmark: &Benchmark) -> Result<(), String> {
        benchmark.has_column(&self.labels)?;
        benchmark.has_main_datasets(std::slice::from_ref(&self.dataset))
    }
}
