//! Take the predictions of a column's first finished repetition with one standard deviation on
//! either side: of one feature beside the training rows, or at the test rows in the order of their
//! outcomes.

use serde::{Deserialize, Serialize};

use super::Figure;
use super::gather::{Gather, band, each_panel};
use crate::evidence::EvidenceError;
use crate::evidence::results::{Results, Series};
use crate::evidence::trials::side_table;
use uq_methods::side_tables::Points;
use uqbench_run::benchmark::Panel;
use uqbench_run::benchmark::figures as keys;
use uqbench_run::runner::store::Store;

/// Mean ± one standard deviation, panels side by side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bands {
    /// Title of the figure.
    pub title: String,
    /// Panels, at most two in a row.
    pub panels: Vec<BandPanel>,
}

/// Predictions at n points, in the target's units.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BandPanel {
    /// Title of the panel; may be empty.
    pub title: String,
    /// Label of the horizontal axis, with its unit.
    pub x_label: String,
    /// Label of the vertical axis, with its unit.
    pub y_label: String,
    /// Places of the predictions, n; in any order.
    pub x: Vec<f64>,
    /// Predictive means, n.
    pub mean: Vec<f64>,
    /// Predictive standard deviations, n; not negative.
    pub sd: Vec<f64>,
    /// True for a curve in a filled band; false for test points (sorted by outcome, say) with error
    /// bars.
    pub connected: bool,
    /// The true function at `x`, n; drawn as a curve, so only for connected panels.
    pub truth: Option<Vec<f64>>,
    /// Coordinates of observations: the training points of a curve, the outcomes of test points.
    pub observed: Option<(Vec<f64>, Vec<f64>)>,
}

impl Gather for keys::CurveBand {
    fn gather(&self, results: &Results, store: &Store) -> Result<Option<Figure>, EvidenceError> {
        let panels =
            each_panel(&self.panels, results, |panel, series| curve_band(panel, series, store))?;
        Ok((!panels.is_empty()).then(|| Figure::Bands(Bands { title: self.title.clone(), panels })))
    }
}

fn curve_band(
    panel: &Panel,
    series: &Series,
    store: &Store,
) -> Result<Option<BandPanel>, EvidenceError> {
    let (Some(band), Some(result)) = (band(series, store)?, series.first_finished()) else {
        return Ok(None);
    };
    let Some(x) = band.x else { return Ok(None) };
    let training =
        side_table(result, Points::TRAINING, store)?.as_ref().and_then(Points::from_table);
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

impl Gather for keys::TestBand {
    fn gather(&self, results: &Results, store: &Store) -> Result<Option<Figure>, EvidenceError> {
        let panels = each_panel(&self.panels, results, |panel, series| {
            test_band(panel, series, &self.y_label, store)
        })?;
        Ok((!panels.is_empty()).then(|| Figure::Bands(Bands { title: self.title.clone(), panels })))
    }
}

fn test_band(
    panel: &Panel,
    series: &Series,
    y_label: &str,
    store: &Store,
) -> Result<Option<BandPanel>, EvidenceError> {
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
