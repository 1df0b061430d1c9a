//! Draw a metric over repetitions as boxes.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::super::{Benchmark, Column};
use super::checks::check_columns;
use super::kind::{FigureKind, by_fields};
use super::panel::Panel;
use uq_core::metrics::MetricId;

/// A metric over repetitions: panels in rows, in each a box for every column that a series and the
/// panel select.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Boxes {
    /// File name, without its ending.
    pub file: String,
    /// Caption.
    pub title: String,
    /// The metric.
    pub metric: MetricId,
    /// Label of its axis.
    pub y_label: String,
    /// Panels in a row.
    pub across: usize,
    /// Row by row.
    pub panels: Vec<BoxesPanel>,
    /// One look each; boxes stand in this order, within a series in the order of their columns'
    /// `x`. An experiment of which several columns are selected is drawn once in a panel, for the
    /// first.
    pub series: Vec<Panel>,
}

/// Columns of one dataset, as boxes.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoxesPanel {
    /// Title of the panel.
    pub title: String,
    /// Label of the boxes' axis: what the columns' `x` is.
    pub x_label: String,
    /// Labels that a column must carry, besides those of its series.
    #[serde(default)]
    pub labels: BTreeMap<String, String>,
    /// Dataset key.
    pub dataset: String,
}

impl FigureKind for Boxes {
    by_fields!(file, title, series);

    fn metrics(&self) -> Vec<MetricId> {
        vec![self.metric]
    }

    /// Finds a panel that would stay empty, and a column without a place on its axis.
    fn check(&self, benchmark: &Benchmark) -> Result<(), String> {
        let file = &self.file;
        check_columns(file, &self.series, benchmark)?;
        if self.panels.is_empty() || self.across == 0 {
            return Err(format!(
                "figure `{file}` needs at least one panel, and at least one in a row"
            ));
        }
        for panel in &self.panels {
            let what = format!("figure `{file}`, panel `{}`", panel.title);
            if benchmark.dataset(&panel.dataset).is_none() {
                return Err(format!("{what}: `{}` is not a dataset of it", panel.dataset));
            }
            let found: Vec<&Column> = self
                .series
                .iter()
                .flat_map(|one| benchmark.columns_on(&panel.dataset, &one.labels))
                .filter(|column| panel.labels.iter().all(|(k, v)| column.labels.get(k) == Some(v)))
                .collect();
            if found.is_empty() {
                return Err(format!(
                    "{what}: no column that is run there has its labels and those of a series"
                ));
            }
            if let Some(column) = found.iter().find(|column| column.x.is_none()) {
                return Err(format!(
                    "{what}: column `{}` has no x, which names its box",
                    column.heading
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
    fn what_is_not_run_on_a_dataset_is_told() {
        let text = include_str!("../../../../../benchmarks/papers/jcm/jcm-figure-2.toml");
        for (from, to, expected) in [
            ("across = 3", "across = 0", "needs at least one panel"),
            (
                "dataset = \"kin8nm\", labels",
                "dataset = \"yacht\", labels",
                "`yacht` is not a dataset of it",
            ),
            (
                "dataset = \"boston\", labels = { study = \"p\" } }",
                "dataset = \"boston\", labels = { study = \"q\" } }",
                "no column that is run there",
            ),
            ("datasets = [\"boston\"]\n", "datasets = [\"bosten\"]\n", "is run on `bosten`"),
            ("x = 13.0 }", "}", "has no x"),
        ] {
            assert!(text.contains(from), "{from}");
            let message =
                Benchmark::parse("test", &text.replacen(from, to, 1)).unwrap_err().to_string();
            assert!(message.contains(expected), "{from}: {message}");
        }
    }
}
