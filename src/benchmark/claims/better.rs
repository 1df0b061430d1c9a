//! Claim that one column scores better than others.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::super::Benchmark;
use super::kind::ClaimKind;
use super::quantifier::Quantifier;
use crate::metrics::MetricId;

/// In so many of the comparisons, each of one dataset and one reference, the column under test has the better score by the metric's
/// own direction: a coverage that is nearer to its level.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Better {
    /// The metric.
    pub metric: MetricId,
    /// Labels of the column under test.
    pub test: BTreeMap<String, String>,
    /// Labels of the columns that it is compared with; printed columns too.
    pub references: Vec<BTreeMap<String, String>>,
    /// Keys of the datasets; all main ones where empty.
    #[serde(default)]
    pub datasets: Vec<String>,
    /// In how many.
    pub quantifier: Quantifier,
}

impl ClaimKind for Better {
    fn metrics(&self) -> Vec<MetricId> {
        vec![self.metric]
    }

    fn check(&self, benchmark: &Benchmark) -> Result<(), String> {
        if self.references.is_empty() {
            return Err("compares a column with no other".into());
        }
        let mut all = self.references.iter().chain([&self.test]);
        all.try_for_each(|labels| benchmark.has_column_or_printed(labels))?;
        benchmark.has_main_datasets(&self.datasets)
    }
}
