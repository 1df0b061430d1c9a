//! State bounds for a number that each trial gives.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::super::Benchmark;
use super::kind::ClaimKind;
use uq_core::metrics::MetricId;

/// A number of each trial, on datasets in an order, within bounds.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measured {
    /// Labels that select the column.
    #[serde(default)]
    pub labels: BTreeMap<String, String>,
    /// Keys of the datasets.
    pub datasets: Vec<String>,
    /// The number.
    pub quantity: Quantity,
    /// What of it is held against the bounds.
    #[serde(default)]
    pub statistic: Statistic,
    /// Lower bound.
    pub at_least: Option<f64>,
    /// Upper bound.
    pub at_most: Option<f64>,
}

/// A number that a trial gives.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Quantity {
    /// A metric's score.
    Metric(MetricId),
    /// A side table of one row, and its column.
    #[serde(alias = "artefact")]
    SideTable(String, String),
}

/// What is held against bounds, on every dataset or step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Statistic {
    /// The mean over repetitions, in Student's interval.
    #[default]
    Mean,
    /// The number on each dataset by that on the dataset before: the mean over repetitions, in
    /// Student's interval.
    Ratio,
    /// The largest less the smallest over repetitions.
    Spread,
}

impl ClaimKind for Measured {
    fn metrics(&self) -> Vec<MetricId> {
        match &self.quantity {
            Quantity::Metric(metric) => vec![*metric],
            Quantity::SideTable(..) => Vec::new(),
        }
    }

    fn check(&self, benchmark: &Benchmark) -> Result<(), String> {
        let Self { labels, datasets, statistic, at_least, at_most, .. } = self;
        let enough = if *statistic == Statistic::Ratio { 2 } else { 1 };
        if datasets.len() < enough {
            return Err(format!("names {} datasets, expected {enough} or more", datasets.len()));
        }
        let bounds = [at_least, at_most].into_iter().flatten();
        if bounds.clone().count() == 0 || !bounds.clone().all(|bound| bound.is_finite()) {
            return Err("needs a finite `at_least` or `at_most`".into());
        }
        if let (Some(low), Some(high)) = (at_least, at_most)
            && low > high
        {
            return Err(format!("at_least {low} is above at_most {high}"));
        }
        benchmark.has_main_datasets(datasets)?;
        match datasets.iter().find(|key| benchmark.columns_on(key, labels).next().is_none()) {
            Some(key) => Err(format!("no column on `{key}` has the labels {labels:?}")),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_without_bound_dataset_or_column_is_refused() {
        let text = include_str!("../../../../../benchmarks/papers/wiener/wiener-figure-1.toml");
        let changed = |from: &str, to: &str| {
            assert!(text.contains(from), "{from}");
            Benchmark::parse("test", &text.replacen(from, to, 1)).unwrap_err().to_string()
        };
        assert!(
            changed("at_most = 1e-8 }", "statistic = \"mean\" }")
                .contains("needs a finite `at_least` or `at_most`")
        );
        assert!(
            changed("at_most = 1e-8 }", "at_least = 1, at_most = 1e-8 }")
                .contains("is above at_most")
        );
        let key = "simulated:wiener-gaussian@9x9";
        let statement = "datasets = [\"simulated:wiener-gaussian@5x1\"], quantity";
        assert!(
            changed(statement, &format!("datasets = [\"{key}\"], quantity"))
                .contains("not a main dataset")
        );
        assert!(changed(statement, "datasets = [], quantity").contains("names 0 datasets"));
    }
}
