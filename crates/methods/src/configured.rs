//! Make a method of its parameters: they state its name and its version, and how it is fitted.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::entry::{Entry, Tried, boxed, read};
use super::parameter::{ParameterError, Parameters, defaults};
use super::{Context, Facts, FitError, FitResult, Fitted, Method, Reading, Restored, StateError};
use uq_core::Table;

/// Parameters that make a method: it is fitted by them alone. A method that holds other methods
/// implements [`Method`] itself.
pub trait MethodParameters:
    Parameters + Clone + Default + Serialize + DeserializeOwned + Send + Sync + 'static
{
    /// The method's name in the registry.
    const ID: &'static str;
    /// One line on what it is.
    const TITLE: &'static str;
    /// How it is tried on a table of one's own; `None`, the default, where it is not.
    const TRIED: Option<Tried> = None;
    /// Raise it with every change of the method that changes a number: finished trials are reused,
    /// also those that ended as diverged or unsupported, and a saved model is read as long as the
    /// version is its own.
    const VERSION: u32;

    /// Checks the rules that couple several parameters; each of them is in its range.
    ///
    /// # Errors
    /// [`ParameterError`] for a parameter that does not go with the others.
    fn check_coupled(&self) -> Result<(), ParameterError> {
        Ok(())
    }

    /// As [`Method::readings`].
    fn readings(&self) -> Vec<Reading> {
        vec![Reading::MAIN]
    }

    /// As [`Method::facts`].
    fn facts(&self) -> Facts {
        Facts::default()
    }

    /// As [`Method::fit`]; the parameters are checked. The table is as the benchmark prepares it:
    /// features and target are standardised by the training rows unless its protocol says
    /// otherwise, and missing cells are filled with medians unless
    /// [`Facts::takes_missing`](crate::Facts::takes_missing).
    ///
    /// # Errors
    /// As [`Method::fit`].
    fn fit(&self, train: &Table, context: &Context) -> Result<Box<dyn Fitted>, FitError>;

    /// As [`Method::restore`].
    ///
    /// # Errors
    /// As [`Method::restore`].
    fn restore(&self, _state: &[u8]) -> Restored {
        Err(StateError::Unsupported)
    }

    /// As [`Method::fit_settings`].
    fn fit_settings(
        _settings: &[Self],
        _train: &Table,
        _context: &Context,
    ) -> Option<Vec<FitResult>> {
        None
    }
}

/// A method that its parameters make. They are checked.
///
/// Its default is the method with the defaults of its parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Configured<P> {
    parameters: P,
}

impl<P: MethodParameters> Configured<P> {
    /// Its entry in the registry.
    pub const ENTRY: Entry = Entry {
        id: P::ID,
        title: P::TITLE,
        tried: P::TRIED,
        parameters: defaults::<P>,
        build: |given, _| boxed(Self::new(read(given)?)),
    };

    /// The method with these parameters.
    ///
    /// # Errors
    /// [`ParameterError`] for a parameter out of its range, or one that does not go with the
    /// others.
    pub fn new(parameters: P) -> Result<Self, ParameterError> {
        parameters.check()?;
        parameters.check_coupled()?;
        Ok(Self { parameters })
    }
}

impl<P: MethodParameters> Method for Configured<P> {
    fn id(&self) -> &'static str {
        P::ID
    }

    fn version(&self) -> u32 {
        P::VERSION
    }

    fn parameters(&self) -> Value {
        serde_json::json!(self.parameters)
    }

    fn readings(&self) -> Vec<Reading> {
        self.parameters.readings()
    }

    fn facts(&self) -> Facts {
        self.parameters.facts()
    }

    fn fit(&self, train: &Table, context: &Context) -> Result<Box<dyn Fitted>, FitError> {
        self.parameters.fit(train, context)
    }

    fn restore(&self, state: &[u8]) -> Restored {
        self.parameters.restore(state)
    }

    fn fit_settings(
        &self,
        settings: &[Value],
        train: &Table,
        context: &Context,
    ) -> Option<Vec<FitResult>> {
        let checked = |given: &Value| Some(Self::new(read(given).ok()?).ok()?.parameters);
        P::fit_settings(&settings.iter().map(checked).collect::<Option<Vec<P>>>()?, train, context)
    }
}
