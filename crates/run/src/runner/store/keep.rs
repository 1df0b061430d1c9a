//! Add a finished trial: write it under a temporary name, synchronise, rename, and check that it is
//! there.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::error::writing;
use super::format::TEMPORARY;
use super::sweep::{remove_trial, trial_name};
use super::{Found, Store, StoreError, held};
use crate::runner::record::{PROVENANCE, RESULT, TrialRecord, TrialResult, seal};
use uqbench_system::disk::{Durability, Kind};

/// Pauses before a renamed trial is looked up again, because a network file system may show it
/// late.
const LATE: [Duration; 4] = [
    Duration::from_millis(20),
    Duration::from_millis(100),
    Duration::from_millis(500),
    Duration::from_secs(2),
];

impl Store {
    /// Stores a finished trial: its folder is written under a temporary name, synchronised, then
    /// renamed.
    ///
    /// # Errors
    /// [`StoreError::Write`], after which no temporary folder is left; [`StoreError::Conflict`]
    /// where the trial is stored with other bytes.
    pub fn keep(&self, record: &TrialRecord) -> Result<(), StoreError> {
        let key = &record.result.key;
        self.ensure_marked()?;
        let temporary = self.root.join(TEMPORARY).join(trial_name(key));
        let kept = self
            .write_trial(record, &temporary)
            .and_then(|()| self.put_in_place(record, &temporary));
        if let Err(error) = kept {
            // the first error is the one to report
            let _ = remove_trial(self.disk.as_ref(), &temporary);
            return Err(error);
        }
        held(&self.verified).insert(key.clone(), Arc::new(record.result.clone()));
        held(&self.damaged).remove(key);
        held(&self.useless).remove(key);
        match self.disk.remove_file(&self.failure_path(key)) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(writing(&self.failure_path(key))(error))
            }
            _ => Ok(()),
        }
    }

    /// Stores a finished trial in place of the stored one, as which it was run again.
    ///
    /// # Errors
    /// As [`Store::keep`]; the stored one is then back in its place, unless the disk fails once
    /// more.
    pub fn replace_trial(&self, record: &TrialRecord) -> Result<(), StoreError> {
        let folder = self.folder(&record.result.key);
        let aside = self.root.join(TEMPORARY).join(trial_name(&record.result.key));
        self.disk.rename(&folder, &aside).map_err(writing(&folder))?;
        held(&self.verified).remove(&record.result.key);
        if let Err(error) = self.keep(record) {
            let _ = self.disk.rename(&aside, &folder); // the first error is the one to report
            return Err(error);
        }
        remove_trial(self.disk.as_ref(), &aside).map_err(writing(&aside))
    }

    fn write_trial(&self, record: &TrialRecord, folder: &Path) -> Result<(), StoreError> {
        let unwritable = |error: serde_json::Error| StoreError::Unwritable {
            key: record.result.key.clone(),
            message: error.to_string(),
        };
        let sealed = seal(&record.result).map_err(unwritable)?;
        let provenance = seal(&record.provenance).map_err(unwritable)?;
        self.disk.create_folder(folder).map_err(writing(folder))?;
        let own = record.files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice()));
        for (name, bytes) in
            own.chain([(PROVENANCE, provenance.as_bytes()), (RESULT, sealed.as_bytes())])
        {
            let path = folder.join(name);
            self.disk.write_new(&path, bytes, Durability::Synced).map_err(writing(&path))?;
        }
        self.disk.sync_folder(folder).map_err(writing(folder))
    }

    /// Renames a written trial to its final name, and checks that it is there.
    fn put_in_place(&self, record: &TrialRecord, temporary: &Path) -> Result<(), StoreError> {
        let folder = self.folder(&record.result.key);
        let parent = folder.parent().unwrap_or(&self.root);
        if self.disk.kind(parent).is_err() {
            self.disk.create_folders(parent).map_err(writing(parent))?;
            let above = parent.parent().unwrap_or(&self.root);
            self.disk.sync_folder(above).map_err(writing(above))?;
        }
        if let Err(error) = self.disk.rename(temporary, &folder) {
            // The trial is already stored: another process was faster, or the file system renamed
            // the folder but reported an error.
            match self.taken_by(record, &folder, &error)? {
                Found::Absent => return Err(writing(&folder)(error)),
                Found::Finished(found) => self.agree(record, &found, folder.clone())?,
                // An entry that is no folder is no trial. It stays, and the error names it.
                Found::Damaged(_)
                    if self.disk.kind(&folder).is_ok_and(|kind| kind != Kind::Folder) =>
                {
                    return Err(writing(&folder)(error));
                }
                Found::Damaged(_) => {
                    self.set_aside(&record.result.key)?;
                    self.disk.rename(temporary, &folder).map_err(writing(&folder))?;
                }
            }
            remove_trial(self.disk.as_ref(), temporary).map_err(writing(temporary))?;
        }
        self.disk.sync_folder(parent).map_err(writing(parent))?;
        let mut late = LATE.into_iter();
        loop {
            match self.disk.length(&folder.join(RESULT)) {
                Ok(_) => return Ok(()),
                Err(error) => {
                    std::thread::sleep(late.next().ok_or_else(|| writing(&folder)(error))?)
                }
            }
        }
    }

    /// What has the place of a trial that could not be renamed. Where the file system says that the
    /// place is taken, it may show late by what.
    fn taken_by(
        &self,
        record: &TrialRecord,
        folder: &Path,
        error: &io::Error,
    ) -> Result<Found, StoreError> {
        let is_taken =
            matches!(error.kind(), ErrorKind::AlreadyExists | ErrorKind::DirectoryNotEmpty);
        let mut late = LATE.into_iter().filter(|_| is_taken);
        loop {
            match (self.verify(&record.result.key, folder)?, late.next()) {
                (Found::Absent, Some(pause)) => std::thread::sleep(pause),
                (found, _) => return Ok(found),
            }
        }
    }

    /// Another process's result is accepted if it is the same.
    fn agree(
        &self,
        record: &TrialRecord,
        found: &TrialResult,
        folder: PathBuf,
    ) -> Result<(), StoreError> {
        if *found == record.result {
            return Ok(());
        }
        let (ours, theirs) = (&record.result.files, &found.files);
        let file = ours
            .iter()
            .find(|(name, stamp)| theirs.get(*name) != Some(stamp))
            .map_or(RESULT, |(name, _)| name);
        Err(StoreError::Conflict { key: record.result.key.clone(), file: file.into(), folder })
    }
}
