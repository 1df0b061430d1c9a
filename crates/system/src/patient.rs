//! Repeat calls of a disk that fail in passing, such as with a stale handle of a network file
//! system.

use std::ffi::OsString;
use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use super::disk::{Disk, Durability, Kind, RealDisk, is_passing};

/// Pauses before further attempts at a call that failed for a transient reason.
const PAUSES: [Duration; 4] = [
    Duration::from_millis(10),
    Duration::from_millis(50),
    Duration::from_millis(200),
    Duration::from_millis(500),
];

/// A disk on which each call is repeated, with growing pauses, while its error is transient
/// ([`is_passing`]).
#[derive(Debug)]
pub struct Patient(Arc<dyn Disk>);

impl Patient {
    /// Patience with this disk.
    pub fn with(disk: Arc<dyn Disk>) -> Arc<dyn Disk> {
        Arc::new(Self(disk))
    }

    /// Patience with the machine's file system.
    pub fn machine() -> Self {
        Self(Arc::new(RealDisk))
    }
}

/// Repeats a call, with growing pauses, while it fails for a transient reason.
fn patiently<T>(mut call: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    for pause in PAUSES {
        match call() {
            Err(error) if is_passing(&error) => std::thread::sleep(pause),
            end => return end,
        }
    }
    call()
}

/// As [`patiently`]. A call that is not the first one may find what an earlier one has done before
/// it failed: `is_done` tells of such an error.
fn patiently_once(
    mut call: impl FnMut() -> io::Result<()>,
    is_done: impl Fn(&io::Error) -> bool,
) -> io::Result<()> {
    let mut is_again = false;
    patiently(|| {
        let end =
            call().or_else(|error| if is_again && is_done(&error) { Ok(()) } else { Err(error) });
        is_again = true;
        end
    })
}

impl Disk for Patient {
    fn read(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        patiently(|| self.0.read(path, most))
    }

    fn length(&self, path: &Path) -> io::Result<u64> {
        patiently(|| self.0.length(path))
    }

    fn kind(&self, path: &Path) -> io::Result<Kind> {
        patiently(|| self.0.kind(path))
    }

    fn modified(&self, path: &Path) -> io::Result<SystemTime> {
        patiently(|| self.0.modified(path))
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<OsString>> {
        patiently(|| self.0.list(folder))
    }

    fn create_folder(&self, path: &Path) -> io::Result<()> {
        patiently_once(
            || self.0.create_folder(path),
            |error| error.kind() == ErrorKind::AlreadyExists,
        )
    }

    fn create_folders(&self, path: &Path) -> io::Result<()> {
        patiently(|| self.0.create_folders(path))
    }

    /// What a failed attempt has written is removed: the name was free, so that it is the attempt's
    /// own.
    fn write_new(&self, path: &Path, bytes: &[u8], durability: Durability) -> io::Result<()> {
        patiently(|| {
            let written = self.0.write_new(path, bytes, durability);
            if written.as_ref().is_err_and(is_passing) {
                let _ = self.0.remove_file(path); // if it is still there, the next attempt says so
            }
            written
        })
    }

    /// A file system may rename, and report an error all the same: the old name is then gone, and
    /// the new one is there.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let is_done =
            |error: &io::Error| error.kind() == ErrorKind::NotFound && self.kind(to).is_ok();
        patiently_once(|| self.0.rename(from, to), is_done)
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        patiently_once(|| self.0.remove_file(path), |error| error.kind() == ErrorKind::NotFound)
    }

    fn remove_folder(&self, path: &Path) -> io::Result<()> {
        patiently_once(|| self.0.remove_folder(path), |error| error.kind() == ErrorKind::NotFound)
    }

    fn open_lock(&self, path: &Path) -> io::Result<File> {
        patiently(|| self.0.open_lock(path))
    }

    fn try_lock(&self, file: &File, shared: bool) -> Result<(), TryLockError> {
        self.0.try_lock(file, shared)
    }

    fn flush(&self, folder: &Path) {
        self.0.flush(folder);
    }

    fn sync_file(&self, path: &Path) -> io::Result<()> {
        patiently(|| self.0.sync_file(path))
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        patiently(|| self.0.sync_folder(folder))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_that_fails_in_passing_is_made_again_and_any_other_is_not() {
        for (kind, calls) in
            [(ErrorKind::StaleNetworkFileHandle, 5), (ErrorKind::PermissionDenied, 1)]
        {
            let mut made = 0;
            let end: io::Result<()> = patiently(|| {
                made += 1;
                Err(kind.into())
            });
            assert_eq!((end.unwrap_err().kind(), made), (kind, calls));
        }
        let mut left = 2;
        let end = patiently(|| {
            left -= 1;
            if left == 0 { Ok(7) } else { Err(ErrorKind::WouldBlock.into()) }
        });
        assert_eq!(end.unwrap(), 7);
    }

    #[test]
    fn what_an_earlier_attempt_has_done_is_no_error_and_what_another_has_done_is_one() {
        let ends = |kinds: &[ErrorKind]| {
            let mut left = kinds.iter();
            let call = || left.next().map_or(Ok(()), |kind| Err((*kind).into()));
            patiently_once(call, |error| error.kind() == ErrorKind::AlreadyExists)
        };
        assert!(ends(&[ErrorKind::StaleNetworkFileHandle, ErrorKind::AlreadyExists]).is_ok());
        assert_eq!(ends(&[ErrorKind::AlreadyExists]).unwrap_err().kind(), ErrorKind::AlreadyExists);
    }
}
