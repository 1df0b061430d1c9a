//! Tell whether anything of a trial has changed since its pages were written, without reading all of it again.

use std::fmt::Write;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use super::error::writing;
use super::format::SCORES;
use super::{Store, StoreError};
use crate::data::sha256;
use crate::runner::key::TrialKey;
use crate::runner::record::{PROVENANCE, RESULT};
use crate::system::disk::{patiently, read_whole};

/// Folder, in that of the scores, of what is known of pages. Nothing but time is lost with it.
const PAGES: &str = "pages";

impl Store {
    /// A text that another state of this trial would change; `None` where that cannot be told, as in a pack.
    ///
    /// The record names the hashes of the predictions and side tables, so that it and the provenance are read, and of all
    /// other files length and time are enough to see that somebody has touched them.
    pub fn stamp(&self, key: &TrialKey) -> Option<String> {
        let folder = self.folder(key);
        let mut text = format!("{key}\n");
        let names = match patiently(|| self.disk.list(&folder)) {
            Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
            names => names.ok()?,
        };
        for name in &names {
            let path = folder.join(name);
            let is_read = [RESULT, PROVENANCE].iter().any(|read| name == read);
            let state = if is_read {
                read_whole(self.disk.as_ref(), &path).map(|bytes| sha256(&bytes))
            } else {
                self.touched(&path)
            };
            let _ = writeln!(text, "{} {}", name.display(), state.ok()?); // writing to a string cannot fail
        }
        if names.is_empty() {
            text += &self.failure_file(key).ok()?.map_or_else(String::new, |bytes| sha256(&bytes));
        }
        (!self.is_pack).then_some(text)
    }

    /// As [`Store::stamp`], of the cache of what is derived from a trial.
    pub fn cache_stamp(&self, key: &TrialKey) -> Option<String> {
        match self.touched(&self.scores_folder(key).join(format!("{key}.json"))) {
            Err(error) if error.kind() == ErrorKind::NotFound => Some(String::new()),
            state => state.ok(),
        }
    }

    /// Length of a file, and when it was last written.
    fn touched(&self, path: &Path) -> io::Result<String> {
        let length = patiently(|| self.disk.length(path))?;
        let written = patiently(|| self.disk.modified(path))?.duration_since(UNIX_EPOCH).map_err(io::Error::other)?;
        Ok(format!("{length} {}", written.as_nanos()))
    }

    fn page_path(&self, name: &str) -> PathBuf {
        self.root.join(SCORES).join(PAGES).join(format!("{name}.json"))
    }

    /// What is known of a benchmark's pages, sealed; `None` where there is nothing, or it cannot be read.
    pub fn known_pages(&self, name: &str) -> Option<Vec<u8>> {
        read_whole(self.disk.as_ref(), &self.page_path(name)).ok()
    }

    /// Keeps what is known of a benchmark's pages.
    ///
    /// # Errors
    /// [`StoreError::Write`].
    pub fn keep_known_pages(&self, name: &str, sealed: &[u8]) -> Result<(), StoreError> {
        let folder = self.root.join(SCORES).join(PAGES);
        self.disk.create_folders(&folder).map_err(writing(&folder))?;
        self.replace(&self.page_path(name), sealed)
    }
}
