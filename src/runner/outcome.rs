//! Tell a trial's final outcome from an attempt that has to be made again.

use serde::{Deserialize, Serialize};

/// What a finished trial says. It is stored and never run again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It gave predictions.
    Ok,
    /// The method's computation left the numbers, or its answer is no distribution.
    Diverged(String),
    /// The method does not handle this problem.
    Unsupported(String),
}

/// Why a trial did not finish. Recorded, and tried again on resume.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Failure {
    /// The deadline passed.
    TimedOut,
    /// Memory ran out, or the system ended the process as it does then.
    OutOfMemory,
    /// It panicked, aborted or could not be started.
    Crashed(String),
    /// No source has the data.
    Unavailable(String),
    /// The data are other bytes than the pinned ones, or cannot be understood.
    BadData(String),
    /// The machine's fault, not the method's, again and again: no process could be started, or a worker was killed from outside.
    Lost(String),
    /// The run was stopped.
    Cancelled,
}

impl Outcome {
    /// One word for tables.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Diverged(_) => "diverged",
            Self::Unsupported(_) => "unsupported",
        }
    }

    /// Why there are no predictions.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::Ok => None,
            Self::Diverged(why) | Self::Unsupported(why) => Some(why),
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
            Self::Unavailable(_) => "unavailable",
            Self::BadData(_) => "bad data",
            Self::Lost(_) => "lost",
            Self::Cancelled => "cancelled",
        }
    }

    /// What happened, in words.
    pub fn message(&self) -> String {
        match self {
            Self::Crashed(message) | Self::Unavailable(message) | Self::BadData(message) | Self::Lost(message) => {
                format!("{}: {message}", self.word())
            }
            _ => self.word().into(),
        }
    }
}
