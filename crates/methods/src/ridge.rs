//! Predict by linear regression whose slopes are drawn to zero by a penalty that leave-one-out
//! errors choose.
//!
//! Target y and features X (n × d) are standardised on the training rows, so that the intercept is
//! the target's mean. With X = U S Vᵀ and a penalty λ on the squared slopes:
//!
//! ```text
//! β = argmin ‖y − Xβ‖² + λ ‖β‖² = V diag(s / (s² + λ)) Uᵀ y                       (1)
//! H = 1/n + U diag(s² / (s² + λ)) Uᵀ                    the fitted values are H y
//! e_i = (y_i − ŷ_i) / (1 − H_ii)                  the error at row i of the fit without it     (2)
//! λ = argmin Σ e_i²                                     over 57 values, 10⁻⁸ to 10⁶ times d
//! σ² = ‖y − Xβ‖² / (n − tr H)                                                     (3)
//! y | x ~ N(xᵀβ, σ² (1 + 1/n + xᵀ(XᵀX + λI)⁻¹x))                                  (4)
//! ```
//!
//! (1) and (4) are the posterior of slopes β ~ N(0, σ²/λ I) and of an intercept without a prior,
//! given λ and σ². For such slopes the residuals have the mean square σ² tr(I − H), so (3) is
//! unbiased: tr H is the number of parameters that the fit has spent. For λ → 0 all of it is least
//! squares, with n − r degrees of freedom. The aleatoric variance is σ², the rest of (4) the
//! epistemic one.
//!
//! There may be more features than rows: a direction in which the training rows do not differ keeps
//! the variance of its prior, σ²/λ, and (2) and (3) take min(n, d) numbers of each row. A feature
//! that is constant in the training rows is left out.
//!
//! *Departures:* the predictive distribution leaves out that λ and σ² are estimated; (2) keeps the
//! scales of all rows.
//!
//! # References
//! A. E. Hoerl, R. W. Kennard: *Ridge regression: biased estimation for nonorthogonal problems*,
//! Technometrics 12, 1970. D. M. Allen: *The relationship between variable selection and data
//! augmentation and a method for prediction*, Technometrics 16, 1974, for (2).

use faer::Mat;
use ndarray::{Array1, Array2, ArrayView2};
use serde::{Deserialize, Serialize};

use super::engine::scales::{Scales, standardise};
use super::engine::standardised::{Standardised, StandardisedModel};
use super::state::require;
use super::{
    Configured, Context, Facts, FitError, Fitted, MethodParameters, Request, Restored, SideTable,
};
use crate::entry::{DEFAULTS, Tried};
use crate::parameter::{above, parameters};
use uq_core::Table;
use uq_core::predictive::{Form, Gaussian, Predictive, Split};
use uq_math::least_squares::ThinSvd;

const ID: &str = "ridge";

/// Quarters of a power of ten, as exponents of λ/d: the ratio of noise to what a feature explains.
const QUARTERS: std::ops::RangeInclusive<i32> = -32..=24;

parameters! {
    /// Parameters of ridge regression.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct RidgeParameters {
        /// Penalty λ on the squared slopes, in standardised units; null: of the smallest
        /// leave-one-out error.
        penalty: Option<f64> = None, in above(0.0);
    }
}

/// Ridge regression as a method.
pub type Ridge = Configured<RidgeParameters>;

impl MethodParameters for RidgeParameters {
    const ID: &'static str = ID;
    const TITLE: &'static str =
        "ridge regression with Gaussian noise, penalty chosen by leave-one-out";
    const TRIED: Option<Tried> = Some(Tried {
        settings: "linear, slopes drawn to zero by a penalty that leave-one-out errors choose",
        // 0.17 ms with 100 rows of 4 features, 0.27 ms with 100 of 10, and 0.53 ms with 400 of 4.
        cost: |n, d| 5e-5 + 4e-9 * (n.min(d) + 60.0) * n * d,
        parameters: DEFAULTS,
    });
    const VERSION: u32 = 1;

