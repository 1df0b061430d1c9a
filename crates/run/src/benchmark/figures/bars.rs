//! Draw mean scores as bars, grouped by dataset.

use serde::Deserialize;

use super::super::Benchmark;
use super::checks::check_columns;
use super::kind::{FigureKind, by_fields};
use super::panel::Panel;
use super::variances::DatasetPanel;
use uq_core::metrics::MetricId;

/// Means over repetitions as bars with one standard error, a panel for each metric and a group of
/// bars for each dataset.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bars {
    /// File name, without its ending.
    pub file: String,
    /// Caption.
    pub title: String,
    /// One below the other.
    pub panels: Vec<BarsPanel>,
    /// One group of bars each, left to right.
    pub datasets: Vec<DatasetPanel>,
    /// One bar of each group each.
    pub series: Vec<Panel>,
}

/// A metric of bars.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BarsPanel {
    /// The metric.
    pub metric: MetricId,
    /// Label of its axis.
    pub label: String,
    /// The axis does not go below this number; a bar that does is cut, and its number stands at the
    /// cut.
    pub low: Option<f64>,
    /// The axis does not go above this number.
    pub high: Option<f64>,
    /// The number that bars should reach, which a line shows.
    pub aim: Option<f64>,
}

impl FigureKind for Bars {
    by_fields!(file, title, series);

    fn metrics(&self) -> Vec<MetricId> {
        self.panels.iter().map(|panel| panel.metric).collect()
    }

    fn check(&self, benchmark: &Benchmark) -> Result<(), String> {
        let file = &self.file;
        check_columns(file, &self.series, benchmark)?;
        if self.panels.is_empty() || self.datasets.is_empty() {
            return Err(format!("figure `{file}` needs at least one panel and one dataset"));
        }
        for BarsPanel { label, low, high, .. } in &self.panels {
            if low.is_some_and(|low| low >= 0.0) || high.is_some_and(|high| high <= 0.0) {
                return Err(format!(
                    "figure `{file}`, panel `{label}`: bars begin at 0, so that `low` is below 0 \
                     and `high` above 0"
                ));
            }
        }
        match self.datasets.iter().find(|group| benchmark.dataset(&group.dataset).is_none()) {
            Some(group) => {
                Err(format!("figure `{file}`: `{}` is not a dataset of it", group.dataset))
            }
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::benchmark::Benchmark;

    #[test]
    fn bars_begin_at_zero_and_groups_are_datasets() {
        let text = include_str!("../../../../../benchmarks/papers/jcm/jcm-figure-7.toml");
        for (from, to, expected) in [
            ("low = -10.0", "low = 1.0", "bars begin at 0"),
            (
                "{ title = \"ac60\", dataset = \"objective:ackley-60\" }",
                "{ title = \"ac60\", dataset = \"yacht\" }",
                "`yacht` is not a dataset",
            ),
        ] {
            assert!(text.contains(from), "{from}");
            let message =
                Benchmark::parse("test", &text.replacen(from, to, 1)).unwrap_err().to_string();
            assert!(message.contains(expected), "{from}: {message}");
        }
    }
}
