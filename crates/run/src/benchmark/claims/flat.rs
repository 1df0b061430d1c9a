//! Claim that a curve is nearly level.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::super::Benchmark;
use super::kind::ClaimKind;
use uq_core::metrics::MetricId;

/// Between any two points of a curve on one dataset a positive metric changes by less than a
/// factor, in the mean of its logarithm.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Flat {
    /// The metric.
    pub metric: MetricId,
    /// Labels that select the curve.
    pub labels: BTreeMap<String, String>,
    /// Key of the dataset.
    pub dataset: String,
    /// The factor, above 1.
    pub factor: f64,
}

impl ClaimKind for Flat {
    fn metrics(&self) -> Vec<MetricId> {
        vec![self.metric]
    }

    fn check(&self, benchmark: &Benchmark) -> Result<(), String> {
        if !(self.factor.is_finite() && self.factor > 1.0) {
            return Err(format!("the factor is {}, expected a number above 1", self.factor));
        }
        benchmark.has_curve(&self.dataset, &self.labels)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_factor_is_above_one_and_a_curve_has_points() {
        let benchmark = crate::benchmark::find("gplvm-figure-1").unwrap();
        let why = |factor: f64, label: &str| {
            let labels = [(label.to_owned(), "corrected".to_owned())].into();
            let claim = Flat {
                metric: "mse".parse().unwrap(),
                labels,
                dataset: "simulated:gplvm-step".into(),
                factor,
            };
            claim.check(&benchmark).err().unwrap_or_default()
        };
        assert_eq!(why(1.2, "reading"), "");
        assert!(why(1.0, "reading").contains("above 1"));
        assert!(why(2.0, "a").contains("no column with an x"));
    }
}
