//! Run trials in this process or in workers, behind one trait.

mod pool;
mod worker;

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

pub use self::pool::Workers;
use super::key::TrialSpec;
use super::outcome::Failure;
use super::record::{Limits, TrialRecord};
use super::trial;
use crate::data::Library;
use crate::system::CancelToken;

/// One trial to run, and how.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Job {
    /// What is run.
    pub spec: TrialSpec,
    /// What it may use.
    pub limits: Limits,
    /// Whether it needs a process that ran nothing before: its time or memory is scored.
    pub fresh: bool,
}

impl Job {
    /// A trial without limits, in any process.
    pub fn new(spec: TrialSpec) -> Self {
        Self { spec, limits: Limits::default(), fresh: false }
    }
}

/// Runs a trial somewhere.
pub trait Executor: Sync {
    /// Runs one trial to its end.
    ///
    /// # Errors
    /// [`Failure`] where it did not finish; the next trial can be run all the same.
    fn execute(&self, job: &Job, cancel: &CancelToken) -> Result<TrialRecord, Failure>;
}

/// Runs trials in this process, for debugging: survives a panic, but neither an abort nor a hang nor lack of memory.
pub struct InProcess<'a> {
    /// Where data come from.
    pub data: &'a Library,
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
    /// The time limit is looked at by the method's own checkpoints; there is no limit of memory.
    fn execute(&self, job: &Job, cancel: &CancelToken) -> Result<TrialRecord, Failure> {
        let limit = job.limits.seconds.map(Duration::from_secs);
        let deadline = limit.and_then(|limit| Instant::now().checked_add(limit));
        survive(|| trial::run(&job.spec, self.data, cancel, deadline))
            .unwrap_or_else(|panic| Err(Failure::Crashed(panic)))
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

/// Bounds the address space of this process, where the system can; a later call may set another bound.
///
/// # Errors
/// What the system says.
pub fn limit_memory(bytes: u64) -> Result<(), String> {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let hard = getrlimit(Resource::As).maximum;
        let limit = Rlimit { current: Some(hard.map_or(bytes, |hard| hard.min(bytes))), maximum: hard };
        setrlimit(Resource::As, limit).map_err(|error| format!("memory cannot be limited to {bytes} bytes: {error}"))
    }
    #[cfg(not(unix))]
    Err(format!("memory cannot be limited to {bytes} bytes on this platform"))
}
