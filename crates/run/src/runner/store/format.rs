//! Recognise a store and its format.

use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::Path;

use serde::Deserialize;

use super::StoreError;
use crate::runner::key::TrialKey;
use crate::runner::record::{RESULT, open_seal};
use uqbench_system::disk::{Disk, Kind, is_unfit, read_whole};
use uqbench_system::files::{is_temporary, write_whole};

/// File that marks a folder as a store and states its format.
pub const MARKER: &str = "uqbench-store.toml";
/// The format that this program writes, and the newest one that it reads.
pub const FORMAT: u64 = 1;
/// File of the last descriptions of external methods, sealed.
pub(super) const DESCRIPTIONS: &str = "external.json";
/// File whose lock every process holds that has the store open.
pub(super) const LOCK: &str = "lock";
/// Most bytes of a record, of a file of JSON about a trial, and of the file of descriptions: a
/// thousand times those of the largest that is known.
pub(super) const LARGEST_RECORD: u64 = 1 << 28;
/// Most bytes of the marker.
const LARGEST_MARKER: u64 = 1 << 16;
/// Folders of a store: finished trials, derived scores, last failures, damaged trials, work in
/// progress.
pub(super) const FOLDERS: [&str; 5] = [TRIALS, SCORES, FAILURES, QUARANTINE, TEMPORARY];
pub(super) const TRIALS: &str = "trials";
pub(super) const SCORES: &str = "scores";
pub(super) const FAILURES: &str = "failures";
pub(super) const QUARANTINE: &str = "quarantine";
pub(super) const TEMPORARY: &str = "tmp";
/// File in the folder of a trial that a pack has brought without its predictions.
pub(super) const PACKED: &str = "packed";
/// Folder of the steps of unfinished trials; it exists only while there are any.
pub(super) const STEPS: &str = "steps";

/// The kind of a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Recognised {
    /// The folder is absent or empty, or has only a half-written marker.
    Empty,
    /// A store with its marker.
    Marked,
    /// A store of format 1 without marker, from an old version of this program.
    Unmarked,
}

/// The part of the marker that this program reads.
#[derive(Deserialize)]
struct Marker {
    format: u64,
}

/// The kind of a folder. Nothing is changed.
///
/// # Errors
/// [`StoreError::Foreign`] for what is neither empty nor a store, [`StoreError::Newer`] for a newer
/// format.
pub(super) fn recognise(disk: &dyn Disk, root: &Path) -> Result<Recognised, StoreError> {
    let unreadable = |source| StoreError::Read { path: root.into(), source };
    let foreign = |why: String| Err(StoreError::Foreign { path: root.into(), why });
    let names = match disk.list(root) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Recognised::Empty),
        Err(error) if error.kind() == ErrorKind::NotADirectory => {
            return foreign("it is a file".into());
        }
        names => names.map_err(unreadable)?,
    };
    if names.iter().all(is_half_marker) {
        return Ok(Recognised::Empty);
    }
    for name in FOLDERS.iter().chain([&LOCK]).filter(|name| names.iter().any(|own| own == **name)) {
        let expected = if *name == LOCK { Kind::File } else { Kind::Folder };
        match disk.kind(&root.join(name)).map_err(unreadable)? {
            found if found == expected => {}
            Kind::Link => {
                return foreign(format!(
                    "its `{name}` is a link, and no link is followed inside a store"
                ));
            }
            _ => return foreign(format!("its `{name}` is not what a store has under this name")),
        }
    }
    if names.iter().any(|name| name == MARKER) {
        return read_marker(disk, root).map(|()| Recognised::Marked);
    }
    let known = |name: &OsString| {
        name == LOCK || FOLDERS.iter().any(|folder| name == folder) || is_half_marker(name)
    };
    if let Some(other) = names.iter().find(|name| !known(name)) {
        return foreign(format!("it has no {MARKER}, but it has `{}`", other.display()));
    }
    if let Some(missing) =
        FOLDERS.iter().chain([&LOCK]).find(|own| !names.iter().any(|name| name == **own))
    {
        return foreign(format!("it has no {MARKER} and no `{missing}`"));
    }
    if has_sealed_record(disk, &root.join(TRIALS)).map_err(unreadable)? {
        Ok(Recognised::Unmarked)
    } else {
        foreign(format!("it has no {MARKER} and no finished trial"))
    }
}

fn is_half_marker(name: &OsString) -> bool {
    name.to_str().is_some_and(|name| name.starts_with(&format!(".{MARKER}.")) && is_temporary(name))
}

fn read_marker(disk: &dyn Disk, root: &Path) -> Result<(), StoreError> {
    let path = root.join(MARKER);
    let bytes = read_whole(disk, &path, LARGEST_MARKER)
        .map_err(|source| StoreError::Read { path: path.clone(), source })?;
    let text = String::from_utf8_lossy(&bytes);
    let marker: Marker = toml::from_str(&text).map_err(|error| StoreError::Foreign {
        path: root.into(),
        why: format!("its {MARKER} states no format ({})", error.message()),
    })?;
    match marker.format {
        FORMAT => Ok(()),
        0 => Err(StoreError::Foreign {
            path: root.into(),
            why: format!("its {MARKER} states format 0, which is none"),
        }),
        found => Err(StoreError::Newer {
            what: format!("the store {}", root.display()),
            found,
            known: FORMAT,
        }),
    }
}

/// Whether there is a trial whose result has a correct checksum.
fn has_sealed_record(disk: &dyn Disk, trials: &Path) -> std::io::Result<bool> {
    for part in disk.list(trials)? {
        let part = trials.join(part);
        if disk.kind(&part)? != Kind::Folder {
            continue;
        }
        for name in disk.list(&part)? {
            if name.to_str().and_then(TrialKey::parse).is_none() {
                continue;
            }
            match read_whole(disk, &part.join(&name).join(RESULT), LARGEST_RECORD) {
                Ok(bytes) if open_seal(&bytes).is_ok() => return Ok(true),
                Err(error) if !(is_unfit(&error) || is_absent(&error)) => return Err(error),
                _ => {}
            }
        }
    }
    Ok(false)
}

fn is_absent(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

/// Marks a folder as a store of this format.
///
/// # Errors
/// [`StoreError::Write`].
pub(super) fn mark(disk: &dyn Disk, root: &Path) -> Result<(), StoreError> {
    let path = root.join(MARKER);
    let text = format!(
        "# A store of uqbench: finished trials in `trials`, one folder each. `uqbench store check` \
         looks after it.\nformat = {FORMAT}\n"
    );
    write_whole(disk, &path, text.as_bytes())
        .map_err(|source| StoreError::Write { path: path.clone(), source })
}
