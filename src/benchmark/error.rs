//! Define the errors of benchmark files.

use thiserror::Error;

use crate::data::did_you_mean;

/// Why a benchmark file cannot be used.
#[derive(Debug, Error)]
pub enum BenchmarkError {
    /// It is not TOML, or has unexpected keys or values.
    #[error("benchmark {name}: {source}")]
    Syntax {
        /// File or id.
        name: String,
        /// The parser's error.
        source: Box<toml::de::Error>,
    },
    /// It has a contradiction.
    #[error("benchmark {name}: {message}")]
    Meaning {
        /// File or id.
        name: String,
        /// What is wrong.
        message: String,
    },
    /// No benchmark has this name.
    #[error("there is no benchmark `{name}`{}; `uqbench list benchmarks` shows them all", did_you_mean(nearest))]
    Unknown {
        /// The requested name.
        name: String,
        /// The most similar name.
        nearest: Option<String>,
    },
}
