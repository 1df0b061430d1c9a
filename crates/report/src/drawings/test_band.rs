//! Take the predictions at the test rows of a column's first finished repetition, in the order of their outcomes.

use super::gather::{DrawingError, Gather, band, each_panel};
use crate::plot::{BandPanel, Bands, Drawing};
use uqbench_judge::evidence::results::{Results, Series};
use uqbench_run::benchmark::Panel;
use uqbench_run::benchmark::figures::TestBand;
use uqbench_run::runner::store::Store;

impl Gather for TestBand {
    fn gather(&self, results: &Results, store: &Store) -> Result<Option<Drawing>, DrawingError> {
        let panels = each_panel(&self.panels, results, |panel, series| test_band(panel, series, &self.y_label, store))?;
        Ok((!panels.is_empty()).then(|| Box::new(Bands { title: self.title.clone(), panels }) as Drawing))
    }
}

fn test_band(panel: &Panel, series: &Series, y_label: &str, store: &Store) -> Result<Option<BandPanel>, DrawingError> {
    let Some(band) = band(series, store)? else { return Ok(None) };
    let mut order: Vec<usize> = (0..band.y.len()).collect();
    order.sort_by(|&a, &b| band.y[a].total_cmp(&band.y[b]));
    let sorted = |values: &[f64]| order.iter().map(|&i| values[i]).collect::<Vec<_>>();
    let x: Vec<f64> = (1..=order.len()).map(|i| i as f64).collect();
    Ok(Some(BandPanel {
        title: panel.title.clone(),
        x_label: "Test row, in the order of its target".into(),
        y_label: y_label.into(),
        mean: sorted(&band.mean),
        sd: sorted(&band.sd),
        connected: false,
        truth: None,
        observed: Some((x.clone(), sorted(&band.y))),
        x,
    }))
}
