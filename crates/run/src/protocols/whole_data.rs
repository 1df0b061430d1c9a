//! Fit all rows, and record predictions on a grid of one feature, for a figure.

use ndarray::{Array1, Array2};

use super::answers::{Fit, Observation, answers, check_answer};
use super::kind::{ProtocolKind, Usage, wrong_source};
use super::repetition::{Repetition, Rows, Source};
use uq_core::Table;
use uq_methods::side_tables::Grid;
use uq_methods::{FitError, SideTable};
use uqbench_data::splits::{Split, SplitError};

/// Points of the grid, from the smallest input to the largest.
const POINTS: usize = 200;

/// Every row is a training row and a test row, for figures. With one feature the method also
/// predicts on a grid, stored as the side table `grid@READING`. Scores are those of training rows.
pub struct WholeData;

impl ProtocolKind for WholeData {
    fn compares_methods(&self) -> bool {
        false
    }

    fn check(&self, _: &Usage) -> Result<(), String> {
        Ok(())
    }

    fn divide(&self, _: &Repetition, all: &Table) -> Result<Split, SplitError> {
        Ok(Split { train: (0..all.rows()).collect(), test: (0..all.rows()).collect() })
    }

    fn rows(&self, repetition: &Repetition, source: Source) -> Result<Rows, FitError> {
        let all = match source {
            Source::Table(table) => repetition.select(table),
            Source::Simulated(problem) => repetition.draw(problem).train,
            Source::Objective(_) => return Err(wrong_source()),
        };
        Ok(Rows { train: all.clone(), test: all.clone(), noise: None, truth: None, all })
    }

    fn observe(&self, fit: &Fit) -> Result<Observation, FitError> {
        let mut found = fit.at_test_rows()?;
        found.side_tables.extend(on_grid(fit)?);
        Ok(found)
    }
}

/// A [`Grid`] for each reading. Empty for several features. A reading without both variances has no
/// table.
///
/// # Errors
/// As [`Fitted::predict`].
fn on_grid(fit: &Fit) -> Result<Vec<SideTable>, FitError> {
    let (train, scaler) = (&fit.rows.train, fit.scaler);
    if train.columns() != 1 || train.rows() == 0 {
        return Ok(Vec::new());
    }
    let ends =
        |choose: fn(f64, f64) -> f64| train.features.iter().copied().reduce(choose).unwrap_or(0.0);
    let (low, high) = (ends(f64::min), ends(f64::max));
    let x = Array1::linspace(low, high, POINTS);
    let rows = Array2::from_shape_fn((POINTS, 1), |(i, _)| x[i]);
    let grid = scaler.apply(&Table::unnamed(rows, Array1::zeros(POINTS)));
    let answered =
        answers(fit.fitted, fit.readings, grid.features.view(), fit.request, fit.context)?;
    let (shift, scale) = scaler.target_back();
    let mut tables = Vec::new();
    for (reading, predictive) in fit.readings.iter().zip(&answered.predictives) {
        check_answer(reading, predictive, POINTS)?;
        let epistemic = predictive.split.as_ref().and_then(|split| split.epistemic.as_ref());
        let (Some(mean), Some(total), Some(epistemic)) =
            (predictive.means(), predictive.variances(), epistemic)
        else {
            continue;
        };
        let sd = |variance: &Array1<f64>| variance.mapv(|v| scale * v.sqrt()).to_vec();
        let predicted = Grid {
            x: x.to_vec(),
            mean: mean.mapv(|m| shift + scale * m).to_vec(),
            epistemic: sd(epistemic),
            total: sd(&total),
        };
        tables.push(predicted.to_table(Grid::of(reading.as_str())));
    }
    Ok(tables)
}

#[cfg(test)]
mod tests {
    use ndarray::{ArrayView2, array};

    use super::*;
    use crate::protocols::RowSubset;
    use uq_core::math::random::Streams;
    use uq_core::predictive::{self, Form, Gaussian, Predictive};
    use uq_core::scaling::{Scaler, Scaling};
    use uq_methods::{Context, Fitted, Reading, Request};

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
            let mut answer = Predictive::new(Form::Gaussian(Gaussian {
                mean: features.column(0).to_owned(),
                variance,
            }));
            let part = |value| Some(Array1::from_elem(n, value));
            answer.split = Some(predictive::Split { aleatoric: part(3.0), epistemic: part(1.0) });
            Ok(answer)
        }
    }

    #[test]
    fn the_grid_spans_the_rows_in_the_datas_units() {
        let train = Table::unnamed(array![[10.0], [14.0], [12.0]], array![0.0, 6.0, 3.0]);
        let scaler = Scaler::new(Scaling::TrainRows, &train, &train);
        let streams = Streams::new(1, "stub");
        let repetition = Repetition { dataset: "any", rows: RowSubset::All, split: 0, streams };
        let rows = WholeData.rows(&repetition, Source::Table(&train)).unwrap();
        let method = crate::registry::build("mock", &serde_json::Value::Null).unwrap();
        let fit = Fit {
            fitted: &Stub,
            method: method.as_ref(),
            readings: &[Reading::MAIN],
            repetition: &repetition,
            source: Source::Table(&train),
            rows: &rows,
            scaling: Scaling::TrainRows,
            scaler: &scaler,
            scaled_test: &scaler.apply(&rows.test),
            request: &Request::default(),
            context: &Context::new(streams),
            journal: None,
        };
        let tables = on_grid(&fit).unwrap();
        assert_eq!((tables.len(), tables[0].name.as_str()), (1, "grid@main"));
        let column = |name: &str| tables[0].column(name).unwrap();
        assert_eq!((column("x").len(), column("x")[0], column("x")[199]), (200, 10.0, 14.0));
        // The standardised feature read as the standardised target: 0 at 10, 6 at 14, and a
        // standard deviation of √6.
        let near = |found: f64, expected: f64| {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}")
        };
        near(column("mean")[0], 0.0);
        near(column("mean")[199], 6.0);
        near(column("epistemic")[7], 6.0_f64.sqrt());
        near(column("total")[7], 2.0 * 6.0_f64.sqrt());
    }
}
