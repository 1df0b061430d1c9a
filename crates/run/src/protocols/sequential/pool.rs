//! Let acquisitions choose rows of a pool.

use ndarray::ArrayView2;

use super::super::answers::check_answer;
use super::acquisition::Acquisition;
use super::engine::Ground;
use super::journal::Journal;
use super::rows::View;
use super::state::State;
use super::step::{Choice, Step};
use uq_core::Table;
use uq_core::math::random::Streams;
use uq_core::predictive::Predictive;
use uq_core::scaling::Scaler;
use uq_methods::{Context, FitError, Fitted, Reading, Request};

/// A fit, and the scaler that made its units.
pub type Model = (Box<dyn Fitted>, Scaler);

/// Fits the rows of these numbers at a step.
pub type FitRows<'a> = dyn Fn(&[usize], u64) -> Result<Model, FitError> + 'a;

/// A pool, the test rows, and how the known rows are fitted. Tables are in the data's units.
pub struct Pool<'a> {
    /// The rows that `start` and `open` number.
    pub rows: &'a Table,
    /// Rows that are known at the start.
    pub start: &'a [usize],
    /// Rows that may be added.
    pub open: &'a [usize],
    /// The test rows.
    pub test: &'a Table,
    /// Rows that a step adds.
    pub batch: usize,
    /// Number of additions.
    pub steps: usize,
    /// The fit of the rows at the start, which all acquisitions share, and its scaler.
    pub first: (&'a dyn Fitted, &'a Scaler),
    /// Fits the known rows of a later step, from 1.
    pub fit: &'a FitRows<'a>,
    /// Turns a prediction of the test rows in the units of the fit into what is kept.
    pub keep: &'a dyn Fn(Predictive, &Scaler) -> Result<Predictive, FitError>,
    /// The reading by which acquisitions and test rows are predicted.
    pub reading: &'a Reading,
    /// The request to each fit.
    pub request: &'a Request,
    /// Streams of this repetition, which no method enters: those of random choices.
    pub streams: Streams,
    /// Streams of the method's predictions, and the sign to stop.
    pub context: &'a Context,
    /// Where steps are kept.
    pub journal: Option<&'a dyn Journal>,
}

impl Ground for Pool<'_> {
    type State = State;

    fn steps(&self) -> usize {
        self.steps
    }

    fn test(&self) -> &Table {
        self.test
    }

    fn journal(&self) -> Option<&dyn Journal> {
        self.journal
    }

    fn start(&self) -> State {
        State::new(self.start, self.open)
    }

    fn add(&self, state: &mut State, choice: &Choice) {
        state.add(&choice.rows);
    }

    fn step(&self, acquisition: Acquisition, state: &State, number: usize) -> Result<Step, FitError> {
        let step = number as u64;
        let fresh = if number == 0 { None } else { Some((self.fit)(&state.known, step)?) };
        let (fitted, scaler) = fresh.as_ref().map_or(self.first, |(fitted, scaler)| (fitted.as_ref(), scaler));
        let context = self.context.child("step", step);
        let predict = |features: ArrayView2<f64>| -> Result<Predictive, FitError> {
            let predictive = fitted.predict(self.reading, features, self.request, &context)?;
            check_answer(self.reading, &predictive, features.nrows())?;
            Ok(predictive)
        };
        let at_test = (self.keep)(predict(scaler.apply(self.test).features.view())?, scaler)?;
        if number == self.steps || state.open.is_empty() {
            return Ok(Step { at_test, next: Choice::default() });
        }
        // The acquisition receives the features alone.
        let features = scaler.apply(self.rows).features;
        let view = View {
            features: features.view(),
            known: &state.known,
            open: &state.open,
            predict: &predict,
            streams: self.streams,
            step,
            context: &context,
        };
        Ok(Step { at_test, next: acquisition.choose(&view, self.batch)? })
    }
}
