//! The methods: the [`Method`] trait, its [`Context`], and one file for each method, in families.
//!
//! # What a new method writes
//! Its parameters with `impl MethodParameters`, and the fitted model, which predicts.
//! [`Configured`] makes a [`Method`] of the parameters, and `engine/` does the rest:
//!
//! | in `engine` | what it does |
//! | --- | --- |
//! | `scales::standardise` | begins a fit: checks the training rows, measures scales, standardises the target and the features that vary |
//! | `standardised::Standardised` | makes a fit of a `StandardisedModel`: checks the reading and the number of features, standardises the rows, converts the prediction to the target's units and checks its numbers |
//! | `rescaled::Rescaled` | standardises the columns before any fit, and converts its predictions back |
//! | `own_units::OwnUnits` | makes a fit of an `OwnUnitsModel`, which takes the features as they are: checks the reading and the number of features |
//! | `shared::Shared` | makes a fit of a `SharedModel`, whose readings share all work but the last step: checks the reading |
//! | `rows` | refuses too few or too many training rows, and numbers that are not finite |
//! | `question` | the checks of a request, for a fit with several readings, which implements [`Fitted`] itself |
//! | `restarts::with_smaller_steps` | trains again with a tenth of the step size where a number is not finite |
//! | `search::Search` | chooses among candidates by their scores, and lays out what was tried as a side table |
//!
//! A fitted model also derives `Serialize` and `Deserialize`, and checks what was read: `state`
//! says why.

#[cfg(feature = "adapters")]
pub mod adapters;
mod advice;
pub mod anchors;
pub mod boosting;
mod calibration;
mod configured;
pub mod conformal;
mod context;
pub mod engine;
pub mod entry;
mod error;
mod facts;
#[cfg(test)]
mod golden;
pub mod gp;
pub mod levels;
pub mod mixture;
pub mod mock;
pub mod nets;
pub mod parameter;
mod part;
mod point;
pub mod polynomial;
pub mod references;
pub mod registry;
pub mod ridge;
pub mod side_tables;
pub mod stack;
pub mod state;
pub mod trees;
pub mod validated;

use std::borrow::Cow;
use std::time::Duration;

use ndarray::ArrayView2;
use serde::{Deserialize, Serialize};

pub use crate::side_tables::SideTable;
pub use advice::Advice;
pub use configured::{Configured, MethodParameters};
pub use context::Context;
pub use entry::{Build, BuildEntry, Entry, Tried};
pub use error::FitError;
pub use facts::{Facts, Guarantee};
pub use parameter::{Parameter, ParameterError, Parameters};
pub use state::{Restored, StateError};
pub use uq_core::CancelToken;

use uq_core::Table;
use uq_core::predictive::{Bounds, Predictive};

/// A fit, or why there is none.
pub type FitResult = Result<Box<dyn Fitted>, FitError>;

