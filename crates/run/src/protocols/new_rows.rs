//! Fit all rows of a table, and predict rows whose target is unknown: at once, or later from what
//! was kept of the fit.

use ndarray::{Array1, Array2};
use serde::{Deserialize, Serialize};

use super::answers::check_answer;
use super::fit_tables::FitTables;
use super::units::in_target_units;
use uq_core::Table;
use uq_core::predictive::Predictive;
use uq_core::scaling::{Scaler, Scaling};
use uq_methods::{Context, FitError, Fitted, Method, Reading, Request, StateError};
use uqbench_data::imputation::Imputation;

/// A fit of all rows of a table, and what new rows and their predictions need besides it.
pub struct WholeFit {
    fitted: Box<dyn Fitted>,
    columns: Columns,
}

/// How the columns of new rows become those of the fit, and its predictions the target's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Columns {
    imputation: Imputation,
    scaler: Scaler,
    /// The targets of the rows, where predictions are put on them, each once.
    outcomes: Vec<f64>,
}

/// What is kept of a fit of all rows: neither their features nor, but where predictions are put on
/// them, their targets, except for what the method itself consists of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeptFit {
    columns: Columns,
    /// The method's own state.
    state: Vec<u8>,
}

impl KeptFit {
    /// Number of features.
    pub fn columns(&self) -> usize {
        self.columns.scaler.columns()
    }

    /// Checks what was read: all its parts have the same number of features.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn check(&self) -> Result<(), String> {
        self.columns.scaler.check()?;
        let (found, expected) = (self.columns.imputation.columns(), self.columns.scaler.columns());
        if found == expected {
            Ok(())
        } else {
            Err(format!("medians of {found} features, expected {expected}"))
        }
    }
}

impl WholeFit {
    /// The fit of all rows of `train` in the child context `("fit", 0)`. Missing features that the
    /// method does not take are filled in by the medians of `train`.
    ///
    /// # Errors
    /// [`FitError`] from the method.
    pub fn new(
        train: &Table,
        scaling: Scaling,
        method: &dyn Method,
        context: &Context,
    ) -> Result<Self, FitError> {
        let mut train = train.clone();
        let imputation = Imputation::by(&train.features, method.facts().takes_missing);
        imputation.fill(&mut train.features);
        let scaler = Scaler::new(scaling, &train, &train);
        let fitted = method.fit(&scaler.apply(&train), &context.child("fit", 0))?;
        let mut outcomes =
            if method.facts().predicts_targets { train.target.to_vec() } else { Vec::new() };
        outcomes.sort_unstable_by(f64::total_cmp);
        outcomes.dedup();
        Ok(Self { fitted, columns: Columns { imputation, scaler, outcomes } })
    }

    /// What has to be kept of it.
    ///
    /// # Errors
    /// [`StateError`] where the method keeps no state.
    pub fn kept(&self) -> Result<KeptFit, StateError> {
        Ok(KeptFit { columns: self.columns.clone(), state: self.fitted.state()? })
    }

    /// The fit that was kept, by the method that has made it.
    ///
    /// # Errors
    /// [`StateError`] for a state that the method has not written.
    pub fn restored(kept: &KeptFit, method: &dyn Method) -> Result<Self, StateError> {
        Ok(Self { fitted: method.restore(&kept.state)?, columns: kept.columns.clone() })
    }

    /// What the fit says of itself.
    pub fn tables(&self) -> FitTables {
        FitTables::of(&*self.fitted)
    }

