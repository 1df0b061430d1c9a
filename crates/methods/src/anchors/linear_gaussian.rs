//! Predict by ordinary least squares with an intercept and normal errors of constant variance.
//!
//! With X the design with a column of ones, r its rank, β = X⁺y:
//! s² = ‖y − Xβ‖² / (n − r), and at x: y ~ N(xᵀβ, s² (1 + xᵀ(XᵀX)⁺x)); aleatoric variance s²,
//! epistemic s² xᵀ(XᵀX)⁺x.
//!
//! *Departures:* the exact predictive distribution under normal errors is Student's t with n − r
//! degrees of freedom; this anchor keeps the normal with the same squared scale. Columns that
//! depend on others, constant ones included, share the minimum-norm solution and cost no degree of
//! freedom; an x outside the training rows' span is projected onto it. Residuals of zero give
//! variance zero: a point mass, without log density.
//!
//! *References:* Seber & Lee (2003), *Linear Regression Analysis*, 2nd ed., 3.1-3.3 and 5.3.

use ndarray::{Array1, ArrayView2};
use serde::{Deserialize, Serialize};

use crate::engine::own_units::{OwnUnits, OwnUnitsModel};
use crate::engine::rows;
use crate::entry::{DEFAULTS, Tried, squares};
use crate::parameter::parameters;
use crate::{Configured, Context, Facts, FitError, Fitted, MethodParameters, Request, Restored};
use uq_core::Table;
use uq_core::predictive::{Form, Gaussian, Predictive, Split};
use uq_math::least_squares::LeastSquares;

const ID: &str = "linear-gaussian";

parameters! {
    /// Parameters of the method: it has none.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct LinearGaussianParameters {}
}

/// The anchor as a method.
pub type LinearGaussian = Configured<LinearGaussianParameters>;

/// Coefficients and residual variance.
#[derive(Serialize, Deserialize)]
struct LinearFit {
    solution: LeastSquares,
    residual_variance: f64,
}

impl MethodParameters for LinearGaussianParameters {
    const ID: &'static str = ID;
    const TITLE: &'static str = "anchor: ordinary least squares with Gaussian noise";
    const TRIED: Option<Tried> = Some(Tried {
        settings: "least squares with normal errors of constant variance",
        // 0.08 ms with 100 rows of 4 features, 0.11 ms with 400 of 4.
        cost: |n, d| 4e-5 + 7e-8 * n * d + 1e-9 * squares(n, d),
        parameters: DEFAULTS,
    });
    const VERSION: u32 = 1;

    fn facts(&self) -> Facts {
        Facts { deterministic: true, ..Facts::default() }
    }

    /// Needs more rows than independent columns, the intercept counted as one.
    fn fit(&self, train: &Table, context: &Context) -> Result<Box<dyn Fitted>, FitError> {
        context.checkpoint()?;
        let n = train.rows();
        rows::at_least(ID, 1, n)?;
        rows::finite(ID, train)?;
        let solution =
            LeastSquares::fit(train.features.view(), train.target.view(), context.par())?;
        let degrees_of_freedom = n - solution.rank;
        if degrees_of_freedom == 0 {
            return Err(FitError::Unsupported(format!(
                "{ID} needs more training rows than independent columns (intercept included), \
                 found {n} of each"
            )));
        }
        let residual_variance = solution.residual_sum_of_squares / degrees_of_freedom as f64;
        if !residual_variance.is_finite() {
            return Err(FitError::Diverged(format!("{ID}: the residual variance overflows")));
        }
        Ok(Box::new(OwnUnits {
            columns: train.columns(),
            model: LinearFit { solution, residual_variance },
        }))
    }

    fn restore(&self, state: &[u8]) -> Restored {
        OwnUnits::<LinearFit>::restored(state)
    }
}

impl OwnUnitsModel for LinearFit {
    const ID: &'static str = ID;

    fn check(&self, columns: usize) -> Result<(), String> {
        self.solution.check(columns)
    }

