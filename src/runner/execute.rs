//! Run trials in this process or in a child process, behind one trait.

use std::any::Any;
use std::cell::Cell;
use std::collections::HashMap;
use std::io::{Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::key::TrialSpec;
use super::outcome::Failure;
use super::record::{TrialRecord, read_answer};
use super::trial;
use crate::data::Library;
use crate::methods::CancelToken;

/// Runs a serialised trial somewhere.
pub trait Executor: Sync {
    /// Runs one trial to its end.
    ///
    /// # Errors
    /// [`Failure`] where it did not finish; the next trial can be run all the same.
    fn execute(&self, spec: &TrialSpec, cancel: &CancelToken) -> Result<TrialRecord, Failure>;
}

/// Runs trials in this process: fast; survives a panic, but neither an abort nor a hang nor lack of memory.
pub struct InProcess<'a> {
    /// Where data come from.
    pub data: &'a Library,
    /// Time that a trial may take; looked at by the method's own checkpoints.
    pub timeout: Option<Duration>,
}

thread_local! {
    static IN_TRIAL: Cell<bool> = const { Cell::new(false) };
}

/// Keeps panics inside trials from being printed: they become outcomes. Called once, by the binary.
pub fn quiet_trial_panics() {
    let default = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if !IN_TRIAL.get() {
            default(info);
        }
    }));
}

impl Executor for InProcess<'_> {
    fn execute(&self, spec: &TrialSpec, cancel: &CancelToken) -> Result<TrialRecord, Failure> {
        let deadline = self.timeout.map(|timeout| Instant::now() + timeout);
        survive(|| trial::run(spec, self.data, cancel, deadline)).unwrap_or_else(|panic| Err(Failure::Crashed(panic)))
    }
}

/// Runs work whose panic is an outcome: it is not printed.
///
/// # Errors
/// The panic's message.
pub(super) fn survive<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    IN_TRIAL.set(true);
    let end = catch_unwind(AssertUnwindSafe(work));
    IN_TRIAL.set(false);
    end.map_err(|payload| panic_message(payload.as_ref()))
}

fn panic_message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied().or(payload.downcast_ref::<String>().map(String::as_str));
    format!("panicked: {}", text.unwrap_or("without a message"))
}

/// Loads each dataset before its first trial, and answers for those that no source has, so that each of their trials
/// need not ask again.
pub struct WithData<'a> {
    /// Runs the trials.
    pub inner: &'a dyn Executor,
    /// Where data come from.
    pub data: &'a Library,
    /// Datasets that were asked for, and why they are not there. Held while one is loaded: the others wait for it.
    pub asked: Mutex<HashMap<String, Option<Failure>>>,
}

impl<'a> WithData<'a> {
    /// An executor that has not asked for any data yet.
    pub fn new(inner: &'a dyn Executor, library: &'a Library) -> Self {
        Self { inner, data: library, asked: Mutex::default() }
    }
}

impl Executor for WithData<'_> {
    fn execute(&self, spec: &TrialSpec, cancel: &CancelToken) -> Result<TrialRecord, Failure> {
        let missing = {
            let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
            match asked.get(&spec.dataset) {
                Some(missing) => missing.clone(),
                None => {
                    let missing = trial::data_failure(spec, self.data);
                    asked.insert(spec.dataset.clone(), missing.clone());
                    missing
                }
            }
        };
        missing.map_or_else(|| self.inner.execute(spec, cancel), Err)
    }
}

/// Runs each trial in a process of its own: slower by its start; survives everything, and its time and memory are bounded.
pub struct ChildProcess {
    /// The program: `uqbench` itself.
    pub program: PathBuf,
    /// Arguments after `trial --spec -`, such as where data come from.
    pub arguments: Vec<String>,
    /// Time that a trial may take before its process group is ended.
    pub timeout: Option<Duration>,
    /// Address space that a trial may use, in bytes.
    pub memory: Option<u64>,
}

/// How often a waiting parent looks at its child.
const POLL: Duration = Duration::from_millis(5);

/// Time that a child may take to end by itself after it was asked to.
const GRACE: Duration = Duration::from_millis(500);

