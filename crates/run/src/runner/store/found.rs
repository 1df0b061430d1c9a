//! Say what the store knows of a trial, and leave out of pages what cannot be read.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Store, StoreError, held};
use crate::runner::key::TrialKey;
use crate::runner::record::TrialResult;

/// What the store knows of a trial.
#[derive(Clone, Debug, PartialEq)]
pub enum Found {
    /// Nothing.
    Absent,
    /// A finished trial.
    Finished(Arc<TrialResult>),
    /// A damaged one: its bytes were read whole, and are not those that were written, or something
    /// else has the place of its files.
    Damaged(String),
}

/// Why a trial is left out that cannot be read. That says nothing of its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable(pub String);

impl Store {
    /// What was read of a trial for pages, which lose no more than this trial where it cannot be
    /// read: then it counts among those that were left out.
    ///
    /// # Errors
    /// Any error but [`StoreError::Read`].
    pub fn readable<T>(
        &self,
        key: &TrialKey,
        read: Result<T, StoreError>,
    ) -> Result<Result<T, Unreadable>, StoreError> {
        match read {
            Err(StoreError::Read { path, source }) => {
                let why = format!("{} cannot be read: {source}", path.display());
                held(&self.unreadable).insert(key.clone(), why.clone());
                Ok(Err(Unreadable(why)))
            }
            read => read.map(Ok),
        }
    }

    /// As [`Store::find`], for what counts or lists trials; `None` for one that cannot be read,
    /// which then counts among those that were left out.
    ///
    /// # Errors
    /// Any error of [`Store::find`] but [`StoreError::Read`].
    pub fn find_readable(&self, key: &TrialKey) -> Result<Option<Found>, StoreError> {
        Ok(self.readable(key, self.find(key))?.ok())
    }

    /// Trials that were left out since the store was opened, because they cannot be read, and why.
    pub fn unreadable(&self) -> BTreeMap<TrialKey, String> {
        held(&self.unreadable).clone()
    }
}