    fn answer(
        &self,
        features: ArrayView2<f64>,
        request: &Request,
        _: &Context,
    ) -> Result<Predictive, FitError> {
        let each = |g: &dyn Fn(ndarray::ArrayView1<f64>) -> f64| {
            features.rows().into_iter().map(g).collect()
        };
        let mean: Array1<f64> = each(&|x| self.solution.predict(x));
        let aleatoric = Array1::from_elem(features.nrows(), self.residual_variance);
        let epistemic: Array1<f64> = each(&|x| self.residual_variance * self.solution.leverage(x));
        let predictive =
            Predictive::new(Form::Gaussian(Gaussian { mean, variance: &aleatoric + &epistemic }));
        if !request.split {
            return Ok(predictive);
        }
        Ok(predictive.with_split(Split { aleatoric: Some(aleatoric), epistemic: Some(epistemic) }))
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

    fn predict(table: &Table, at: ArrayView2<f64>) -> Result<Predictive, FitError> {
        let context = Context::new(Streams::new(1, "t"));
        LinearGaussian::default().fit(table, &context)?.predict(
            &Reading::MAIN,
            at,
            &Request::default(),
            &context,
        )
    }

    #[test]
    fn a_line_has_its_textbook_prediction() {
        let table = Table::unnamed(array![[0.0], [1.0], [2.0], [3.0]], array![1.0, 3.0, 4.0, 6.0]);
        let predictive = predict(&table, array![[4.0]].view()).unwrap();
        assert_eq!(predictive.validate(), Ok(()));
        // s² = 0.2/2; leverage 1/4 + 2.5²/5.
        assert!((predictive.means().unwrap()[0] - 7.5).abs() < 1e-13);
        assert!((predictive.variances().unwrap()[0] - 0.1 * 2.5).abs() < 1e-13);
        let split = predictive.split.unwrap();
        assert!((split.aleatoric.unwrap()[0] - 0.1).abs() < 1e-13);
        assert!((split.epistemic.unwrap()[0] - 0.15).abs() < 1e-13);
    }

    #[test]
    fn without_features_it_is_the_unconditional_gaussian_widened_by_the_mean() {
        let table = Table::unnamed(Array2::zeros((4, 0)), array![1.0, 2.0, 3.0, 6.0]);
        let predictive = predict(&table, Array2::zeros((1, 0)).view()).unwrap();
        assert_eq!(predictive.means().unwrap(), array![3.0]);
        assert!((predictive.variances().unwrap()[0] - 14.0 / 3.0 * 1.25).abs() < 1e-13);
    }

    #[test]
    fn too_few_rows_are_unsupported_and_a_constant_target_a_point_mass() {
        let at = array![[1.0]];
        let one = Table::unnamed(array![[1.0]], array![1.0]);
        assert!(matches!(predict(&one, at.view()), Err(FitError::Unsupported(_))));
        let two = Table::unnamed(array![[1.0], [2.0]], array![1.0, 5.0]);
        assert!(
            matches!(predict(&two, at.view()), Err(FitError::Unsupported(m)) if m.contains("found 2"))
        );
        let none = Table::unnamed(Array2::zeros((0, 1)), array![]);
        assert!(matches!(predict(&none, at.view()), Err(FitError::Unsupported(_))));
        let hole = Table::unnamed(array![[1.0], [f64::INFINITY], [0.0]], array![1.0, 2.0, 3.0]);
        assert!(
            matches!(predict(&hole, at.view()), Err(FitError::Unsupported(m)) if m.contains("row 1"))
        );
        let constant = Table::unnamed(array![[1.0], [2.0], [4.0]], array![3.0, 3.0, 3.0]);
        let predictive = predict(&constant, at.view()).unwrap();
        assert_eq!(predictive.variances().unwrap()[0], 0.0);
        assert_eq!(predictive.distribution().quantile(0, 0.9), Some(3.0));
        assert_eq!(predictive.distribution().log_density(0, 3.0), None);
    }

    #[test]
    fn an_unknown_reading_is_refused_by_name() {
        let context = Context::new(Streams::new(1, "t"));
        let table = golden_table();
        let fitted = LinearGaussian::default().fit(&table, &context).unwrap();
        let found = fitted.predict(
            &Reading::new("game"),
            table.features.view(),
            &Request::default(),
            &context,
        );
        assert!(matches!(found, Err(FitError::Unsupported(m)) if m.contains("asked for 'game'")));
    }

    #[test]
    fn golden_fit_guards_the_version() {
        let table = golden_table();
        let predictive = predict(&table, table.features.view()).unwrap();
        let (means, variances) = (predictive.means().unwrap(), predictive.variances().unwrap());
        let found = [means[0], means[49], variances[0], variances[49]];
        assert_golden(found, GOLDEN, 1e-9);
    }

    /// In exact rational arithmetic, outside this crate.
    const GOLDEN: [f64; 4] = [
        0.023_080_364_405_401_007,
        0.415_090_694_647_795_7,
        0.192_190_566_777_865_66,
        0.184_216_127_592_360_58,
    ];
}
