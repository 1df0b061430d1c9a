//! Take the mean scores of columns over the additions of pool learning.

use super::gather::{DrawingError, Gather};
use crate::benchmark::Panel;
use crate::benchmark::figures::{self, LearningPanels};
use crate::evidence::results::{Results, Series};
use crate::metrics::MetricId;
use crate::plot::{self, Drawing, LearningCurve, LearningPanel};
use crate::runner::store::Store;
use crate::stats::Summary;

impl Gather for LearningPanels {
    fn gather(&self, results: &Results, _: &Store) -> Result<Option<Drawing>, DrawingError> {
        let all = results.series();
        let panels: Vec<LearningPanel> = self.panels.iter().filter_map(|panel| one_panel(self, panel, &all)).collect();
        let differences = !self.control.is_empty();
        let Self { title, x_label, y_label, across, .. } = self.clone();
        let figure = plot::LearningPanels { title, x_label, y_label, differences, across, panels };
        Ok((!figure.panels.is_empty()).then(|| Box::new(figure) as Drawing))
    }
}

/// A panel with a curve.
fn one_panel(figure: &LearningPanels, panel: &figures::LearningPanel, all: &[Series]) -> Option<LearningPanel> {
    let metric = panel.metric.unwrap_or(figure.metric);
    let own: Vec<&Series> = all.iter().filter(|s| s.dataset.key == panel.dataset).collect();
    let found: Vec<(LearningCurve, usize)> =
        figure.series.iter().filter_map(|line| curve(figure, line, &own, &metric)).collect();
    let left_out = found.iter().map(|(_, left_out)| left_out).sum();
    let curves: Vec<LearningCurve> = found.into_iter().map(|(curve, _)| curve).filter(|c| !c.x.is_empty()).collect();
    (!curves.is_empty()).then(|| LearningPanel { title: panel.title.clone(), curves, left_out })
}

/// The finite points of a line, and the number of points that are left out; `None` where nothing has run.
fn curve(figure: &LearningPanels, line: &Panel, all: &[&Series], metric: &MetricId) -> Option<(LearningCurve, usize)> {
    let control = figure.control_of(line);
    let mut points: Vec<(f64, Vec<f64>)> = Vec::new();
    for series in all.iter().filter(|s| s.is_column(&line.labels, None)) {
        let Some(x) = series.column.x else { continue };
        let mut values = series.values(metric);
        if !figure.control.is_empty() {
            let other = all.iter().find(|s| s.is_column(&control, None) && s.column.x == Some(x))?;
            let pairs = values.into_iter().zip(other.values(metric));
            values = pairs.map(|(own, other)| Some(own? - other?)).collect();
        }
        points.push((x, values.into_iter().flatten().collect()));
    }
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    let repetitions = points.iter().map(|(_, values)| values.len()).max().filter(|n| *n > 0)?;
    let drawn: Vec<(f64, Summary)> = points
        .iter()
        .filter_map(|(x, values)| Some((*x, Summary::of(values).filter(|summary| summary.mean.is_finite())?)))
        .collect();
    let errors: Vec<f64> = drawn.iter().map(|(_, summary)| summary.standard_error().unwrap_or(0.0)).collect();
    let curve = LearningCurve {
        name: line.title.clone(),
        x: drawn.iter().map(|(x, _)| *x).collect(),
        mean: drawn.iter().map(|(_, summary)| summary.mean).collect(),
        half_width: (repetitions > 1).then_some(errors),
        repetitions,
    };
    Some((curve, points.len() - drawn.len()))
}
