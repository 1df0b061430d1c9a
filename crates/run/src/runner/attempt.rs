//! Record an attempt at a trial that did not finish: why, where, when, how long and with what
//! memory.

use serde::{Deserialize, Serialize};

use super::outcome::Failure;
use super::record::{Beside, Limits, Machine, now, unseal};

/// An attempt at a trial that did not finish.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Attempt {
    /// Why it did not finish.
    pub failure: Failure,
    /// Where and when; `None` where an older program stored the failure alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<Box<Run>>,
}

/// Where, when and how long an attempt ran.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// The program and the machine.
    #[serde(flatten)]
    pub machine: Machine,
    /// Start, in seconds since 1970.
    pub started: u64,
    /// Wall time until its end, in seconds; `None` where nothing was run, as without data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Largest resident memory of the trial's process that was seen, in bytes, where somebody could
    /// look: it may have been larger at times when nobody looked. What the process held since
    /// earlier trials is included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peak_memory: Option<u64>,
    /// Other work meanwhile; `None` where nothing was run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beside: Option<Beside>,
    /// Limits of the attempt; `None` where nothing was run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<Limits>,
}

impl Run {
    /// A run of this program on this machine that starts now, of which nothing else is known yet.
    pub fn here() -> Self {
        Self { machine: Machine::here(), started: now(), ..Self::default() }
    }
}

impl Attempt {
    /// An attempt that failed here and now before anything was run.
    pub fn before_start(failure: Failure) -> Self {
        Self { failure, run: Some(Box::new(Run::here())) }
    }

    /// The attempt in a sealed text. Older programs sealed the failure alone.
    ///
    /// # Errors
    /// A message that states what is damaged or has unexpected content.
    pub fn read(sealed: &[u8]) -> Result<Self, String> {
        unseal(sealed).or_else(|_| unseal(sealed).map(|failure| Self { failure, run: None }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runner::record::seal;

    /// One of each kind.
    fn failures() -> [Failure; 7] {
        let why = || "a \"reason\"\nin two lines".to_owned();
        [
            Failure::TimedOut,
            Failure::OutOfMemory,
            Failure::Crashed(why()),
            Failure::Unavailable(why()),
            Failure::MethodUnavailable(why()),
            Failure::BadData(why()),
            Failure::Lost(why()),
        ]
    }

    #[test]
    fn an_attempt_reads_back_equal() {
        let ran = Run {
            seconds: Some(1.0 / 3.0),
            peak_memory: Some(3 << 30),
            beside: Some(Beside { trials: 3, load: Some(0.1) }),
            limits: Some(Limits { seconds: Some(30), memory: None }),
            ..Run::here()
        };
        for failure in failures() {
            let whole = Attempt { failure: failure.clone(), run: Some(Box::new(ran.clone())) };
            for attempt in [whole, Attempt::before_start(failure)] {
                assert_eq!(Attempt::read(seal(&attempt).unwrap().as_bytes()), Ok(attempt));
            }
        }
    }

    #[test]
    fn a_failure_of_an_older_program_is_read_and_a_damaged_one_is_not() {
        for failure in failures() {
            let older = seal(&failure).unwrap();
            assert_eq!(Attempt::read(older.as_bytes()), Ok(Attempt { failure, run: None }));
            assert!(Attempt::read(&older.as_bytes()[..older.len() - 3]).is_err());
        }
        assert!(Attempt::read(seal(&"neither").unwrap().as_bytes()).is_err());
    }
}
