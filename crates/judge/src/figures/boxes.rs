//! Gather a metric over repetitions, one box for each column.

use std::ptr;

use serde::{Deserialize, Serialize};

use super::Figure;
use super::gather::Gather;
use super::in_json;
use crate::evidence::EvidenceError;
use crate::evidence::results::{Results, Series};
use uq_core::metrics::MetricId;
use uqbench_run::benchmark::figures::{self as keys, Panel};
use uqbench_run::runner::store::Store;

/// Values in boxes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Boxes {
    /// Title of the figure.
    pub title: String,
    /// Label of the values, with their unit.
    pub y_label: String,
    /// Panels in a row.
    pub across: usize,
    /// Panels, row by row; each has an axis of its own.
    pub panels: Vec<BoxesPanel>,
}

/// One panel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BoxesPanel {
    /// Title of the panel.
    pub title: String,
    /// What the names of its boxes are.
    pub x_label: String,
    /// Boxes, left to right; a gap separates one series from the next.
    pub boxes: Vec<BoxOf>,
}

/// The values behind one box.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BoxOf {
    /// Its name on the axis.
    pub name: String,
    /// Name in the legend; equal names have one look in all panels.
    pub series: String,
    /// The values, in any order. `None` is an unknown value: it is left out, and the figure says
    /// so. Infinite ones take part in the quartiles, and lie beyond every axis.
    #[serde(with = "in_json::all")]
    pub values: Vec<Option<f64>>,
}

impl Gather for keys::Boxes {
    fn gather(&self, results: &Results, _: &Store) -> Result<Option<Figure>, EvidenceError> {
        let all = results.series();
        let panels = self
            .panels
            .iter()
            .filter_map(|panel| one_panel(&all, &self.metric, panel, &self.series));
        let panels: Vec<BoxesPanel> = panels.collect();
        let Self { title, y_label, across, .. } = self.clone();
        Ok((!panels.is_empty()).then_some(Figure::Boxes(Boxes { title, y_label, across, panels })))
    }
}

/// A panel with a finite score.
fn one_panel(
    all: &[Series],
    metric: &MetricId,
    panel: &keys::BoxesPanel,
    series: &[Panel],
) -> Option<BoxesPanel> {
    let mut boxes = Vec::new();
    let mut seen: Vec<&Series> = Vec::new();
    for one in series {
        let selected = |s: &&Series| {
            s.is_column(&panel.labels, Some(&panel.dataset)) && s.has_labels(&one.labels)
        };
        let mut columns: Vec<(f64, &Series)> =
            all.iter().filter(selected).filter_map(|s| Some((s.column.x?, s))).collect();
        columns.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (x, column) in columns {
            if seen.iter().any(|other| ptr::eq(other.repetitions, column.repetitions)) {
                continue;
            }
            seen.push(column);
            if column.first_finished().is_some() {
                let values = column.values(metric);
                boxes.push(BoxOf { name: x.to_string(), series: one.title.clone(), values });
            }
        }
    }
    let panel = BoxesPanel { title: panel.title.clone(), x_label: panel.x_label.clone(), boxes };
    let finite = panel
        .boxes
        .iter()
        .flat_map(|one| &one.values)
        .any(|value| value.is_some_and(f64::is_finite));
    finite.then_some(panel)
}
