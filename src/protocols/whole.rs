//! Record the predictions of a whole-data fit on a grid of one feature, for a figure.

use ndarray::{Array1, Array2};

use super::answers;
use crate::data::Table;
use crate::data::scaling::Scaler;
use crate::methods::{Context, FitError, Fitted, Reading, Request, SideTable};

/// Points of the grid, from the smallest input to the largest.
const POINTS: usize = 200;

/// The tables `grid@READING`: `x`, `mean`, and the standard deviations `epistemic` and `total` at each point of a grid,
/// all in the data's units. Empty for several features. A reading without both variances has no table.
///
/// # Errors
/// As [`Fitted::predict`].
pub(super) fn tables(
    fitted: &dyn Fitted,
    readings: &[Reading],
    (train, scaler): (&Table, &Scaler),
    request: &Request,
    context: &Context,
) -> Result<Vec<SideTable>, FitError> {
    if train.columns() != 1 || train.rows() == 0 {
        return Ok(Vec::new());
    }
    let ends = |choose: fn(f64, f64) -> f64| train.features.iter().copied().reduce(choose).unwrap_or(0.0);
    let (low, high) = (ends(f64::min), ends(f64::max));
    let x = Array1::linspace(low, high, POINTS);
    let rows = Array2::from_shape_fn((POINTS, 1), |(i, _)| x[i]);
    let grid = scaler.apply(&Table::unnamed(rows, Array1::zeros(POINTS)));
    let answered = answers::answers(fitted, readings, grid.features.view(), request, context)?;
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
        tables.push(SideTable {
            name: format!("grid@{reading}"),
            columns: columns.map(|(name, values)| (name.into(), values)).into(),
        });
    }
    Ok(tables)
}

#[cfg(test)]
mod tests {
    use ndarray::{ArrayView2, array};

    use super::*;
    use crate::data::scaling::Scaling;
    use crate::math::random::Streams;
    use crate::predictive::{Form, Gaussian, Predictive, Split};

    /// Predicts its feature, with variance 4, a quarter of it epistemic, in the fit's units.
    struct Stub;

    impl Fitted for Stub {
        fn predict(
            &self,
            _: &Reading,
            features: ArrayView2<f64>,
            _: &Request,
            _: &Context,
        ) -> Result<Predictive, FitError> {
            let n = features.nrows();
            let variance = Array1::from_elem(n, 4.0);
            let mut answer =
                Predictive::new(Form::Gaussian(Gaussian { mean: features.column(0).to_owned(), variance }));
            let part = |value| Some(Array1::from_elem(n, value));
            answer.split = Some(Split { aleatoric: part(3.0), epistemic: part(1.0) });
            Ok(answer)
        }
    }

    #[test]
    fn the_grid_spans_the_rows_in_the_datas_units() {
        let train = Table::unnamed(array![[10.0], [14.0], [12.0]], array![0.0, 6.0, 3.0]);
        let scaler = Scaler::new(Scaling::TrainRows, &train, &train);
        let context = Context::new(Streams::new(1, "stub"));
        let request = Request::default();
        let tables = tables(&Stub, &[Reading::MAIN], (&train, &scaler), &request, &context).unwrap();
        assert_eq!((tables.len(), tables[0].name.as_str()), (1, "grid@main"));
        let column = |name: &str| tables[0].column(name).unwrap();
        assert_eq!((column("x").len(), column("x")[0], column("x")[199]), (200, 10.0, 14.0));
        // The standardised feature read as the standardised target: 0 at 10, 6 at 14, and a standard deviation of √6.
        let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        near(column("mean")[0], 0.0);
        near(column("mean")[199], 6.0);
        near(column("epistemic")[7], 6.0_f64.sqrt());
        near(column("total")[7], 2.0 * 6.0_f64.sqrt());
    }
}
