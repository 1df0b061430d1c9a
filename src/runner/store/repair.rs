//! Check and repair a store: list damaged trials, move them to quarantine, restore trials in quarantine that are
//! undamaged.

use std::path::{Path, PathBuf};

use super::error::{reading, writing};
use super::format::{QUARANTINE, TRIALS};
use super::sweep::key_of;
use super::{Found, Store, StoreError};
use crate::runner::key::TrialKey;
use crate::system::disk::Kind;

/// The result of checking every trial of a store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Number of undamaged trials.
    pub whole: usize,
    /// Damaged trials, and what is wrong with them.
    pub damaged: Vec<(TrialKey, String)>,
    /// Trials in quarantine that are undamaged and not in the store.
    pub recoverable: Vec<(TrialKey, PathBuf)>,
    /// Number of other trials in quarantine.
    pub quarantined: usize,
    /// Trials that cannot be read, or that another version of the program wrote, and why.
    pub unreadable: Vec<String>,
}

impl Store {
    /// Verifies every trial, also those in quarantine. Nothing is changed.
    ///
    /// # Errors
    /// [`StoreError::Read`] where a folder cannot be listed.
    pub fn check(&self) -> Result<Checked, StoreError> {
        let mut checked = Checked::default();
        for key in self.keys()? {
            match self.find(&key).and_then(|found| self.with_content(found)) {
                Ok(Found::Finished(_)) => checked.whole += 1,
                Ok(Found::Damaged(damage)) => checked.damaged.push((key, damage)),
                Ok(Found::Absent) => {} // another program has moved it meanwhile
                Err(error) => checked.unreadable.push(error.to_string()),
            }
        }
        let quarantine = self.root.join(QUARANTINE);
        for name in self.names(&quarantine)? {
            let path = quarantine.join(&name);
            let Some(key) = name.to_str().and_then(key_of) else { continue };
            let is_taken = checked.recoverable.iter().any(|(known, _)| *known == key);
            match self.verify(&key, &path) {
                Ok(Found::Finished(_)) if !is_taken && self.is_free(&key)? => checked.recoverable.push((key, path)),
                Ok(_) => checked.quarantined += 1,
                Err(error) => checked.unreadable.push(error.to_string()),
            }
        }
        Ok(checked)
    }

    /// A found trial whose predictions, where they are there, are what its record says; else damaged, and counted so.
    fn with_content(&self, found: Found) -> Result<Found, StoreError> {
        let Found::Finished(result) = &found else { return Ok(found) };
        match self.check_content(result) {
            Err(StoreError::Damaged { key, message }) => {
                self.note_damage(&key, &message);
                Ok(Found::Damaged(message))
            }
            Err(error) => Err(error),
            Ok(()) => Ok(found),
        }
    }

    /// Whether the store has no undamaged trial with this key.
    fn is_free(&self, key: &TrialKey) -> Result<bool, StoreError> {
        Ok(!matches!(self.find(key)?, Found::Finished(_)))
    }

    /// Moves the damaged trials of a check to quarantine, and the undamaged ones in quarantine back.
    ///
    /// # Errors
    /// [`StoreError::Write`] where a trial cannot be moved. The trials before it have then been moved.
    pub fn repair(&self, checked: &Checked) -> Result<(), StoreError> {
        for (key, _) in &checked.damaged {
            self.set_aside(key)?;
        }
        for (key, path) in &checked.recoverable {
            self.bring_back(key, path)?;
        }
        Ok(())
    }

    fn bring_back(&self, key: &TrialKey, path: &Path) -> Result<(), StoreError> {
        let folder = self.folder(key);
        let parent = folder.parent().unwrap_or(&self.root).to_path_buf();
        if self.disk.kind(&self.root.join(TRIALS)).map_err(reading(&self.root))? == Kind::Folder {
            self.disk.create_folders(&parent).map_err(writing(&parent))?;
        }
        self.disk.rename(path, &folder).map_err(writing(&folder))?;
        self.disk.sync_folder(&parent).map_err(writing(&parent))
    }
}
