//! Take what a Gaussian process of one feature believes, and its hyper-functions, from the first repetition of a column.

use super::{DrawingError, artefact, decode, hyper_curves, prediction};
use crate::benchmark::Panel;
use crate::data::simulated::{HyperFunctions as Truth, Simulated};
use crate::methods::Artefact;
use crate::plot::{HyperCurve, HyperPanel};
use crate::report::results::Series;
use crate::runner::record::TrialResult;
use crate::runner::store::Store;

/// One fit; `None` where no repetition is finished, or it has no feature of its own or no split of its variance.
pub(super) fn panel(panel: &Panel, series: &Series, store: &Store) -> Result<Option<HyperPanel>, DrawingError> {
    let Some(result) = series.first_finished() else { return Ok(None) };
    let reading = &series.column.reading;
    let rows = |table: Option<Artefact>| -> Option<(Vec<f64>, Vec<f64>)> {
        let table = table?;
        Some((table.column("x")?.to_vec(), table.column("y")?.to_vec()))
    };
    let Some(training) = rows(artefact(result, "training", store)?) else { return Ok(None) };
    let added = rows(artefact(result, &format!("acquired@{reading}"), store)?);
    let Some(belief) = belief(result, series, store)? else { return Ok(None) };
    let truth = Simulated::get(&series.dataset.key);
    // What was learnt from the first rows alone would say nothing of those that were added.
    let functions = if added.is_none() { hyper_curves(result, truth, store)? } else { Vec::new() };
    Ok(Some(HyperPanel {
        title: panel.title.clone(),
        x: belief.x,
        mean: belief.mean,
        epistemic: belief.epistemic,
        total: belief.total,
        truth: belief.truth,
        training,
        added,
        functions,
        functions_label: "Hyper-functions".into(),
    }))
}

/// Predictions by x.
struct Belief {
    x: Vec<f64>,
    mean: Vec<f64>,
    epistemic: Vec<f64>,
    total: Vec<f64>,
    truth: Option<Vec<f64>>,
}

/// From the grid that the protocol recorded, or else from the test rows.
fn belief(result: &TrialResult, series: &Series, store: &Store) -> Result<Option<Belief>, DrawingError> {
    let reading = &series.column.reading;
    if let Some(grid) = artefact(result, &format!("grid@{reading}"), store)? {
        let column = |name: &str| grid.column(name).map(<[f64]>::to_vec);
        let (Some(x), Some(mean)) = (column("x"), column("mean")) else { return Ok(None) };
        let (Some(epistemic), Some(total)) = (column("epistemic"), column("total")) else { return Ok(None) };
        return Ok(Some(Belief { x, mean, epistemic, total, truth: None }));
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
    Ok(Some(Belief {
        x: by_x(&|i| x[i]),
        mean: by_x(&|i| mean[i]),
        epistemic: by_x(&|i| epistemic[i].sqrt()),
        total: by_x(&|i| total[i].sqrt()),
        truth: decoded.facts.truth.as_ref().map(|truth| by_x(&|i| truth[i])),
    }))
}

/// A column of the table, its name in the legend, and the true function.
type Named = (&'static str, &'static str, fn(Truth) -> f64);

/// Length scale, signal and noise, with the truth where the problem knows it.
pub(super) fn curves(table: &Artefact, truth: Option<&Simulated>) -> Vec<HyperCurve> {
    let Some(x) = table.column("x1").map(<[f64]>::to_vec) else { return Vec::new() };
    let names: [Named; 3] = [
        ("length_scale_1", "length scale ℓ", |truth| truth.length_scale),
        ("signal", "signal σ", |truth| truth.signal),
        ("noise", "noise ω (standard deviation)", |truth| truth.noise),
    ];
    let curve = |(column, name, of): Named| {
        let truth = x.iter().map(|&x| truth?.hyper_functions(x).map(of)).collect();
        Some(HyperCurve { name: name.into(), x: x.clone(), value: table.column(column)?.to_vec(), truth })
    };
    names.into_iter().filter_map(curve).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_stand_beside_the_truth_where_it_is_known() {
        let column = |name: &str, value: f64| (name.to_owned(), vec![value, 2.0 * value]);
        let columns =
            vec![column("x1", 1.0), column("length_scale_1", 3.0), column("signal", 4.0), column("noise", 5.0)];
        let table = Artefact { name: "hyper-functions".into(), columns };
        let found = curves(&table, Simulated::get("simulated:synth-1d"));
        assert_eq!(found.iter().map(|c| c.value[1]).collect::<Vec<_>>(), [6.0, 8.0, 10.0]);
        let expected = 0.5 * (1.0_f64 / 8.0).sin() + 1.5;
        assert_eq!(found[0].truth.as_ref().map(|t| t[0]), Some(expected));
        assert!(curves(&table, Simulated::get("simulated:step")).iter().all(|c| c.truth.is_none()));
        let none = Artefact { name: "hyper-functions".into(), columns: Vec::new() };
        assert!(curves(&none, None).is_empty());
    }
}
