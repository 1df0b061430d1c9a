//! Add a finished trial: written whole under a temporary name, synchronised, renamed, and looked for.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::error::writing;
use super::format::TEMPORARY;
use super::sweep::{remove_trial, trial_name};
use super::{Found, Store, StoreError, held};
use crate::runner::record::{PROVENANCE, RESULT, TrialRecord, TrialResult, seal};
use crate::system::disk::{Durability, Kind};

/// How often, and how far apart, a trial that was just renamed is looked for: a network file system may show it late.
const LATE: [Duration; 4] =
    [Duration::from_millis(20), Duration::from_millis(100), Duration::from_millis(500), Duration::from_secs(2)];

impl Store {
    /// Keeps a finished trial: a whole folder under a temporary name, synchronised, then renamed.
    ///
    /// # Errors
    /// [`StoreError::Write`], with nothing left behind; [`StoreError::Conflict`] where the trial is there with other bytes.
    pub fn keep(&self, record: &TrialRecord) -> Result<(), StoreError> {
        let key = &record.result.key;
        self.ensure_marked()?;
        let temporary = self.root.join(TEMPORARY).join(trial_name(key));
        let kept = self.write_trial(record, &temporary).and_then(|()| self.put_in_place(record, &temporary));
        if let Err(error) = kept {
            let _ = remove_trial(self.disk.as_ref(), &temporary); // the first error is the one to report
            return Err(error);
        }
        held(&self.verified).insert(key.clone(), Arc::new(record.result.clone()));
        held(&self.damaged).remove(key);
        match self.disk.remove_file(&self.failure_path(key)) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(writing(&self.failure_path(key))(error)),
            _ => Ok(()),
        }
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
        for (name, bytes) in own.chain([(PROVENANCE, provenance.as_bytes()), (RESULT, sealed.as_bytes())]) {
            let path = folder.join(name);
            self.disk.write_new(&path, bytes, Durability::Synced).map_err(writing(&path))?;
        }
        self.disk.sync_folder(folder).map_err(writing(folder))
    }

    /// Gives a written trial its own name, and sees that it is there.
    fn put_in_place(&self, record: &TrialRecord, temporary: &Path) -> Result<(), StoreError> {
        let folder = self.folder(&record.result.key);
        let parent = folder.parent().unwrap_or(&self.root);
        self.disk.create_folders(parent).map_err(writing(parent))?;
        if let Err(error) = self.disk.rename(temporary, &folder) {
            // The trial is there already: another process was faster, or the file system did what it says that it could not.
            match self.verify(&record.result.key, &folder)? {
                Found::Absent => return Err(writing(&folder)(error)),
                Found::Finished(found) => self.agree(record, &found, folder.clone())?,
                // What is no folder is nobody's trial: it stays, and is named.
                Found::Damaged(_) if self.disk.kind(&folder).is_ok_and(|kind| kind != Kind::Folder) => {
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
                Err(error) => std::thread::sleep(late.next().ok_or_else(|| writing(&folder)(error))?),
            }
        }
    }

    /// Another process' result is harmless if it is the same.
    fn agree(&self, record: &TrialRecord, found: &TrialResult, folder: PathBuf) -> Result<(), StoreError> {
        if *found == record.result {
            return Ok(());
        }
        let (ours, theirs) = (&record.result.files, &found.files);
        let file = ours.iter().find(|(name, stamp)| theirs.get(*name) != Some(stamp)).map_or(RESULT, |(name, _)| name);
        Err(StoreError::Conflict { key: record.result.key.clone(), file: file.into(), folder })
    }
}
