//! Hold the store's lock: shared while it is open, exclusive while leftovers are swept.
//!
//! Trials are safe without it, because they are renamed in one step. On a file system without
//! locks, leftovers are not swept. On one whose locks do not reach other hosts, a sweep leaves what
//! these are writing (`sweep.rs`).

use std::fs::{File, TryLockError};
use std::path::Path;
use std::time::{Duration, Instant};

use super::StoreError;
use super::error::writing;
use super::format::LOCK;
use uqbench_system::Disk;
use uqbench_system::notice::say;

/// After this time a message names the lock that the program waits for.
const TOLD: Duration = Duration::from_secs(1);
/// After this time waiting ends with an error. A sweep takes milliseconds.
const GIVEN_UP: Duration = Duration::from_secs(60);
const PAUSE: Duration = Duration::from_millis(5);

/// The lock, held shared until it is dropped; empty where the file system has no locks.
#[derive(Debug)]
pub(super) struct Lock {
    _file: Option<File>,
}

impl Lock {
    /// The lock of what nobody writes.
    pub fn none() -> Self {
        Self { _file: None }
    }

    /// The lock of a process that only reads; a store on a read-only disk may have no lock.
    pub fn to_read(disk: &dyn Disk, root: &Path) -> Result<Self, StoreError> {
        match File::open(root.join(LOCK)) {
            Ok(file) => Self::shared(disk, file, root),
            Err(_) => Ok(Self::none()),
        }
    }

    /// The lock of a process that writes; `sweep` is called first where no other process holds the
    /// lock.
    pub fn to_write(
        disk: &dyn Disk,
        root: &Path,
        sweep: impl FnOnce() -> Result<(), StoreError>,
    ) -> Result<Self, StoreError> {
        let path = root.join(LOCK);
        let file = disk.open_lock(&path).map_err(writing(&path))?;
        if disk.try_lock(&file, false).is_ok() {
            sweep()?;
            let _ = file.unlock();
        }
        Self::shared(disk, file, root)
    }

    /// If another process is sweeping, this one waits, so that no process ever has the store open
    /// without the shared lock.
    fn shared(disk: &dyn Disk, file: File, root: &Path) -> Result<Self, StoreError> {
        let (start, mut told) = (Instant::now(), false);
        loop {
            match disk.try_lock(&file, true) {
                Ok(()) => return Ok(Self { _file: Some(file) }),
                Err(TryLockError::Error(_)) => return Ok(Self::none()),
                Err(TryLockError::WouldBlock) if start.elapsed() > GIVEN_UP => {
                    return Err(StoreError::Locked {
                        path: root.join(LOCK),
                        seconds: GIVEN_UP.as_secs(),
                    });
                }
                Err(TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
            }
            if !told && start.elapsed() > TOLD {
                say(format!(
                    "waiting for another program that has locked {}",
                    root.join(LOCK).display()
                ));
                told = true;
            }
        }
    }
}
