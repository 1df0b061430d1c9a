//! Cache fetched files in a folder. A file gets its name only when it is complete and has the
//! pinned hash.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::error::DataError;
use uqbench_system::Disk;
use uqbench_system::disk::{Kind, is_full, read_whole};
use uqbench_system::files::{digits_of, is_abandoned, is_temporary, temporary_name, write_whole};
use uqbench_system::notice::say;

/// Most bytes of a file of a dataset.
pub(super) const LARGEST_FILE: u64 = 2 << 30;
/// Most bytes of the name of its source.
const LARGEST_ORIGIN: u64 = 1 << 16;

/// How long to wait for another process that fetches the same files. After that both fetch them,
/// which is harmless.
const LOCK_TIMEOUT: Duration = Duration::from_secs(60);
const LOCK_PAUSE: Duration = Duration::from_millis(50);
/// After this time a message names the lock that the program waits for.
const LOCK_TOLD: Duration = Duration::from_secs(1);

/// The cache folder: `ROOT/<key>/<file>`, laid out like a mirror.
#[derive(Clone, Debug)]
pub(super) struct Cache {
    disk: Arc<dyn Disk>,
    root: PathBuf,
}

/// The lock of a folder, held until it is dropped; empty where the file system has no locks.
pub(super) struct Lock {
    _file: Option<File>,
}

impl Cache {
    pub fn new(disk: Arc<dyn Disk>, root: PathBuf) -> Self {
        Self { disk, root }
    }

    /// The disk that it is on.
    pub fn disk(&self) -> &dyn Disk {
        self.disk.as_ref()
    }

    pub fn path(&self, folder: &str, file: &str) -> PathBuf {
        self.root.join(folder).join(file)
    }

    /// The bytes of a file; `None` if there is none.
    pub fn read(&self, folder: &str, file: &str) -> Result<Option<Vec<u8>>, DataError> {
        let path = self.path(folder, file);
        match read_whole(self.disk.as_ref(), &path, LARGEST_FILE) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
                ) =>
            {
                Ok(None)
            }
            Err(error) => Err(failed("read", &path, &error)),
        }
    }

    /// The source of a cached file, if it was recorded.
    pub fn origin(&self, folder: &str, file: &str) -> Option<String> {
        String::from_utf8(
            self.disk.read(&self.path(folder, &origin_name(file)), LARGEST_ORIGIN).ok()?,
        )
        .ok()
    }

    /// Writes a file whose bytes have been verified: a temporary file in the same folder, fsync,
    /// rename, fsync of the folder.
    pub fn write(
        &self,
        folder: &str,
        file: &str,
        bytes: &[u8],
        origin: &str,
    ) -> Result<(), DataError> {
        let directory = self.root.join(folder);
        self.disk
            .create_folders(&directory)
            .map_err(|error| failed("create", &directory, &error))?;
        for (name, bytes) in [(file.to_owned(), bytes), (origin_name(file), origin.as_bytes())] {
            let path = directory.join(name);
            write_whole(self.disk.as_ref(), &path, bytes)
                .map_err(|error| failed("write", &path, &error))?;
        }
        Ok(())
    }

    /// Waits for other processes that fetch into the same folder, and removes what killed ones
    /// left.
    pub fn lock(&self, folder: &str) -> Lock {
        let directory = self.root.join(folder);
        let opened = |()| self.disk.open_lock(&directory.join(".lock"));
        let file = self.disk.create_folders(&directory).and_then(opened);
        // A cache that cannot be written needs no lock. The error is reported when a file is
        // written.
        let Ok(file) = file else { return Lock { _file: None } };
        let mut waited = Duration::ZERO;
        loop {
            match self.disk.try_lock(&file, false) {
                Ok(()) => {
                    self.sweep(&directory);
                    return Lock { _file: Some(file) };
                }
                Err(TryLockError::WouldBlock) if waited < LOCK_TIMEOUT => {
                    if waited == LOCK_TOLD {
                        say(format!(
                            "waiting for another program that has locked {}",
                            directory.join(".lock").display()
                        ));
                    }
                    std::thread::sleep(LOCK_PAUSE);
                    waited += LOCK_PAUSE;
                }
                Err(_) => return Lock { _file: None },
            }
        }
    }

    /// Removes leftovers of killed processes: those of this host at once, because the caller has
    /// the lock, and those of other hosts, which the lock may not reach, once they are old. A
    /// process that did not get the lock in time loses at most a copy in the cache.
    fn sweep(&self, directory: &Path) {
        let (disk, mut now) = (self.disk.as_ref(), None);
        for name in disk.list(directory).unwrap_or_default() {
            let path = directory.join(&name);
            let Some(name) = name.to_str().filter(|name| is_temporary(name)) else { continue };
            let probe = directory.join(temporary_name("probe"));
            let is_unused =
                is_abandoned(disk, &path, digits_of(name), (&probe, &mut now)).unwrap_or(false);
            if is_unused && disk.kind(&path).is_ok_and(|kind| kind == Kind::File) {
                let _ = disk.remove_file(&path); // another process may have removed it first
            }
        }
    }
}