/// A way to turn training rows into a predictive distribution. Its parameters are already checked.
///
/// ```
/// use ndarray::array;
/// use uq_core::Table;
/// use uq_core::math::random::Streams;
/// use uq_methods::{Context, Reading, Request, registry};
///
/// let train = Table::unnamed(array![[0.0], [1.0], [2.0], [3.0]], array![0.9, 3.1, 4.9, 7.1]);
/// let method = registry::build("linear-gaussian", &serde_json::Value::Null)?;
/// assert!(method.facts().deterministic);
///
/// // All random numbers come from named streams: the same names give the same fit.
/// let context = Context::new(Streams::new(1, "example"));
/// let fitted = method.fit(&train, &context)?;
/// let new = array![[1.5]];
/// let predictive = fitted.predict(&Reading::MAIN, new.view(), &Request::default(), &context)?;
/// assert!((predictive.means().unwrap()[0] - 4.0).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Method: Send + Sync {
    /// The name under which the registry builds it, such as `linear-gaussian`.
    fn id(&self) -> &'static str;

    /// Raised whenever the same input would give other numbers.
    fn version(&self) -> u32;

    /// Every parameter with its resolved value, as canonical JSON: part of the trial's key. A
    /// parameter that was added later is left out at its default, so that the keys of earlier
    /// trials stay.
    fn parameters(&self) -> serde_json::Value;

    /// The ways to read one fit, each of them a column of its own in a table (DTB: game, uniform).
    fn readings(&self) -> Vec<Reading> {
        vec![Reading::MAIN]
    }

    /// Properties of all its fits and predictions.
    fn facts(&self) -> Facts {
        Facts::default()
    }

    /// The coverage of these bounds that a theorem guarantees with this number of training rows;
    /// `None`, the default, where there is no such theorem.
    fn guarantee(&self, _bounds: Bounds, _rows: usize) -> Option<Guarantee> {
        None
    }

    /// Of how many errors a fit of this number of rows tells quantiles: it may refuse one that lies
    /// beyond all of them. The default is half of the rows.
    fn calibrating_rows(&self, rows: usize) -> usize {
        rows / 2
    }

    /// Fits the training rows.
    ///
    /// # Errors
    /// [`FitError`] when the rows do not determine a model, the computation diverges, or the run is
    /// stopped.
    fn fit(&self, train: &Table, context: &Context) -> Result<Box<dyn Fitted>, FitError>;

    /// This method as a [stack](stack::Stack), where it is one: fits of its members serve other
    /// stacks over the same rows, too.
    fn stack(&self) -> Option<&stack::Stack> {
        None
    }

    /// Fits the training rows with each of these parameters of the method: the fits that
    /// [`Method::fit`] makes one by one.
    ///
    /// `None`, the default, from a method that shares no work among such fits, or not among these.
    fn fit_settings(
        &self,
        _settings: &[serde_json::Value],
        _train: &Table,
        _context: &Context,
    ) -> Option<Vec<FitResult>> {
        None
    }

    /// Fits once on each subset of the rows of `train`; the `i`-th fit uses
    /// `context.child("subset", i)`.
    ///
    /// The default copies rows and calls [`Method::fit`]. A method that can share work among
    /// subsets overrides it and must return the same fits.
    ///
    /// # Errors
    /// As [`Method::fit`]; that of the first failing subset.
    fn fit_subsets(
        &self,
        train: &Table,
        subsets: &[Vec<usize>],
        context: &Context,
    ) -> Result<Vec<Box<dyn Fitted>>, FitError> {
        subsets
            .iter()
            .enumerate()
            .map(|(i, rows)| self.fit(&train.select(rows), &context.child("subset", i as u64)))
            .collect()
    }

    /// The fit of this method with these parameters that has this [state](Fitted::state): it
    /// predicts the same bits. Every method of the registry has it. By default a fit cannot be saved.
    ///
    /// # Errors
    /// [`StateError`] for a state that this method has not written, and where the method keeps
    /// none, which is the default.
    fn restore(&self, _state: &[u8]) -> Restored {
        Err(StateError::Unsupported)
    }
}

