//! Store finished trials, one folder each, so that none is ever lost, changed or incomplete.
//!
//! ```text
//! uqbench-store.toml    marks the folder as a store and states its format
//! trials/ab/<key>/  result.json, rows.parquet, artefacts.json, provenance.json: written whole, then renamed;
//!                       `packed` marks one that a pack has brought without its predictions
//! scores/ab/<key>.json  what is derived from a trial, scores above all: a cache, made again when damaged or absent
//! scores/pages/         rendered pages, to show them again where nothing has changed: a cache, too
//! failures/<key>.json  the last attempt that did not finish: why, where, when, how long and with what memory
//! external.json         what external methods last said of themselves
//! quarantine/           damaged trials, out of the way
//! steps/<key>/          the steps of a sequential trial that is not finished
//! tmp/                  trials being written; swept when nobody else has the store open
//! ```
//!
//! A trial is damaged if all its bytes could be read and differ from those that were written. If
//! they cannot be read, their state is unknown: the result is an error, and nothing is moved.

mod content;
mod descriptions;
mod error;
mod files;
mod format;
mod found;
mod freeze;
mod gc;
mod keep;
mod lock;
mod merge;
mod pack;
mod pack_disk;
mod packing;
mod repair;
mod stamps;
mod steps;
mod sweep;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;

pub use self::error::StoreError;
use self::error::{reading, writing};
use self::format::{
    FOLDERS, LARGEST_RECORD, QUARANTINE, Recognised, TEMPORARY, TRIALS, mark, recognise,
};
pub use self::format::{FORMAT, MARKER};
pub use self::found::{Found, Unreadable};
use self::freeze::Frozen;
pub use self::gc::Garbage;
use self::lock::Lock;
pub use self::merge::Merged;
use self::packing::carried_pack;
pub use self::repair::Checked;
use self::sweep::{sweep, trial_name};
use super::key::{SCHEMA, TrialKey, TrialSpec, key_of_spec};
use super::record::{FileStamp, RESULT, ROWS, SIDE_TABLES, TrialResult, open_seal};
use super::shared::Seen;
use uqbench_system::disk::Kind;
use uqbench_system::{Disk, Patient, RealDisk};

/// A folder of finished trials.
///
/// ```
/// use uqbench_run::benchmark::{self, Profile};
/// use uqbench_run::runner::plan::{Filter, plan};
/// use uqbench_run::runner::store::{Found, Store};
///
/// let folder = tempfile::tempdir()?;
/// let store = Store::open(folder.path().join("store"))?;
/// // The trials of a benchmark are known before any of them runs, each by its key.
/// let plans = plan(&[benchmark::find("dtb-figure-2")?], Profile::Smoke, &Filter::default())?;
/// let experiment = &plans[0].experiments[0];
/// assert_eq!(store.find(&experiment.key(0))?, Found::Absent);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Store {
    root: PathBuf,
    disk: Arc<dyn Disk>,
    /// Held shared while the store is open. A process that gets it exclusively is the only one and
    /// may sweep.
    _lock: Lock,
    /// Whether the marker exists.
    marked: Mutex<bool>,
    /// Trials that were verified since the store was opened; finished trials do not change.
    verified: Mutex<HashMap<TrialKey, Arc<TrialResult>>>,
    /// What the specifications of those have in common.
    seen: Mutex<Seen>,
    /// Damaged trials that were found since the store was opened, and what is wrong with them.
    damaged: Mutex<BTreeMap<TrialKey, String>>,
    /// Damaged trials whose checksums are right.
    useless: Mutex<BTreeMap<TrialKey, String>>,
    /// Trials that were left out since the store was opened, because they cannot be read, and why.
    unreadable: Mutex<BTreeMap<TrialKey, String>>,
    /// Which score of a pack's trial is not that of its predictions, if any, as far as that was
    /// asked.
    contradictions: Mutex<HashMap<TrialKey, Option<String>>>,
    /// What it is taken to have, whatever other programs write.
    frozen: Mutex<Option<Frozen>>,
    /// Whether it is a pack, whose trials may lack files.
    is_pack: bool,
    /// What pages have read since the store was opened.
    used: Mutex<Used>,
    /// Held while a cache of derived data is read, extended and written, so that no thread loses
    /// what another one adds.
    deriving: Mutex<()>,
}

