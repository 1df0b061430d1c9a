//! Take the predictions of a Gaussian process of one feature, and its hyper-functions, from the
//! first repetition of a column.

use serde::{Deserialize, Serialize};

use super::Figure;
use super::gather::{Gather, each_panel};
use crate::evidence::EvidenceError;
use crate::evidence::hyper_functions::{HyperCurve, hyper_curves};
use crate::evidence::results::{Results, Series};
use crate::evidence::trials::{decode, prediction, side_table};
use uq_methods::side_tables::{Grid, Points};
use uqbench_data::simulated::Simulated;
use uqbench_run::benchmark::Panel;
use uqbench_run::benchmark::figures as keys;
use uqbench_run::runner::record::TrialResult;
use uqbench_run::runner::store::Store;

/// Fits, side by side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HyperFunctions {
    /// Title of the figure.
    pub title: String,
    /// Fits, at most two in a row.
    pub panels: Vec<HyperPanel>,
}

/// One fit: n points, in the order of x.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HyperPanel {
    /// Title of the panel.
    pub title: String,
    /// Places of the predictions, n.
    pub x: Vec<f64>,
    /// Predictive means, n.
    pub mean: Vec<f64>,
    /// Standard deviations of f, n.
    pub epistemic: Vec<f64>,
    /// Standard deviations of y, n.
    pub total: Vec<f64>,
    /// The noise-free truth, n, where it is known.
    pub truth: Option<Vec<f64>>,
    /// Coordinates of the training rows.
    pub training: (Vec<f64>, Vec<f64>),
    /// Coordinates of rows that were added, where some were.
    pub added: Option<(Vec<f64>, Vec<f64>)>,
    /// The curves below; none leaves the lower panel out.
    pub functions: Vec<HyperCurve>,
    /// Label of their axis.
    pub functions_label: String,
}

impl Gather for keys::HyperFunctions {
    fn gather(&self, results: &Results, store: &Store) -> Result<Option<Figure>, EvidenceError> {
        let panels =
            each_panel(&self.panels, results, |panel, series| one_fit(panel, series, store))?;
        let title = self.title.clone();
        Ok((!panels.is_empty()).then_some(Figure::HyperFunctions(HyperFunctions { title, panels })))
    }
}

/// One fit; `None` where no repetition is finished, or it has no feature of its own or no split of
/// its variance.
fn one_fit(
    panel: &Panel,
    series: &Series,
    store: &Store,
) -> Result<Option<HyperPanel>, EvidenceError> {
    let Some(result) = series.first_finished() else { return Ok(None) };
    let reading = &series.column.reading;
    let rows = |name: &str| {
        side_table(result, name, store).map(|table| table.as_ref().and_then(Points::from_table))
    };
    let Some(training) = rows(Points::TRAINING)? else { return Ok(None) };
    let added = rows(&Points::acquired(reading.as_str()))?;
    let Some(Belief { grid, truth: known }) = belief(result, series, store)? else {
        return Ok(None);
    };
    let truth = Simulated::get(&series.dataset.key);
    // Hyper-functions of the first rows would not describe a fit of all rows.
    let functions = if added.is_none() { hyper_curves(result, truth, store)? } else { Vec::new() };
    Ok(Some(HyperPanel {
        title: panel.title.clone(),
        x: grid.x,
        mean: grid.mean,
        epistemic: grid.epistemic,
        total: grid.total,
        truth: known,
        training: (training.x, training.y),
        added: added.map(|points| (points.x, points.y)),
        functions,
        functions_label: "Hyper-functions".into(),
    }))
}

/// Predictions by x.
struct Belief {
    grid: Grid,
    truth: Option<Vec<f64>>,
}

/// From the grid that the protocol recorded, or else from the test rows.
fn belief(
    result: &TrialResult,
    series: &Series,
    store: &Store,
) -> Result<Option<Belief>, EvidenceError> {
    let reading = &series.column.reading;
    if let Some(table) = side_table(result, &Grid::of(reading.as_str()), store)? {
        return Ok(Grid::from_table(&table).map(|grid| Belief { grid, truth: None }));
    }
    let decoded = decode(result, store)?;
    let predictive = prediction(&decoded, reading, result)?;
    let epistemic = predictive.split.as_ref().and_then(|split| split.epistemic.as_ref());
    let (Some(x), Some(mean), Some(total), Some(epistemic)) =
        (decoded.x.as_ref(), predictive.means(), predictive.variances(), epistemic)
    else {
        return Ok(None);
    };
    let mut order: Vec<usize> = (0..x.len()).collect();
    order.sort_by(|&a, &b| x[a].total_cmp(&x[b]));
    let by_x = |value: &dyn Fn(usize) -> f64| order.iter().map(|&i| value(i)).collect::<Vec<f64>>();
    let grid = Grid {
        x: by_x(&|i| x[i]),
        mean: by_x(&|i| mean[i]),
        epistemic: by_x(&|i| epistemic[i].sqrt()),
        total: by_x(&|i| total[i].sqrt()),
    };
    let truth = decoded.facts.truth.as_ref().map(|truth| by_x(&|i| truth[i]));
    Ok(Some(Belief { grid, truth }))
}
