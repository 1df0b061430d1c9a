//! Claim that one column scores better than others.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::super::Benchmark;
use super::kind::ClaimKind;
use super::quantifier::Quantifier;
use uq_core::metrics::MetricId;

/// In as many comparisons as `quantifier` asks, each of one dataset and one reference, the column
/// under test has the better score by the metric's own direction: a coverage that is nearer to its
/// level.
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
        benchmark.has_main_datasets(&self.datasets)?;
        benchmark.has_ranks(&self.metric, &self.datasets)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_density_of_a_discrete_target_ranks_no_columns() {
        let benchmark = crate::benchmark::find("jcm-table-2").unwrap();
        let why = |metric: &str, datasets: &[&str]| {
            let labels = |method: &str| BTreeMap::from([("method".to_owned(), method.to_owned())]);
            let (test, references) = (labels("jcm"), vec![labels("sgp")]);
            let (metric, quantifier) = (metric.parse().unwrap(), Quantifier::All);
            let datasets = datasets.iter().map(|key| (*key).to_owned()).collect();
            let claim = Better { metric, test, references, datasets, quantifier };
            claim.check(&benchmark).err().unwrap_or_default()
        };
        assert_eq!(why("log-likelihood", &["boston", "protein"]), "");
        assert_eq!(why("discretised-log-score", &["wine-red"]), "");
        assert_eq!(why("rmse", &[]), "");
        let refused = "`log-likelihood` ranks nothing on `wine-red`, whose target is discrete; \
                       compare by `discretised-log-score` there";
        assert_eq!(why("log-likelihood", &["protein", "wine-red"]), refused);
        assert_eq!(why("log-likelihood", &[]), refused, "all main datasets");
    }
}