    fn facts(&self) -> Facts {
        Facts { deterministic: true, ..Facts::default() }
    }

    fn fit(&self, train: &Table, context: &Context) -> Result<Box<dyn Fitted>, FitError> {
        let (scales, x, y) = standardise(ID, train, context)?;
        let rotated = Rotated::of(x.view(), &y.column(0).to_owned(), context)?;
        let mut tried = Vec::new();
        for penalty in self.penalty.map_or_else(|| penalties(x.ncols()), |penalty| vec![penalty]) {
            context.checkpoint()?;
            tried.push((penalty, rotated.leave_one_out(penalty)));
        }
        // From large to small: of two equal errors the larger penalty.
        let least =
            tried.iter().copied().reduce(|best, next| if next.1 < best.1 { next } else { best });
        let (penalty, _) = least.filter(|(_, error)| error.is_finite()).ok_or_else(|| {
            FitError::Diverged(format!(
                "{ID}: no penalty has a finite leave-one-out error; look for extreme values in the \
                 table"
            ))
        })?;
        let noise = rotated.noise(penalty);
        let Rotated { squares, right, target, free, .. } = rotated;
        let model = FittedRidge { rows: free.len(), squares, right, target, penalty, noise, tried };
        Ok(Box::new(Standardised { scales, model }))
    }

    fn restore(&self, state: &[u8]) -> Restored {
        Standardised::<FittedRidge>::restored(state)
    }
}

/// The penalties that are tried for this number of features, from large to small.
fn penalties(features: usize) -> Vec<f64> {
    let unit = features.max(1) as f64;
    QUARTERS.rev().map(|quarter| unit * 10.0_f64.powf(f64::from(quarter) / 4.0)).collect()
}

/// Rows and target in the directions of the singular vectors; r directions have a singular value
/// that is not zero.
struct Rotated {
    /// Left vectors U, n × r.
    left: Array2<f64>,
    /// Squared singular values s², r.
    squares: Array1<f64>,
    /// Right vectors V, d × r.
    right: Array2<f64>,
    /// Uᵀ y, r.
    target: Array1<f64>,
    /// y less its part U Uᵀ y that the features can explain, n.
    unexplained: Array1<f64>,
    /// 1 − 1/n − Σ_r u_ir²: the share of each row that no slope reaches, n.
    free: Array1<f64>,
}

impl Rotated {
    /// Of standardised rows (n × d) and target (n).
    ///
    /// # Errors
    /// [`FitError::Diverged`] where the decomposition does not converge.
    fn of(x: ArrayView2<f64>, y: &Array1<f64>, context: &Context) -> Result<Self, FitError> {
        let (n, d) = x.dim();
        let svd = ThinSvd::decompose(&Mat::from_fn(n, d, |i, j| x[(i, j)]), context.par())?;
        // n centred rows span at most n − 1 directions; rounding of the centre may add another.
        let r = svd.rank().min(n - 1);
        let left = Array2::from_shape_fn((n, r), |(i, k)| svd.u[(i, k)]);
        let target = left.t().dot(y);
        let unexplained = y - &left.dot(&target);
        let free =
            left.rows().into_iter().map(|u| (1.0 - 1.0 / n as f64 - u.dot(&u)).max(0.0)).collect();
        let right = Array2::from_shape_fn((d, r), |(j, k)| svd.v[(j, k)]);
        Ok(Self {
            left,
            squares: svd.s[..r].iter().map(|s| s * s).collect(),
            right,
            target,
            unexplained,
            free,
        })
    }

    /// λ / (s² + λ): the share of each direction that the penalty leaves to the residuals, r.
    fn left_out(&self, penalty: f64) -> Array1<f64> {
        self.squares.mapv(|square| penalty / (square + penalty))
    }

    /// y − Xβ, n.
    fn residuals(&self, penalty: f64) -> Array1<f64> {
        &self.unexplained + &self.left.dot(&(self.left_out(penalty) * &self.target))
    }

