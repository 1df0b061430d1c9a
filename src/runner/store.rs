//! Keep finished trials, one folder each, so that none is ever lost, changed or half there.
//!
//! ```text
//! trials/ab/<key>/      result.json, rows.parquet, artefacts.json, provenance.json: written whole, then renamed
//! scores/ab/<key>.json  scores derived from a trial: a cache, made again when damaged or absent
//! failures/<key>.json   the last attempt that did not finish
//! quarantine/           damaged trials, out of the way
//! tmp/                  trials being written; swept when nobody else has the store open
//! ```

use std::collections::HashMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use thiserror::Error;

use super::key::TrialKey;
use super::outcome::Failure;
use super::record::{FileStamp, PROVENANCE, Provenance, RESULT, TrialRecord, TrialResult, seal, unseal};
use crate::data::files::{sync_folder, write_synced};

/// A folder of finished trials.
#[derive(Debug)]
pub struct Store {
    root: PathBuf,
    /// Held shared while the store is open: whoever gets it exclusively is alone and may sweep.
    _lock: File,
    unique: AtomicU64,
    /// What was verified since the store was opened: a finished trial does not change.
    verified: Mutex<HashMap<TrialKey, Arc<TrialResult>>>,
}

/// Why the store cannot be used.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The file system refuses.
    #[error("{path}: {source}; is the folder writable and the disk not full? `--store DIR` chooses another one")]
    Io {
        /// Where.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// There is no store.
    #[error("{path} is no store of trials; `uqbench reproduce --store DIR` makes one")]
    Absent {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// The same trial gave other bytes.
    #[error(
        "trial {key} gave other bytes in {file} than the stored ones: a method breaks determinism, or its version was \
         not raised; remove {folder} to keep the new result"
    )]
    Conflict {
        /// The trial.
        key: TrialKey,
        /// The file that differs.
        file: String,
        /// Where the stored ones are.
        folder: PathBuf,
    },
    /// A result has no JSON form.
    #[error("trial {key} cannot be written: {message}")]
    Unwritable {
        /// The trial.
        key: TrialKey,
        /// Why.
        message: String,
    },
}

/// What the store knows of a trial.
#[derive(Clone, Debug, PartialEq)]
pub enum Found {
    /// Nothing.
    Absent,
    /// A finished trial.
    Finished(Arc<TrialResult>),
    /// A damaged one, now in quarantine; it has to run again.
    Quarantined(String),
}

fn at(path: &Path) -> impl Fn(io::Error) -> StoreError + '_ {
    move |source| StoreError::Io { path: path.into(), source }
}

impl Store {
    /// Opens a store that exists.
    ///
    /// # Errors
    /// [`StoreError::Absent`] where there is none.
    pub fn open_existing(root: impl Into<PathBuf>) -> Result<Self, StoreError> {
        let root = root.into();
        if !root.join("trials").is_dir() {
            return Err(StoreError::Absent { path: root });
        }
        Self::open(root)
    }

    /// Opens or creates a store.
    ///
    /// # Errors
    /// [`StoreError::Io`] where folders cannot be made.
    pub fn open(root: impl Into<PathBuf>) -> Result<Self, StoreError> {
        let root = root.into();
        for folder in ["trials", "scores", "failures", "quarantine", "tmp"] {
            let path = root.join(folder);
            fs::create_dir_all(&path).map_err(at(&path))?;
        }
        let path = root.join("lock");
        let lock = File::options().create(true).truncate(false).write(true).open(&path).map_err(at(&path))?;
        // A file system without locks only goes without sweeping: renames keep trials whole. Where another process
        // sweeps, this one waits for its end, so that nobody ever has the store open without the shared lock.
        if lock.try_lock().is_ok() {
            sweep(&root.join("tmp")).map_err(at(&root))?;
            let _ = lock.unlock();
        }
        let _ = lock.lock_shared();
        Ok(Self { root, _lock: lock, unique: AtomicU64::new(0), verified: Mutex::default() })
    }

    /// Where it is.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Folder of a trial.
    pub fn folder(&self, key: &TrialKey) -> PathBuf {
        self.root.join("trials").join(&key.as_str()[..2]).join(key.as_str())
    }

    /// The trial, if it is there and whole: every checksum is verified.
    ///
    /// # Errors
    /// [`StoreError::Io`] where a damaged trial cannot be moved away.
    pub fn find(&self, key: &TrialKey) -> Result<Found, StoreError> {
        if let Some(known) = self.known().get(key) {
            return Ok(Found::Finished(known.clone()));
        }
        let folder = self.folder(key);
        if !folder.exists() {
            return Ok(Found::Absent);
        }
        match self.verify(key, &folder) {
            Ok(result) => {
                let result = Arc::new(result);
                self.known().insert(key.clone(), result.clone());
                Ok(Found::Finished(result))
            }
            Err(damage) => {
                let aside = self.root.join("quarantine").join(self.unique_name(key));
                match fs::rename(&folder, &aside) {
                    Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(at(&folder)(error)),
                    _ => {} // gone already: another process found it too
                }
                Ok(Found::Quarantined(damage))
            }
        }
    }

    fn known(&self) -> std::sync::MutexGuard<'_, HashMap<TrialKey, Arc<TrialResult>>> {
        self.verified.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn verify(&self, key: &TrialKey, folder: &Path) -> Result<TrialResult, String> {
        let read = |name: &str| fs::read(folder.join(name)).map_err(|error| format!("{name}: {error}"));
        let result: TrialResult = unseal(&read(RESULT)?).map_err(|damage| format!("{RESULT}: {damage}"))?;
        if result.key != *key {
            return Err(format!("{RESULT}: it belongs to another trial"));
        }
        for (name, stamp) in &result.files {
            if FileStamp::of(&read(name)?) != *stamp {
                return Err(format!("{name}: its bytes are not those that were written"));
            }
        }
        Ok(result)
    }

