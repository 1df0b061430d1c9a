//! Put intervals of constant width about any method's mean, as wide as its residuals on held-out rows.
//!
//! With the base method's mean μ and its residuals R_i = |Y_i − μ(X_i)| on n calibration rows,
//!
//! ```text
//! C(x) = [μ(x) − Q, μ(x) + Q],   Q the ⌈(1 − α)(n + 1)⌉-th smallest of R_1, …, R_n.
//! ```
//!
//! The prediction is quantiles at the requested levels, which must come in pairs α/2, 1 − α/2; at 1/2 it is μ(x). The
//! ends are no quantiles of the conditional distribution: only the coverage between both is guaranteed.
//!
//! *Departures:* none. Where n < (1 − α)/α only the whole line has the coverage; that is an error.
//!
//! *References:* H. Papadopoulos, K. Proedrou, V. Vovk, A. Gammerman (2002), *Inductive confidence machines for regression*;
//! J. Lei, M. G'Sell, A. Rinaldo, R. J. Tibshirani, L. Wasserman (2018), *Distribution-free predictive inference for
//! regression*, JASA 113, Algorithm 2.

use ndarray::{Array1, Array2, ArrayView2};

use super::pairs::Pairs;
use super::{Base, ConformalParameters, Divided, Scores, nested};
use crate::data::Table;
use crate::methods::engine::own_units::{OwnUnits, OwnUnitsModel};
use crate::methods::entry::{Entry, Tried, boxed, read, sorted};
use crate::methods::part::take_method;
use crate::methods::{Context, FitError, Fitted, Method, ParameterError, Request};
use crate::predictive::Predictive;

const ID: &str = "split-conformal";

/// Split conformal prediction as a method.
pub struct SplitConformal(Base);

impl SplitConformal {
    /// Its entry in the registry.
    pub const ENTRY: Entry = Entry {
        id: ID,
        title: "split conformal prediction about any method's mean",
        tried: Some(Tried {
            settings: "split conformal prediction about the mean of a quantile forest, on half of the rows",
            unasked: false,
            cost: |n, d| 4e-6 * sorted(n, d),
            parameters: || serde_json::json!({ "method": { "id": "quantile-forest" } }),
        }),
        parameters: ConformalParameters::list_with_method,
        build: |given, build| {
            let mut own = given.clone();
            let base = take_method("base", &mut own, build)?;
            boxed(Self::new(read(&own)?, base))
        },
    };

    /// The method over the mean of a base method's first reading.
    ///
    /// # Errors
    /// [`ParameterError`] for a parameter out of its range, or a base without a reading.
    pub fn new(parameters: ConformalParameters, base: Box<dyn Method>) -> Result<Self, ParameterError> {
        Base::new(parameters, base).map(Self)
    }
}

impl Method for SplitConformal {
    fn id(&self) -> &'static str {
        ID
    }

    fn version(&self) -> u32 {
        1
    }

    fn parameters(&self) -> serde_json::Value {
        self.0.parameters()
    }

    fn fit(&self, train: &Table, context: &Context) -> Result<Box<dyn Fitted>, FitError> {
        let divided = self.0.fit(ID, train, context)?;
        let context = context.child("calibration", 0);
        let means = means(&divided, divided.calibration.features.view(), &context)?;
        let residuals = (&divided.calibration.target - &means).mapv(f64::abs);
        let model = FittedSplit { divided, residuals: Scores::new(residuals.to_vec()) };
        Ok(Box::new(OwnUnits { columns: train.columns(), model }))
    }
}

/// μ at each row.
fn means(divided: &Divided, features: ArrayView2<f64>, context: &Context) -> Result<Array1<f64>, FitError> {
    let request = Request { split: false, ..Request::default() };
    let answer = divided.fitted.predict(&divided.reading, features, &request, context)?;
    answer.means().ok_or_else(|| FitError::Diverged(format!("{ID}: the base method predicts no finite mean")))
}

struct FittedSplit {
    divided: Divided,
    residuals: Scores,
}

impl OwnUnitsModel for FittedSplit {
    const ID: &'static str = ID;

    fn answer(&self, features: ArrayView2<f64>, request: &Request, context: &Context) -> Result<Predictive, FitError> {
        let pairs = Pairs::of(ID, &request.quantile_levels)?;
        let widths: Vec<f64> =
            pairs.intervals().map(|(_, _, coverage)| self.residuals.at(ID, coverage)).collect::<Result<_, _>>()?;
        let points = means(&self.divided, features, &context.child("base", 0))?.to_vec();
        let shape = (points.len(), pairs.len());
        let lower = Array2::from_shape_fn(shape, |(i, p)| points[i] - widths[p]);
        let upper = Array2::from_shape_fn(shape, |(i, p)| points[i] + widths[p]);
        Ok(nested(&pairs, &points, lower, upper))
    }
}
