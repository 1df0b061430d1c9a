//! Claim that a metric is largest, or smallest, on one dataset.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::super::Benchmark;
use super::kind::ClaimKind;
use uq_core::metrics::MetricId;

/// At every point of a curve a metric is larger on one dataset than on each other one, or smaller,
/// in more than half of the pairs of repetitions, one of either dataset. The datasets are drawn
/// independently of each other.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Extreme {
    /// The metric.
    pub metric: MetricId,
    /// Labels that select the curve, on every dataset.
    pub labels: BTreeMap<String, String>,
    /// Key of the dataset.
    pub dataset: String,
    /// Which end it is.
    pub end: End,
}

/// An end of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// Above all others.
    Highest,
    /// Below all others.
    Lowest,
}

impl ClaimKind for Extreme {
    fn metrics(&self) -> Vec<MetricId> {
        vec![self.metric]
    }

    fn check(&self, benchmark: &Benchmark) -> Result<(), String> {
        benchmark.has_curve(&self.dataset, &self.labels)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_extreme_needs_a_main_dataset() {
        let benchmark = crate::benchmark::find("gplvm-figure-1").unwrap();
        let why = |dataset: &str| {
            let labels = [("reading".to_owned(), "corrected".to_owned())].into();
            let claim = Extreme {
                metric: "mse".parse().unwrap(),
                labels,
                dataset: dataset.into(),
                end: End::Highest,
            };
            claim.check(&benchmark).err().unwrap_or_default()
        };
        assert_eq!(why("simulated:gplvm-step"), "");
        assert!(why("simulated:step").contains("not a main dataset"));
    }
}
