//! Distinguish a trial's final outcome from a failed attempt, which is repeated.

use serde::{Deserialize, Serialize};

/// The outcome of a finished trial. It is stored, and the trial never runs again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It returned predictions.
    Ok,
    /// The method's computation gave numbers that are not finite, or an invalid distribution.
    Diverged(String),
    /// The method does not handle this problem.
    Unsupported(String),
    /// No setting of the method's search has intervals of the required coverage, for which a paper
    /// prints `none`.
    NoneCovers(String),
}

/// Why a trial did not finish. The reason is stored, and the trial runs again on resume.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Failure {
    /// The deadline passed.
    TimedOut,
    /// Memory ran out, or the operating system ended the process for lack of memory.
    OutOfMemory,
    /// It panicked, aborted or could not be started.
    Crashed(String),
    /// No source has the data.
    Unavailable(String),
    /// What the method needs is not at hand, by its own words.
    MethodUnavailable(String),
    /// The data differ from the pinned bytes, or cannot be parsed.
    BadData(String),
    /// Repeated failures of the machine, not of the method: no process could be started, or a
    /// worker was killed from outside.
    Lost(String),
    /// The run was stopped.
    Cancelled,
}

impl Outcome {
    /// The words of all outcomes.
    pub const WORDS: [&'static str; 4] = ["ok", "diverged", "unsupported", "none"];

    /// One word for tables.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Ok => Self::WORDS[0],
            Self::Diverged(_) => Self::WORDS[1],
            Self::Unsupported(_) => Self::WORDS[2],
            Self::NoneCovers(_) => Self::WORDS[3],
        }
    }

    /// Why there are no predictions.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::Ok => None,
            Self::Diverged(why) | Self::Unsupported(why) | Self::NoneCovers(why) => Some(why),
        }
    }
}

impl Failure {
    /// One word for tables.
    pub fn word(&self) -> &'static str {
        match self {
            Self::TimedOut => "timed out",
            Self::OutOfMemory => "out of memory",
            Self::Crashed(_) => "crashed",
            Self::Unavailable(_) | Self::MethodUnavailable(_) => "unavailable",
            Self::BadData(_) => "bad data",
            Self::Lost(_) => "lost",
            Self::Cancelled => "cancelled",
        }
    }

    /// A message that describes the failure.
    pub fn message(&self) -> String {
        match self {
            Self::Crashed(message)
            | Self::Unavailable(message)
            | Self::MethodUnavailable(message)
            | Self::BadData(message)
            | Self::Lost(message) => format!("{}: {message}", self.word()),
            _ => self.word().into(),
        }
    }
}
