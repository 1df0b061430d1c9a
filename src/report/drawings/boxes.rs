//! Gather a metric over repetitions, one box a column.

use std::ptr;

use crate::benchmark::{self, Panel};
use crate::evidence::results::{Results, Series};
use crate::metrics::MetricId;
use crate::plot::{BoxOf, BoxesPanel};

/// The panels with a finite score; `None` where there is none. A score that a repetition does not have is NaN.
pub(super) fn boxes(
    results: &Results,
    metric: &MetricId,
    panels: &[benchmark::BoxesPanel],
    series: &[Panel],
) -> Option<Vec<BoxesPanel>> {
    let all = results.series();
    let drawn: Vec<BoxesPanel> = panels.iter().filter_map(|panel| one_panel(&all, metric, panel, series)).collect();
    (!drawn.is_empty()).then_some(drawn)
}

fn one_panel(all: &[Series], metric: &MetricId, panel: &benchmark::BoxesPanel, series: &[Panel]) -> Option<BoxesPanel> {
    let mut boxes = Vec::new();
    let mut seen: Vec<&Series> = Vec::new();
    for one in series {
        let selected = |s: &&Series| s.is_column(&panel.labels, Some(&panel.dataset)) && s.has_labels(&one.labels);
        let mut columns: Vec<(f64, &Series)> =
            all.iter().filter(selected).filter_map(|s| Some((s.column.x?, s))).collect();
        columns.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (x, column) in columns {
            if seen.iter().any(|other| ptr::eq(other.repetitions, column.repetitions)) {
                continue;
            }
            seen.push(column);
            if column.first_finished().is_some() {
                let values = column.values(metric).into_iter().map(|v| v.unwrap_or(f64::NAN)).collect();
                boxes.push(BoxOf { name: x.to_string(), series: one.title.clone(), values });
            }
        }
    }
    let panel = BoxesPanel { title: panel.title.clone(), x_label: panel.x_label.clone(), boxes };
    let finite = panel.boxes.iter().flat_map(|one| &one.values).any(|value| value.is_finite());
    finite.then_some(panel)
}
