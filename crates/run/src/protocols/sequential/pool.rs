//! Let acquisitions choose rows of a pool.

use ndarray::ArrayView2;

use super::super::answers::check_answer;
use super::acquisition::Acquisition;
use super::engine::{Campaign, Ground};
use super::rows::View;
use super::state::State;
use super::step::{Choice, Step};
use uq_core::Table;
use uq_core::predictive::Predictive;
use uq_core::scaling::Scaler;
use uq_methods::{FitError, Fitted};

/// A fit, and the scaler that made its units.
pub type Model = (Box<dyn Fitted>, Scaler);

/// Fits the rows of these numbers at a step.
pub type FitRows<'a> = dyn Fn(&[usize], u64) -> Result<Model, FitError> + 'a;

/// A pool, and how its known rows are fitted. Tables are in the data's units.
pub struct Pool<'a> {
    /// The rows that `start` and `open` number.
    pub rows: &'a Table,
    /// Rows that are known at the start.
    pub start: &'a [usize],
    /// Rows that may be added.
    pub open: &'a [usize],
    /// Rows that a step adds.
    pub batch: usize,
    /// Fits the known rows of a later step, from 1.
    pub fit: &'a FitRows<'a>,
    /// Turns a prediction of the test rows in the units of the fit into what is kept.
    pub keep: &'a dyn Fn(Predictive, &Scaler) -> Result<Predictive, FitError>,
    /// How steps are taken.
    pub campaign: Campaign<'a>,
}

impl Ground for Pool<'_> {
    type State = State;

    fn campaign(&self) -> &Campaign<'_> {
        &self.campaign
    }

    fn start(&self) -> State {
        State::new(self.start, self.open)
    }

    fn add(&self, state: &mut State, choice: &Choice) {
        state.add(&choice.rows);
    }

    fn step(
        &self,
        acquisition: Acquisition,
        state: &State,
        number: usize,
    ) -> Result<Step, FitError> {
        let Campaign { test, first, reading, request, streams, context, .. } = self.campaign;
        let step = number as u64;
        let fresh = if number == 0 { None } else { Some((self.fit)(&state.known, step)?) };
        let (fitted, scaler) =
            fresh.as_ref().map_or(first, |(fitted, scaler)| (fitted.as_ref(), scaler));
        let context = context.child("step", step);
        let predict = |features: ArrayView2<f64>| -> Result<Predictive, FitError> {
            let predictive = fitted.predict(reading, features, request, &context)?;
            check_answer(reading, &predictive, features.nrows())?;
            Ok(predictive)
        };
        let at_test = (self.keep)(predict(scaler.apply(test).features.view())?, scaler)?;
        if number == self.campaign.steps || state.open.is_empty() {
            return Ok(Step { at_test, next: Choice::default() });
        }
        // The acquisition receives the features alone.
        let features = scaler.apply(self.rows).features;
        let view = View {
            features: features.view(),
            known: &state.known,
            open: &state.open,
            predict: &predict,
            streams,
            step,
            context: &context,
        };
        Ok(Step { at_test, next: acquisition.choose(&view, self.batch)? })
    }
}
