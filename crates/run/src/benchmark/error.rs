//! Define the errors of benchmark files.

use thiserror::Error;

use super::folder::PAPER;
use super::mistakes::{Mistake, Names, listed};
use uq_core::names::did_you_mean;

/// Why a benchmark file cannot be used.
#[derive(Debug, Error)]
pub enum BenchmarkError {
    /// It is not TOML, or has unexpected keys or values, or contradicts itself.
    #[error("benchmark {name}: {}", listed(mistakes, |_| String::new()))]
    Mistakes {
        /// File or id.
        name: String,
        /// Each mistake, in the order of the lines.
        mistakes: Vec<Mistake>,
    },
    /// It cannot be read, or a method outside of the program cannot be described.
    #[error("benchmark {name}: {message}")]
    Meaning {
        /// File or id.
        name: String,
        /// What is wrong.
        message: String,
    },
    /// A folder is not that of a paper.
    #[error("{folder}: expected the folder of a paper, but it has no file {PAPER}")]
    NoPaper {
        /// The folder.
        folder: String,
    },
    /// A file of a paper's folder, or the folder, cannot be used.
    #[error("{file}: {message}")]
    Paper {
        /// The file or folder.
        file: String,
        /// What is wrong.
        message: String,
    },
    /// The file that says what a paper is has mistakes.
    #[error("{file}: {}", listed(mistakes, |_| String::new()))]
    PaperMistakes {
        /// The file.
        file: String,
        /// Each mistake, in the order of the lines.
        mistakes: Vec<Mistake>,
    },
    /// No benchmark has this name.
    #[error("there is no benchmark `{name}`{}", did_you_mean(nearest))]
    Unknown {
        /// The requested name.
        name: String,
        /// The most similar name.
        nearest: Option<String>,
    },
}

impl BenchmarkError {
    /// What is wrong, with an end of each message on an unknown name, which says where all names
    /// are.
    pub fn describe(&self, more: impl Fn(Names) -> String) -> String {
        match self {
            Self::Mistakes { name, mistakes } => {
                format!("benchmark {name}: {}", listed(mistakes, more))
            }
            Self::Meaning { .. }
            | Self::NoPaper { .. }
            | Self::Paper { .. }
            | Self::PaperMistakes { .. } => self.to_string(),
            Self::Unknown { .. } => format!("{self}{}", more(Names::Benchmarks)),
        }
    }
}
