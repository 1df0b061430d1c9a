//! Hold the store's lock: shared while it is open, exclusive while leftovers are swept.
//!
//! No trial depends on it, since renames keep trials whole. A file system without locks goes without sweeping.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::time::{Duration, Instant};

use super::StoreError;
use super::format::LOCK;
use crate::system::notice::say;

/// After this time a person is told what is waited for.
const TOLD: Duration = Duration::from_secs(1);
/// After this time nobody waits any more. A sweep takes milliseconds.
const GIVEN_UP: Duration = Duration::from_secs(60);
const PAUSE: Duration = Duration::from_millis(5);

/// The lock, held shared until it is dropped; nothing where there is none to hold.
#[derive(Debug)]
pub(super) struct Lock {
    _file: Option<File>,
}

impl Lock {
    /// Held by one who only reads; a store on a read-only disk may have no lock.
    pub fn to_read(root: &Path) -> Result<Self, StoreError> {
        match File::open(root.join(LOCK)) {
            Ok(file) => Self::shared(file, root),
            Err(_) => Ok(Self { _file: None }),
        }
    }

    /// Held by one who writes; `sweep` is called first where nobody else holds it.
    pub fn to_write(root: &Path, sweep: impl FnOnce() -> Result<(), StoreError>) -> Result<Self, StoreError> {
        let path = root.join(LOCK);
        let opened = File::options().create(true).truncate(false).write(true).open(&path);
        let file = opened.map_err(|source| StoreError::Write { path: path.clone(), source })?;
        if file.try_lock().is_ok() {
            sweep()?;
            let _ = file.unlock();
        }
        Self::shared(file, root)
    }

    /// Where another process sweeps, its end is waited for, so that nobody ever has the store open without the shared lock.
    fn shared(file: File, root: &Path) -> Result<Self, StoreError> {
        let (start, mut told) = (Instant::now(), false);
        loop {
            match file.try_lock_shared() {
                Ok(()) => return Ok(Self { _file: Some(file) }),
                Err(TryLockError::Error(_)) => return Ok(Self { _file: None }),
                Err(TryLockError::WouldBlock) if start.elapsed() > GIVEN_UP => {
                    return Err(StoreError::Locked { path: root.join(LOCK), seconds: GIVEN_UP.as_secs() });
                }
                Err(TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
            }
            if !told && start.elapsed() > TOLD {
                say(format!("waiting for another program that has locked {}", root.join(LOCK).display()));
                told = true;
            }
        }
    }
}
