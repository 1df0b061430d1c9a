//! Take the predictions of a Gaussian process of one feature, and its hyper-functions, from the first repetition of a
//! column.

use super::gather::{DrawingError, Gather, each_panel};
use crate::plot::{self, Drawing, HyperPanel};
use uq_methods::side_tables::{Grid, Points};
use uqbench_data::simulated::Simulated;
use uqbench_judge::evidence::hyper_functions::hyper_curves;
use uqbench_judge::evidence::results::{Results, Series};
use uqbench_judge::evidence::trials::{decode, prediction, side_table};
use uqbench_run::benchmark::Panel;
use uqbench_run::benchmark::figures::HyperFunctions;
use uqbench_run::runner::record::TrialResult;
use uqbench_run::runner::store::Store;

impl Gather for HyperFunctions {
    fn gather(&self, results: &Results, store: &Store) -> Result<Option<Drawing>, DrawingError> {
        let panels = each_panel(&self.panels, results, |panel, series| one_fit(panel, series, store))?;
        let title = self.title.clone();
        Ok((!panels.is_empty()).then(|| Box::new(plot::HyperFunctions { title, panels }) as Drawing))
    }
}

/// One fit; `None` where no repetition is finished, or it has no feature of its own or no split of its variance.
fn one_fit(panel: &Panel, series: &Series, store: &Store) -> Result<Option<HyperPanel>, DrawingError> {
    let Some(result) = series.first_finished() else { return Ok(None) };
    let reading = &series.column.reading;
    let rows = |name: &str| side_table(result, name, store).map(|table| table.as_ref().and_then(Points::from_table));
    let Some(training) = rows(Points::TRAINING)? else { return Ok(None) };
    let added = rows(&Points::acquired(reading.as_str()))?;
    let Some(Belief { grid, truth: known }) = belief(result, series, store)? else { return Ok(None) };
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
fn belief(result: &TrialResult, series: &Series, store: &Store) -> Result<Option<Belief>, DrawingError> {
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
