//! Convert a prediction from the units of the fit to those of the target.

use uq_core::predictive::Predictive;
use uq_core::scaling::Scaler;
use uq_methods::{FitError, Method, Reading};

/// The prediction in the target's units. Where the method predicts targets of its training rows,
/// they are those of `outcomes` to the last digit: the targets of the fit's rows, and maybe others,
/// in their units.
///
/// # Errors
/// [`FitError::Diverged`] where a number is not finite in the target's units.
pub(super) fn in_target_units(
    predictive: &Predictive,
    method: &dyn Method,
    reading: &Reading,
    scaler: &Scaler,
    outcomes: &[f64],
) -> Result<Predictive, FitError> {
    let (shift, scale) = scaler.target_back();
    let back = predictive
        .affine(shift, scale)
        .map_err(|error| FitError::Diverged(format!("reading {reading}: {error}")))?;
    if method.facts().predicts_targets { Ok(back.on_outcomes(outcomes)) } else { Ok(back) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry;
    use ndarray::{Array1, Array2};
    use serde_json::{Value, json};
    use uq_core::Table;
    use uq_core::math::random::Streams;
    use uq_core::scaling::Scaling;
    use uq_methods::anchors::{UnconditionalGaussian, UnconditionalQuantiles};
    use uq_methods::{Context, Request};

    /// At these levels numpy's quantiles of 201 rows are rows.
    fn levels() -> Vec<f64> {
        (1..200).map(|i| f64::from(i) / 200.0).collect()
    }

    /// Targets of which some do not survive standardisation and back.
    fn rounded() -> Table {
        let target: Array1<f64> = (0..201).map(|i| f64::from(i) * 0.1 - 7.3).collect();
        Table::unnamed(Array2::zeros((201, 1)), target)
    }

    /// A prediction in the target's units by the shift and scale alone, and by what is tested.
    fn converted(method: &dyn Method) -> (Predictive, Predictive) {
        let train = rounded();
        let scaler = Scaler::new(Scaling::TrainRows, &train, &train);
        let context = Context::new(Streams::new(1, "t"));
        let request = Request { quantile_levels: levels(), ..Request::default() };
        let fitted = method.fit(&scaler.apply(&train), &context).unwrap();
        let scaled = fitted
            .predict(&Reading::MAIN, Array2::zeros((1, 1)).view(), &request, &context)
            .unwrap();
        let (shift, scale) = scaler.target_back();
        let found =
            in_target_units(&scaled, method, &Reading::MAIN, &scaler, &train.target.to_vec())
                .unwrap();
        (scaled.affine(shift, scale).unwrap(), found)
    }

    #[test]
    fn quantiles_of_targets_are_targets_after_scaling_and_back() {
        let (moved, found) = converted(&UnconditionalQuantiles::default());
        let targets = rounded().target;
        let others = |predictive: &Predictive| {
            let quantile = |level: &f64| predictive.distribution().quantile(0, *level);
            levels()
                .iter()
                .filter(|level| !targets.iter().any(|y| Some(*y) == quantile(level)))
                .count()
        };
        assert!(others(&moved) > 0, "rounding moves some");
        assert_eq!(others(&found), 0);
    }

    /// More than half of the targets are zero, which standardisation and back makes 2e-16: without
    /// the last step intervals that begin at zero would miss every zero.
    #[test]
    fn an_interval_that_begins_at_a_frequent_target_contains_it() {
        let target: Array1<f64> =
            (0..199).map(|i| if i % 5 < 3 { 0.0 } else { f64::from(i * 7 % 11) }).collect();
        let train = Table::unnamed(Array2::zeros((199, 1)), target);
        let scaler = Scaler::new(Scaling::TrainRows, &train, &train);
        let (scaled, (shift, scale)) = (scaler.apply(&train), scaler.target_back());
        let request = Request { quantile_levels: vec![0.05, 0.95], ..Request::default() };
        let forest = json!({ "id": "quantile-forest" });
        for (id, parameters) in [
            ("quantile-forest", Value::Null),
            ("boosting-quantiles", Value::Null),
            ("conformalised-quantiles", json!({ "method": forest })),
            ("adaptive-conformal", json!({ "method": forest })),
            ("stack", json!({ "methods": [forest] })),
            ("stack", json!({ "methods": [{ "id": "boosting-quantiles" }, forest] })),
        ] {
            let method = registry::build(id, &parameters).unwrap();
            let context = Context::new(Streams::new(1, "t"));
            let fitted = method.fit(&scaled, &context).unwrap();
            let reading = &method.readings()[0];
            let found =
                fitted.predict(reading, scaled.features.view(), &request, &context).unwrap();
            let begins = |of: Predictive| of.interval(0, 0.9).unwrap().0;
            let moved = begins(found.affine(shift, scale).unwrap());
            assert!(
                moved > 0.0 && moved < 1e-12,
                "{id} {parameters}: rounding moves zero to {moved:e}"
            );
            let found = in_target_units(&found, &*method, reading, &scaler, &train.target.to_vec())
                .unwrap();
            assert_eq!(begins(found), 0.0, "{id} {parameters}");
        }
    }

    #[test]
    fn other_methods_are_converted_alone() {
        let (moved, found) = converted(&UnconditionalGaussian::default());
        assert_eq!(moved, found);
    }
}
