//! Predict the same normal distribution everywhere: mean and variance of the training target.
//!
//! y ~ N(m, s²), m = Σ yᵢ / n, s² = Σ (yᵢ − m)² / (n − 1).
//!
//! *Departures:* none; a plug-in distribution, which does not widen for the uncertainty of m and
//! s². A constant target gives variance zero: a point mass, whose distribution function and CRPS
//! are defined and whose log density is not.
//!
//! *References:* climatology, the usual zero point of forecast skill: Wilks (2019), *Statistical
//! Methods in the Atmospheric Sciences*, 4th ed., 9.1.

use ndarray::{Array1, ArrayView2};
use serde::{Deserialize, Serialize};

use crate::engine::own_units::{OwnUnits, OwnUnitsModel};
use crate::engine::rows;
use crate::entry::{DEFAULTS, Tried};
use crate::parameter::parameters;
use crate::{Configured, Context, Facts, FitError, Fitted, MethodParameters, Request, Restored};
use uq_core::Table;
use uq_core::predictive::{Form, Gaussian, Predictive};

const ID: &str = "unconditional-gaussian";

parameters! {
    /// Parameters of the method: it has none.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct UnconditionalGaussianParameters {}
}

/// The anchor as a method.
pub type UnconditionalGaussian = Configured<UnconditionalGaussianParameters>;

/// Mean and variance of the training target.
#[derive(Serialize, Deserialize)]
struct Moments {
    mean: f64,
    variance: f64,
}

impl MethodParameters for UnconditionalGaussianParameters {
    const ID: &'static str = ID;
    const TITLE: &'static str = "anchor: the training target's mean and variance";
    const TRIED: Option<Tried> = Some(Tried {
        settings: "ignores the features: mean and variance of the target",
        cost: |n, d| 3.6e-8 * n * d,
        parameters: DEFAULTS,
    });
    const VERSION: u32 = 1;

    fn facts(&self) -> Facts {
        Facts { deterministic: true, ..Facts::default() }
    }

    /// Needs at least 2 rows.
    fn fit(&self, train: &Table, _: &Context) -> Result<Box<dyn Fitted>, FitError> {
        let n = train.rows();
        rows::at_least(ID, 2, n)?;
        rows::finite_target(ID, "training row", train.target.view())?;
        let mean = train.target.sum() / n as f64;
        let variance =
            train.target.iter().map(|y| (y - mean).powi(2)).sum::<f64>() / (n - 1) as f64;
        if !variance.is_finite() {
            return Err(FitError::Diverged(format!(
                "{ID}: the variance of the training target overflows"
            )));
        }
        Ok(Box::new(OwnUnits { columns: train.columns(), model: Moments { mean, variance } }))
    }

    fn restore(&self, state: &[u8]) -> Restored {
        OwnUnits::<Moments>::restored(state)
    }
}

impl OwnUnitsModel for Moments {
    const ID: &'static str = ID;

    fn check(&self, _: usize) -> Result<(), String> {
        Ok(())
    }

    fn answer(
        &self,
        features: ArrayView2<f64>,
        _: &Request,
        _: &Context,
    ) -> Result<Predictive, FitError> {
        let n = features.nrows();
        let (mean, variance) =
            (Array1::from_elem(n, self.mean), Array1::from_elem(n, self.variance));
        Ok(Predictive::new(Form::Gaussian(Gaussian { mean, variance })))
    }
}

#[cfg(test)]
mod tests {
    use super::super::golden_table;
    use super::*;
    use crate::golden::assert_golden;
    use crate::{Method, Reading};
    use ndarray::{Array2, array};
    use uq_core::math::random::Streams;

    fn predict(table: &Table) -> Result<Predictive, FitError> {
        let context = Context::new(Streams::new(1, "t"));
        let fitted = UnconditionalGaussian::default().fit(table, &context)?;
        fitted.predict(
            &Reading::MAIN,
            Array2::zeros((2, table.columns())).view(),
            &Request::default(),
            &context,
        )
    }

    #[test]
    fn moments_are_those_of_the_target() {
        let table = Table::unnamed(Array2::zeros((4, 1)), array![1.0, 2.0, 3.0, 6.0]);
        let predictive = predict(&table).unwrap();
        assert_eq!(predictive.validate(), Ok(()));
        assert_eq!(predictive.means().unwrap(), array![3.0, 3.0]);
        assert_eq!(predictive.variances().unwrap(), array![14.0 / 3.0, 14.0 / 3.0]);
    }

    #[test]
    fn one_row_is_unsupported_and_a_constant_target_a_point_mass() {
        let one = Table::unnamed(Array2::zeros((1, 1)), array![1.0]);
        let message = predict(&one).unwrap_err();
        assert!(matches!(&message, FitError::Unsupported(m) if m.contains("found 1")), "{message}");
        let constant =
            predict(&Table::unnamed(Array2::zeros((3, 1)), array![2.0, 2.0, 2.0])).unwrap();
        assert_eq!(constant.validate(), Ok(()));
        assert_eq!(constant.distribution().log_density(0, 2.0), None);
        assert_eq!(constant.distribution().crps(0, 2.5), Some(0.5));
        let hole = Table::unnamed(Array2::zeros((2, 1)), array![1.0, f64::NAN]);
        assert!(matches!(predict(&hole), Err(FitError::Unsupported(m)) if m.contains("row 1")));
    }

    #[test]
    fn golden_fit_guards_the_version() {
        let predictive = predict(&golden_table()).unwrap();
        let found = [predictive.means().unwrap()[0], predictive.variances().unwrap()[0]];
        assert_golden(found, GOLDEN, 1e-9);
    }

    /// In exact rational arithmetic, outside this crate.
    const GOLDEN: [f64; 2] = [3.6075, 6.0934375];
}
