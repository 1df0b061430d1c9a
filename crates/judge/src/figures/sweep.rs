//! Take the mean scores of columns along their abscissa.

use serde::{Deserialize, Serialize};

use super::Figure;
use super::gather::Gather;
use crate::evidence::EvidenceError;
use crate::evidence::results::Results;
use uq_core::stats::local_regression;
use uqbench_run::benchmark::figures::{self as keys, MetricPanel, Panel, Reference};
use uqbench_run::runner::store::Store;

/// Metrics against a parameter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sweep {
    /// Title of the figure.
    pub title: String,
    /// Label of the parameter, with its unit.
    pub x_label: String,
    /// Whether the parameter's axis is logarithmic.
    pub log_x: bool,
    /// Whether the vertical axes are logarithmic.
    pub log_y: bool,
    /// One panel for each metric, top to bottom.
    pub panels: Vec<SweepPanel>,
}

/// One metric.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SweepPanel {
    /// Label of the metric, with its unit.
    pub y_label: String,
    /// Series; equal names have one look in all panels.
    pub series: Vec<SweepSeries>,
}

/// One series of n points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SweepSeries {
    /// Name in the legend.
    pub name: String,
    /// Values of the parameter, n; finite, positive on a logarithmic axis.
    pub x: Vec<f64>,
    /// Means of the metric, n; `None` where the mean is not finite: the point is left out, and the
    /// figure says so.
    pub mean: Vec<Option<f64>>,
    /// Standard errors of the means, n, not negative; no bar is drawn for `None`.
    pub standard_error: Vec<Option<f64>>,
    /// Points of a smooth line (local regression); without it the points are joined.
    pub smooth: Option<Vec<(f64, f64)>>,
}

/// Share of the points in a neighbourhood of a locally weighted regression line.
const SPAN: f64 = 0.5;

impl Gather for keys::Sweep {
    fn gather(&self, results: &Results, _: &Store) -> Result<Option<Figure>, EvidenceError> {
        // A metric may be undefined everywhere, as peak memory is where trials share a process: its
        // panel is left out.
        let drawn = self.panels.iter().map(|panel| {
            sweep_panel(panel, &self.series, results, self.local_regression, self.log_x)
        });
        let panels: Vec<SweepPanel> = drawn.filter(|panel| !panel.series.is_empty()).collect();
        let Self { title, x_label, log_x, log_y, .. } = self.clone();
        Ok((!panels.is_empty()).then_some(Figure::Sweep(Sweep {
            title,
            x_label,
            log_x,
            log_y,
            panels,
        })))
    }
}

fn sweep_panel(
    panel: &MetricPanel,
    lines: &[Panel],
    results: &Results,
    smooth: bool,
    log_x: bool,
) -> SweepPanel {
    let all = results.series();
    let line = |wanted: &Panel| {
        let mut points: Vec<(f64, f64, Option<f64>)> = all
            .iter()
            .filter(|s| s.is_column(&wanted.labels, wanted.dataset.as_deref()))
            .filter_map(|s| {
                let summary = s.summary(&panel.metric)?;
                Some((s.x()?, summary.mean, summary.standard_error().and_then(finite)))
            })
            .collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        let x: Vec<f64> = points.iter().map(|p| p.0).collect();
        let mean: Vec<f64> = points.iter().map(|p| p.1).collect();
        let smooth = smooth.then(|| local_line(&x, &mean, log_x)).flatten();
        let mean = mean.into_iter().map(finite).collect();
        let standard_error = points.iter().map(|p| p.2).collect();
        (!x.is_empty()).then(|| SweepSeries {
            name: wanted.title.clone(),
            x,
            mean,
            standard_error,
            smooth,
        })
    };
    let mut series: Vec<SweepSeries> = lines.iter().filter_map(line).collect();
    let ends = || series.iter().flat_map(|s| &s.x).copied();
    // From the first abscissa to the last; a reference has no error.
    let (low, high) =
        (ends().fold(f64::INFINITY, f64::min), ends().fold(f64::NEG_INFINITY, f64::max));
    let reference = |reference: &Reference| SweepSeries {
        name: reference.title.clone(),
        x: vec![low, high],
        mean: vec![finite(reference.value); 2],
        standard_error: vec![None; 2],
        smooth: None,
    };
    if !series.is_empty() {
        series.extend(panel.references.iter().map(reference).collect::<Vec<_>>());
    }
    SweepPanel { y_label: panel.label.clone(), series }
}

/// The number, where it has a place on an axis.
fn finite(number: f64) -> Option<f64> {
    number.is_finite().then_some(number)
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
