//! Follow one acquisition through all steps.

use super::super::answers::Fit;
use super::acquisition::Acquisition;
use super::journal::Journal;
use super::step::{Choice, Step};
use uq_core::Table;
use uq_core::math::random::Streams;
use uq_core::scaling::Scaler;
use uq_methods::{Context, FitError, Fitted, Reading, Request};

/// How the steps of an experiment are taken, whatever it chooses from.
pub struct Campaign<'a> {
    /// The test rows, in the target's units.
    pub test: &'a Table,
    /// Number of additions.
    pub steps: usize,
    /// The fit of what is known at the start, which all acquisitions share, and its scaler.
    pub first: (&'a dyn Fitted, &'a Scaler),
    /// The reading by which acquisitions and test rows are predicted.
    pub reading: &'a Reading,
    /// The request to each fit.
    pub request: &'a Request,
    /// Streams of this repetition, which no method enters.
    pub streams: Streams,
    /// Streams of the method's predictions, and the sign to stop.
    pub context: &'a Context,
    /// Where steps are kept.
    pub journal: Option<&'a dyn Journal>,
}

impl<'a> Campaign<'a> {
    /// Of a fit's first reading, with the fit's test rows and this number of additions.
    ///
    /// # Errors
    /// [`FitError::Unsupported`] where the method has no reading.
    pub fn new(fit: &Fit<'a>, steps: usize) -> Result<Self, FitError> {
        let reading = fit.readings.first();
        Ok(Self {
            test: &fit.rows.test,
            steps,
            first: (fit.fitted, fit.scaler),
            reading: reading
                .ok_or_else(|| FitError::Unsupported("the method has no reading".into()))?,
            request: fit.request,
            streams: fit.repetition.streams.child("acquisition", fit.repetition.split),
            context: fit.context,
            journal: fit.journal,
        })
    }
}

/// The readings of a trial with these acquisitions: one for each of them and each number of
/// additions.
pub fn readings_of(acquisitions: &[Acquisition], steps: usize) -> Vec<Reading> {
    acquisitions.iter().flat_map(|one| (0..=steps).map(|step| one.reading(step))).collect()
}

/// What an experiment chooses from: the rows of a pool, or the points of a domain.
pub trait Ground {
    /// What is known before a step.
    type State;

    /// How its steps are taken.
    fn campaign(&self) -> &Campaign<'_>;

    /// What is known before the first step.
    fn start(&self) -> Self::State;

    /// What is known after a choice.
    fn add(&self, state: &mut Self::State, choice: &Choice);

    /// Computes a step; the last one chooses nothing.
    ///
    /// # Errors
    /// [`FitError`] from fits, predictions and the acquisition.
    fn step(
        &self,
        acquisition: Acquisition,
        state: &Self::State,
        number: usize,
    ) -> Result<Step, FitError>;

    /// All steps of one acquisition, from the fit at the start to the fit after the last addition.
    /// Once nothing is left to choose, the last prediction is repeated.
    ///
    /// # Errors
    /// As [`Ground::step`]; [`FitError::Lost`] where a step cannot be kept.
    fn follow(&self, acquisition: Acquisition) -> Result<Vec<Step>, FitError> {
        let mut state = self.start();
        let count = self.campaign().steps;
        let mut steps: Vec<Step> = Vec::with_capacity(count + 1);
        for number in 0..=count {
            let exhausted = steps.last().filter(|last| last.next.is_empty());
            let step = match exhausted {
                Some(last) => last.clone(),
                None => self.kept(acquisition, &state, number)?,
            };
            self.add(&mut state, &step.next);
            steps.push(step);
        }
        Ok(steps)
    }

    /// The step from the journal, or computed and kept there.
    ///
    /// # Errors
    /// As [`Ground::follow`].
    fn kept(
        &self,
        acquisition: Acquisition,
        state: &Self::State,
        number: usize,
    ) -> Result<Step, FitError> {
        let name = acquisition.reading(number);
        let Campaign { journal, test, .. } = *self.campaign();
        if let Some(step) = journal.and_then(|journal| journal.read(&name)) {
            return Ok(step);
        }
        let step = self.step(acquisition, state, number)?;
        if let Some(journal) = journal {
            let lost = |why: String| FitError::Lost(format!("step {name} cannot be kept: {why}"));
            journal.keep(&name, &step, test).map_err(lost)?;
        }
        Ok(step)
    }
}
