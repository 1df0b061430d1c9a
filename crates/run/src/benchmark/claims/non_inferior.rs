//! Claim that one column is not worse than others by more than a margin.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::super::Benchmark;
use super::kind::ClaimKind;
use uq_core::metrics::{Direction, MetricId};

/// On each dataset and against each reference, the score of the column under test costs at most
/// `margin` more, as a share of what the reference's score costs: `margin = 0.1` allows an RMSE
/// that is 10 % larger.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NonInferior {
    /// The metric.
    pub metric: MetricId,
    /// Labels of the column under test.
    pub test: BTreeMap<String, String>,
    /// Labels of the columns that it is compared with; printed columns too.
    pub references: Vec<BTreeMap<String, String>>,
    /// Keys of the datasets; all main ones where empty.
    #[serde(default)]
    pub datasets: Vec<String>,
    /// The margin: a share of the reference's score, above 0 and below 1.
    pub margin: f64,
}

impl ClaimKind for NonInferior {
    fn metrics(&self) -> Vec<MetricId> {
        vec![self.metric]
    }

    fn check(&self, benchmark: &Benchmark) -> Result<(), String> {
        if self.references.is_empty() {
            return Err("compares a column with no other".into());
        }
        if !(self.margin > 0.0 && self.margin < 1.0) {
            return Err(format!(
                "the margin is {}, expected a number above 0 and below 1",
                self.margin
            ));
        }
        if self.metric.direction() != Direction::Lower {
            return Err(format!(
                "a share of `{}` is no margin, expected a metric of which lower is better",
                self.metric
            ));
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
    fn a_margin_is_a_share_of_a_score_of_which_lower_is_better() {
        let benchmark = crate::benchmark::find("jcm-table-5").unwrap();
        let why = |metric: &str, margin: f64| {
            let labels = |method: &str| BTreeMap::from([("method".to_owned(), method.to_owned())]);
            let (test, references) = (labels("jcm-mc"), vec![labels("sqr")]);
            let metric = metric.parse().unwrap();
            let claim = NonInferior { metric, test, references, datasets: Vec::new(), margin };
            claim.check(&benchmark).err().unwrap_or_default()
        };
        assert_eq!(why("mpiw-range(level=0.8)", 0.1), "");
        assert!(why("mpiw-range(level=0.8)", 0.0).contains("the margin is 0"));
        assert!(why("mpiw-range(level=0.8)", f64::NAN).contains("the margin is NaN"));
        assert!(why("picp(level=0.8)", 0.1).contains("is no margin"));
    }
}
