//! Write files whole or not at all.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// Ending of files that are being written.
pub(super) const UNFINISHED: &str = ".part";

/// Puts a whole file in the place of another one: temporary file in the same folder, fsync, rename, fsync of the folder.
///
/// # Errors
/// What the system says; the old file is then as it was, and nothing is left beside it.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    let folder = path.parent().unwrap_or(Path::new(""));
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let number = COUNTER.fetch_add(1, Ordering::Relaxed);
    let temporary = folder.join(format!(".{name}.{}.{number}{UNFINISHED}", std::process::id()));
    let written = write_synced(&temporary, bytes).and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        let _ = fs::remove_file(&temporary); // the first error is the one to report
        return written;
    }
    sync_folder(folder)
}

/// Writes a new file and waits until it is on the disk.
///
/// # Errors
/// What the system says; also where the file exists.
pub fn write_synced(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create_new(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Makes a rename in this folder survive a power cut, where the platform has a way to ask for it: Windows cannot open
/// a folder, and there the rename itself is all there is.
///
/// # Errors
/// What the system says.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(not(unix)) {
        return Ok(());
    }
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    File::open(folder).and_then(|handle| handle.sync_all())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_and_nothing_is_left_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("b.md");
        write_whole(&path, b"one").unwrap();
        write_whole(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        fs::create_dir(folder.path().join("taken")).unwrap();
        assert!(write_whole(&folder.path().join("taken"), b"three").is_err(), "a folder is in its place");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }
}
