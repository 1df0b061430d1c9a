//! List every score of a benchmark: one for each column, dataset and metric.

use serde::Serialize;

use super::cell::summary;
use super::real;
use crate::evidence::Evidence;
use crate::judgement::numbers::{cell_of, printed_cell};
use uq_core::metrics::MetricId;
use uq_core::stats::Summary;
use uq_methods::anchors::ANCHORS;
use uqbench_run::benchmark::{Benchmark, Published, label_text};

/// The score of one column on one dataset by one metric.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ColumnScore {
    /// Key of the dataset.
    pub dataset: String,
    /// Name of the method, `anchor` for what only scales skill; empty where none exists here yet.
    pub method: String,
    /// Labels of the column, or its heading.
    pub column: String,
    /// The variant of the method or the dataset; empty for the main reading.
    pub variant: String,
    /// The abscissa of a point of a curve.
    pub x: Option<f64>,
    /// The metric.
    pub metric: MetricId,
    /// The printed number; empty where there is none.
    pub printed: String,
    /// Mean, standard deviation and number of the repetitions that have a score.
    #[serde(serialize_with = "summary")]
    pub summary: Option<Summary>,
    /// Fits that had not converged, where fits report it.
    pub unconverged: Option<usize>,
    /// Why there is no score; empty where there is one.
    pub note: String,
    /// The score of each repetition.
    #[serde(serialize_with = "real::options::serialize")]
    pub repetitions: Vec<Option<f64>>,
}

/// Every score, then those that are only printed.
pub(super) fn numbers(evidence: &Evidence) -> Vec<ColumnScore> {
    let Evidence { results, published, unconverged, .. } = evidence;
    let mut all = Vec::new();
    for series in results.series() {
        for metric in &results.plan.benchmark.metrics {
            let summary = series.summary(&metric.id);
            let is_anchor = ANCHORS.iter().any(|(id, _)| *id == series.method.id);
            let labels = &series.column.labels;
            all.push(ColumnScore {
                dataset: series.dataset.key.clone(),
                method: if is_anchor { "anchor".into() } else { series.method.id.clone() },
                column: if labels.is_empty() {
                    series.column.heading.clone()
                } else {
                    label_text(labels)
                },
                variant: series.variant().unwrap_or_default().into(),
                x: series.column.x,
                metric: metric.id,
                printed: cell_of(published, &series, metric)
                    .map(|c| c.value.clone())
                    .unwrap_or_default(),
                summary,
                unconverged: unconverged.count(&series).map(|count| count.unconverged),
                note: match summary {
                    Some(_) => String::new(),
                    None => series.first_reason().unwrap_or_else(|| series.why_none()),
                },
                repetitions: series.values(&metric.id),
            });
        }
    }
    all.extend(unbuilt(&results.plan.benchmark, published));
    all
}

/// The numbers of columns that are only printed: on every main dataset, run or not.
fn unbuilt(benchmark: &Benchmark, published: &Published) -> Vec<ColumnScore> {
    let mut all = Vec::new();
    for dataset in benchmark.datasets.iter().filter(|dataset| dataset.variant.is_none()) {
        for column in &benchmark.printed_columns {
            for metric in &benchmark.metrics {
                let Some(cell) = printed_cell(published, dataset, &column.labels, metric) else {
                    continue;
                };
                all.push(ColumnScore {
                    dataset: dataset.key.clone(),
                    method: String::new(),
                    column: label_text(&column.labels),
                    variant: String::new(),
                    x: None,
                    metric: metric.id,
                    printed: cell.value.clone(),
                    summary: None,
                    unconverged: None,
                    note: "printed only".into(),
                    repetitions: Vec::new(),
                });
            }
        }
    }
    all
}
