//! Fit all rows of a table and predict rows whose target is unknown.

use ndarray::{Array1, Array2};

use super::answers::check_answer;
use super::units::in_target_units;
use crate::data::Table;
use crate::data::imputation::Imputation;
use crate::data::scaling::{Scaler, Scaling};
use crate::methods::{Context, FitError, Method, Reading, Request};
use crate::predictive::Predictive;

/// The prediction of a method's first reading at new rows, in the target's units, after a fit of all rows of `train`.
/// `features` has the table's columns. Missing features are filled in by the medians of `train`.
///
/// # Errors
/// [`FitError`] from the method, and [`FitError::Diverged`] where it returns an invalid distribution.
pub fn predict_new_rows(
    train: &Table,
    features: &Array2<f64>,
    scaling: Scaling,
    method: &dyn Method,
    request: &Request,
    context: &Context,
) -> Result<Predictive, FitError> {
    let rows = features.nrows();
    let mut train = train.clone();
    let mut new = Table { features: features.clone(), target: Array1::zeros(rows), ..train.select(&[]) };
    if let Some(imputation) = Imputation::of(&train.features, &new.features) {
        imputation.fill(&mut train.features);
        imputation.fill(&mut new.features);
    }
    let scaler = Scaler::new(scaling, &train, &train);
    let fitted = method.fit(&scaler.apply(&train), &context.child("fit", 0))?;
    let reading = method.readings().into_iter().next().unwrap_or(Reading::MAIN);
    let scaled = scaler.apply(&new);
    let predictive = fitted.predict(&reading, scaled.features.view(), request, &context.child("predict", 0))?;
    check_answer(&reading, &predictive, rows)?;
    in_target_units(&predictive, (method, &reading), &scaler, &train)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::random::Streams;
    use crate::methods::anchors::LinearGaussian;
    use ndarray::array;

    #[test]
    fn a_line_is_continued_in_the_targets_units() {
        let train = Table::unnamed(array![[0.0], [1.0], [2.0], [3.0]], array![1.0, 3.0, 5.0, 7.0]);
        let context = Context::new(Streams::new(1, "t"));
        let at = array![[10.0], [-1.0]];
        let answer =
            predict_new_rows(&train, &at, Scaling::TrainRows, &LinearGaussian, &Request::default(), &context).unwrap();
        let means = answer.means().unwrap();
        assert!((means[0] - 21.0).abs() < 1e-9 && (means[1] + 1.0).abs() < 1e-9, "{means}");
    }
}
