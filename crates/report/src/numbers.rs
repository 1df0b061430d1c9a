//! List every number of a benchmark, one row for each column, dataset and metric.

use super::grid::Grid;
use uq_core::stats::digits::exact;
use uq_methods::anchors::ANCHORS;
use uqbench_judge::evidence::Evidence;
use uqbench_judge::judgement::numbers::{cell_of, printed_cell};
use uqbench_run::benchmark::{Benchmark, Published, label_text};

/// One row for each column, dataset and metric; the number of fits that had not converged is empty where fits do not
/// report it.
pub fn long_grid(evidence: &Evidence) -> Grid {
    let Evidence { results, published, unconverged, .. } = evidence;
    let mut grid = Grid::new(&[
        "dataset",
        "method",
        "column",
        "variant",
        "#x",
        "metric",
        "#published",
        "#mean",
        "#sd",
        "#n",
        "#expected",
        "#unconverged",
        "note",
        "repetitions",
    ]);
    for series in results.series() {
        for metric in &results.plan.benchmark.metrics {
            let values = series.values(&metric.id);
            let summary = series.summary(&metric.id);
            grid.push(vec![
                series.dataset.key.clone(),
                if ANCHORS.iter().any(|(id, _)| *id == series.method.id) {
                    "anchor".into()
                } else {
                    series.method.id.clone()
                },
                if series.column.labels.is_empty() {
                    series.column.heading.clone()
                } else {
                    label_text(&series.column.labels)
                },
                series.variant().unwrap_or_default().into(),
                exact(series.column.x),
                metric.id.to_string(),
                cell_of(published, &series, metric).map(|c| c.value.clone()).unwrap_or_default(),
                exact(summary.map(|s| s.mean)),
                exact(summary.and_then(|s| s.sd)),
                summary.map_or(0, |s| s.n).to_string(),
                values.len().to_string(),
                unconverged.count(&series).map(|count| count.unconverged.to_string()).unwrap_or_default(),
                match summary {
                    Some(_) => String::new(),
                    None => series.first_reason().unwrap_or_else(|| series.why_none()),
                },
                values.iter().map(|v| exact(*v)).collect::<Vec<_>>().join(" "),
            ]);
        }
    }
    grid.extend(unbuilt_rows(&results.plan.benchmark, published));
    grid
}

/// The rows of [`long_grid`] of columns that are only printed: on every main dataset, run or not.
fn unbuilt_rows(benchmark: &Benchmark, published: &Published) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for dataset in benchmark.datasets.iter().filter(|dataset| dataset.variant.is_none()) {
        for column in &benchmark.printed_columns {
            for metric in &benchmark.metrics {
                let Some(cell) = printed_cell(published, dataset, &column.labels, metric) else { continue };
                rows.push(vec![
                    dataset.key.clone(),
                    String::new(),
                    label_text(&column.labels),
                    String::new(),
                    String::new(),
                    metric.id.to_string(),
                    cell.value.clone(),
                    String::new(),
                    String::new(),
                    "0".into(),
                    "0".into(),
                    String::new(),
                    "no method yet".into(),
                    String::new(),
                ]);
            }
        }
    }
    rows
}
