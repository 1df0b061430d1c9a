//! Make a folder with all its files, or not at all.

use std::io::{self, ErrorKind};
use std::path::Path;

use super::disk::{Disk, Kind};
use super::files::{remove_file, sync_below, temporary_name};

/// Makes a folder in one step: `fill` writes into a temporary folder beside it, which then gets its
/// name. An empty folder of this name gives way; another one is never changed.
///
/// # Errors
/// The error of `fill`; the operating system's error, [`ErrorKind::AlreadyExists`] where something
/// else has the name. Nothing is left then.
pub fn write_folder<E: From<io::Error>>(
    disk: &dyn Disk,
    path: &Path,
    fill: impl FnOnce(&Path) -> Result<(), E>,
) -> Result<(), E> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let above = path.parent().filter(|above| !above.as_os_str().is_empty());
    let above = above.unwrap_or(Path::new("."));
    check_free(disk, path)?;
    disk.create_folders(above)?;
    let temporary = above.join(temporary_name(&name));
    disk.create_folder(&temporary)?;
    let made = fill(&temporary).and_then(|()| Ok(take_place(disk, &temporary, path, above)?));
    if made.is_err() {
        let _ = remove_below(disk, &temporary); // the first error is the one to report
    }
    made
}

/// Refuses a name that something else than an empty folder has.
///
/// # Errors
/// [`ErrorKind::AlreadyExists`], and the operating system's error.
pub fn check_free(disk: &dyn Disk, path: &Path) -> io::Result<()> {
    let taken = |why: &str| Err(io::Error::new(ErrorKind::AlreadyExists, why));
    match disk.kind(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
        Ok(Kind::Folder) if disk.list(path)?.is_empty() => Ok(()),
        Ok(Kind::Folder) => taken("it has files already, expected an empty folder or a new one"),
        Ok(_) => taken("it is no folder, expected an empty folder or a new one"),
    }
}

fn take_place(disk: &dyn Disk, temporary: &Path, path: &Path, above: &Path) -> io::Result<()> {
    sync_below(disk, temporary)?;
    check_free(disk, path)?;
    if disk.kind(path).is_ok() {
        disk.remove_folder(path)?;
    }
    disk.rename(temporary, path)?;
    disk.sync_folder(above)
}

/// Removes a folder with all that is in it. Links are not followed.
fn remove_below(disk: &dyn Disk, folder: &Path) -> io::Result<()> {
    for name in disk.list(folder)? {
        let path = folder.join(name);
        match disk.kind(&path)? {
            Kind::Folder => remove_below(disk, &path)?,
            Kind::File | Kind::Link | Kind::Other => remove_file(disk, &path)?,
        }
    }
    disk.remove_folder(folder)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::disk::{Durability, RealDisk};

    fn fill(folder: &Path) -> io::Result<()> {
        RealDisk.create_folder(&folder.join("a"))?;
        RealDisk.write_new(&folder.join("a/b"), b"text", Durability::Cached)
    }

    #[test]
    fn a_folder_is_whole_and_an_empty_one_gives_way() {
        let place = tempfile::tempdir().unwrap();
        for name in ["new/folder", "empty"] {
            let path = place.path().join(name);
            fs::create_dir_all(place.path().join("empty")).unwrap();
            write_folder(&RealDisk, &path, fill).unwrap();
            assert_eq!(fs::read(path.join("a/b")).unwrap(), b"text");
            let again = write_folder(&RealDisk, &path, fill).unwrap_err();
            assert_eq!(again.kind(), ErrorKind::AlreadyExists, "{again}");
        }
        fs::write(place.path().join("file"), "").unwrap();
        assert!(write_folder(&RealDisk, &place.path().join("file"), fill).is_err());
        let mut left: Vec<_> =
            fs::read_dir(place.path()).unwrap().map(|one| one.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, ["empty", "file", "new"], "nothing temporary is left");
    }

    #[test]
    fn a_folder_that_cannot_be_filled_is_not_there() {
        let place = tempfile::tempdir().unwrap();
        let failing = |folder: &Path| {
            fill(folder)?;
            Err(io::Error::other("no"))
        };
        assert!(write_folder(&RealDisk, &place.path().join("new"), failing).is_err());
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
    }
}
