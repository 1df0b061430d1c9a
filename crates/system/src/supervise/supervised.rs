//! The parent's side: start a supervisor, send requests, receive what happened.

use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use super::{Event, Start};

/// Time that a supervisor may take to end all processes and to remove the folder.
const GRACE: Duration = Duration::from_secs(20);

/// A running program with its supervisor. Dropping it ends both, and removes the program's folder.
#[derive(Debug)]
pub struct Supervised {
    /// Closed to end the program. If this process is killed the pipe closes too.
    requests: Option<ChildStdin>,
    events: Receiver<Event>,
}

impl Supervised {
    /// Starts a program under a supervisor; `uqbench` is the path of this program.
    ///
    /// # Errors
    /// The operating system's error where no supervisor can be started.
    pub fn start(uqbench: &Path, start: &Start) -> io::Result<Self> {
        let mut command = Command::new(uqbench);
        command.arg("supervise").current_dir(&start.folder);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut starter = command.spawn()?;
        let (requests, output) = (starter.stdin.take(), starter.stdout.take());
        starter.wait()?;
        let (sender, events) = sync_channel(1);
        let mut supervised = Self { requests, events };
        let output = output.ok_or(io::ErrorKind::BrokenPipe)?;
        let read = move || {
            let mut output: BufReader<ChildStdout> = BufReader::new(output);
            let mut line = String::new();
            while matches!(output.read_line(&mut line), Ok(length) if length > 0) {
                let Ok(event) = serde_json::from_str(&line) else { return };
                if sender.send(event).is_err() {
                    return;
                }
                line.clear();
            }
        };
        std::thread::Builder::new().name("events".into()).spawn(read)?;
        supervised.write(&serde_json::to_string(start)?)?;
        Ok(supervised)
    }

    /// Sends a request to a program that serves.
    ///
    /// # Errors
    /// The operating system's error where the supervisor has ended.
    pub fn ask(&mut self, request: &str) -> io::Result<()> {
        let line = serde_json::to_string(request)?;
        self.write(&line)
    }

    fn write(&mut self, line: &str) -> io::Result<()> {
        let requests = self.requests.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        writeln!(requests, "{line}")?;
        requests.flush()
    }

    /// Waits for the next event, at most for `timeout`.
    ///
    /// # Errors
    /// [`RecvTimeoutError::Disconnected`] where none will come, because the supervisor has ended.
    pub fn event(&self, timeout: Duration) -> Result<Event, RecvTimeoutError> {
        self.events.recv_timeout(timeout)
    }
}

impl Drop for Supervised {
    fn drop(&mut self) {
        self.requests = None;
        // The supervisor may still write an event. When it has ended no more can come.
        let latest = Instant::now() + GRACE;
        while self.events.recv_timeout(latest.saturating_duration_since(Instant::now())).is_ok() {}
    }
}
