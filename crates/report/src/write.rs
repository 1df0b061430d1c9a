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

    /// Draws what is written beside a document.
    fn draw(self, document: &Document) -> Result<impl Iterator<Item = Document>, FigureError> {
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
            for other in self.beside.draw(document).map_err(failed)? {
                self.write_document(&other)?;
            }
        }
        Ok(())
    }

    /// Removes the tables of a page, `tables/PAGE-01-TITLE.csv` or `.tex`, that an earlier state of
    /// it had and these documents have not.
    ///
    /// # Errors
    /// [`WriteError`] naming the file.
    pub fn clear_tables(&self, page: &str, documents: &[Document]) -> Result<(), WriteError> {
        let folder = self.folder.join("tables");
        let failed = |path: &Path, source| WriteError { path: path.into(), source };
        let found = match fs::read_dir(&folder) {
            Ok(found) => found,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(failed(&folder, error)),
        };
        for entry in found {
            let path = entry.map_err(|error| failed(&folder, error))?.path();
            let Some(file) = path.file_name().and_then(|file| file.to_str()) else { continue };
            let name = format!("tables/{file}");
            let is_written = || documents.iter().any(|document| document.name == name);
            if is_table_of(file, page) && self.has(&name) && !is_written() {
                fs::remove_file(&path).map_err(|error| failed(&path, error))?;
            }
        }
        Ok(())
    }

    fn write_document(&self, document: &Document) -> Result<(), WriteError> {
        let path = self.folder.join(&document.name);
        write_one(&path, &document.bytes).map_err(|source| WriteError { path, source })
    }
}

/// Whether a file is named as a table of the page. A name that may be of the page `PAGE-01` is not.
fn is_table_of(file: &str, page: &str) -> bool {
    let numbered = |name: &str| {
        let (number, rest) = name.split_once('-')?;
        let is_number = number.len() == 2 && number.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| rest.to_owned())
    };
    let title = file.strip_prefix(page).and_then(|rest| numbered(rest.strip_prefix('-')?));
    (file.ends_with(".csv") || file.ends_with(".tex"))
        && title.is_some_and(|title| numbered(&title).is_none())
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
    fn tables_that_a_page_had_once_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let output = Output { folder: folder.path().into(), ..Output::default() };
        let kept = [
            "own-02-rmse.csv",
            "own-01-02-rmse.tex",
            "own-sgp-01-rmse.tex",
            "own-1.csv",
            "own.txt",
        ];
        let gone = ["own-01-rmse.tex", "own-03-crps.csv"];
        for name in kept.iter().chain(&gone) {
            output.write(&[Document::new(format!("tables/{name}"), "one")]).unwrap();
        }
        output.clear_tables("own", &[Document::new("tables/own-02-rmse.csv", "one")]).unwrap();
        let there = |name: &&str| folder.path().join("tables").join(name).exists();
        assert!(kept.iter().all(there) && !gone.iter().any(there));
        output.clear_tables("own", &[]).unwrap();
        Output::default().clear_tables("own", &[]).unwrap();
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
