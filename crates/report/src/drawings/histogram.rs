//! Pool one column of a side table over the repetitions of a column.

use super::gather::{DrawingError, Gather, each_panel};
use crate::plot::{Drawing, HistogramPanel, Histograms};
use uqbench_judge::evidence::results::{Results, Series};
use uqbench_judge::evidence::trials::side_table;
use uqbench_run::benchmark::Panel;
use uqbench_run::benchmark::figures::Histogram;
use uqbench_run::runner::store::Store;

impl Gather for Histogram {
    fn gather(&self, results: &Results, store: &Store) -> Result<Option<Drawing>, DrawingError> {
        let (name, column) = &self.side_table;
        let panels = each_panel(&self.panels, results, |panel, series| histogram(panel, series, name, column, store))?;
        let drawing = Histograms { title: self.title.clone(), x_label: self.x_label.clone(), panels };
        Ok((!drawing.panels.is_empty()).then(|| Box::new(drawing) as Drawing))
    }
}

fn histogram(
    panel: &Panel,
    series: &Series,
    name: &str,
    column: &str,
    store: &Store,
) -> Result<Option<HistogramPanel>, DrawingError> {
    let mut values = Vec::new();
    for result in series.finished() {
        let found = side_table(result, name, store)?;
        values.extend(found.iter().filter_map(|a| a.column(column)).flatten().copied());
    }
    Ok((!values.is_empty()).then(|| HistogramPanel { title: panel.title.clone(), values }))
}
