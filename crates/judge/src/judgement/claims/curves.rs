//! Gather the columns of a claim that are points of a curve.

use std::collections::BTreeMap;

use crate::evidence::{Results, Series};
use uq_core::metrics::MetricId;

/// The columns with these labels, by x.
pub fn curve<'a>(
    results: &'a Results,
    labels: &BTreeMap<String, String>,
) -> Vec<(f64, Series<'a>)> {
    let mut points: Vec<(f64, Series)> = results
        .series()
        .into_iter()
        .filter(|s| s.is_column(labels, None))
        .filter_map(|s| Some((s.x()?, s)))
        .collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    points
}

/// The points of a dataset's curve, by x.
pub fn curve_on<'a>(
    results: &'a Results,
    key: &str,
    labels: &BTreeMap<String, String>,
) -> Vec<(f64, Series<'a>)> {
    curve(results, labels).into_iter().filter(|(_, series)| series.dataset.key == key).collect()
}

/// The columns of a curve.
pub fn columns_of<'a>(points: Vec<(f64, Series<'a>)>) -> Vec<Series<'a>> {
    points.into_iter().map(|(_, series)| series).collect()
}

/// Scores of the repetitions that have a score at every point: repetition × point.
pub fn complete(points: &[(f64, Series)], metric: &MetricId) -> Vec<Vec<f64>> {
    let columns: Vec<Vec<Option<f64>>> =
        points.iter().map(|(_, series)| series.values(metric)).collect();
    let repetitions = columns.iter().map(Vec::len).min().unwrap_or(0);
    (0..repetitions).filter_map(|r| columns.iter().map(|column| column[r]).collect()).collect()
}
