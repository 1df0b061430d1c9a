//! Read the files of a store, and replace those that can be made again.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::MutexGuard;

use serde_json::Value;

use super::error::{reading, writing};
use super::format::{FAILURES, LARGEST_RECORD, PACKED, SCORES, TEMPORARY, TRIALS};
use super::pack::{CHOSEN_TABLES, Chosen};
use super::sweep::file_name;
use super::{Store, StoreError, held};
use crate::runner::attempt::Attempt;
use crate::runner::key::TrialKey;
use crate::runner::outcome::Failure;
use crate::runner::record::{
    FileStamp, PROVENANCE, Provenance, SIDE_TABLES, TrialResult, seal, unseal,
};
use uq_methods::side_tables::SideTable;
use uqbench_system::disk::{Durability, Kind, LARGEST, is_unfit, read_whole};

/// Most bytes of the chosen side tables of a trial.
const LARGEST_TABLES: u64 = 1 << 30;

impl Store {
    /// The bytes of a file of at most `most` bytes; `None` if it does not exist.
    ///
    /// # Errors
    /// [`StoreError::Read`].
    pub(super) fn present(
        &self,
        folder: &Path,
        name: &str,
        most: u64,
    ) -> Result<Option<Vec<u8>>, StoreError> {
        let path = folder.join(name);
        match read_whole(self.disk.as_ref(), &path, most) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(reading(&path)(error)),
        }
    }

    /// As [`Store::present`], of what the store can be used without: what is no file has nothing to
    /// say. [`Store::check`] names it.
    pub(super) fn dispensable(
        &self,
        folder: &Path,
        name: &str,
    ) -> Result<Option<Vec<u8>>, StoreError> {
        match self.present(folder, name, LARGEST_RECORD) {
            Err(StoreError::Read { source, .. }) if is_unfit(&source) => Ok(None),
            found => found,
        }
    }

    /// The bytes of a file of a finished trial; `None` if there is none, or it can be done without
    /// and is no file.
    pub(super) fn file_of(
        &self,
        key: &TrialKey,
        name: &str,
    ) -> Result<Option<Vec<u8>>, StoreError> {
        let folder = self.folder(key);
        if name == PROVENANCE {
            self.dispensable(&folder, name)
        } else {
            self.present(&folder, name, LARGEST)
        }
    }

    /// Whether a finished trial lacks files, because it comes from a pack.
    ///
    /// # Errors
    /// [`StoreError::Read`].
    pub fn lacks_files(&self, result: &TrialResult) -> Result<bool, StoreError> {
        for name in result.files.keys() {
            if !self.has(&result.key, name)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a stored trial comes from a pack, so that it did not run in this store.
    ///
    /// # Errors
    /// [`StoreError::Read`].
    pub fn is_from_pack(&self, key: &TrialKey) -> Result<bool, StoreError> {
        self.is_packed(&self.folder(key))
    }

    /// Whether the trial in this folder comes from a pack and may lack files.
    pub(super) fn is_packed(&self, folder: &Path) -> Result<bool, StoreError> {
        Ok(self.is_pack || self.present(folder, PACKED, LARGEST_RECORD)?.is_some())
    }

    /// The keys of all stored trials, damaged ones included, in ascending order.
    ///
    /// # Errors
    /// [`StoreError::Read`] where a folder cannot be read.
    pub fn keys(&self) -> Result<Vec<TrialKey>, StoreError> {
        let trials = self.root.join(TRIALS);
        let mut keys = Vec::new();
        for part in self.names(&trials)? {
            let part = trials.join(part);
            if self.disk.kind(&part).map_err(reading(&part))? == Kind::Folder {
                keys.extend(
                    self.names(&part)?.iter().filter_map(|name| TrialKey::parse(name.to_str()?)),
                );
            }
        }
        keys.sort_unstable();
        Ok(keys)
    }

    /// The keys of all stored trials and of those whose last attempt failed, in ascending order.
    ///
    /// # Errors
    /// [`StoreError::Read`] where a folder cannot be read.
    pub fn keys_with_failures(&self) -> Result<BTreeSet<TrialKey>, StoreError> {
        let mut keys: BTreeSet<TrialKey> = self.keys()?.into_iter().collect();
        let names = self.names(&self.failure_folder())?;
        keys.extend(
            names.iter().filter_map(|name| TrialKey::parse(name.to_str()?.strip_suffix(".json")?)),
        );
        Ok(keys)
    }

    /// The names in a folder; empty if it does not exist.
    pub(super) fn names(&self, folder: &Path) -> Result<Vec<OsString>, StoreError> {
        match self.disk.list(folder) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
            names => names.map_err(reading(folder)),
        }
    }

    /// The bytes of one file of a finished trial, verified.
    ///
    /// # Errors
    /// [`StoreError::Read`]; [`StoreError::Damaged`] where they have changed since the trial was
    /// found.
    pub fn file(&self, result: &TrialResult, name: &str) -> Result<Vec<u8>, StoreError> {
        held(&self.used).files.entry(result.key.clone()).or_default().insert(name.to_owned());
        self.stamped(result, name)
    }

    /// As [`Store::file`], for what no page needs.
    ///
    /// # Errors
    /// As [`Store::file`].
    pub fn stamped(&self, result: &TrialResult, name: &str) -> Result<Vec<u8>, StoreError> {
        let folder = self.folder(&result.key);
        let damaged = |message: String| StoreError::Damaged { key: result.key.clone(), message };
        let stamp = result.files.get(name);
        let found = self.present(&folder, name, stamp.map_or(0, |stamp| stamp.bytes));
        let Some(bytes) = found.or_else(|error| Err(damaged(error.damage_in(&folder)?)))? else {
            if self.is_packed(&folder)? {
                return Err(self.not_packed(&result.key, name.into()));
            }
            return Err(reading(&folder.join(name))(ErrorKind::NotFound.into()));
        };
        if stamp == Some(&FileStamp::of(&bytes)) {
            return Ok(bytes);
        }
        Err(damaged(format!("{name}: its bytes are not those that were written")))
    }

    /// The side tables of a finished trial whose names are wanted, in their order.
    ///
    /// # Errors
    /// [`StoreError::Read`]; [`StoreError::Damaged`] where they have changed since the trial was
    /// found; [`StoreError::NotPacked`] where a pack lacks a wanted table.
    pub fn side_tables(
        &self,
        result: &TrialResult,
        wanted: impl Fn(&str) -> bool,
    ) -> Result<Vec<SideTable>, StoreError> {
        if !result.files.contains_key(SIDE_TABLES) {
            return Ok(Vec::new());
        }
        if let Some(chosen) = self.chosen_tables(&result.key)? {
            let chosen = chosen.wanted(&wanted);
            return chosen.map_err(|file| self.not_packed(&result.key, file));
        }
        let mut tables = self.all_tables(result)?;
        tables.retain(|table| wanted(&table.name));
        let names = tables.iter().map(|table| table.name.clone());
        held(&self.used).tables.entry(result.key.clone()).or_default().extend(names);
        Ok(tables)
    }

    /// The side tables of a finished trial that the store has: a pack may lack some or all.
    ///
    /// # Errors
    /// As [`Store::side_tables`], but for a table that a pack lacks.
    pub fn tables_at_hand(&self, result: &TrialResult) -> Result<Vec<SideTable>, StoreError> {
        if let Some(chosen) = self.chosen_tables(&result.key)? {
            return Ok(chosen.tables);
        }
        match self.all_tables(result) {
            Err(StoreError::NotPacked { .. }) => Ok(Vec::new()),
            tables => tables,
        }
    }

    /// All side tables of a finished trial, from its own file.
    pub(super) fn all_tables(&self, result: &TrialResult) -> Result<Vec<SideTable>, StoreError> {
        let damaged = |message: String| StoreError::Damaged { key: result.key.clone(), message };
        unseal(&self.stamped(result, SIDE_TABLES)?).map_err(damaged)
    }

    /// The chosen side tables of a trial in a pack that lacks the others.
    fn chosen_tables(&self, key: &TrialKey) -> Result<Option<Chosen>, StoreError> {
        let folder = self.folder(key);
        let Some(text) = self.present(&folder, CHOSEN_TABLES, LARGEST_TABLES)? else {
            return Ok(None);
        };
        if !self.is_packed(&folder)? {
            return Ok(None);
        }
        let damaged = |message: String| StoreError::Damaged { key: key.clone(), message };
        unseal(&text).map(Some).map_err(damaged)
    }

    fn not_packed(&self, key: &TrialKey, file: String) -> StoreError {
        StoreError::NotPacked { pack: self.root.clone(), key: key.clone(), file }
    }

    /// Where, when and how fast a trial ran; `None` where that file is lost or damaged, which does
    /// not affect the rest of the trial.
    ///
    /// # Errors
    /// [`StoreError::Read`].
    pub fn provenance(&self, key: &TrialKey) -> Result<Option<Provenance>, StoreError> {
        let text = self.file_of(key, PROVENANCE)?;
        Ok(text.and_then(|text| unseal(&text).ok()))
    }

    pub(super) fn failure_folder(&self) -> PathBuf {
        self.root.join(FAILURES)
    }

    pub(super) fn failure_path(&self, key: &TrialKey) -> PathBuf {
        self.failure_folder().join(format!("{key}.json"))
    }

    /// Stores an attempt that did not finish, in place of an earlier one.
    ///
    /// # Errors
    /// [`StoreError::Write`].
    pub fn remember_attempt(&self, key: &TrialKey, attempt: &Attempt) -> Result<(), StoreError> {
        let text = seal(attempt).map_err(|error| StoreError::Unwritable {
            key: key.clone(),
            message: error.to_string(),
        })?;
        self.replace(&self.failure_path(key), text.as_bytes())
    }

    /// The last attempt that did not finish; `None` where there is none, or its file is damaged.
    ///
    /// # Errors
    /// [`StoreError::Read`].
    pub fn last_attempt(&self, key: &TrialKey) -> Result<Option<Attempt>, StoreError> {
        let text = self.failure_file(key)?;
        Ok(text.and_then(|text| Attempt::read(&text).ok()))
    }

    /// Why the last attempt did not finish.
    ///
    /// # Errors
    /// [`StoreError::Read`].
    pub fn failure(&self, key: &TrialKey) -> Result<Option<Failure>, StoreError> {
        Ok(self.last_attempt(key)?.map(|attempt| attempt.failure))
    }

    fn scores_folder(&self, key: &TrialKey) -> PathBuf {
        self.root.join(SCORES).join(&key.as_str()[..2])
    }

    /// The cache of what is derived from a trial, sealed; `None` where there is none.
    ///
    /// # Errors
    /// [`StoreError::Read`].
    pub fn derived(&self, key: &TrialKey) -> Result<Option<Vec<u8>>, StoreError> {
        self.dispensable(&self.scores_folder(key), &format!("{key}.json"))
    }

    /// Whether there is a cache of what is derived from a trial.
    pub(super) fn is_derived(&self, key: &TrialKey) -> bool {
        self.disk.length(&self.scores_folder(key).join(format!("{key}.json"))).is_ok()
    }

    /// Caches what is derived from a trial.
    ///
    /// # Errors
    /// [`StoreError::Write`].
    pub fn keep_derived(&self, key: &TrialKey, sealed: &[u8]) -> Result<(), StoreError> {
        let folder = self.scores_folder(key);
        self.ensure_marked()?;
        self.disk.create_folders(&folder).map_err(writing(&folder))?;
        self.replace(&folder.join(format!("{key}.json")), sealed)
    }

    /// Held while a cache of derived data is read, extended and written.
    pub fn derive_alone(&self) -> MutexGuard<'_, ()> {
        held(&self.deriving)
    }

    /// Remembers that a page has used this reduction of a trial's predictions.
    pub fn note_reduced(&self, key: &TrialKey, name: &str, value: Value) {
        held(&self.used).reduced.entry(key.clone()).or_default().insert(name.to_owned(), value);
    }

    /// The reductions of a trial's predictions that pages have used since the store was opened, by
    /// name.
    pub fn used_reductions(&self, key: &TrialKey) -> BTreeMap<String, Value> {
        held(&self.used).reduced.get(key).cloned().unwrap_or_default()
    }

    /// Replaces a file that can be made again.
    pub(super) fn replace(&self, path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
        self.ensure_marked()?;
        let temporary = self.root.join(TEMPORARY).join(file_name());
        let written =
            self.disk.write_new(&temporary, bytes, Durability::Cached).map_err(writing(&temporary));
        let replaced =
            written.and_then(|()| self.disk.rename(&temporary, path).map_err(writing(path)));
        if replaced.is_err() {
            let _ = self.disk.remove_file(&temporary); // the first error is the one to report
        }
        replaced
    }
}
