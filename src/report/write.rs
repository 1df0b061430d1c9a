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

/// Where documents are written.
#[derive(Clone, Debug)]
pub struct Output {
    /// The folder.
    pub folder: PathBuf,
    /// Whether a PNG is written beside each SVG.
    pub png: bool,
}

impl Output {
    /// Writes files below the folder: temporary name, synchronised, renamed. A file that has these bytes already stays.
    ///
    /// # Errors
    /// [`WriteError`] naming the file.
    pub fn write<'d>(&self, documents: impl IntoIterator<Item = &'d Document>) -> Result<(), WriteError> {
        for document in documents {
            self.write_document(document)?;
            if self.png {
                let path = self.folder.join(&document.name);
                let png = document.png().map_err(|error| WriteError { path, source: io::Error::other(error) })?;
                png.map_or(Ok(()), |png| self.write_document(&png))?;
            }
        }
        Ok(())
    }

    fn write_document(&self, document: &Document) -> Result<(), WriteError> {
        let path = self.folder.join(&document.name);
        write_one(&path, &document.bytes).map_err(|source| WriteError { path, source })
    }
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
        let output = Output { folder: folder.path().into(), png: false };
        let error = output.write(&[Document::new("a/b.md", "one")]).unwrap_err().to_string();
        assert!(error.contains("b.md") && error.contains("--out"), "{error}");
    }
}
