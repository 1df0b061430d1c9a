//! Watch the memory of a worker, so that it is known of a trial that does not finish.

use std::time::{Duration, Instant};

use super::Unfinished;
use crate::runner::outcome::Failure;
use uqbench_system::machine::{peak_memory, reset_peak_memory, resident_memory};

/// Longest time between two looks.
const RARELY: Duration = Duration::from_millis(500);

/// The pause before the next look is the time since the start, divided by this: a trial that soon
/// crashes is looked at often, and a long one rarely.
const PART: u32 = 4;

/// The time and the memory of one trial in a worker.
#[derive(Debug)]
pub(super) struct Watch {
    /// The process that is looked at.
    process: Option<u32>,
    /// Whether the peak that the system reports is that of this trial.
    is_own_peak: bool,
    begun: Instant,
    next: Duration,
    most: Option<u64>,
}

impl Watch {
    /// Watches a trial that begins now, and the process that gets it; `is_new` if that has run no
    /// other one.
    pub fn begin(process: Option<u32>, is_new: bool) -> Self {
        let is_own_peak = process.is_some_and(reset_peak_memory) || is_new;
        let mut watch =
            Self { process, is_own_peak, begun: Instant::now(), next: Duration::ZERO, most: None };
        watch.look();
        watch
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Looks, if it is time to. A process that ends by itself has no memory any more, so that only
    /// earlier looks tell of it.
    pub fn look_at_times(&mut self) {
        let elapsed = self.elapsed();
        if elapsed >= self.next {
            self.look();
            self.next = elapsed + (elapsed / PART).min(RARELY);
        }
    }

    /// Looks. The process must not have been waited for: its number may then be another one's.
    pub fn look(&mut self) {
        let read = if self.is_own_peak { peak_memory } else { resident_memory };
        self.most = self.most.max(self.process.and_then(read));
    }

    /// The end of the trial, with the largest memory that any look has seen.
    pub fn unfinished(self, failure: Failure) -> Unfinished {
        Unfinished { failure, peak_memory: self.most }
    }
}
