//! Keep worker processes that run one trial after another, so that starting processes costs little
//! time.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::mpsc::RecvTimeoutError;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::watch::Watch;
use super::worker::{Worker, unstarted};
use super::{Executor, Job, Unfinished};
use crate::runner::outcome::Failure;
use crate::runner::record::TrialRecord;
use uq_core::CancelToken;
use uqbench_system::machine::resident_memory;

/// How often a waiting parent checks whether it should stop.
const POLL: Duration = Duration::from_millis(20);

/// A worker is replaced if its idle resident memory has grown by more than this factor since its
/// first trial.
const GROWTH: f64 = 1.25;

/// Runs trials in worker processes, each of which runs many. It survives aborts, hangs and lack of
/// memory, and limits time and memory.
///
/// A worker is replaced after a crash, after a trial that reached a limit, when its memory has
/// grown, and where a trial needs a new process.
#[derive(Debug)]
pub struct Workers {
    /// The program: `uqbench` itself.
    program: PathBuf,
    /// Arguments after `worker`, such as the source of the data.
    arguments: Vec<OsString>,
    idle: Mutex<Vec<Idle>>,
}

#[derive(Debug)]
struct Idle {
    worker: Worker,
    /// Resident memory after its first trial, in bytes.
    base: Option<u64>,
}

impl Workers {
    /// An executor without workers; each is started when it is needed.
    pub fn new(program: PathBuf, arguments: Vec<OsString>) -> Self {
        Self { program, arguments, idle: Mutex::default() }
    }

    /// An idle worker whose memory has not grown, or a new one.
    fn take(&self, fresh: bool) -> Result<Idle, Failure> {
        let next = || {
            if fresh {
                None
            } else {
                self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop()
            }
        };
        while let Some(mut idle) = next() {
            let now = resident_memory(idle.worker.id());
            let base = *idle.base.get_or_insert(now.unwrap_or(u64::MAX));
            if now.is_none_or(|now| now as f64 <= GROWTH * base as f64) {
                return Ok(idle);
            }
        }
        let worker =
            Worker::start(&self.program, &self.arguments).map_err(|error| unstarted(&error))?;
        Ok(Idle { worker, base: None })
    }

    /// A worker to which the job has been sent, watched.
    fn hand(&self, job: &Job) -> Result<(Idle, Watch), Failure> {
        let mut idle = self.take(job.fresh)?;
        // An external method has other processes, and its worker only waits for them.
        let process = job.place.is_none().then(|| idle.worker.id());
        let watch = Watch::begin(process, idle.base.is_none());
        match idle.worker.send(job) {
            Ok(()) => Ok((idle, watch)),
            Err(error) => Err(Failure::Lost(format!("a worker ended while it was idle: {error}"))),
        }
    }
}

impl Executor for Workers {
    fn execute(&self, job: &Job, cancel: &CancelToken) -> Result<TrialRecord, Unfinished> {
        let (mut idle, mut watch) = self.hand(job)?;
        let limit = job.limits.seconds.map(Duration::from_secs);
        loop {
            match idle.worker.answer(POLL) {
                Ok(end) => {
                    // After a panic the process ends, so that no state of the trial remains.
                    let healthy = !matches!(
                        end,
                        Err(Failure::Crashed(_) | Failure::OutOfMemory | Failure::Lost(_))
                    );
                    // Before another trial can have the worker.
                    let end = end.map_err(|failure| {
                        watch.look();
                        watch.unfinished(failure)
                    });
                    if healthy && !job.fresh {
                        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(idle);
                    }
                    return end;
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(watch.unfinished(idle.worker.explain()));
                }
                Err(RecvTimeoutError::Timeout) if cancel.is_cancelled() => {
                    idle.worker.end();
                    return Err(Failure::Cancelled.into());
                }
                Err(RecvTimeoutError::Timeout)
                    if limit.is_some_and(|limit| watch.elapsed() >= limit) =>
                {
                    watch.look();
                    idle.worker.end();
                    return Err(watch.unfinished(Failure::TimedOut));
                }
                Err(RecvTimeoutError::Timeout) => watch.look_at_times(),
            }
        }
    }
}
