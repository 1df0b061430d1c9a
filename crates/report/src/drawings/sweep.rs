//! Take the mean scores of columns along their abscissa.

use super::gather::{DrawingError, Gather};
use crate::plot::{self, Drawing, SweepPanel, SweepSeries};
use uq_core::stats::local_regression;
use uqbench_judge::evidence::results::Results;
use uqbench_run::benchmark::figures::{MetricPanel, Panel, Reference, Sweep};
use uqbench_run::runner::store::Store;

/// Share of the points in a neighbourhood of a locally weighted regression line.
const SPAN: f64 = 0.5;

impl Gather for Sweep {
    fn gather(&self, results: &Results, _: &Store) -> Result<Option<Drawing>, DrawingError> {
        // A metric may be undefined everywhere, as peak memory is where trials share a process: its panel is left out.
        let drawn = self
            .panels
            .iter()
            .map(|panel| sweep_panel(panel, &self.series, results, self.local_regression, self.log_x));
        let panels: Vec<SweepPanel> = drawn.filter(|panel| !panel.series.is_empty()).collect();
        let Self { title, x_label, log_x, log_y, .. } = self.clone();
        Ok((!panels.is_empty()).then(|| Box::new(plot::Sweep { title, x_label, log_x, log_y, panels }) as Drawing))
    }
}

fn sweep_panel(panel: &MetricPanel, lines: &[Panel], results: &Results, smooth: bool, log_x: bool) -> SweepPanel {
    let all = results.series();
    let line = |wanted: &Panel| {
        let mut points: Vec<(f64, f64, f64)> = all
            .iter()
            .filter(|s| s.is_column(&wanted.labels, wanted.dataset.as_deref()))
            .filter_map(|s| {
                let summary = s.summary(&panel.metric)?;
                Some((s.x()?, summary.mean, summary.standard_error().unwrap_or(0.0)))
            })
            .collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        let x: Vec<f64> = points.iter().map(|p| p.0).collect();
        let mean: Vec<f64> = points.iter().map(|p| p.1).collect();
        let smooth = smooth.then(|| local_line(&x, &mean, log_x)).flatten();
        let standard_error = points.iter().map(|p| p.2).collect();
        (!x.is_empty()).then(|| SweepSeries { name: wanted.title.clone(), x, mean, standard_error, smooth })
    };
    let mut series: Vec<SweepSeries> = lines.iter().filter_map(line).collect();
    let ends = || series.iter().flat_map(|s| &s.x).copied();
    // From the first abscissa to the last; a reference has no error.
    let (low, high) = (ends().fold(f64::INFINITY, f64::min), ends().fold(f64::NEG_INFINITY, f64::max));
    let reference = |reference: &Reference| SweepSeries {
        name: reference.title.clone(),
        x: vec![low, high],
        mean: vec![reference.value; 2],
        standard_error: vec![f64::NAN; 2],
        smooth: None,
    };
    if !series.is_empty() {
        series.extend(panel.references.iter().map(reference).collect::<Vec<_>>());
    }
    SweepPanel { y_label: panel.label.clone(), series }
}

/// The local regression line at a hundred points between the first and the last abscissa.
fn local_line(x: &[f64], y: &[f64], log_x: bool) -> Option<Vec<(f64, f64)>> {
    let scale = |x: f64| if log_x { x.ln() } else { x };
    let scaled: Vec<f64> = x.iter().map(|&x| scale(x)).collect();
    let (first, last) = (*scaled.first()?, *scaled.last()?);
    let at: Vec<f64> = (0..=100).map(|i| first + (last - first) * f64::from(i) / 100.0).collect();
    let fitted = local_regression(&scaled, y, SPAN, &at)?;
    Some(at.iter().map(|&x| if log_x { x.exp() } else { x }).zip(fitted).collect())
}