impl Executor for ChildProcess {
    fn execute(&self, spec: &TrialSpec, cancel: &CancelToken) -> Result<TrialRecord, Failure> {
        let crashed = |what: &str, error: &dyn std::fmt::Display| Failure::Crashed(format!("{what}: {error}"));
        let mut json = serde_json::to_vec(spec).map_err(|error| crashed("cannot describe the trial", &error))?;
        json.push(b'\n');
        let mut command = Command::new(&self.program);
        command.args(["trial", "--spec", "-", "--with-parent"]).args(&self.arguments);
        if let Some(bytes) = self.memory {
            command.args(["--memory", &bytes.to_string()]);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        own_group(&mut command);
        let mut child = command.spawn().map_err(|error| crashed("cannot start a process", &error))?;
        let start = Instant::now();

        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        std::thread::scope(|scope| {
            // The specification is written beside the reading, so that neither side waits for the other.
            // The pipe stays open while the child runs: should this process be killed, it closes, and the child ends.
            let held = scope.spawn(move || {
                stdin.map(|mut pipe| {
                    let _ = pipe.write_all(&json); // a child that ended early says why itself
                    pipe
                })
            });
            let answer = scope.spawn(move || read_all(stdout));
            let messages = scope.spawn(move || read_all(stderr));
            let end = self.wait(&mut child, start, cancel);
            drop(held.join());
            let answer = answer.join().unwrap_or_default();
            let messages = messages.join().unwrap_or_default();
            let status = end?;
            match read_answer(&answer) {
                Ok(end) => end,
                Err(_) => Err(explain(status, &String::from_utf8_lossy(&messages), self.memory.is_some())),
            }
        })
    }
}

impl ChildProcess {
    /// Waits for the child's end, or ends its whole process group.
    fn wait(&self, child: &mut Child, start: Instant, cancel: &CancelToken) -> Result<ExitStatus, Failure> {
        loop {
            match child.try_wait() {
                Ok(Some(status)) => return Ok(status),
                Ok(None) => {}
                Err(error) => return Err(Failure::Crashed(format!("cannot wait for the process: {error}"))),
            }
            let failure = if cancel.is_cancelled() {
                Failure::Cancelled
            } else if self.timeout.is_some_and(|timeout| start.elapsed() >= timeout) {
                Failure::TimedOut
            } else {
                std::thread::sleep(POLL);
                continue;
            };
            end_group(child);
            return Err(failure);
        }
    }
}

fn read_all(pipe: Option<impl Read>) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(mut pipe) = pipe {
        let _ = pipe.read_to_end(&mut bytes); // what arrived before a broken pipe still counts
    }
    bytes
}

/// Says why a process ended without an answer.
fn explain(status: ExitStatus, messages: &str, limited: bool) -> Failure {
    let last = messages.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("no message");
    // The allocator's own words, or a kill that was not ours: that is how systems end a process that takes too much.
    if messages.contains("memory allocation of") || (killed(status) && !limited) || messages.contains("failed to spawn")
    {
        return Failure::OutOfMemory;
    }
    Failure::Crashed(format!("the process ended with {status}: {last}"))
}

#[cfg(unix)]
fn own_group(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

#[cfg(not(unix))]
fn own_group(_: &mut Command) {}

#[cfg(unix)]
fn killed(status: ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt;
    status.signal() == Some(9)
}

#[cfg(not(unix))]
fn killed(_: ExitStatus) -> bool {
    false
}

/// Asks the child's process group to end, then ends it.
fn end_group(child: &mut Child) {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, Signal, kill_process_group};
        if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
            let _ = kill_process_group(group, Signal::TERM); // it may have ended by itself
            let asked = Instant::now();
            while asked.elapsed() < GRACE && matches!(child.try_wait(), Ok(None)) {
                std::thread::sleep(POLL);
            }
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
    let _ = child.kill();
    let _ = child.wait();
}

/// Bounds the address space of this process, where the system can.
///
/// # Errors
/// What the system says.
pub fn limit_memory(bytes: u64) -> Result<(), String> {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, setrlimit};
        let limit = Rlimit { current: Some(bytes), maximum: Some(bytes) };
        setrlimit(Resource::As, limit).map_err(|error| format!("memory cannot be limited to {bytes} bytes: {error}"))
    }
    #[cfg(not(unix))]
    Err(format!("memory cannot be limited to {bytes} bytes on this platform"))
}
