//! Pair stated variances with the true ones.

use serde::{Deserialize, Serialize};

use super::Figure;
use super::gather::Gather;
use crate::evidence::EvidenceError;
use crate::evidence::decomposition::{Column, collect};
use crate::evidence::results::Results;
use uq_core::metrics::VariancePart;
use uqbench_run::benchmark::Panel;
use uqbench_run::benchmark::figures::{self as keys, DatasetPanel};
use uqbench_run::runner::store::Store;

/// Rows of panels that share both axes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Variances {
    /// Title of the figure.
    pub title: String,
    /// Titles of the columns, one for each dataset.
    pub columns: Vec<String>,
    /// Name and panels of each row, one panel for each column; `None` leaves its place empty.
    pub rows: Vec<(String, Vec<Option<VariancePanel>>)>,
}

/// Standard deviations at n inputs, in the order of x. Zero lies below every axis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VariancePanel {
    /// Inputs, n.
    pub x: Vec<f64>,
    /// True standard deviation of the noise, n.
    pub noise: Vec<f64>,
    /// Root mean squared error of the mean, n.
    pub error: Vec<f64>,
    /// Stated aleatoric standard deviation, n, where there is one.
    pub aleatoric: Option<Vec<f64>>,
    /// Stated epistemic standard deviation, n, where there is one.
    pub epistemic: Option<Vec<f64>>,
}

impl Gather for keys::Variances {
    fn gather(&self, results: &Results, store: &Store) -> Result<Option<Figure>, EvidenceError> {
        let columns = collect(results, store)?;
        let roots = |values: Vec<f64>| values.into_iter().map(f64::sqrt).collect::<Vec<f64>>();
        let panel = |row: &Panel, dataset: &DatasetPanel| {
            let Column { x, replicates, .. } = find(&columns, row, &dataset.dataset)?;
            Some(VariancePanel {
                x: x.clone()?,
                noise: roots(replicates.noise.clone()),
                error: roots(replicates.squared_error()),
                aleatoric: replicates.drawn(VariancePart::Aleatoric).map(roots),
                epistemic: replicates.drawn(VariancePart::Epistemic).map(roots),
            })
        };
        // A smaller profile runs fewer datasets.
        let run = |dataset: &&DatasetPanel| {
            columns.iter().any(|column| column.series.dataset.key == dataset.dataset)
        };
        let datasets: Vec<&DatasetPanel> = self.datasets.iter().filter(run).collect();
        let drawn = self.rows.iter().map(|row| {
            let panels: Vec<_> = datasets.iter().map(|dataset| panel(row, dataset)).collect();
            (row.title.clone(), panels)
        });
        let rows: Vec<_> = drawn.filter(|(_, panels)| panels.iter().any(Option::is_some)).collect();
        let columns = datasets.iter().map(|dataset| dataset.title.clone()).collect();
        Ok((!rows.is_empty())
            .then(|| Figure::Variances(Variances { title: self.title.clone(), columns, rows })))
    }
}

/// The main column with the labels of a row, on a dataset.
pub(super) fn find<'c, 'a>(
    columns: &'c [Column<'a>],
    row: &Panel,
    dataset: &str,
) -> Option<&'c Column<'a>> {
    columns.iter().find(|column| column.series.is_column(&row.labels, Some(dataset)))
}
