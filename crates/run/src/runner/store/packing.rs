//! Pack the trials of a store into one file, and open such a file as a store that nobody can write.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::error::reading;
use super::lock::Lock;
use super::pack::{self, CHOSEN_TABLES, Chosen, FAILURE_FILE, Files, SCORES_FILE, Unpacked};
use super::pack_disk::PackDisk;
use super::{Found, Store, StoreError, Used, held};
use crate::runner::key::TrialKey;
use crate::runner::record::{PROVENANCE, RESULT, ROWS, SIDE_TABLES, seal};
use uqbench_system::Disk;
use uqbench_system::carried;
use uqbench_system::disk::{LARGEST, read_whole};
use uqbench_system::machine::affordable;

/// The pack that the program carries under this name, which is no path.
pub(super) fn carried_pack(name: &Path) -> Option<&'static [u8]> {
    carried::bytes(&format!("reports/packs/{}.pack", name.to_str()?))
}

impl Store {
    /// Opens a pack for reading.
    ///
    /// # Errors
    /// [`StoreError::ForeignFile`] for another file and a damaged pack, [`StoreError::Newer`] where
    /// a newer program wrote it.
    pub(super) fn open_pack(disk: &dyn Disk, path: PathBuf) -> Result<Self, StoreError> {
        let bytes = read_whole(disk, &path, affordable(LARGEST)).map_err(reading(&path))?;
        Self::from_pack(&bytes, &path)
    }

    /// A pack as a store; `path` is the file that its bytes come from.
    ///
    /// # Errors
    /// [`StoreError::ForeignFile`] for other bytes and a damaged pack, [`StoreError::Newer`] where
    /// a newer program wrote it.
    pub fn from_pack(bytes: &[u8], path: &Path) -> Result<Self, StoreError> {
        let trials = pack::read(bytes).map_err(|why| match why {
            Unpacked::Foreign(why) => StoreError::ForeignFile { path: path.into(), why },
            Unpacked::Newer(found) => StoreError::Newer {
                what: format!("the pack {}", path.display()),
                found,
                known: pack::PACK_FORMAT,
            },
        })?;
        let disk = Arc::new(PackDisk::new(path, trials));
        Ok(Self { is_pack: true, ..Self::new(path.into(), disk, Lock::none(), true) })
    }

    /// The files of a trial by name: its own, those that pages have used and what is derived from
    /// it (sealed) for a finished trial, its failure for another one; `None` where the store has
    /// nothing of it. Of a trial from another pack they are all that this pack had.
    fn packed(
        &self,
        key: &TrialKey,
        used: &Used,
        derived: Option<&Vec<u8>>,
    ) -> Result<Option<Files>, StoreError> {
        let mut files = Files::new();
        if let Found::Finished(result) = self.find(key)? {
            let folder = self.folder(key);
            let brought: &[&str] =
                if self.is_packed(&folder)? { &[CHOSEN_TABLES, ROWS, SIDE_TABLES] } else { &[] };
            for name in [RESULT, PROVENANCE].iter().chain(brought) {
                files.extend(self.file_of(key, name)?.map(|bytes| ((*name).to_owned(), bytes)));
            }
            for name in used.files.get(key).into_iter().flatten() {
                files.insert(name.clone(), self.stamped(&result, name)?);
            }
            if let Some(names) = used.tables.get(key) {
                let mut tables = self.all_tables(&result)?;
                let all = tables.iter().map(|table| table.name.clone()).collect();
                tables.retain(|table| names.contains(&table.name));
                let unwritable = |error: serde_json::Error| StoreError::Unwritable {
                    key: key.clone(),
                    message: error.to_string(),
                };
                let text = seal(&Chosen { all, tables }).map_err(unwritable)?;
                files.insert(CHOSEN_TABLES.to_owned(), text.into_bytes());
            }
            files.extend(derived.map(|cache| (SCORES_FILE.to_owned(), cache.clone())));
        } else {
            let failure = self.failure_file(key)?;
            files.extend(failure.map(|bytes| (FAILURE_FILE.to_owned(), bytes)));
        }
        Ok((!files.is_empty()).then_some(files))
    }

    /// A pack of these trials: records, provenance, the given caches of derived data, and of
    /// predictions and side tables those that were read since the store was opened, or packed for
    /// the last time.
    ///
    /// # Errors
    /// [`StoreError::Read`]; [`StoreError::NotPacked`] for a pack; [`StoreError::Damaged`] for a
    /// file whose checksum is wrong.
    pub fn pack(
        &self,
        keys: &[TrialKey],
        derived: &BTreeMap<TrialKey, Vec<u8>>,
    ) -> Result<Vec<u8>, StoreError> {
        let used = std::mem::take(&mut *held(&self.used));
        self.pack_used(keys, &used, derived)
    }

    /// A pack of all files of these trials, predictions and side tables included: it can be joined
    /// with others, whatever pages will read.
    ///
    /// # Errors
    /// As [`Store::pack`].
    pub fn pack_whole(&self, keys: &[TrialKey]) -> Result<Vec<u8>, StoreError> {
        let (mut used, mut derived) = (Used::default(), BTreeMap::new());
        for key in keys {
            let Found::Finished(result) = self.find(key)? else { continue };
            // A trial that came from another pack has what that one had.
            if !self.is_packed(&self.folder(key))? {
                used.files.insert(key.clone(), result.files.keys().cloned().collect());
            }
            derived.extend(self.derived(key)?.map(|bytes| (key.clone(), bytes)));
        }
        self.pack_used(keys, &used, &derived)
    }

    fn pack_used(
        &self,
        keys: &[TrialKey],
        used: &Used,
        derived: &BTreeMap<TrialKey, Vec<u8>>,
    ) -> Result<Vec<u8>, StoreError> {
        let mut trials = Vec::new();
        for key in keys {
            trials.extend(self.packed(key, used, derived.get(key))?.map(|files| (key, files)));
        }
        pack::write(&trials.iter().map(|(key, files)| (*key, files)).collect::<Vec<_>>())
    }
}