fn origin_name(file: &str) -> String {
    format!(".{file}.origin")
}

fn failed(action: &'static str, path: &Path, error: &io::Error) -> DataError {
    let advice = if is_full(error) { "; make room there, or" } else { ";" };
    DataError::Cache { action, path: path.to_owned(), message: format!("{error}{advice}") }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::SystemTime;

    use super::*;
    use uqbench_system::RealDisk;
    use uqbench_system::files::{ABANDONED, is_own_host};

    fn names(directory: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(directory)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort_unstable();
        names
    }

    #[test]
    fn a_file_is_whole_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(Arc::new(RealDisk), folder.path().join("deep/cache"));
        assert_eq!(cache.read("k", "f").unwrap(), None);
        cache.write("k", "f", b"old", "http://a").unwrap();
        cache.write("k", "f", b"new", "http://b").unwrap();
        assert_eq!(cache.read("k", "f").unwrap().unwrap(), b"new");
        assert_eq!(cache.origin("k", "f").unwrap(), "http://b");
        assert_eq!(names(&folder.path().join("deep/cache/k")), [".f.origin", "f"]);
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_a_typed_error() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("cache"), b"a file").unwrap();
        let cache = Cache::new(Arc::new(RealDisk), folder.path().join("cache"));
        let error = cache.write("k", "f", b"", "").unwrap_err();
        assert!(matches!(error, DataError::Cache { action: "create", .. }), "{error}");
        assert!(error.to_string().contains("choose a writable folder"));
        assert_eq!(cache.read("k", "f").unwrap(), None);
        drop(cache.lock("k"));
    }

    #[test]
    fn what_a_killed_process_left_is_swept_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(Arc::new(RealDisk), folder.path().to_owned());
        let directory = folder.path().join("k");
        fs::create_dir(&directory).unwrap();
        // Those of another host are in use, as far as is known here, until they are old.
        let other = if is_own_host(&"0f".repeat(16)) { "1e" } else { "0f" }.repeat(16);
        let (own, young, old) =
            (temporary_name("f"), format!(".f.{other}.part"), format!(".g.{other}.part"));
        for name in [&own, &young, &old, ".f.1.0.part", ".notes.part", "f"] {
            fs::write(directory.join(name), b"half").unwrap();
        }
        for name in [&old, ".f.1.0.part", ".notes.part"] {
            let file = File::options().write(true).open(directory.join(name)).unwrap();
            file.set_modified(SystemTime::now() - 2 * ABANDONED).unwrap();
        }
        drop(cache.lock("k"));
        assert_eq!(names(&directory), [&young, ".lock", ".notes.part", "f"]);
    }

    #[test]
    fn many_threads_write_the_same_file() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(Arc::new(RealDisk), folder.path().to_owned());
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let _lock = cache.lock("k");
                    cache.write("k", "f", &[7; 100_000], "test").unwrap();
                });
            }
        });
        assert_eq!(cache.read("k", "f").unwrap().unwrap(), vec![7; 100_000]);
        assert_eq!(names(&folder.path().join("k")), [".f.origin", ".lock", "f"]);
    }
}
