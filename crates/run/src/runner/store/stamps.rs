//! Keep rendered pages, and tell whether a trial is as it was when they were rendered, without
//! reading all of it.

use std::fmt::Write;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use super::error::writing;
use super::format::{LARGEST_RECORD, SCORES};
use super::{Store, StoreError};
use crate::runner::file_format::FileFormat;
use crate::runner::key::TrialKey;
use crate::runner::record::{PROVENANCE, RESULT};
use uqbench_system::disk::read_whole;
use uqbench_system::hash::sha256;

/// Folder of rendered pages, in that of the scores. Nothing but time is lost with it.
const PAGES: &str = "pages";

/// Most bytes of the pages of a benchmark.
const LARGEST_PAGES: u64 = 1 << 30;

/// A file of rendered pages.
const FILE: FileFormat = FileFormat { magic: "uqbench-pages", format: 1, oldest: 1 };

impl Store {
    /// A text that another state of this trial would change; `None` where that cannot be told, as
    /// in a pack.
    ///
    /// The record names the hashes of the predictions and side tables. So it and the provenance are
    /// read, and of all other files length and time are enough to see that somebody has touched
    /// them.
    pub fn stamp(&self, key: &TrialKey) -> Option<String> {
        if self.is_pack {
            return None;
        }
        let folder = self.folder(key);
        let mut text = format!("{key}\n");
        let names = match self.disk.list(&folder) {
            Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
            names => names.ok()?,
        };
        for name in &names {
            let path = folder.join(name);
            let is_read = [RESULT, PROVENANCE].iter().any(|read| name == read);
            let read = || self.disk.read(&path, LARGEST_RECORD).map(|bytes| sha256(&bytes));
            let state = if is_read { read() } else { self.touched(&path) };
            // writing to a string cannot fail
            let _ = writeln!(text, "{} {}", name.display(), state.ok()?);
        }
        if names.is_empty() {
            text += &self.failure_file(key).ok()?.map_or_else(String::new, |bytes| sha256(&bytes));
        }
        Some(text)
    }

    /// As [`Store::stamp`], of the cache of what is derived from a trial.
    pub fn derived_stamp(&self, key: &TrialKey) -> Option<String> {
        Some(self.derived(key).ok()?.map_or_else(String::new, |bytes| sha256(&bytes)))
    }

    /// Length of a file, and when it was last written.
    fn touched(&self, path: &Path) -> io::Result<String> {
        let length = self.disk.length(path)?;
        let written =
            self.disk.modified(path)?.duration_since(UNIX_EPOCH).map_err(io::Error::other)?;
        Ok(format!("{length} {}", written.as_nanos()))
    }

    pub(super) fn pages_folder(&self) -> PathBuf {
        self.root.join(SCORES).join(PAGES)
    }

    fn pages_path(&self, name: &str) -> PathBuf {
        self.pages_folder().join(name)
    }

    /// The pages that are kept under this name; `None` where there are none, or they cannot be
    /// read.
    pub fn kept_pages(&self, name: &str) -> Option<Vec<u8>> {
        let file = read_whole(self.disk.as_ref(), &self.pages_path(name), LARGEST_RECORD).ok()?;
        let mut pages = Vec::new();
        let content = zstd::Decoder::new(FILE.open(&file).ok()?).ok()?;
        content.take(LARGEST_PAGES).read_to_end(&mut pages).ok()?;
        Some(pages)
    }

    /// Keeps pages under a name, in place of older ones.
    ///
    /// # Errors
    /// [`StoreError::Write`].
    pub fn keep_pages(&self, name: &str, pages: &[u8]) -> Result<(), StoreError> {
        let path = self.pages_path(name);
        let content = zstd::encode_all(pages, 1).map_err(writing(&path))?;
        self.ensure_marked()?;
        let folder = self.pages_folder();
        self.disk.create_folders(&folder).map_err(writing(&folder))?;
        self.replace(&path, &FILE.seal(&content))
    }
}
