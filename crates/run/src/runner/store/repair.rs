//! Check and repair a store: list damaged trials, move them to quarantine, restore trials in
//! quarantine that are undamaged.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::error::{reading, writing};
use super::format::{DESCRIPTIONS, LARGEST_RECORD, QUARANTINE, SCORES, TRIALS};
use super::sweep::key_of;
use super::{Found, Store, StoreError};
use crate::runner::key::TrialKey;
use crate::runner::record::PROVENANCE;
use uqbench_system::disk::{Kind, is_unfit};
use uqbench_system::files::host_digits;

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
    /// What has the place of a file or a folder of the store beside the results of trials, and is
    /// none, and why.
    pub strange: Vec<(PathBuf, String)>,
}

/// What has the place of a file or a folder of a store.
#[derive(Default)]
struct Beside {
    strange: Vec<(PathBuf, String)>,
    unreadable: Vec<String>,
}

impl Store {
    /// Verifies every trial, also those in quarantine. Nothing is changed.
    ///
    /// # Errors
    /// [`StoreError::Read`] where a folder cannot be listed.
    pub fn check(&self) -> Result<Checked, StoreError> {
        let mut checked = Checked::default();
        let Beside { strange, unreadable } = self.beside()?;
        (checked.strange, checked.unreadable) = (strange, unreadable);
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
                Ok(Found::Finished(_)) if !is_taken && self.is_free(&key)? => {
                    checked.recoverable.push((key, path))
                }
                Ok(_) => checked.quarantined += 1,
                Err(error) => checked.unreadable.push(error.to_string()),
            }
        }
        Ok(checked)
    }

    /// A found trial whose predictions, where they are there, are what its record says; else
    /// damaged, and counted so.
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

    /// Looks at what is kept beside the results of trials: what pages are made faster with, or can
    /// be made without, but that stops them, or is lost for them in silence, where it is no file.
    fn beside(&self) -> Result<Beside, StoreError> {
        let mut found = Beside::default();
        found.look(self, &self.root, DESCRIPTIONS);
        for folder in [TRIALS, SCORES].map(|name| self.root.join(name)) {
            for name in self
                .names(&folder)?
                .iter()
                .filter_map(|name| name.to_str())
                .filter(|name| is_part(name))
            {
                let path = folder.join(name);
                match self.disk.kind(&path) {
                    Ok(Kind::Folder) if folder.ends_with(SCORES) => {
                        found.look_below(self, &path)?
                    }
                    Ok(Kind::Folder) => {}
                    Ok(_) => found.strange.push((path, "it is no folder".into())),
                    Err(error) => found.unreadable.push(reading(&path)(error).to_string()),
                }
            }
        }
        found.look_below(self, &self.failure_folder())?;
        for key in self.keys()? {
            let folder = self.folder(&key);
            if self.disk.kind(&folder).is_ok_and(|kind| kind == Kind::Folder) {
                found.look(self, &folder, PROVENANCE);
            }
        }
        Ok(found)
    }

    /// Moves what has the place of a file to quarantine.
    fn put_away(&self, path: &Path) -> Result<(), StoreError> {
        let inside: Vec<_> = path
            .strip_prefix(&self.root)
            .unwrap_or(path)
            .iter()
            .map(|part| part.to_string_lossy())
            .collect();
        let aside =
            self.root.join(QUARANTINE).join(format!("{}-{}", inside.join("-"), host_digits()));
        match self.disk.rename(path, &aside) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(writing(path)(error)),
            _ => Ok(()), // another process may have moved it already
        }
    }

    /// Moves the damaged trials of a check to quarantine, with all else that is no file, and the
    /// undamaged ones in quarantine back.
    ///
    /// # Errors
    /// [`StoreError::Write`] where a trial cannot be moved. The trials before it have then been
    /// moved.
    pub fn repair(&self, checked: &Checked) -> Result<(), StoreError> {
        for (key, _) in &checked.damaged {
            self.set_aside(key)?;
        }
        checked.strange.iter().try_for_each(|(path, _)| self.put_away(path))?;
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

/// Whether a folder below those of trials and scores has this name: the first digits of keys.
fn is_part(name: &str) -> bool {
    name.len() == 2 && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}

impl Beside {
    /// Looks at a file that need not be there.
    fn look(&mut self, store: &Store, folder: &Path, name: &str) {
        match store.present(folder, name, LARGEST_RECORD) {
            Err(StoreError::Read { path, source }) if is_unfit(&source) => {
                self.strange.push((path, source.to_string()))
            }
            Err(error) => self.unreadable.push(error.to_string()),
            Ok(_) => {}
        }
    }

    /// Looks at the files about trials in a folder.
    fn look_below(&mut self, store: &Store, folder: &Path) -> Result<(), StoreError> {
        let is_of_trial =
            |name: &&str| name.strip_suffix(".json").and_then(TrialKey::parse).is_some();
        let names = store.names(folder)?;
        names
            .iter()
            .filter_map(|name| name.to_str())
            .filter(is_of_trial)
            .for_each(|name| self.look(store, folder, name));
        Ok(())
    }
}