/// A fitted method.
///
/// One fit may have several [`Reading`]s, and small tables that say how it went:
///
/// ```
/// use ndarray::{Array1, Array2, array};
/// use uq_core::Table;
/// use uq_core::math::random::Streams;
/// use uq_methods::{Context, Request, registry};
///
/// let features = Array2::from_shape_fn((40, 1), |(i, _)| i as f64);
/// let train = Table::unnamed(features, Array1::from_shape_fn(40, |i| (i % 7) as f64));
/// // Decision-theoretic bootstrapping over five trees: read with the weights of the game, or with equal ones.
/// let parameters = serde_json::json!({ "learners": [{ "id": "tree", "count": 5 }] });
/// let method = registry::build("dtb", &parameters)?;
/// let context = Context::new(Streams::new(1, "example"));
/// let fitted = method.fit(&train, &context)?;
/// for reading in method.readings() {
///  let predictive = fitted.predict(&reading, array![[3.0]].view(), &Request::default(), &context)?;
///     assert_eq!(predictive.len(), 1);
/// }
/// assert!(fitted.side_tables().iter().any(|table| table.name.starts_with("weights")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Fitted: Send + Sync {
    /// The fit as bytes, from which [`Method::restore`] makes it again. They hold what the fit
    /// consists of: training rows only where the method predicts by them, as a Gaussian process
    /// does.
    ///
    /// # Errors
    /// [`StateError::Unsupported`] from a method outside of this program, which is the default: it
    /// is fitted anew.
    fn state(&self) -> Result<Vec<u8>, StateError> {
        Err(StateError::Unsupported)
    }

    /// The predictive distribution of the target at each row of `features` (n × d, the training
    /// table's columns).
    ///
    /// # Errors
    /// [`FitError`] when the reading is unknown, the prediction diverges, or the run is stopped.
    fn predict(
        &self,
        reading: &Reading,
        features: ArrayView2<f64>,
        request: &Request,
        context: &Context,
    ) -> Result<Predictive, FitError>;

    /// The predictions of several readings, in their order. The default predicts one reading after
    /// the other. A method whose readings share work overrides it and must return the same
    /// predictions.
    ///
    /// # Errors
    /// As [`Fitted::predict`]; that of the first failing reading.
    fn predict_all(
        &self,
        readings: &[Reading],
        features: ArrayView2<f64>,
        request: &Request,
        context: &Context,
    ) -> Result<Vec<Predictive>, FitError> {
        readings.iter().map(|reading| self.predict(reading, features, request, context)).collect()
    }

    /// Whether readings share work, so that none has a cost of its own.
    fn readings_share_work(&self) -> bool {
        false
    }

    /// The same model on other rows of the same columns, with the hyperparameters and the scales of
    /// this fit: a sequential protocol adds rows without training anew. The default is unsupported.
    ///
    /// # Errors
    /// [`FitError::Unsupported`] where a fit cannot take other rows; else as [`Method::fit`].
    fn refit(&self, _train: &Table, _context: &Context) -> Result<Box<dyn Fitted>, FitError> {
        Err(FitError::Unsupported("this method takes no other rows without training anew".into()))
    }

    /// Processor time that other processes have used for this fit and its predictions so far: none,
    /// the default, where all is done in the calling thread. `None` where the operating system does
    /// not tell.
    fn processor_time_elsewhere(&self) -> Option<Duration> {
        Some(Duration::ZERO)
    }

    /// The fits of other methods that this one consists of, each with its method's name, such as
    /// the members of a stack. None by default.
    fn parts(&self) -> Vec<(&'static str, &dyn Fitted)> {
        Vec::new()
    }

    /// Small named tables (weights over models, traces). Figures take their numbers from these and
    /// from predictions.
    fn side_tables(&self) -> Vec<SideTable> {
        Vec::new()
    }

    /// Small named tables about the predictions at the rows of `features`, such as how many
    /// quantiles had to be sorted. A trial requests them once, for the rows that it has predicted,
    /// and stores them with the others.
    ///
    /// # Errors
    /// As [`Fitted::predict`].
    fn side_tables_at(
        &self,
        _features: ArrayView2<f64>,
        _request: &Request,
        _context: &Context,
    ) -> Result<Vec<SideTable>, FitError> {
        Ok(Vec::new())
    }
}

/// A way to read a fit; `main` where there is only one.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Reading(Cow<'static, str>);

impl Reading {
    /// The only reading of most methods.
    pub const MAIN: Self = Self(Cow::Borrowed("main"));

    /// A reading of this name.
    pub fn new(name: impl Into<Cow<'static, str>>) -> Self {
        Self(name.into())
    }

    /// Its name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for Reading {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// What a trial requests of a fitted method.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Request {
    /// Probability levels of the quantiles that a method without a distribution function predicts.
    pub quantile_levels: Vec<f64>,
    /// Whether the aleatoric/epistemic split is wanted.
    pub split: bool,
    /// Number of draws for a method that can only be sampled.
    pub samples: usize,
}

impl Default for Request {
    fn default() -> Self {
        let quantile_levels = vec![0.025, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.975];
        Self { quantile_levels, split: true, samples: 1000 }
    }
}