    /// The prediction of the first reading of its method at new rows (m × d, the table's columns),
    /// in the target's units, in the child context `("predict", 0)`.
    ///
    /// # Errors
    /// [`FitError`] from the fit, and [`FitError::Diverged`] where it returns an invalid
    /// distribution.
    pub fn predict(
        &self,
        features: &Array2<f64>,
        method: &dyn Method,
        request: &Request,
        context: &Context,
    ) -> Result<Predictive, FitError> {
        let Columns { imputation, scaler, outcomes } = &self.columns;
        let rows = features.nrows();
        let mut new = Table::unnamed(features.clone(), Array1::zeros(rows));
        imputation.fill(&mut new.features);
        let reading = method.readings().into_iter().next().unwrap_or(Reading::MAIN);
        let scaled = scaler.apply(&new);
        let predictive = self.fitted.predict(
            &reading,
            scaled.features.view(),
            request,
            &context.child("predict", 0),
        )?;
        check_answer(&reading, &predictive, rows)?;
        in_target_units(&predictive, method, &reading, scaler, outcomes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry;
    use ndarray::array;
    use serde_json::json;
    use uq_core::math::random::Streams;
    use uq_methods::anchors::{LinearGaussian, UnconditionalQuantiles};

    #[test]
    fn a_line_is_continued_in_the_targets_units() {
        let train = Table::unnamed(array![[0.0], [1.0], [2.0], [3.0]], array![1.0, 3.0, 5.0, 7.0]);
        let context = Context::new(Streams::new(1, "t"));
        let fit = WholeFit::new(&train, Scaling::TrainRows, &LinearGaussian::default(), &context)
            .unwrap();
        let answer = fit
            .predict(
                &array![[10.0], [-1.0]],
                &LinearGaussian::default(),
                &Request::default(),
                &context,
            )
            .unwrap();
        let means = answer.means().unwrap();
        assert!((means[0] - 21.0).abs() < 1e-9 && (means[1] + 1.0).abs() < 1e-9, "{means}");
    }

    #[test]
    fn what_is_kept_predicts_the_same_and_has_targets_only_where_they_are_predicted() {
        let features = array![[0.5, f64::NAN], [1.0, 2.0], [2.0, -1.0], [3.0, 0.0], [4.0, 9.0]];
        let train = Table::unnamed(features, array![1.0, 3.5, 5.0, 7.0, 5.0]);
        let at = array![[f64::NAN, 1.0], [2.0, 3.0]];
        let context = Context::new(Streams::new(1, "t"));
        for (method, outcomes) in [
            (&LinearGaussian::default() as &dyn Method, vec![]),
            (&UnconditionalQuantiles::default(), vec![1.0, 3.5, 5.0, 7.0]),
        ] {
            let fit = WholeFit::new(&train, Scaling::TrainRows, method, &context).unwrap();
            let kept = fit.kept().unwrap();
            assert_eq!(
                (kept.check(), kept.columns(), &kept.columns.outcomes),
                (Ok(()), 2, &outcomes)
            );
            let again = WholeFit::restored(&kept, method).unwrap();
            let of =
                |fit: &WholeFit| fit.predict(&at, method, &Request::default(), &context).unwrap();
            assert_eq!(of(&again), of(&fit));
        }
        let fit = WholeFit::new(&train, Scaling::TrainRows, &LinearGaussian::default(), &context)
            .unwrap()
            .kept()
            .unwrap();
        let one = Imputation::by(&array![[1.0]], false);
        let other = KeptFit { columns: Columns { imputation: one, ..fit.columns.clone() }, ..fit };
        assert_eq!(other.check(), Err("medians of 1 features, expected 2".into()));
    }

    /// The feature is missing in every other row, and the target is 10 higher there.
    #[test]
    fn boosted_trees_learn_from_what_is_missing_and_other_methods_get_the_median() {
        let features =
            Array2::from_shape_fn(
                (200, 1),
                |(i, _)| if i % 2 == 0 { f64::NAN } else { (i % 7) as f64 },
            );
        let train = Table::unnamed(
            features,
            Array1::from_shape_fn(200, |i| if i % 2 == 0 { 10.0 } else { 0.0 }),
        );
        let context = Context::new(Streams::new(1, "t"));
        let at = |method: &dyn Method| {
            let fit = WholeFit::new(&train, Scaling::TrainRows, method, &context).unwrap();
            let kept = WholeFit::restored(&fit.kept().unwrap(), method).unwrap();
            let of = |fit: &WholeFit| {
                let new = array![[f64::NAN], [3.0]];
                fit.predict(&new, method, &Request::default(), &context)
                    .unwrap()
                    .distribution()
                    .quantiles(0.5)
                    .unwrap()
            };
            assert_eq!(of(&fit), of(&kept));
            of(&fit)
        };
        let build = |id: &str, parameters| registry::build(id, &parameters).unwrap();
        let boosted = at(&*build("boosting-quantiles", json!({})));
        assert!((boosted[0] - 10.0).abs() < 0.5 && boosted[1].abs() < 0.5, "{boosted}");
        let forest = at(&*build("quantile-forest", json!({})));
        assert_eq!(forest[0], forest[1], "the median is 3: {forest}");
        let over = |id: &str| json!({ "method": { "id": id } });
        for (id, parameters, takes) in [
            ("ngboost", json!({}), true),
            ("cv-plus", over("boosting-quantiles"), true),
            ("cv-plus", over("quantile-forest"), false),
            ("conformalised-quantiles", over("boosting-quantiles"), true),
            ("conformal-distribution", over("ngboost"), true),
            (
                "stack",
                json!({ "methods": [{ "id": "ngboost" }, { "id": "boosting-quantiles" }] }),
                true,
            ),
            ("stack", json!({ "methods": [{ "id": "ngboost" }, { "id": "ridge" }] }), false),
        ] {
            assert_eq!(
                build(id, parameters.clone()).facts().takes_missing,
                takes,
                "{id} {parameters}"
            );
        }
    }
}
