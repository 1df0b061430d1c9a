//! Claim that a curve stays within an interval.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::super::Benchmark;
use super::kind::ClaimKind;
use uq_core::metrics::MetricId;

/// At every point of a curve on one dataset the mean of a metric lies within an interval.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Within {
    /// The metric.
    pub metric: MetricId,
    /// Labels that select the curve.
    pub labels: BTreeMap<String, String>,
    /// Key of the dataset.
    pub dataset: String,
    /// Lower end of the interval; without one where it is absent.
    pub low: Option<f64>,
    /// Its upper end.
    pub high: Option<f64>,
}

impl Within {
    /// Both ends, infinite where one is absent.
    pub fn interval(&self) -> (f64, f64) {
        (self.low.unwrap_or(f64::NEG_INFINITY), self.high.unwrap_or(f64::INFINITY))
    }
}

impl ClaimKind for Within {
    fn metrics(&self) -> Vec<MetricId> {
        vec![self.metric]
    }

    fn check(&self, benchmark: &Benchmark) -> Result<(), String> {
        let (low, high) = self.interval();
        if low.is_nan() || high.is_nan() || low >= high || (low.is_infinite() && high.is_infinite())
        {
            return Err(format!("from {low} to {high} is no interval that a mean can miss"));
        }
        benchmark.has_curve(&self.dataset, &self.labels)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_that_no_mean_can_miss_is_refused() {
        let benchmark = crate::benchmark::find("gplvm-figure-1").unwrap();
        let why = |low: f64, high| {
            let labels = [("reading".to_owned(), "corrected".to_owned())].into();
            let claim = Within {
                metric: "mse".parse().unwrap(),
                labels,
                dataset: "simulated:gplvm-step".into(),
                low: Some(low),
                high,
            };
            claim.check(&benchmark).err().unwrap_or_default()
        };
        assert_eq!(why(0.9, Some(1.1)) + &why(1.0, None), "");
        assert!(why(2.0, Some(1.0)).contains("no interval"));
    }
}
