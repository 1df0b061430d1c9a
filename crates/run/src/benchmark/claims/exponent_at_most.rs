//! Claim that a metric grows no faster than a power of x.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::super::Benchmark;
use super::kind::ClaimKind;
use uq_core::metrics::MetricId;

/// A metric grows with `x` at most like this power of it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExponentAtMost {
    /// The metric.
    pub metric: MetricId,
    /// Labels that select the curve.
    pub labels: BTreeMap<String, String>,
    /// Smallest and largest `x` that are looked at; both must be run.
    pub x: (f64, f64),
    /// The power.
    pub bound: f64,
}

impl ClaimKind for ExponentAtMost {
    fn metrics(&self) -> Vec<MetricId> {
        vec![self.metric]
    }

    fn check(&self, benchmark: &Benchmark) -> Result<(), String> {
        let (labels, (low, high)) = (&self.labels, self.x);
        let columns = benchmark.columns();
        let columns = columns
            .filter(|c| labels.iter().all(|(label, value)| c.labels.get(label) == Some(value)));
        let at = columns.flat_map(|c| benchmark.datasets.iter().filter_map(move |d| c.x.or(d.x)));
        let points: Vec<f64> = at.filter(|x| *x > 0.0).collect();
        match low < high && points.contains(&low) && points.contains(&high) {
            true => Ok(()),
            false => Err(format!(
                "no column with the labels {labels:?} runs from x = {low} to x = {high}"
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::benchmark::Benchmark;

    #[test]
    fn an_exponent_needs_both_ends_of_its_range() {
        let text = include_str!("../../../../../benchmarks/papers/jcm/jcm-cost.toml");
        for (from, to) in
            [("x = [1e4, 1e6]", "x = [1e4, 2e6]"), ("x = [1e4, 1e6]", "x = [1e6, 1e4]")]
        {
            let message =
                Benchmark::parse("test", &text.replacen(from, to, 1)).unwrap_err().to_string();
            assert!(
                message.contains("claim `scalable-in-rows`: no column with the labels"),
                "{message}"
            );
        }
    }
}
