//! Write rendered files, each of them whole or not at all.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::document::Document;

/// Why a report could not be written.
#[derive(Debug, Error)]
#[error("{path}: {source}; `--out DIR` chooses another folder")]
pub struct WriteError {
    /// Where.
    pub path: PathBuf,
    /// What the system says.
    pub source: io::Error,
}

/// Writes files below a folder: temporary name, synchronised, renamed. A file that has these bytes already stays.
///
/// # Errors
/// [`WriteError`] naming the file.
pub fn write(folder: &Path, documents: &[Document]) -> Result<(), WriteError> {
    for document in documents {
        let path = folder.join(&document.name);
        write_one(&path, &document.bytes).map_err(|source| WriteError { path, source })?;
    }
    Ok(())
}

fn write_one(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if fs::read(path).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    let parent = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(parent)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let temporary = parent.join(format!(".{name}.{}.tmp", std::process::id()));
    let written = File::create(&temporary).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    let done = written.and_then(|()| fs::rename(&temporary, path));
    if done.is_err() {
        let _ = fs::remove_file(&temporary); // the first error is the one to tell
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_and_nothing_is_left_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let documents = [Document::new("a/b.md", "one")];
        write(folder.path(), &documents).unwrap();
        write(folder.path(), &[Document::new("a/b.md", "two")]).unwrap();
        assert_eq!(fs::read_to_string(folder.path().join("a/b.md")).unwrap(), "two");
        assert_eq!(fs::read_dir(folder.path().join("a")).unwrap().count(), 1);
    }

    #[test]
    fn an_error_names_the_file() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a"), "a file where a folder should be").unwrap();
        let error = write(folder.path(), &[Document::new("a/b.md", "one")]).unwrap_err().to_string();
        assert!(error.contains("b.md") && error.contains("--out"), "{error}");
    }
}
