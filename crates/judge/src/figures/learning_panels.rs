//! Take the mean scores of columns over the additions of pool learning.

use serde::{Deserialize, Serialize};

use super::Figure;
use super::gather::Gather;
use super::learning::LearningCurve;
use crate::evidence::EvidenceError;
use crate::evidence::optimised::evaluations;
use crate::evidence::results::{Results, Series};
use uq_core::metrics::MetricId;
use uq_core::stats::Summary;
use uq_methods::side_tables::Evaluations;
use uqbench_run::benchmark::figures as keys;
use uqbench_run::benchmark::{ACQUISITION, Panel};
use uqbench_run::runner::store::Store;

/// Learning curves in rows of panels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LearningPanels {
    /// Title of the figure.
    pub title: String,
    /// Label of the steps.
    pub x_label: String,
    /// Label of the values, with their unit.
    pub y_label: String,
    /// Whether the curves are differences, so that each panel has a line at zero.
    pub differences: bool,
    /// Panels in a row.
    pub across: usize,
    /// Panels, row by row; each has an axis of its own.
    pub panels: Vec<LearningPanel>,
}

/// One panel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LearningPanel {
    /// Title of the panel.
    pub title: String,
    /// Curves, whose half widths are standard errors; equal names have one look in all panels.
    pub curves: Vec<LearningCurve>,
    /// Number of points that are not drawn, because their mean is not finite.
    pub left_out: usize,
}

impl Gather for keys::LearningPanels {
    fn gather(&self, results: &Results, store: &Store) -> Result<Option<Figure>, EvidenceError> {
        let all = results.series();
        let mut panels = Vec::new();
        for panel in &self.panels {
            panels.extend(one_panel(self, panel, &all, store)?);
        }
        let differences = !self.control.is_empty();
        let Self { title, x_label, y_label, across, .. } = self.clone();
        let figure = LearningPanels { title, x_label, y_label, differences, across, panels };
        Ok((!figure.panels.is_empty()).then_some(Figure::LearningPanels(figure)))
    }
}

/// A panel with a curve.
fn one_panel(
    figure: &keys::LearningPanels,
    panel: &keys::LearningPanel,
    all: &[Series],
    store: &Store,
) -> Result<Option<LearningPanel>, EvidenceError> {
    let metric = panel.metric.unwrap_or(figure.metric);
    let own: Vec<&Series> = all.iter().filter(|s| s.dataset.key == panel.dataset).collect();
    let (mut curves, mut left_out) = (Vec::new(), 0);
    for line in &figure.series {
        let points = match mixed_points(figure, line, &own, store)? {
            Some(points) => points,
            None => all_points(figure, line, &own, &metric),
        };
        if let Some((curve, without)) = curve(&line.title, points) {
            curves.extend(Some(curve).filter(|curve| !curve.x.is_empty()));
            left_out += without;
        }
    }
    Ok((!curves.is_empty()).then(|| LearningPanel { title: panel.title.clone(), curves, left_out }))
}

/// Additions, and the scores of the repetitions there.
type Points = Vec<(f64, Vec<f64>)>;

/// The points of a line; none where nothing has run.
fn all_points(
    figure: &keys::LearningPanels,
    line: &Panel,
    all: &[&Series],
    metric: &MetricId,
) -> Points {
    let control = figure.control_of(line);
    let mut points = Points::new();
    for series in all.iter().filter(|s| s.is_column(&line.labels, None)) {
        let Some(x) = series.column.x else { continue };
        let mut values = series.values(metric);
        if !figure.control.is_empty() {
            let Some(other) =
                all.iter().find(|s| s.is_column(&control, None) && s.column.x == Some(x))
            else {
                return Points::new();
            };
            let pairs = values.into_iter().zip(other.values(metric));
            values = pairs.map(|(own, other)| Some(own? - other?)).collect();
        }
        points.push((x, values.into_iter().flatten().collect()));
    }
    points
}

/// The points of a line whose model has chains, without the choices of those that have not mixed;
/// `None` of any other line, and of a figure that takes all choices.
fn mixed_points(
    figure: &keys::LearningPanels,
    line: &Panel,
    all: &[&Series],
    store: &Store,
) -> Result<Option<Points>, EvidenceError> {
    let columns: Vec<&&Series> = all.iter().filter(|s| s.is_column(&line.labels, None)).collect();
    let acquisition = columns.first().and_then(|series| series.column.labels.get(ACQUISITION));
    let (true, Some(series), Some(acquisition)) = (figure.mixed_only, columns.first(), acquisition)
    else {
        return Ok(None);
    };
    let runs = evaluations(series, acquisition, store)?;
    if !runs.iter().any(Evaluations::has_chains) {
        return Ok(None);
    }
    let at = |x: f64| (x, runs.iter().filter_map(|run| run.best_of_mixed(x)).collect());
    Ok(Some(columns.iter().filter_map(|series| series.column.x).map(at).collect()))
}

/// The finite points of a line, and the number of points that are left out; `None` where nothing
/// has run.
fn curve(name: &str, mut points: Points) -> Option<(LearningCurve, usize)> {
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    let repetitions = points.iter().map(|(_, values)| values.len()).max().filter(|n| *n > 0)?;
    let drawn: Vec<(f64, Summary)> = points
        .iter()
        .filter_map(|(x, values)| {
            Some((*x, Summary::from_values(values).filter(|summary| summary.mean.is_finite())?))
        })
        .collect();
    let errors: Vec<f64> =
        drawn.iter().map(|(_, summary)| summary.standard_error().unwrap_or(0.0)).collect();
    let curve = LearningCurve {
        name: name.to_owned(),
        x: drawn.iter().map(|(x, _)| *x).collect(),
        mean: drawn.iter().map(|(_, summary)| summary.mean).collect(),
        half_width: (repetitions > 1).then_some(errors),
        repetitions,
    };
    Some((curve, points.len() - drawn.len()))
}
