//! Pool one column of a side table over the repetitions of a column.

use serde::{Deserialize, Serialize};

use super::Figure;
use super::gather::{Gather, each_panel};
use crate::evidence::EvidenceError;
use crate::evidence::results::{Results, Series};
use crate::evidence::trials::side_table;
use uqbench_run::benchmark::Panel;
use uqbench_run::benchmark::figures as keys;
use uqbench_run::runner::store::Store;

/// Distributions of one quantity in several cases.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Histograms {
    /// Title of the figure.
    pub title: String,
    /// Label of the quantity, with its unit.
    pub x_label: String,
    /// One panel for each case.
    pub panels: Vec<HistogramPanel>,
}

/// One case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HistogramPanel {
    /// Title of the panel.
    pub title: String,
    /// The values, in any order.
    pub values: Vec<f64>,
}

impl Gather for keys::Histogram {
    fn gather(&self, results: &Results, store: &Store) -> Result<Option<Figure>, EvidenceError> {
        let (name, column) = &self.side_table;
        let panels = each_panel(&self.panels, results, |panel, series| {
            histogram(panel, series, name, column, store)
        })?;
        let figure =
            Histograms { title: self.title.clone(), x_label: self.x_label.clone(), panels };
        Ok((!figure.panels.is_empty()).then_some(Figure::Histograms(figure)))
    }
}

fn histogram(
    panel: &Panel,
    series: &Series,
    name: &str,
    column: &str,
    store: &Store,
) -> Result<Option<HistogramPanel>, EvidenceError> {
    let mut values = Vec::new();
    for result in series.finished() {
        let found = side_table(result, name, store)?;
        values.extend(found.iter().filter_map(|a| a.column(column)).flatten().copied());
    }
    Ok((!values.is_empty()).then(|| HistogramPanel { title: panel.title.clone(), values }))
}
