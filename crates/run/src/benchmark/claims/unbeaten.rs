//! Claim that a recommended point of a curve is not beaten.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::super::Benchmark;
use super::kind::ClaimKind;
use uq_core::metrics::MetricId;

/// On each dataset, no other point of a curve scores better than the recommended one, by the
/// metric's own direction.
///
/// The recommended point need not be the best: it is enough that no other point is significantly
/// better, and that each is shown to be better by less than a tolerance. A recommendation of one
/// setting for all datasets claims no more.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unbeaten {
    /// The metric.
    pub metric: MetricId,
    /// Labels that select the curve, on every dataset.
    pub labels: BTreeMap<String, String>,
    /// Dataset keys, and the recommended `x` on each.
    pub recommended: BTreeMap<String, f64>,
}

impl ClaimKind for Unbeaten {
    fn metrics(&self) -> Vec<MetricId> {
        vec![self.metric]
    }

    /// Finds a recommended point that the curve does not have, or a curve without another one.
    fn check(&self, benchmark: &Benchmark) -> Result<(), String> {
        if self.recommended.is_empty() {
            return Err("recommends nothing".into());
        }
        for (key, x) in &self.recommended {
            benchmark.has_main_datasets(std::slice::from_ref(key))?;
            let points: Vec<f64> =
                benchmark.columns_on(key, &self.labels).filter_map(|column| column.x).collect();
            if !points.contains(x) || points.iter().all(|point| point == x) {
                return Err(format!(
                    "on `{key}` the curve has the points {points:?}, expected {x} and others"
                ));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::benchmark::Benchmark;

    #[test]
    fn a_recommended_point_must_be_run_on_its_dataset() {
        let text = include_str!("../../../../../benchmarks/papers/jcm/jcm-figure-2.toml");
        for (from, to, expected) in [
            (
                "recommended = { boston = 5",
                "recommended = { boston = 5.5",
                "expected 5.5 and others",
            ),
            (
                "recommended = { boston = 5, kin8nm",
                "recommended = { boston = 5, yacht",
                "`yacht` is not a main dataset",
            ),
        ] {
            assert!(text.contains(from), "{from}");
            let message =
                Benchmark::parse("test", &text.replacen(from, to, 1)).unwrap_err().to_string();
            assert!(message.contains(expected), "{from}: {message}");
        }
    }
}
