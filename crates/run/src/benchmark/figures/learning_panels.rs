//! Draw a metric over the additions of pool learning, one panel for each dataset.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::super::Benchmark;
use super::checks::check_columns;
use super::kind::{FigureKind, by_fields};
use super::panel::Panel;
use uq_core::metrics::{BestValue, MetricId};

/// A metric against the columns' `x`: means over repetitions in bands of one standard error, panels
/// in rows.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LearningPanels {
    /// File name, without its ending.
    pub file: String,
    /// Caption.
    pub title: String,
    /// The metric, where a panel states no other.
    pub metric: MetricId,
    /// Label of its axis.
    pub y_label: String,
    /// Label of the axis of the additions.
    pub x_label: String,
    /// Panels in a row.
    pub across: usize,
    /// Labels of a control: a curve is then the difference to the column with these labels in place
    /// of its own, paired over repetitions.
    #[serde(default)]
    pub control: BTreeMap<String, String>,
    /// Of a model with chains, take the best value without the choices of fits whose chains have
    /// not mixed.
    #[serde(default)]
    pub mixed_only: bool,
    /// Row by row.
    pub panels: Vec<LearningPanel>,
    /// Which columns, by their labels, one line each.
    pub series: Vec<Panel>,
}

/// The curves on one dataset.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LearningPanel {
    /// Title of the panel.
    pub title: String,
    /// Dataset key.
    pub dataset: String,
    /// Another metric than the figure's.
    pub metric: Option<MetricId>,
}

impl LearningPanels {
    /// The labels of the control of a line.
    pub fn control_of(&self, line: &Panel) -> BTreeMap<String, String> {
        let mut labels = line.labels.clone();
        labels.extend(self.control.clone());
        labels
    }
}

impl FigureKind for LearningPanels {
    by_fields!(file, title, series);

    fn metrics(&self) -> Vec<MetricId> {
        std::iter::once(self.metric)
            .chain(self.panels.iter().filter_map(|panel| panel.metric))
            .collect()
    }

    /// Finds a panel that would stay empty, and a line without a control.
    fn check(&self, benchmark: &Benchmark) -> Result<(), String> {
        let file = &self.file;
        check_columns(file, &self.series, benchmark)?;
        if self.panels.is_empty() || self.across == 0 {
            return Err(format!(
                "figure `{file}` needs at least one panel, and at least one in a row"
            ));
        }
        let best_value =
            self.metrics().iter().all(|metric| *metric == MetricId::BestValue(BestValue));
        if self.mixed_only && (!best_value || !self.control.is_empty()) {
            return Err(format!(
                "figure `{file}`: `mixed_only` needs the metric `best-value` and no `control`"
            ));
        }
        for line in self.series.iter().filter(|_| !self.control.is_empty()) {
            let control = self.control_of(line);
            benchmark
                .has_column(&control)
                .map_err(|wrong| format!("figure `{file}`, control: {wrong}"))?;
        }
        for panel in &self.panels {
            let curve = |line: &Panel| benchmark.has_curve(&panel.dataset, &line.labels);
            let what = |wrong| format!("figure `{file}`, panel `{}`: {wrong}", panel.title);
            if !self.series.iter().any(|line| curve(line).is_ok()) {
                self.series.first().map_or(Ok(()), curve).map_err(what)?;
            }
        }
        Ok(())
    }
}