/// What pages have read of a store.
#[derive(Debug, Default)]
struct Used {
    /// Names of files, by trial.
    files: BTreeMap<TrialKey, BTreeSet<String>>,
    /// Names of side tables, by trial; none where a trial was asked for tables that it does not
    /// have.
    tables: BTreeMap<TrialKey, BTreeSet<String>>,
    /// Reductions of predictions, by trial and name.
    reduced: BTreeMap<TrialKey, BTreeMap<String, Value>>,
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Store {
    /// Opens an existing store, or a pack, for reading. Nothing is created, moved, removed or
    /// repaired. Derived scores and rendered pages are added if the folder can be written. The name
    /// of a pack that the program carries, such as `baselines-standard`, opens it where there is no
    /// such file.
    ///
    /// # Errors
    /// [`StoreError::Absent`] where there is none, [`StoreError::Foreign`] where there is something
    /// else, [`StoreError::Newer`] where a newer program wrote it.
    pub fn open_existing(root: impl Into<PathBuf>) -> Result<Self, StoreError> {
        Self::open_existing_on(Arc::new(RealDisk), root)
    }

    /// As [`Store::open_existing`], on the given disk.
    ///
    /// # Errors
    /// As [`Store::open_existing`].
    pub fn open_existing_on(
        disk: Arc<dyn Disk>,
        root: impl Into<PathBuf>,
    ) -> Result<Self, StoreError> {
        let (disk, root) = (Patient::with(disk), root.into());
        if disk.kind(&root).is_ok_and(|kind| kind == Kind::File) {
            return Self::open_pack(disk.as_ref(), root);
        }
        if let (Err(_), Some(bytes)) = (disk.kind(&root), carried_pack(&root)) {
            return Self::from_pack(bytes, &root);
        }
        let marked = match recognise(disk.as_ref(), &root)? {
            Recognised::Empty => return Err(StoreError::Absent { path: root }),
            recognised => recognised == Recognised::Marked,
        };
        let lock = Lock::to_read(disk.as_ref(), &root)?;
        Ok(Self::new(root, disk, lock, marked))
    }

    /// Opens or creates a store, to add trials to it. Removes leftovers of killed runs if no other
    /// process has the store open.
    ///
    /// # Errors
    /// [`StoreError::Foreign`] for a folder that is neither empty nor a store,
    /// [`StoreError::Newer`] where a newer program wrote it, [`StoreError::Write`] where folders
    /// cannot be created.
    pub fn open(root: impl Into<PathBuf>) -> Result<Self, StoreError> {
        Self::open_on(Arc::new(RealDisk), root)
    }

    /// As [`Store::open`], on the given disk.
    ///
    /// # Errors
    /// As [`Store::open`].
    pub fn open_on(disk: Arc<dyn Disk>, root: impl Into<PathBuf>) -> Result<Self, StoreError> {
        Self::open_patient(Patient::with(disk), root.into())
    }

    fn open_patient(disk: Arc<dyn Disk>, root: PathBuf) -> Result<Self, StoreError> {
        let recognised = recognise(disk.as_ref(), &root)?;
        if recognised == Recognised::Empty {
            // The marker is written first, so that an incomplete folder is recognised as a store.
            disk.create_folders(&root).map_err(writing(&root))?;
            mark(disk.as_ref(), &root)?;
        }
        for folder in FOLDERS {
            let path = root.join(folder);
            disk.create_folders(&path).map_err(writing(&path))?;
        }
        let lock = Lock::to_write(disk.as_ref(), &root, || {
            let temporary = root.join(TEMPORARY);
            sweep(disk.as_ref(), &temporary).map_err(writing(&temporary))
        })?;
        Ok(Self::new(root, disk, lock, recognised != Recognised::Unmarked))
    }

    fn new(root: PathBuf, disk: Arc<dyn Disk>, lock: Lock, marked: bool) -> Self {
        Self {
            root,
            disk,
            _lock: lock,
            marked: Mutex::new(marked),
            verified: Mutex::default(),
            seen: Mutex::default(),
            damaged: Mutex::default(),
            useless: Mutex::default(),
            unreadable: Mutex::default(),
            contradictions: Mutex::default(),
            frozen: Mutex::default(),
            is_pack: false,
            used: Mutex::default(),
            deriving: Mutex::default(),
        }
    }

    /// Whether a folder is a store, or a file a pack, of any format.
    pub fn is_store(root: &Path) -> bool {
        if pack::is_pack(root) {
            return true;
        }
        matches!(
            recognise(&RealDisk, root),
            Ok(Recognised::Marked | Recognised::Unmarked) | Err(StoreError::Newer { .. })
        )
    }

    /// Whether it is a pack, whose trials may lack files.
    pub fn is_pack(&self) -> bool {
        self.is_pack
    }

    /// The store's folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Folder of a trial.
    pub fn folder(&self, key: &TrialKey) -> PathBuf {
        self.root.join(TRIALS).join(&key.as_str()[..2]).join(key.as_str())
    }

    /// Damaged trials that were found since the store was opened and are still there, and what is
    /// wrong with them.
    pub fn damaged(&self) -> BTreeMap<TrialKey, String> {
        held(&self.damaged).clone()
    }

    /// The state of a trial, with every checksum verified. Nothing is moved.
    ///
    /// # Errors
    /// [`StoreError::Read`] where it cannot be read, [`StoreError::Newer`] and
    /// [`StoreError::NotUnderstood`] where another version of the program wrote it.
    pub fn find(&self, key: &TrialKey) -> Result<Found, StoreError> {
        if let Some(known) = held(&self.verified).get(key) {
            return Ok(Found::Finished(known.clone()));
        }
        if let Some(damage) = held(&self.useless).get(key) {
            return Ok(Found::Damaged(damage.clone()));
        }
        if self.is_frozen() && !held(&self.damaged).contains_key(key) {
            return Ok(Found::Absent);
        }
        let found = self.verify(key, &self.folder(key))?;
        match &found {
            Found::Absent => {}
            Found::Finished(result) => {
                held(&self.verified).insert(key.clone(), result.clone());
            }
            Found::Damaged(damage) => {
                held(&self.damaged).insert(key.clone(), damage.clone());
            }
        }
        Ok(found)
    }

    /// The specification of a finished trial, whose bytes are not verified; `None` where there is
    /// none that is understood.
    ///
    /// # Errors
    /// [`StoreError::Read`] where it cannot be read.
    pub fn specification(&self, key: &TrialKey) -> Result<Option<TrialSpec>, StoreError> {
        if let Some(known) = held(&self.verified).get(key) {
            return Ok(Some(known.spec.clone()));
        }
        let Some(text) = self.present(&self.folder(key), RESULT, LARGEST_RECORD)? else {
            return Ok(None);
        };
        let body = open_seal(&text).ok();
        Ok(body
            .and_then(|body| serde_json::from_slice::<TrialResult>(body).ok())
            .map(|result| result.spec))
    }

    /// The state of the trial in this folder, read from the disk. What has the place of a file and
    /// is none, or is larger than the file can be, is damage.
    fn verify(&self, key: &TrialKey, folder: &Path) -> Result<Found, StoreError> {
        self.verify_files(key, folder).or_else(|error| error.damage_in(folder).map(Found::Damaged))
    }

    fn verify_files(&self, key: &TrialKey, folder: &Path) -> Result<Found, StoreError> {
        match self.disk.kind(folder) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Found::Absent),
            Err(error) => return Err(reading(folder)(error)),
            Ok(Kind::Folder) => {}
            Ok(_) => return Ok(Found::Damaged("it is no folder".into())),
        }
        let damaged = |damage: String| Ok(Found::Damaged(damage));
        let Some(text) = self.present(folder, RESULT, LARGEST_RECORD)? else {
            return self.missing(folder, RESULT);
        };
        let body = match open_seal(&text) {
            Ok(body) => body,
            Err(damage) => return damaged(format!("{RESULT}: {damage}")),
        };
        let mut result = self.understand(key, body)?;
        // A forged or misplaced result also has a correct checksum.
        let spec =
            serde_json::from_slice(body).ok().and_then(|value: Value| value.get("spec").cloned());
        if result.key != *key || spec.is_none_or(|spec| key_of_spec(spec) != *key) {
            return damaged(format!("{RESULT}: it belongs to another trial"));
        }
        for (name, stamp) in &result.files {
            if ![ROWS, SIDE_TABLES].contains(&name.as_str()) {
                return damaged(format!("{RESULT}: it names a file that no trial has"));
            }
            match self.present(folder, name, stamp.bytes)? {
                None if self.is_packed(folder)? => {}
                None => return self.missing(folder, name),
                Some(bytes) if FileStamp::of(&bytes) != *stamp => {
                    return damaged(format!("{name}: its bytes are not those that were written"));
                }
                Some(_) => {}
            }
        }
        self.share(&mut result.spec);
        Ok(Found::Finished(Arc::new(result)))
    }

    /// Keeps once in memory what this specification has in common with those of other trials.
    fn share(&self, spec: &mut TrialSpec) {
        let mut seen = held(&self.seen);
        seen.share(&mut spec.definition);
        seen.share(&mut spec.parameters);
    }

    /// The content of a sealed body, if this version of the program or an older one wrote it.
    fn understand(&self, key: &TrialKey, body: &[u8]) -> Result<TrialResult, StoreError> {
        let stated = || {
            let value: Value = serde_json::from_slice(body).ok()?;
            value.get("spec")?.get("schema")?.as_u64()
        };
        match serde_json::from_slice::<TrialResult>(body) {
            Ok(result) if result.spec.schema <= SCHEMA => Ok(result),
            end => match (stated(), end) {
                (Some(found), _) if found > u64::from(SCHEMA) => Err(StoreError::Newer {
                    what: format!("trial {key}"),
                    found,
                    known: SCHEMA.into(),
                }),
                (_, end) => {
                    let message = end.err().map_or_else(String::new, |error| error.to_string());
                    Err(StoreError::NotUnderstood {
                        key: key.clone(),
                        message,
                        folder: self.folder(key),
                    })
                }
            },
        }
    }

    /// The state of a trial without this file: another program has moved the whole folder
    /// meanwhile, or the trial is damaged.
    fn missing(&self, folder: &Path, name: &str) -> Result<Found, StoreError> {
        match self.disk.kind(folder) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Found::Absent),
            Err(error) => Err(reading(folder)(error)),
            Ok(_) => Ok(Found::Damaged(format!("{name}: it is missing"))),
        }
    }

    /// Moves a damaged trial to quarantine, so that it can run again. A trial that is undamaged
    /// after all stays.
    ///
    /// # Errors
    /// [`StoreError::Write`] where it cannot be moved.
    pub fn set_aside(&self, key: &TrialKey) -> Result<(), StoreError> {
        let folder = self.folder(key);
        if self.is_useless(key)? {
            self.ensure_marked()?;
            let aside = self.root.join(QUARANTINE).join(trial_name(key));
            match self.disk.rename(&folder, &aside) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(writing(&folder)(error));
                }
                _ => {} // another process has already moved it
            }
        }
        held(&self.damaged).remove(key);
        held(&self.useless).remove(key);
        Ok(())
    }

    /// An old store without marker gets its marker with the first write.
    fn ensure_marked(&self) -> Result<(), StoreError> {
        let mut marked = held(&self.marked);
        if !*marked {
            mark(self.disk.as_ref(), &self.root)?;
            *marked = true;
        }
        Ok(())
    }
}
