//! State by which metrics methods are ranked over datasets, and what replaces failed repetitions.

use serde::Deserialize;

use super::Benchmark;
use super::mistakes::{Mistakes, Part};
use uq_core::metrics::MetricId;

/// The page of ranks over datasets.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ranks {
    /// The metrics, one ranking each.
    pub metrics: Vec<MetricId>,
    /// What becomes of repetitions in which a method failed.
    #[serde(default)]
    pub failures: Failures,
}

/// What becomes of repetitions in which a method failed or refused the rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Failures {
    /// They are left out.
    #[default]
    Drop,
    /// They get the worst score of any method on the same split.
    Worst,
}

impl Benchmark {
    /// Notes why a ranking cannot be made.
    pub(super) fn check_ranks(&self, to: &mut Mistakes) {
        let Some(ranks) = &self.ranks else { return };
        if ranks.metrics.is_empty() {
            to.note(Part::key("ranks"), "ranks: needs at least one metric");
        }
        if !self.protocol.kind().compares_methods() {
            to.note(
                Part::key("ranks"),
                "ranks: the protocol does not compare methods on unseen rows of a dataset",
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(ranks: &str) -> Result<Benchmark, String> {
        let text = include_str!("../../../../benchmarks/papers/jcm/jcm-table-2.toml");
        let text =
            text.replacen("anchors = true", &format!("anchors = true\nranks = {{ {ranks} }}"), 1);
        Benchmark::parse("test", &text).map_err(|error| error.to_string())
    }

    #[test]
    fn rankings_name_metrics_and_a_rule_for_failures() {
        let ranks =
            parsed("metrics = [\"rmse\", \"crps\"], failures = \"worst\"").unwrap().ranks.unwrap();
        assert_eq!((ranks.metrics.len(), ranks.failures), (2, Failures::Worst));
        assert_eq!(parsed("metrics = [\"rmse\"]").unwrap().ranks.unwrap().failures, Failures::Drop);
        assert!(
            parsed("metrics = [\"rmse\"]")
                .unwrap()
                .all_metrics()
                .iter()
                .any(|m| m.to_string() == "rmse")
        );
        assert!(parsed("metrics = []").unwrap_err().contains("at least one metric"));
        assert!(parsed("metrics = [\"rmse\"], failures = \"best\"").unwrap_err().contains("best"));
    }
}
