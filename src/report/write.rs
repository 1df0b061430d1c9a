//! Write rendered files, each of them whole or not at all.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::document::Document;
use crate::system::files::write_output;

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
    fs::create_dir_all(path.parent().unwrap_or(Path::new("")))?;
    write_output(path, bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_names_the_file() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a"), "a file where a folder should be").unwrap();
        let error = write(folder.path(), &[Document::new("a/b.md", "one")]).unwrap_err().to_string();
        assert!(error.contains("b.md") && error.contains("--out"), "{error}");
    }
}
