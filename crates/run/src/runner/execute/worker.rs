//! Control one worker from its parent: a process in its own process group, a pipe for jobs, a pipe
//! for answers.

use std::ffi::OsString;
use std::io::{self, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use super::Job;
use crate::runner::outcome::Failure;
use crate::runner::record::{TrialRecord, read_answer};
use uqbench_system::Tail;
use uqbench_system::machine::ended_for_memory;

/// Time that a worker may take to end after it was asked to.
const GRACE: Duration = Duration::from_millis(500);

/// How often the parent checks meanwhile whether the worker has ended.
const POLL: Duration = Duration::from_millis(5);

/// The end of a trial.
type End = Result<TrialRecord, Failure>;

/// A running worker. Dropping it ends its process.
#[derive(Debug)]
pub(super) struct Worker {
    child: Child,
    /// Closed to ask the worker to end. If this process is killed, the pipe closes too, and the
    /// worker ends.
    jobs: Option<ChildStdin>,
    answers: Receiver<End>,
    /// The end of its standard error, which contains the reason of a crash.
    messages: Option<Tail>,
    /// How many processes the kernel had ended for lack of memory when it started.
    ended_for_memory: Option<u64>,
}

/// The failure of a worker that could not be started. It is the machine's fault, unless the program
/// does not exist.
pub(super) fn unstarted(error: &io::Error) -> Failure {
    let message = format!("no process can be started: {error}");
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied => Failure::Crashed(message),
        _ => Failure::Lost(message),
    }
}

impl Worker {
    /// Starts a worker.
    ///
    /// # Errors
    /// The operating system's error.
    pub fn start(program: &Path, arguments: &[OsString]) -> io::Result<Self> {
        let mut command = Command::new(executable(program));
        command.arg("worker").args(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        own_group(&mut command, program);
        let mut child = command.spawn()?;
        let (jobs, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (sender, answers) = channel();
        let started = std::thread::Builder::new().name("answers".into()).spawn(move || {
            let Some(stdout) = stdout else { return };
            let mut from = BufReader::with_capacity(1 << 16, stdout);
            // The sender is dropped when the worker ends, and after an invalid answer.
            while let Ok(Some(end)) = read_answer(&mut from) {
                if sender.send(end).is_err() {
                    return;
                }
            }
        });
        let messages = started.and_then(|_| stderr.map(Tail::of).transpose());
        let ended_for_memory = ended_for_memory();
        let mut worker = Self { child, jobs, answers, messages: None, ended_for_memory };
        match messages {
            Ok(messages) => worker.messages = messages,
            Err(error) => {
                worker.end();
                return Err(error);
            }
        }
        Ok(worker)
    }

    /// The worker's process number.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends it a trial.
    ///
    /// # Errors
    /// The operating system's error where the worker has ended.
    pub fn send(&mut self, job: &Job) -> io::Result<()> {
        let mut line = serde_json::to_vec(job)?;
        line.push(b'\n');
        // Kills before this trial say nothing of it.
        self.ended_for_memory = ended_for_memory();
        let jobs = self.jobs.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        jobs.write_all(&line)?;
        jobs.flush()
    }

    /// Waits for an answer, at most for `timeout`.
    ///
    /// # Errors
    /// [`RecvTimeoutError::Disconnected`] where the worker will send none.
    pub fn answer(&self, timeout: Duration) -> Result<End, RecvTimeoutError> {
        self.answers.recv_timeout(timeout)
    }

    /// The reason why the worker ended without an answer.
    pub fn explain(&mut self) -> Failure {
        self.jobs = None;
        let asked = Instant::now();
        let status = loop {
            match self.child.try_wait() {
                Ok(Some(status)) => break status,
                Ok(None) if asked.elapsed() < GRACE => std::thread::sleep(POLL),
                Ok(None) => {
                    self.end();
                    return Failure::Crashed(
                        "the process wrote data that are not an answer".into(),
                    );
                }
                Err(error) => {
                    return Failure::Lost(format!("the process cannot be waited for: {error}"));
                }
            }
        };
        // Its last messages are still in the pipe, unless a process that it started holds the pipe
        // open.
        let messages = self.messages.as_ref().map(|messages| messages.text(asked + 2 * GRACE));
        let by_kernel =
            ended_for_memory().zip(self.ended_for_memory).is_some_and(|(now, before)| now > before);
        explain(status, &messages.unwrap_or_default(), by_kernel)
    }

    /// Asks the worker's process group to end, then kills it.
    pub fn end(&mut self) {
        #[cfg(unix)]
        {
            use rustix::process::{Pid, Signal, kill_process_group};
            if let Some(group) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw) {
                let _ = kill_process_group(group, Signal::TERM); // it may have ended by itself
                let asked = Instant::now();
                while asked.elapsed() < GRACE && matches!(self.child.try_wait(), Ok(None)) {
                    std::thread::sleep(POLL);
                }
                let _ = kill_process_group(group, Signal::KILL);
            }
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            self.end();
        }
    }
}

/// The reason why a process ended without an answer.
/// `by_kernel` says that the kernel has ended a process of the control group for lack of memory
/// since the worker started.
fn explain(status: ExitStatus, messages: &str, by_kernel: bool) -> Failure {
    let last = messages.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("no message");
    // Messages of the allocator, and of a thread that could not allocate its stack.
    if messages.contains("memory allocation of") || messages.contains("failed to spawn") {
        return Failure::OutOfMemory;
    }
    match sent_from_outside(status) {
        Some(9) if by_kernel => Failure::OutOfMemory,
        Some(signal) => Failure::Lost(format!(
            "the process was ended by signal {signal}, by a person or by the system, perhaps for \
             lack of memory"
        )),
        None => Failure::Crashed(format!("the process ended with {status}: {last}")),
    }
}

/// The signal, if it comes from outside the program: hang-up, interrupt, kill, terminate.
#[cfg(unix)]
fn sent_from_outside(status: ExitStatus) -> Option<i32> {
    use std::os::unix::process::ExitStatusExt;
    status.signal().filter(|signal| [1, 2, 9, 15].contains(signal))
}

#[cfg(not(unix))]
fn sent_from_outside(_: ExitStatus) -> Option<i32> {
    None
}

/// The file of the running program, even if it has been replaced since the start.
fn executable(program: &Path) -> &Path {
    let own = Path::new("/proc/self/exe");
    if cfg!(target_os = "linux") && own.exists() { own } else { program }
}

#[cfg(unix)]
fn own_group(command: &mut Command, name: &Path) {
    use std::os::unix::process::CommandExt;
    command.arg0(name).process_group(0);
}

#[cfg(not(unix))]
fn own_group(_: &mut Command, _: &Path) {}
