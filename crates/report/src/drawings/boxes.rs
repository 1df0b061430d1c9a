//! Gather a metric over repetitions, one box for each column.

use std::ptr;

use super::gather::{DrawingError, Gather};
use crate::plot::{self, BoxOf, BoxesPanel, Drawing};
use uq_core::metrics::MetricId;
use uqbench_judge::evidence::results::{Results, Series};
use uqbench_run::benchmark::figures::{self, Boxes, Panel};
use uqbench_run::runner::store::Store;

impl Gather for Boxes {
    fn gather(&self, results: &Results, _: &Store) -> Result<Option<Drawing>, DrawingError> {
        let all = results.series();
        let panels = self.panels.iter().filter_map(|panel| one_panel(&all, &self.metric, panel, &self.series));
        let panels: Vec<BoxesPanel> = panels.collect();
        let Self { title, y_label, across, .. } = self.clone();
        Ok((!panels.is_empty()).then(|| Box::new(plot::Boxes { title, y_label, across, panels }) as Drawing))
    }
}

/// A panel with a finite score; a score that a repetition does not have is NaN.
fn one_panel(all: &[Series], metric: &MetricId, panel: &figures::BoxesPanel, series: &[Panel]) -> Option<BoxesPanel> {
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
