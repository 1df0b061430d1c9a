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

/// One trial to run, with its limits.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Job {
    /// The trial.
    pub spec: TrialSpec,
    /// Limits of time and memory.
    pub limits: Limits,
    /// Whether it needs a new process, because its time or memory is scored.
    pub fresh: bool,
}

impl Job {
    /// A trial without limits, in any process.
    pub fn new(spec: TrialSpec) -> Self {
        Self { spec, limits: Limits::default(), fresh: false }
    }
}

/// Runs trials.
pub trait Executor: Sync {
    /// Runs one trial to its end.
    ///
    /// # Errors
    /// [`Failure`] where it did not finish. The next trial can still be run.
    fn execute(&self, job: &Job, cancel: &CancelToken) -> Result<TrialRecord, Failure>;
}

/// Runs trials in this process, for debugging. It survives a panic, but not an abort, a hang or a lack of memory.
pub struct InProcess<'a> {
    /// Source of the data.
    pub data: &'a Library,
}

thread_local! {
    static IN_TRIAL: Cell<bool> = const { Cell::new(false) };
}

/// Stops panics inside trials from being printed, because they become failures. Called once, by the binary.
pub fn quiet_trial_panics() {
    let default = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if !IN_TRIAL.get() {
            default(info);
        }
    }));
}

impl Executor for InProcess<'_> {
    /// The time limit is checked at the method's checkpoints; memory is not limited.
    fn execute(&self, job: &Job, cancel: &CancelToken) -> Result<TrialRecord, Failure> {
        let limit = job.limits.seconds.map(Duration::from_secs);
        let deadline = limit.and_then(|limit| Instant::now().checked_add(limit));
        survive(|| trial::run(&job.spec, self.data, cancel, deadline))
            .unwrap_or_else(|panic| Err(Failure::Crashed(panic)))
    }
}

/// Runs work and catches its panic, which is not printed.
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

/// Limits the address space of this process, where the system supports it; a later call may set another limit.
///
/// # Errors
/// The operating system's error, as a message.
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
