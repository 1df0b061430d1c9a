//! Define why a benchmark cannot be planned, and what to do about it.

use std::fmt;

use thiserror::Error;

use uq_core::names::did_you_mean;
use uq_methods::registry::RegistryError;
use uq_methods::{Advice, Reading};
use uqbench_data::DataError;

/// Why a benchmark cannot be planned.
#[derive(Debug, Error)]
pub enum PlanError {
    /// A dataset is not in the manifest.
    #[error("benchmark {benchmark}: {source}")]
    Data {
        /// The benchmark.
        benchmark: String,
        /// Why.
        source: Box<DataError>,
    },
    /// A method cannot be built.
    #[error("benchmark {benchmark}: {source}")]
    Method {
        /// The benchmark.
        benchmark: String,
        /// Why.
        source: RegistryError,
    },
    /// A column names a reading that the method does not offer.
    #[error("benchmark {benchmark}: method `{method}` has no reading `{reading}`; it has {known}")]
    Reading {
        /// The benchmark.
        benchmark: String,
        /// The method.
        method: String,
        /// The reading.
        reading: Reading,
        /// The readings that it has.
        known: String,
    },
    /// A name given on the command line matches nothing.
    #[error("no {kind} `{name}` in the chosen benchmarks{advice}")]
    Unknown {
        /// Dataset or method.
        kind: &'static str,
        /// The name.
        name: String,
        /// What to do.
        advice: PlanAdvice,
    },
}

/// What to do about a name that matches nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanAdvice {
    /// The most similar name, if there is one.
    Nearest(Option<String>),
    /// The method exists, and no benchmark names it.
    OfNoBenchmark,
    /// No method has the name.
    NoMethod(Advice),
    /// What else is wrong with it.
    Wrong(String),
}

impl fmt::Display for PlanAdvice {
    /// The end of a sentence.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nearest(nearest) => f.write_str(&did_you_mean(nearest)),
            Self::OfNoBenchmark => {
                f.write_str("; a benchmark file of your own can name this method")
            }
            Self::NoMethod(advice) => advice.fmt(f),
            Self::Wrong(why) => write!(f, "; {why}"),
        }
    }
}