    /// The keys of all trials that are there, whole or not, in ascending order.
    ///
    /// # Errors
    /// [`StoreError::Io`] where a folder cannot be read.
    pub fn keys(&self) -> Result<Vec<TrialKey>, StoreError> {
        let names = |folder: &Path| -> Result<Vec<PathBuf>, StoreError> {
            let entries = fs::read_dir(folder).map_err(at(folder))?;
            entries.map(|entry| entry.map(|e| e.path()).map_err(at(folder))).collect()
        };
        let mut keys = Vec::new();
        for folder in names(&self.root.join("trials"))?.into_iter().filter(|path| path.is_dir()) {
            let trials = names(&folder)?;
            keys.extend(trials.iter().filter_map(|path| TrialKey::parse(path.file_name()?.to_str()?)));
        }
        keys.sort_unstable();
        Ok(keys)
    }

    /// The bytes of one file of a finished trial.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    pub fn file(&self, key: &TrialKey, name: &str) -> Result<Vec<u8>, StoreError> {
        let path = self.folder(key).join(name);
        fs::read(&path).map_err(at(&path))
    }

    /// Where, when and how fast a trial ran; `None` where that is lost or damaged, which costs the trial nothing else.
    pub fn provenance(&self, key: &TrialKey) -> Option<Provenance> {
        unseal(&fs::read(self.folder(key).join(PROVENANCE)).ok()?).ok()
    }

    /// Keeps a finished trial: a whole folder under a temporary name, synchronised, then renamed.
    ///
    /// # Errors
    /// [`StoreError::Io`]; [`StoreError::Conflict`] where the trial is there with other bytes.
    pub fn keep(&self, record: &TrialRecord) -> Result<(), StoreError> {
        let key = &record.result.key;
        let unwritable =
            |error: serde_json::Error| StoreError::Unwritable { key: key.clone(), message: error.to_string() };
        let sealed = seal(&record.result).map_err(unwritable)?;
        let provenance = seal(&record.provenance).map_err(unwritable)?;

        let temporary = self.root.join("tmp").join(self.unique_name(key));
        fs::create_dir(&temporary).map_err(at(&temporary))?;
        let own = record.files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice()));
        for (name, bytes) in own.chain([(PROVENANCE, provenance.as_bytes()), (RESULT, sealed.as_bytes())]) {
            let path = temporary.join(name);
            write_synced(&path, bytes).map_err(at(&path))?;
        }
        sync_folder(&temporary).map_err(at(&temporary))?;

        let folder = self.folder(key);
        let parent = folder.parent().unwrap_or(&self.root);
        fs::create_dir_all(parent).map_err(at(parent))?;
        if let Err(error) = fs::rename(&temporary, &folder) {
            if !folder.is_dir() {
                return Err(at(&folder)(error));
            }
            // Another process was faster, which is harmless if it found the same.
            let conflict = record
                .files
                .keys()
                .map(String::as_str)
                .chain([RESULT])
                .find(|name| fs::read(temporary.join(name)).ok() != fs::read(folder.join(name)).ok());
            fs::remove_dir_all(&temporary).map_err(at(&temporary))?;
            if let Some(file) = conflict {
                return Err(StoreError::Conflict { key: key.clone(), file: file.into(), folder });
            }
        }
        sync_folder(parent).map_err(at(parent))?;
        self.known().insert(key.clone(), Arc::new(record.result.clone()));
        match fs::remove_file(self.failure_path(key)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(at(&self.failure_path(key))(error)),
            _ => Ok(()),
        }
    }

    fn failure_path(&self, key: &TrialKey) -> PathBuf {
        self.root.join("failures").join(format!("{key}.json"))
    }

    /// Remembers why an attempt did not finish.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    pub fn remember_failure(&self, key: &TrialKey, failure: &Failure) -> Result<(), StoreError> {
        let text =
            seal(failure).map_err(|error| StoreError::Unwritable { key: key.clone(), message: error.to_string() })?;
        self.replace(&self.failure_path(key), text.as_bytes())
    }

    /// Why the last attempt did not finish.
    pub fn failure(&self, key: &TrialKey) -> Option<Failure> {
        unseal(&fs::read(self.failure_path(key)).ok()?).ok()
    }

    /// Path of the cached scores of a trial.
    pub fn scores_path(&self, key: &TrialKey) -> PathBuf {
        self.root.join("scores").join(&key.as_str()[..2]).join(format!("{key}.json"))
    }

    /// Puts a whole file in the place of another one.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    pub fn replace(&self, path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(at(parent))?;
        }
        let number = self.unique.fetch_add(1, Ordering::Relaxed);
        let temporary = self.root.join("tmp").join(format!("file-{}-{number}", std::process::id()));
        fs::write(&temporary, bytes).map_err(at(&temporary))?;
        fs::rename(&temporary, path).map_err(at(path))
    }

    fn unique_name(&self, key: &TrialKey) -> String {
        format!("{key}-{}-{}", std::process::id(), self.unique.fetch_add(1, Ordering::Relaxed))
    }
}

fn sweep(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() { fs::remove_dir_all(&path)? } else { fs::remove_file(&path)? }
    }
    Ok(())
}
