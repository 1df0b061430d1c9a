//! Pair stated variances with the true ones.

use super::gather::{DrawingError, Gather};
use crate::plot::{self, Drawing, VariancePanel};
use uq_core::metrics::VariancePart;
use uqbench_judge::evidence::decomposition::{Column, collect};
use uqbench_judge::evidence::results::Results;
use uqbench_run::benchmark::Panel;
use uqbench_run::benchmark::figures::{DatasetPanel, Variances};
use uqbench_run::runner::store::Store;

impl Gather for Variances {
    fn gather(&self, results: &Results, store: &Store) -> Result<Option<Drawing>, DrawingError> {
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
        let run = |dataset: &&DatasetPanel| columns.iter().any(|column| column.series.dataset.key == dataset.dataset);
        let datasets: Vec<&DatasetPanel> = self.datasets.iter().filter(run).collect();
        let drawn = self.rows.iter().map(|row| {
            let panels: Vec<_> = datasets.iter().map(|dataset| panel(row, dataset)).collect();
            (row.title.clone(), panels)
        });
        let rows: Vec<_> = drawn.filter(|(_, panels)| panels.iter().any(Option::is_some)).collect();
        let columns = datasets.iter().map(|dataset| dataset.title.clone()).collect();
        Ok((!rows.is_empty())
            .then(|| Box::new(plot::Variances { title: self.title.clone(), columns, rows }) as Drawing))
    }
}

/// The main column with the labels of a row, on a dataset.
pub(super) fn find<'c, 'a>(columns: &'c [Column<'a>], row: &Panel, dataset: &str) -> Option<&'c Column<'a>> {
    columns.iter().find(|column| column.series.is_column(&row.labels, Some(dataset)))
}
