//! Take the predictions of one feature, and the training rows, of a column's first finished repetition.

use super::gather::{DrawingError, Gather, band, each_panel};
use crate::plot::{BandPanel, Bands, Drawing};
use uq_methods::side_tables::Points;
use uqbench_judge::evidence::results::{Results, Series};
use uqbench_judge::evidence::trials::side_table;
use uqbench_run::benchmark::Panel;
use uqbench_run::benchmark::figures::CurveBand;
use uqbench_run::runner::store::Store;

impl Gather for CurveBand {
    fn gather(&self, results: &Results, store: &Store) -> Result<Option<Drawing>, DrawingError> {
        let panels = each_panel(&self.panels, results, |panel, series| curve_band(panel, series, store))?;
        Ok((!panels.is_empty()).then(|| Box::new(Bands { title: self.title.clone(), panels }) as Drawing))
    }
}

fn curve_band(panel: &Panel, series: &Series, store: &Store) -> Result<Option<BandPanel>, DrawingError> {
    let (Some(band), Some(result)) = (band(series, store)?, series.first_finished()) else { return Ok(None) };
    let Some(x) = band.x else { return Ok(None) };
    let training = side_table(result, Points::TRAINING, store)?.as_ref().and_then(Points::from_table);
    Ok(Some(BandPanel {
        title: panel.title.clone(),
        x_label: "x".into(),
        y_label: "y".into(),
        x,
        mean: band.mean,
        sd: band.sd,
        connected: true,
        truth: band.truth,
        observed: training.map(|Points { x, y }| (x, y)),
    }))
}
