//! Claim that a score is large enough.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::super::Benchmark;
use super::kind::ClaimKind;
use uq_core::metrics::MetricId;

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
    /// Variants of the protocol that the paper's words allow as well: where they judge otherwise,
    /// the claim is undecided.
    #[serde(default)]
    pub variants: Vec<String>,
    /// The bound.
    pub bound: f64,
}

impl ClaimKind for AtLeast {
    fn metrics(&self) -> Vec<MetricId> {
        vec![self.metric]
    }

    fn check(&self, benchmark: &Benchmark) -> Result<(), String> {
        benchmark.has_column(&self.labels)?;
        benchmark.has_main_datasets(self.dataset.as_slice())?;
        self.variants.iter().try_for_each(|variant| self.has_variant(benchmark, variant))
    }
}

impl AtLeast {
    /// Finds a variant that has no column with the claim's labels.
    fn has_variant(&self, benchmark: &Benchmark, variant: &str) -> Result<(), String> {
        let has_labels = |labels: &BTreeMap<String, String>| {
            self.labels.iter().all(|(key, v)| labels.get(key) == Some(v))
        };
        let of_method = benchmark
            .methods
            .iter()
            .filter(|row| row.columns.iter().any(|one| has_labels(&one.labels)));
        let mut variants = of_method
            .filter_map(|row| row.variant.as_ref())
            .chain(benchmark.datasets.iter().filter_map(|row| row.variant.as_ref()));
        let known = variants.any(|known| known == variant);
        known
            .then_some(())
            .ok_or_else(|| format!("no row with these labels is the variant `{variant}`"))
    }
}

#[cfg(test)]
mod tests {
    use crate::benchmark::Benchmark;

    #[test]
    fn a_variant_must_have_the_labels_of_the_claim() {
        let text = include_str!("../../../../../benchmarks/papers/jcm/jcm-figure-1.toml");
        let (from, to) = ("variants = [\"Matérn 1/2\"]", "variants = [\"Matérn 7/2\"]");
        assert!(text.contains(from));
        let message =
            Benchmark::parse("test", &text.replacen(from, to, 1)).unwrap_err().to_string();
        assert!(message.contains("gp-rough-mean") && message.contains("Matérn 7/2"), "{message}");
    }
}
