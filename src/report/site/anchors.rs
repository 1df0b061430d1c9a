//! Name what links of several pages lead to.

use crate::metrics::MetricId;

/// File name of the glossary, without ending.
pub const GLOSSARY: &str = "glossary";

/// The anchor of a metric in the glossary.
pub fn metric_anchor(metric: &MetricId) -> String {
    format!("metric-{metric}")
}
