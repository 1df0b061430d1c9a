//! Choose the columns of a figure, and the metric of a panel.

use std::collections::BTreeMap;

use serde::Deserialize;

use uq_core::metrics::MetricId;

/// Columns chosen by their labels, and how they are named.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Panel {
    /// Title of the panel, or name of the line.
    pub title: String,
    /// Labels that a column must carry.
    #[serde(default)]
    pub labels: BTreeMap<String, String>,
    /// Dataset key; the first dataset where absent.
    pub dataset: Option<String>,
}

/// A panel that shows one metric.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MetricPanel {
    /// The metric.
    pub metric: MetricId,
    /// Label of its axis.
    pub label: String,
    /// Level lines of a sweep: numbers to compare with.
    #[serde(default)]
    pub references: Vec<Reference>,
}

/// A number that a panel shows as a level line.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reference {
    /// Its name in the legend.
    pub title: String,
    /// The number.
    pub value: f64,
}
