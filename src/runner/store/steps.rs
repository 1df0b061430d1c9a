//! Find the steps of an unfinished trial.

use super::error::writing;
use super::format::STEPS;
use super::{Store, StoreError};
use crate::runner::journal::Steps;
use crate::runner::key::TrialKey;

impl Store {
    /// The steps of an unfinished trial of a sequential protocol.
    ///
    /// # Errors
    /// [`StoreError::Write`] where the store cannot be marked as one.
    pub fn steps(&self, key: &TrialKey) -> Result<Steps, StoreError> {
        self.ensure_marked()?;
        Ok(Steps::new(self.disk.clone(), self.root.join(STEPS).join(key.as_str())))
    }

    /// Removes the steps of a finished trial.
    ///
    /// # Errors
    /// [`StoreError::Write`].
    pub fn remove_steps(&self, key: &TrialKey) -> Result<(), StoreError> {
        let steps = self.steps(key)?;
        steps.remove().map_err(writing(steps.folder()))
    }
}
