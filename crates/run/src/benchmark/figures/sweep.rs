//! Draw metrics against a parameter.

use serde::Deserialize;

use super::kind::{FigureKind, by_fields};
use super::panel::{MetricPanel, Panel};
use uq_core::metrics::MetricId;

/// A metric against a parameter: means over repetitions, their standard errors, and a local
/// regression line.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sweep {
    /// File name, without its ending.
    pub file: String,
    /// Caption.
    pub title: String,
    /// Label of the horizontal axis.
    pub x_label: String,
    /// Whether the horizontal axis is logarithmic.
    #[serde(default)]
    pub log_x: bool,
    /// Whether the vertical axes are logarithmic.
    #[serde(default)]
    pub log_y: bool,
    /// Whether a locally weighted regression line is drawn.
    #[serde(default)]
    pub local_regression: bool,
    /// One panel a metric.
    pub panels: Vec<MetricPanel>,
    /// One line each.
    pub series: Vec<Panel>,
}

impl FigureKind for Sweep {
    by_fields!(file, title, series);

    fn metrics(&self) -> Vec<MetricId> {
        self.panels.iter().map(|panel| panel.metric).collect()
    }
}
