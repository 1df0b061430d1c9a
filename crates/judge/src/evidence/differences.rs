//! Pair the columns of a benchmark's contrast on the same splits.

use super::results::{Results, Series};
use uq_core::metrics::MetricId;
use uq_core::stats::paired::{Comparison, compare};
use uq_core::stats::rounding::difference;

/// A paired difference of the contrast's columns.
#[derive(Clone, Copy)]
pub struct Difference<'a> {
    /// The column under test.
    pub test: Series<'a>,
    /// The reference.
    pub reference: Series<'a>,
    /// Test − reference.
    pub comparison: Comparison,
}

/// The paired differences of a metric over all pairs of main readings, Holm-corrected together.
pub fn differences<'a>(results: &'a Results, metric: &MetricId) -> Vec<Difference<'a>> {
    let Some(contrast) = &results.plan.benchmark.contrast else { return Vec::new() };
    let mut pairs = results.pairs(contrast);
    pairs.retain(|(test, _)| test.variant().is_none());
    let family: Vec<Vec<f64>> = pairs
        .iter()
        .map(|(test, reference)| untied(metric, &test.values(metric), &reference.values(metric)))
        .collect();
    let compared = compare(&family).into_iter().zip(pairs);
    compared
        .filter_map(|(comparison, (test, reference))| {
            Some(Difference { test, reference, comparison: comparison? })
        })
        .collect()
}

/// Differences test − reference of the repetitions that both have, 0 where they differ by no more
/// than rounding.
fn untied(metric: &MetricId, test: &[Option<f64>], reference: &[Option<f64>]) -> Vec<f64> {
    let one = |test: f64, reference: f64| difference(metric.direction(), test, reference);
    test.iter()
        .zip(reference)
        .filter_map(|(test, reference)| Some(one((*test)?, (*reference)?)))
        .collect()
}
