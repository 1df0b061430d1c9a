//! Move any method's conditional quantiles outwards, or inwards, until they cover held-out rows at the requested level.
//!
//! With the base method's quantiles q at α/2 and 1 − α/2, the scores of n calibration rows are
//!
//! ```text
//! E_i = max{q_{α/2}(X_i) − Y_i, Y_i − q_{1−α/2}(X_i)}                                                   (6)
//! C(x) = [q_{α/2}(x) − Q, q_{1−α/2}(x) + Q],   Q the ⌈(1 − α)(n + 1)⌉-th smallest of E_1, …, E_n       (7), (8)
//! ```
//!
//! for each pair of requested levels; at 1/2 the prediction is the base method's median. The ends are no quantiles of
//! the conditional distribution: only the coverage between both is guaranteed.
//!
//! *Departures:* the paper has one level. Each pair has its own Q, so that intervals may cross: each is widened to
//! contain those inside it and, where it is requested, the median; an empty one (Q < 0 past the middle) becomes its
//! middle point. Both keep the coverage. Where n < (1 − α)/α only the whole line has the coverage; that is an error.
//!
//! *References:* Y. Romano, E. Patterson, E. J. Candès (2019), *Conformalized quantile regression*, NeurIPS 32, Algorithm 1.

use ndarray::{Array2, ArrayView2};

use super::pairs::Pairs;
use super::{Base, ConformalParameters, Divided, Scores, nested};
use crate::data::Table;
use crate::methods::engine::own_units::{OwnUnits, OwnUnitsModel};
use crate::methods::entry::{Entry, Tried, boxed, read, sorted};
use crate::methods::part::take_method;
use crate::methods::{Context, FitError, Fitted, Method, ParameterError, Request};
use crate::predictive::Predictive;

const ID: &str = "conformalised-quantiles";

/// Conformalised quantile regression as a method.
pub struct ConformalisedQuantiles(Base);

impl ConformalisedQuantiles {
    /// Its entry in the registry.
    pub const ENTRY: Entry = Entry {
        id: ID,
        title: "conformalised quantile regression over any method with quantiles",
        tried: Some(Tried {
            settings: "quantiles of a forest on half of the rows, moved until the other half is covered",
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

    /// The method over the quantiles of a base method's first reading.
    ///
    /// # Errors
    /// [`ParameterError`] for a parameter out of its range, or a base without a reading.
    pub fn new(parameters: ConformalParameters, base: Box<dyn Method>) -> Result<Self, ParameterError> {
        Base::new(parameters, base).map(Self)
    }
}

impl Method for ConformalisedQuantiles {
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
        let model = FittedQuantiles(self.0.fit(ID, train, context)?);
        Ok(Box::new(OwnUnits { columns: train.columns(), model }))
    }
}

/// The base method's quantiles at some levels, n × levels.
fn quantiles(answer: &Predictive, levels: &[f64]) -> Result<Array2<f64>, FitError> {
    let mut values = Array2::zeros((answer.len(), levels.len()));
    for ((i, l), value) in values.indexed_iter_mut() {
        *value = answer
            .distribution()
            .quantile(i, levels[l])
            .ok_or_else(|| FitError::Unsupported(format!("{ID}: the base method has no quantile at {}", levels[l])))?;
    }
    Ok(values)
}

/// The scores are computed when levels are requested, because each pair has its own.
struct FittedQuantiles(Divided);

impl OwnUnitsModel for FittedQuantiles {
    const ID: &'static str = ID;

    fn answer(&self, features: ArrayView2<f64>, request: &Request, context: &Context) -> Result<Predictive, FitError> {
        let divided = &self.0;
        let pairs = Pairs::of(ID, &request.quantile_levels)?;
        let levels = pairs.levels();
        let request = Request { quantile_levels: levels.clone(), split: false, ..*request };
        let answer = |features, purpose| {
            let answer = divided.fitted.predict(&divided.reading, features, &request, &context.child(purpose, 0))?;
            quantiles(&answer, &levels)
        };
        let (known, target) =
            (answer(divided.calibration.features.view(), "calibration")?, &divided.calibration.target);
        let asked = answer(features, "base")?;
        let mut shifts = Vec::with_capacity(pairs.len());
        for (p, (_, _, coverage)) in pairs.intervals().enumerate() {
            let (low, high) = (known.column(p), known.column(levels.len() - 1 - p));
            let score = |(i, &y): (usize, &f64)| (low[i] - y).max(y - high[i]); // (6)
            let scores = Scores::new(target.iter().enumerate().map(score).collect());
            shifts.push(scores.at(ID, coverage)?); // (8)
        }
        let shape = (asked.nrows(), pairs.len());
        let lower = Array2::from_shape_fn(shape, |(i, p)| asked[(i, p)] - shifts[p]); // (7)
        let upper = Array2::from_shape_fn(shape, |(i, p)| asked[(i, levels.len() - 1 - p)] + shifts[p]);
        let points: Vec<f64> = match pairs.median {
            true => asked.column(pairs.len()).to_vec(),
            false => vec![0.0; asked.nrows()],
        };
        Ok(nested(&pairs, &points, lower, upper))
    }
}
