//! Name what links of several pages lead to.

use crate::section::slug;
use uq_core::metrics::MetricId;

/// File name of the glossary, without ending.
pub const GLOSSARY: &str = "glossary";

/// The anchor of a metric in the glossary.
pub fn metric_anchor(metric: &MetricId) -> String {
    format!("metric-{metric}")
}

/// The anchor of the first table with this title on a page; `None` where the title has no letter or
/// digit.
pub fn section_anchor(title: &str) -> Option<String> {
    let slug = slug(title);
    (!slug.is_empty()).then(|| format!("t-{slug}"))
}

/// The anchor of the first row with this first cell, in the first table with this title.
pub fn row_anchor(title: &str, row: &str) -> Option<String> {
    let slug = slug(row);
    section_anchor(title).filter(|_| !slug.is_empty()).map(|table| format!("{table}--{slug}"))
}
