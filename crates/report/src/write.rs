//! Write rendered files, each of them whole or not at all.

use std::path::{Path, PathBuf};
use std::{fs, io};

use thiserror::Error;

use super::document::Document;
use super::export::Format;
use super::plot::FigureError;
use uqbench_system::disk::read_regular;
use uqbench_system::files::write_output;

/// Why a report could not be written.
#[derive(Debug, Error)]
#[error("{path}: {source}")]
pub struct WriteError {
    /// Where.
    pub path: PathBuf,
    /// What the system says.
    pub source: io::Error,
}

/// The forms in which each figure is written beside its SVG.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Beside {
    /// As PNG.
    pub png: bool,
    /// As PDF.
    pub pdf: bool,
}

impl Beside {
    /// Whether there is any.
    pub fn is_any(self) -> bool {
        self.png || self.pdf
    }

    /// What is written beside a document.
    fn of(self, document: &Document) -> Result<impl Iterator<Item = Document>, FigureError> {
        let png = if self.png { document.png()? } else { None };
        let pdf = if self.pdf { document.pdf()? } else { None };
        Ok(png.into_iter().chain(pdf))
    }
}

/// Where documents are written.
#[derive(Clone, Debug, Default)]
pub struct Output {
    /// The folder.
    pub folder: PathBuf,
    /// What is written beside each SVG.
    pub beside: Beside,
    /// The formats that are written; empty means all.
    pub formats: Vec<&'static Format>,
}

impl Output {
    /// Whether files of this name are written.
    pub fn has(&self, name: &str) -> bool {
        self.formats.is_empty() || self.formats.iter().any(|format| format.has(name))
    }

    /// Writes files below the folder: temporary name, synchronised, renamed. A file that has these
    /// bytes already stays.
    ///
    /// # Errors
    /// [`WriteError`] naming the file.
    pub fn write<'d>(
        &self,
        documents: impl IntoIterator<Item = &'d Document>,
    ) -> Result<(), WriteError> {
        for document in documents.into_iter().filter(|document| self.has(&document.name)) {
            self.write_document(document)?;
            let failed = |error| WriteError {
                path: self.folder.join(&document.name),
                source: io::Error::other(error),
            };
            for other in self.beside.of(document).map_err(failed)? {
                self.write_document(&other)?;
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
    if read_regular(path, bytes.len() as u64).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    fs::create_dir_all(path.parent().unwrap_or(Path::new("")))?;
    write_output(path, bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::FORMATS;

    #[test]
    fn an_error_names_the_file() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a"), "a file where a folder should be").unwrap();
        let output = Output { folder: folder.path().into(), ..Output::default() };
        let error = output.write(&[Document::new("a/b.md", "one")]).unwrap_err().to_string();
        assert!(error.contains("b.md"), "{error}");
    }

    #[test]
    fn only_the_formats_that_are_asked_for_are_written() {
        let folder = tempfile::tempdir().unwrap();
        let documents =
            ["a.md", "b/c.csv", "d.json", "e.svg"].map(|name| Document::new(name, "one"));
        let output = |endings: &[&str]| Output {
            folder: folder.path().into(),
            formats: FORMATS.iter().filter(|format| endings.contains(&format.ending)).collect(),
            ..Output::default()
        };
        output(&["md", "csv"]).write(&documents).unwrap();
        let there = |name: &str| folder.path().join(name).exists();
        assert_eq!(["a.md", "b/c.csv", "d.json", "e.svg"].map(there), [true, true, false, false]);
        output(&[]).write(&documents).unwrap();
        assert!(there("d.json") && there("e.svg"));
    }
}
