//! Claim that one column is among the best.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::super::Benchmark;
use super::kind::ClaimKind;
use super::quantifier::Quantifier;
use uq_core::metrics::MetricId;

/// In as many cells as `quantifier` asks, each of one dataset and one metric, the column under test
/// has at most this rank among itself and its references. Scores that agree when rounded to `unit`
/// share a rank, and the next distinct score has the next rank.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ranked {
    /// The metrics.
    pub metrics: Vec<MetricId>,
    /// Labels of the column under test.
    pub test: BTreeMap<String, String>,
    /// Labels of the columns that it is ranked among.
    pub references: Vec<BTreeMap<String, String>>,
    /// Largest rank; 1 is the best.
    pub rank: usize,
    /// One unit of the last printed digit.
    pub unit: f64,
    /// In how many cells.
    pub quantifier: Quantifier,
}

impl ClaimKind for Ranked {
    fn metrics(&self) -> Vec<MetricId> {
        self.metrics.clone()
    }

    fn check(&self, benchmark: &Benchmark) -> Result<(), String> {
        if self.references.is_empty()
            || self.rank == 0
            || !(self.unit > 0.0 && self.unit.is_finite())
        {
            return Err("needs references, a rank of 1 or more and a positive unit".into());
        }
        self.references
            .iter()
            .chain([&self.test])
            .try_for_each(|labels| benchmark.has_column(labels))?;
        self.metrics.iter().try_for_each(|metric| benchmark.has_ranks(metric, &[]))
    }
}
