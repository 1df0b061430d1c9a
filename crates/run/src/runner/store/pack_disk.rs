//! Read a pack as if it were the folder of a store.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::format::{FAILURES, FORMAT, MARKER, SCORES, TRIALS};
use super::pack::{FAILURE_FILE, Files, SCORES_FILE};
use crate::runner::key::TrialKey;
use uqbench_system::Disk;
use uqbench_system::disk::{Durability, Kind};

/// A pack as a disk that nobody can write: the files of a store at the pack's path.
#[derive(Debug)]
pub(super) struct PackDisk {
    files: BTreeMap<PathBuf, Vec<u8>>,
    folders: BTreeMap<PathBuf, BTreeSet<OsString>>,
}

impl PackDisk {
    /// The trials of a pack as a store whose folder is `root`.
    pub fn new(root: &Path, trials: Vec<(TrialKey, Files)>) -> Self {
        let mut disk = Self { files: BTreeMap::new(), folders: BTreeMap::new() };
        disk.add(root, root.join(MARKER), format!("format = {FORMAT}\n").into_bytes());
        for (key, files) in trials {
            let part = &key.as_str()[..2];
            for (name, bytes) in files {
                let path = match name.as_str() {
                    SCORES_FILE => root.join(SCORES).join(part).join(format!("{key}.json")),
                    FAILURE_FILE => root.join(FAILURES).join(format!("{key}.json")),
                    _ => root.join(TRIALS).join(part).join(key.as_str()).join(name),
                };
                disk.add(root, path, bytes);
            }
        }
        disk
    }

    fn add(&mut self, root: &Path, path: PathBuf, bytes: Vec<u8>) {
        let mut below = path.as_path();
        while let (Some(folder), Some(name)) = (below.parent(), below.file_name()) {
            let is_new = self.folders.entry(folder.into()).or_default().insert(name.into());
            if folder == root || !is_new {
                break;
            }
            below = folder;
        }
        self.files.insert(path, bytes);
    }

    fn content(&self, path: &Path) -> io::Result<&Vec<u8>> {
        self.files.get(path).ok_or_else(|| ErrorKind::NotFound.into())
    }
}

fn read_only<T>() -> io::Result<T> {
    Err(io::Error::new(ErrorKind::ReadOnlyFilesystem, "a pack is not changed"))
}

impl Disk for PackDisk {
    fn read(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        let content = self.content(path)?;
        if content.len() as u64 > most {
            Err(ErrorKind::FileTooLarge.into())
        } else {
            Ok(content.clone())
        }
    }

    fn length(&self, path: &Path) -> io::Result<u64> {
        self.content(path).map(|bytes| bytes.len() as u64)
    }

    fn kind(&self, path: &Path) -> io::Result<Kind> {
        if self.folders.contains_key(path) {
            Ok(Kind::Folder)
        } else {
            self.content(path).map(|_| Kind::File)
        }
    }

    fn modified(&self, _: &Path) -> io::Result<SystemTime> {
        read_only()
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<OsString>> {
        let names = self.folders.get(folder).ok_or_else(|| io::Error::from(ErrorKind::NotFound))?;
        Ok(names.iter().cloned().collect())
    }

    fn create_folder(&self, _: &Path) -> io::Result<()> {
        read_only()
    }

    fn create_folders(&self, _: &Path) -> io::Result<()> {
        read_only()
    }

    fn write_new(&self, _: &Path, _: &[u8], _: Durability) -> io::Result<()> {
        read_only()
    }

    fn rename(&self, _: &Path, _: &Path) -> io::Result<()> {
        read_only()
    }

    fn remove_file(&self, _: &Path) -> io::Result<()> {
        read_only()
    }

    fn remove_folder(&self, _: &Path) -> io::Result<()> {
        read_only()
    }

    fn sync_file(&self, _: &Path) -> io::Result<()> {
        read_only()
    }

    fn sync_folder(&self, _: &Path) -> io::Result<()> {
        read_only()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runner::record::ROWS;

    #[test]
    fn nothing_is_written_to_a_pack() {
        let key = TrialKey::parse(&"ab".repeat(32)).unwrap();
        let files = Files::from([(ROWS.to_owned(), b"rows".to_vec())]);
        let disk = PackDisk::new(Path::new("x.pack"), vec![(key.clone(), files)]);
        let path = Path::new("x.pack").join(TRIALS).join("ab").join(key.as_str()).join(ROWS);
        assert_eq!(
            (disk.read(&path, 4).unwrap(), disk.kind(&path).unwrap()),
            (b"rows".to_vec(), Kind::File)
        );
        assert_eq!(disk.list(Path::new("x.pack")).unwrap(), [TRIALS, MARKER]);
        let refused = [
            disk.write_new(&path, b"", Durability::Cached),
            disk.remove_file(&path),
            disk.create_folder(&path),
        ];
        assert!(refused.iter().all(|end| {
            end.as_ref().is_err_and(|error| error.kind() == ErrorKind::ReadOnlyFilesystem)
        }));
    }
}
