//! Adapt linfa's classifiers as methods for a target of few values: a prediction is the
//! probabilities of the values.
//!
//! The values are those of the training rows; no other has a probability. They are ordered, and
//! [`super::chain`] computes their probabilities from classifiers of two classes. Of linfa's
//! classifiers, only these are reproducible ([`super::grower`]).

use ndarray::{Array2, ArrayView2};
use ndarray16::{Array1 as LinfaVector, Array2 as LinfaMatrix, Axis};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

pub use super::chain::Tally;
use super::chain::{probabilities, values};
use super::grower::MOST_ROWS;
use super::ranks::Ranks;
use crate::engine::own_units::{OwnUnits, OwnUnitsModel};
use crate::engine::rows;
use crate::engine::scales::Scales;
use crate::state::require;
use crate::{Context, FitError, Fitted, MethodParameters, Request, Restored};
use uq_core::Table;
use uq_core::predictive::{Atoms, Form, Predictive};

/// The parameters of a classifier of two classes, and how it is fitted.
pub trait BinaryClassifier: MethodParameters {
    /// A fitted classifier.
    type Fitted: Serialize + DeserializeOwned + Send + Sync + 'static;

    /// The smoothing a of a tally.
    fn smoothing(&self) -> f64;

    /// Fits `above` (n) to the ranks of the features (n × d); both classes occur.
    ///
    /// # Errors
    /// [`FitError`] when linfa fails, or when told to stop.
    fn fit_above(
        &self,
        ranks: LinfaMatrix<f64>,
        above: LinfaVector<bool>,
        context: &Context,
    ) -> Result<Self::Fitted, FitError>;

    /// The tally at each of these ranks (m × d).
    fn tally(fitted: &Self::Fitted, ranks: &LinfaMatrix<f64>) -> Vec<Tally>;

    /// Checks a classifier that was read: it has `columns` features.
    ///
    /// # Errors
    /// What is wrong, in words.
    fn check_fitted(fitted: &Self::Fitted, columns: usize) -> Result<(), String>;
}

/// Fits a classifier for every value of the training rows but the last. Classifier k draws from the
/// child context `("value", k)`.
///
/// # Errors
/// As [`Method::fit`](crate::Method::fit).
pub fn fit_chain<P: BinaryClassifier>(
    parameters: &P,
    train: &Table,
    context: &Context,
) -> Result<Box<dyn Fitted>, FitError> {
    context.checkpoint()?;
    // Refuses what no method can learn from: too few rows, numbers that are not finite, one class.
    Scales::new(P::ID, train)?;
    // linfa counts rows in single precision, and beyond that ties are a matter of luck.
    rows::at_most(P::ID, MOST_ROWS, train.rows(), "fit a subset of the rows")?;
    let values = values(P::ID, &train.target)?;
    let scale = Ranks::new(train.features.view());
    let ranks = scale.apply(train.features.view());
    let mut steps = Vec::with_capacity(values.len() - 1);
    for (k, value) in values[..values.len() - 1].iter().enumerate() {
        let left: Vec<usize> = (0..train.rows()).filter(|&i| train.target[i] >= *value).collect();
        let above = left.iter().map(|&i| train.target[i] > *value).collect();
        steps.push(parameters.fit_above(
            ranks.select(Axis(0), &left),
            above,
            &context.child("value", k as u64),
        )?);
    }
    let model = FittedChain::<P> { smoothing: parameters.smoothing(), scale, values, steps };
    Ok(Box::new(OwnUnits { columns: train.columns(), model }))
}

/// The fit of this state of classifiers of every value but the last.
///
/// # Errors
/// As [`Method::restore`](crate::Method::restore).
pub fn restored_chain<P: BinaryClassifier>(state: &[u8]) -> Restored {
    OwnUnits::<FittedChain<P>>::restored(state)
}

/// Classifiers of every value but the last.
#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
struct FittedChain<P: BinaryClassifier> {
    smoothing: f64,
    scale: Ranks,
    values: Vec<f64>,
    steps: Vec<P::Fitted>,
}

impl<P: BinaryClassifier> OwnUnitsModel for FittedChain<P> {
    const ID: &'static str = P::ID;

    fn check(&self, columns: usize) -> Result<(), String> {
        let values = self.values.len() == self.steps.len() + 1;
        require(
            values && self.scale.columns() == columns,
            "classifiers of other values or features",
        )?;
        self.steps.iter().try_for_each(|step| P::check_fitted(step, columns))
    }

    fn answer(
        &self,
        features: ArrayView2<f64>,
        _: &Request,
        context: &Context,
    ) -> Result<Predictive, FitError> {
        rows::finite_features(P::ID, "row", features)?;
        let (rows, ranks) = (features.nrows(), self.scale.apply(features));
        let mut tallies = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            context.checkpoint()?;
            tallies.push(P::tally(step, &ranks));
        }
        let weights = probabilities(rows, &tallies, self.smoothing);
        let values = Array2::from_shape_fn(weights.dim(), |(_, k)| self.values[k]);
        Ok(Predictive::new(Form::Atoms(Atoms { values, weights })))
    }
}
