//! Record what a fit of every row believes between the rows: a grid of one feature, for a figure.

use ndarray::{Array1, Array2};

use super::answers;
use crate::data::Table;
use crate::data::scaling::Scaler;
use crate::methods::{Artefact, Ask, Context, FitError, Fitted, Reading};

/// Points of the grid, from the smallest input to the largest.
const POINTS: usize = 200;

/// The tables `grid@READING`: `x`, `mean`, and the standard deviations `epistemic` and `total` at each point of a grid, all in the
/// data's units. Nothing for several features, and no table of a reading without both variances.
///
/// # Errors
/// As [`Fitted::predict`].
pub(super) fn tables(
    fitted: &dyn Fitted,
    readings: &[Reading],
    (train, scaler): (&Table, &Scaler),
    ask: &Ask,
    context: &Context,
) -> Result<Vec<Artefact>, FitError> {
    if train.columns() != 1 || train.rows() == 0 {
        return Ok(Vec::new());
    }
    let ends = |choose: fn(f64, f64) -> f64| train.features.iter().copied().reduce(choose).unwrap_or(0.0);
    let (low, high) = (ends(f64::min), ends(f64::max));
    let x = Array1::linspace(low, high, POINTS);
    let rows = Array2::from_shape_fn((POINTS, 1), |(i, _)| x[i]);
    let grid = scaler.apply(&Table::unnamed(rows, Array1::zeros(POINTS)));
    let answered = answers::answers(fitted, readings, grid.features.view(), ask, context)?;
    let (shift, scale) = scaler.target_back();
    let mut tables = Vec::new();
    for (reading, predictive) in readings.iter().zip(&answered.predictives) {
        super::check_answer(reading, predictive, POINTS)?;
        let epistemic = predictive.split.as_ref().and_then(|split| split.epistemic.as_ref());
        let (Some(mean), Some(total), Some(epistemic)) = (predictive.means(), predictive.variances(), epistemic) else {
            continue;
        };
        let sd = |variance: &Array1<f64>| variance.mapv(|v| scale * v.sqrt()).to_vec();
        let columns = [
            ("x", x.to_vec()),
            ("mean", mean.mapv(|m| shift + scale * m).to_vec()),
            ("epistemic", sd(epistemic)),
            ("total", sd(&total)),
        ];
        tables.push(Artefact {
            name: format!("grid@{reading}"),
            columns: columns.map(|(name, values)| (name.into(), values)).into(),
        });
    }
    Ok(tables)
}
