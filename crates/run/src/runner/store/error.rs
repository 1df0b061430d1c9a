//! Define the errors of the store.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::runner::key::TrialKey;
use uqbench_system::disk::{is_full, is_passing, is_unfit};
use uqbench_system::program::Program;

/// Why the store cannot be used. The command line adds what its options and commands can do about
/// it.
#[derive(Debug, Error)]
pub enum StoreError {
    /// A file or folder cannot be written.
    #[error("{path}: {source}; is the folder writable and the disk not full?")]
    Write {
        /// The path.
        path: PathBuf,
        /// The operating system's error.
        source: io::Error,
    },
    /// An existing file or folder cannot be read. It does not count as damaged, and nothing was
    /// moved.
    #[error(
        "{path} cannot be read: {source}; nothing was changed, and the same command may succeed \
         once it can be read"
    )]
    Read {
        /// The path.
        path: PathBuf,
        /// The operating system's error.
        source: io::Error,
    },
    /// The file of descriptions is damaged.
    #[error("{path} is damaged: {why}")]
    Descriptions {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// There is no store.
    #[error("{path} is not a store")]
    Absent {
        /// The path where it was expected.
        path: PathBuf,
    },
    /// The folder holds something else.
    #[error("{path} is not empty and is not a store: {why}; nothing was changed")]
    Foreign {
        /// The folder.
        path: PathBuf,
        /// Why it is not a store.
        why: String,
    },
    /// The file is no pack, or a damaged one.
    #[error("{path} is not a pack: {why}")]
    ForeignFile {
        /// The file.
        path: PathBuf,
        /// Why it is not a pack.
        why: String,
    },
    /// A newer program wrote the store, or a trial in it.
    #[error(
        "{what} has format {found}, and this program, {program}, reads formats up to {known}; use \
         the newer program",
        program = Program::this()
    )]
    Newer {
        /// The store or the trial.
        what: String,
        /// Its format.
        found: u64,
        /// The newest format that is known here.
        known: u64,
    },
    /// A trial's checksums are right, but this program cannot parse its content.
    #[error(
        "trial {key} is intact, but this program cannot read its content: {message}; nothing was \
         changed. Use the program that wrote it, or remove {folder}"
    )]
    NotUnderstood {
        /// The trial.
        key: TrialKey,
        /// The parser's message.
        message: String,
        /// The trial's folder.
        folder: PathBuf,
    },
    /// Another program holds the store's lock for too long.
    #[error("{path} has been locked by another program for {seconds} s; end that program")]
    Locked {
        /// The lock.
        path: PathBuf,
        /// Seconds of waiting.
        seconds: u64,
    },
    /// A finished trial's bytes changed after they had been verified.
    #[error("trial {key} is damaged: {message}")]
    Damaged {
        /// The trial.
        key: TrialKey,
        /// What is wrong.
        message: String,
    },
    /// A pack, or a store that a pack was joined into, lacks a file of a trial, because no page of
    /// the store that was packed needed it.
    #[error("{pack} has no {file} of trial {key}, because it comes from a pack")]
    NotPacked {
        /// The pack.
        pack: PathBuf,
        /// The trial.
        key: TrialKey,
        /// The file.
        file: String,
    },
    /// A pack cannot be compressed.
    #[error("the pack cannot be compressed: {message}")]
    Compressed {
        /// Why.
        message: String,
    },
    /// Two stores have other bytes for one trial.
    #[error(
        "{one} and {other} disagree on trial {key}: a method breaks determinism, or its version \
         was not raised; nothing was written. Remove the trial from one of them"
    )]
    Disagree {
        /// The trial.
        key: TrialKey,
        /// A store.
        one: PathBuf,
        /// Another one.
        other: PathBuf,
    },
    /// A pack states scores that are not those of its predictions.
    #[error(
        "{source_of_it} has scores of trial {key} that are not those of its predictions: \
         {message}; nothing was written"
    )]
    FalseScores {
        /// The trial.
        key: TrialKey,
        /// The store or pack.
        source_of_it: PathBuf,
        /// The score.
        message: String,
    },
    /// Two stores have other scores of the same predictions.
    #[error(
        "{one} and {other} disagree on what is derived from trial {key}: {message}; nothing was \
         written. Make the packs again from their stores"
    )]
    ScoresDisagree {
        /// The trial.
        key: TrialKey,
        /// A store.
        one: PathBuf,
        /// Another one.
        other: PathBuf,
        /// What differs.
        message: String,
    },
    /// A new store would replace something.
    #[error("{path} exists; expected a new folder, or a new file that ends in .pack")]
    Taken {
        /// The path.
        path: PathBuf,
    },
    /// The same trial gave other bytes.
    #[error(
        "trial {key} gave other bytes in {file} than the stored ones: a method breaks determinism, \
         or its version was not raised; remove {folder} to keep the new result"
    )]
    Conflict {
        /// The trial.
        key: TrialKey,
        /// The file that differs.
        file: String,
        /// The folder of the stored files.
        folder: PathBuf,
    },
    /// A result has no JSON form.
    #[error("trial {key} cannot be written: {message}")]
    Unwritable {
        /// The trial.
        key: TrialKey,
        /// Why.
        message: String,
    },
}

impl StoreError {
    /// What is wrong with a trial's folder, in words, where something else has the place of a file
    /// there, or the file is larger than it can be.
    ///
    /// # Errors
    /// Any other error.
    pub(super) fn damage_in(self, folder: &Path) -> Result<String, Self> {
        match self {
            Self::Read { path, source } if is_unfit(&source) => {
                let name = path.strip_prefix(folder).unwrap_or(&path).display();
                Ok(format!("{name}: {source}"))
            }
            other => Err(other),
        }
    }

    /// Whether another attempt may succeed later, because the disk was full or busy.
    pub fn may_pass(&self) -> bool {
        matches!(self, Self::Write { source, .. } | Self::Read { source, .. } if is_full(source) || is_passing(source))
    }
}

/// An error of writing at `path`.
pub(super) fn writing(path: &Path) -> impl Fn(io::Error) -> StoreError + '_ {
    move |source| StoreError::Write { path: path.into(), source }
}

/// An error of reading at `path`.
pub(super) fn reading(path: &Path) -> impl Fn(io::Error) -> StoreError + '_ {
    move |source| StoreError::Read { path: path.into(), source }
}
