//! Say why a benchmark file cannot be used.

use thiserror::Error;

use crate::data::did_you_mean;

/// Why a benchmark file cannot be used.
#[derive(Debug, Error)]
pub enum BenchmarkError {
    /// It is no TOML of the expected shape.
    #[error("benchmark {name}: {source}")]
    Syntax {
        /// File or id.
        name: String,
        /// What the parser says.
        source: Box<toml::de::Error>,
    },
    /// It contradicts itself.
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
        /// The name asked for.
        name: String,
        /// The most similar name.
        nearest: Option<String>,
    },
}
