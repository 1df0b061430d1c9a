//! Hold a running method with its folder, and wait for what happens to it.

use std::io;
use std::path::Path;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use uq_methods::{Context, FitError};
use uqbench_system::Scratch;
use uqbench_system::supervise::{Event, Start, Supervised};

/// How often a waiting trial checks whether it should stop.
const POLL: Duration = Duration::from_millis(20);

/// A running method in a folder of its own. Dropping it ends the method and removes the folder.
#[derive(Debug)]
pub struct Process {
    supervised: Supervised,
    folder: Scratch,
    requests: u64,
}

impl Process {
    /// Starts a method in its folder; `uqbench` is the path of this program.
    ///
    /// # Errors
    /// The operating system's error where no supervisor can be started.
    pub fn start(uqbench: &Path, start: &Start, folder: Scratch) -> io::Result<Self> {
        Ok(Self { supervised: Supervised::start(uqbench, start)?, folder, requests: 0 })
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Number of requests so far.
    pub fn requests(&self) -> u64 {
        self.requests
    }

    /// Sends a request to a method that serves.
    ///
    /// # Errors
    /// The operating system's error where the supervisor has ended.
    pub fn ask(&mut self, line: &str) -> io::Result<()> {
        self.requests += 1;
        self.supervised.ask(line)
    }

    /// Waits for the next event; `None` where the supervisor has ended.
    ///
    /// # Errors
    /// [`FitError::Cancelled`] or [`FitError::TimedOut`].
    pub fn wait(&self, context: &Context) -> Result<Option<Event>, FitError> {
        loop {
            context.checkpoint()?;
            match self.supervised.event(POLL) {
                Ok(event) => return Ok(Some(event)),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
            }
        }
    }
}
