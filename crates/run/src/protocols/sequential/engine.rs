//! Follow one acquisition through all steps.

use super::acquisition::Acquisition;
use super::journal::Journal;
use super::step::{Choice, Step};
use uq_core::Table;
use uq_methods::FitError;

/// What an experiment chooses from: the rows of a pool, or the points of a domain.
pub trait Ground {
    /// What is known before a step.
    type State;

    /// Number of additions.
    fn steps(&self) -> usize;

    /// The test rows, in the target's units.
    fn test(&self) -> &Table;

    /// Where steps are kept.
    fn journal(&self) -> Option<&dyn Journal>;

    /// What is known before the first step.
    fn start(&self) -> Self::State;

    /// What is known after a choice.
    fn add(&self, state: &mut Self::State, choice: &Choice);

    /// Computes a step; the last one chooses nothing.
    ///
    /// # Errors
    /// [`FitError`] from fits, predictions and the acquisition.
    fn step(&self, acquisition: Acquisition, state: &Self::State, number: usize) -> Result<Step, FitError>;

    /// All steps of one acquisition, from the fit at the start to the fit after the last addition. Once nothing is left to
    /// choose, the last prediction is repeated.
    ///
    /// # Errors
    /// As [`Ground::step`]; [`FitError::Lost`] where a step cannot be kept.
    fn follow(&self, acquisition: Acquisition) -> Result<Vec<Step>, FitError> {
        let mut state = self.start();
        let mut steps: Vec<Step> = Vec::with_capacity(self.steps() + 1);
        for number in 0..=self.steps() {
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
    fn kept(&self, acquisition: Acquisition, state: &Self::State, number: usize) -> Result<Step, FitError> {
        let name = acquisition.reading(number);
        if let Some(step) = self.journal().and_then(|journal| journal.read(&name)) {
            return Ok(step);
        }
        let step = self.step(acquisition, state, number)?;
        if let Some(journal) = self.journal() {
            let lost = |why: String| FitError::Lost(format!("step {name} cannot be kept: {why}"));
            journal.keep(&name, &step, self.test()).map_err(lost)?;
        }
        Ok(step)
    }
}
