//! Define the errors of loading a table: where, what was found, what was expected, what to do.

use std::fmt;
use std::path::PathBuf;

use thiserror::Error;

use super::own::OwnError;

/// One source that was tried for a file, and why it did not have the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The source: a path, an address, or a word such as `network`.
    pub source: String,
    /// Why it did not have the file.
    pub reason: NoFile,
}

/// Why a source did not have a file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoFile {
    /// Network connections are forbidden.
    #[error("not asked: no network connection is allowed")]
    Offline,
    /// Anything else.
    #[error("{0}")]
    Told(String),
}

impl From<String> for NoFile {
    fn from(why: String) -> Self {
        Self::Told(why)
    }
}

impl From<&str> for NoFile {
    fn from(why: &str) -> Self {
        Self::Told(why.into())
    }
}

impl fmt::Display for Attempt {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.source, self.reason)
    }
}

/// Why there is no table.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum DataError {
    /// The manifest's text is not a manifest.
    #[error("data manifest: {message}")]
    Manifest {
        /// What is wrong and where.
        message: String,
    },
    /// No dataset, or no variant of it, has this key.
    #[error("no dataset is called \"{key}\"{}", suggestion(.nearest.as_deref()))]
    Unknown {
        /// The requested key.
        key: String,
        /// The most similar key, if any is similar.
        nearest: Option<String>,
    },
    /// No source that could be reached had the file. The data may be available later.
    #[error(
        "{key}: {file} is not available: {}; to provide it by hand, put it at {key}/{file} in the \
         folder of a mirror",
        listed(.tried, Attempt::to_string)
    )]
    Unavailable {
        /// The dataset's key.
        key: String,
        /// The file's name.
        file: String,
        /// Every source that was tried, in order.
        tried: Vec<Attempt>,
    },
    /// Bytes under a dataset's name are not the pinned ones.
    #[error(
        "{key}: {what} from {origin} has SHA-256 {found}, but data-manifest.toml pins {expected}; \
         these are other data: delete them if they are a damaged copy, or check the source before \
         anyone changes the pin"
    )]
    HashMismatch {
        /// The dataset's key.
        key: String,
        /// What was hashed: a file's name or `parsed matrix`.
        what: String,
        /// Where the bytes came from.
        origin: String,
        /// The pinned hash, lower-case hexadecimal.
        expected: String,
        /// The hash found, lower-case hexadecimal.
        found: String,
    },
    /// A cell or a line of a file does not have the expected format.
    #[error("{file}, row {row}, column {column}: found {found}, expected {expected}")]
    Parse {
        /// The file's name.
        file: String,
        /// Line of a text file, row of a sheet, from 1.
        row: u64,
        /// The column's name, or its number from 1 where it has none.
        column: String,
        /// The content found.
        found: String,
        /// The expected content.
        expected: String,
    },
    /// A file as a whole does not match the manifest: number of rows, absent or duplicate columns,
    /// an unreadable workbook.
    #[error("{file}: found {found}, expected {expected}")]
    Shape {
        /// The file's name.
        file: String,
        /// The content found.
        found: String,
        /// The expected content.
        expected: String,
    },
    /// A file that is read as a user's own table is no such table.
    #[error(transparent)]
    Own(Box<OwnError>),
    /// An archive cannot be read, lacks its member, or unpacks to more than its limit.
    #[error("{archive}: {message}")]
    Archive {
        /// The archive's name or address.
        archive: String,
        /// What is wrong.
        message: String,
    },
    /// The cache cannot be written or read.
    #[error("cannot {action} {}: {message} choose a writable folder", .path.display())]
    Cache {
        /// The action: `write`, `read`, `create`.
        action: &'static str,
        /// The path.
        path: PathBuf,
        /// The operating system's message.
        message: String,
    },
    /// The output cannot be written.
    #[error("cannot write the output: {message}")]
    Output {
        /// The operating system's message.
        message: String,
    },
}

impl From<OwnError> for DataError {
    fn from(error: OwnError) -> Self {
        Self::Own(Box::new(error))
    }
}

impl DataError {
    /// Whether the data are only unavailable (offline, no host reached, removed), in contrast to
    /// wrong or damaged.
    pub fn is_unavailable(&self) -> bool {
        matches!(self, Self::Unavailable { .. })
    }
}

fn suggestion(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |nearest| format!("; did you mean \"{nearest}\"?"))
}

/// The sources that were tried, each in these words.
pub fn listed(tried: &[Attempt], told: impl Fn(&Attempt) -> String) -> String {
    if tried.is_empty() {
        return "no source is known".into();
    }
    tried.iter().map(told).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_unavailable_data_are_unavailable() {
        let tried = vec![Attempt { source: "http://a".into(), reason: "refused".into() }];
        let error = DataError::Unavailable { key: "k".into(), file: "f".into(), tried };
        assert!(error.is_unavailable());
        assert_eq!(
            error.to_string(),
            "k: f is not available: http://a: refused; to provide it by hand, put it at k/f in the \
             folder of a mirror"
        );
        let unknown = DataError::Unknown { key: "yach".into(), nearest: Some("yacht".into()) };
        assert!(!unknown.is_unavailable());
        assert_eq!(unknown.to_string(), "no dataset is called \"yach\"; did you mean \"yacht\"?");
    }
}
