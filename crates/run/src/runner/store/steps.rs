//! Find the steps of an unfinished trial.

use std::collections::BTreeSet;

use super::error::writing;
use super::format::STEPS;
use super::{Found, Store, StoreError};
use crate::runner::journal::Steps;
use crate::runner::key::TrialKey;

impl Store {
    /// Number of trials of which a source has steps, and no source has the end.
    ///
    /// # Errors
    /// [`StoreError::Read`] where a folder cannot be read.
    pub fn with_steps(sources: &[Self]) -> Result<usize, StoreError> {
        let mut keys = BTreeSet::new();
        for source in sources {
            let names = source.names(&source.root().join(STEPS))?;
            keys.extend(names.iter().filter_map(|name| TrialKey::parse(name.to_str()?)));
        }
        let finished = |key: &TrialKey| {
            sources.iter().any(|source| matches!(source.find(key), Ok(Found::Finished(_))))
        };
        Ok(keys.iter().filter(|key| !finished(key)).count())
    }

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