    /// The mean of the e_i² of (2).
    fn leave_one_out(&self, penalty: f64) -> f64 {
        let left_out = self.left_out(penalty);
        let errors = self.left.rows().into_iter().zip(&self.free).zip(self.residuals(penalty)).map(
            |((u, free), residual)| {
                // 1 − H_ii without the difference of two numbers near 1.
                let share =
                    free + u.iter().zip(&left_out).map(|(u, left)| u * u * left).sum::<f64>();
                (residual / share).powi(2)
            },
        );
        errors.sum::<f64>() / self.free.len() as f64
    }

    /// n − tr H: the degrees of freedom that the fit leaves.
    fn freedom(&self, penalty: f64) -> f64 {
        (self.free.len() - 1 - self.squares.len()) as f64 + self.left_out(penalty).sum()
    }

    /// σ² of (3).
    fn noise(&self, penalty: f64) -> f64 {
        self.residuals(penalty).mapv(|e| e * e).sum() / self.freedom(penalty)
    }
}

/// A fitted ridge regression.
#[derive(Serialize, Deserialize)]
struct FittedRidge {
    /// Number of training rows, n.
    rows: usize,
    /// As in [`Rotated`].
    squares: Array1<f64>,
    right: Array2<f64>,
    target: Array1<f64>,
    penalty: f64,
    noise: f64,
    /// Each penalty with the mean of its squared leave-one-out errors.
    tried: Vec<(f64, f64)>,
}

impl StandardisedModel for FittedRidge {
    const ID: &'static str = ID;

    fn check(&self, features: usize) -> Result<(), String> {
        let directions = self.squares.len();
        let fits = self.right.dim() == (features, directions) && self.target.len() == directions;
        require(fits && self.rows > 0, "directions that do not belong together")
    }

    fn answer(
        &self,
        x: ArrayView2<f64>,
        request: &Request,
        _: &Context,
    ) -> Result<Predictive, FitError> {
        let Self { squares, right, target, .. } = self;
        let along = x.dot(right);
        let precisions = squares + self.penalty;
        let mean = along.dot(&(squares.mapv(f64::sqrt) * target / &precisions));
        let leverage = |(x, along): (ndarray::ArrayView1<f64>, ndarray::ArrayView1<f64>)| {
            let inside =
                along.iter().zip(&precisions).map(|(a, precision)| a * a / precision).sum::<f64>();
            // Where the directions are all of the space, the rest is rounding.
            let beyond = if squares.len() < x.len() {
                (x.dot(&x) - along.dot(&along)).max(0.0)
            } else {
                0.0
            };
            1.0 / self.rows as f64 + inside + beyond / self.penalty
        };
        let epistemic: Array1<f64> = x
            .rows()
            .into_iter()
            .zip(along.rows())
            .map(leverage)
            .map(|leverage| self.noise * leverage)
            .collect();
        let aleatoric = Array1::from_elem(x.nrows(), self.noise);
        let form = Form::Gaussian(Gaussian { mean, variance: &aleatoric + &epistemic });
        let split =
            request.split.then(|| Split { aleatoric: Some(aleatoric), epistemic: Some(epistemic) });
        Ok(Predictive { form, split })
    }

    /// `leave-one-out`: the penalties in standardised units, their mean squared errors in squared
    /// units of the target, and 1 for the chosen one.
    fn side_tables(&self, scales: &Scales) -> Vec<SideTable> {
        let column =
            |of: &dyn Fn(&(f64, f64)) -> f64| self.tried.iter().map(of).collect::<Vec<f64>>();
        let columns = vec![
            ("penalty".into(), column(&|(penalty, _)| *penalty)),
            (
                "mean_squared_error".into(),
                column(&|(_, error)| error * scales.target.scale.powi(2)),
            ),
            (
                "chosen".into(),
                column(&|(penalty, _)| f64::from(u8::from(*penalty == self.penalty))),
            ),
        ];
        vec![SideTable { name: "leave-one-out".into(), columns }]
    }
}

#[cfg(test)]
mod tests;
