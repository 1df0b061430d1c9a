//! Run trials in this process or in workers, behind one trait.

mod pool;
mod watch;
mod worker;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

pub use self::pool::Workers;
use super::journal::Steps;
use super::key::TrialSpec;
use super::outcome::Failure;
use super::record::{Limits, TrialRecord};
use super::trial::{self, Data};
use crate::external::{Host, Place, Servers};
use crate::protocols::Journal;
use uq_core::CancelToken;
use uqbench_data::Library;
use uqbench_data::own::OwnDataset;
use uqbench_system::supervise::own_program;
use uqbench_system::{Patient, survive};

/// One trial to run, with its limits.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Job {
    /// The trial.
    pub spec: TrialSpec,
    /// Limits of time and memory.
    pub limits: Limits,
    /// Whether it needs a new process, because its time or memory is scored.
    pub fresh: bool,
    /// Where the files of an external method are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// The table of a dataset that is a user's file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<OwnDataset>,
    /// The folder in which a sequential protocol keeps its steps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<PathBuf>,
}

impl Job {
    /// A trial without limits, in any process.
    pub fn new(spec: TrialSpec) -> Self {
        Self {
            spec,
            limits: Limits::default(),
            fresh: false,
            place: None,
            table: None,
            steps: None,
        }
    }
}

/// A trial that was not run to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfinished {
    /// Why.
    pub failure: Failure,
    /// Largest resident memory of its process that was seen, in bytes; `None` where it had no
    /// process of its own, and of an external method, whose processes are others.
    pub peak_memory: Option<u64>,
}

impl From<Failure> for Unfinished {
    /// Of a trial whose memory nobody could see.
    fn from(failure: Failure) -> Self {
        Self { failure, peak_memory: None }
    }
}

/// Runs trials.
pub trait Executor: Sync {
    /// Runs one trial to its end.
    ///
    /// # Errors
    /// [`Unfinished`] where it did not finish. The next trial can still be run.
    fn execute(&self, job: &Job, cancel: &CancelToken) -> Result<TrialRecord, Unfinished>;
}

/// Runs trials in this process, for debugging. It survives a panic, but not an abort, a hang or a
/// lack of memory.
pub struct InProcess<'a> {
    data: &'a Library,
    uqbench: PathBuf,
    servers: Arc<Servers>,
}

impl<'a> InProcess<'a> {
    /// Takes the data from this library. Of the external methods that serve, at most `most_servers`
    /// wait at a time for the next trial.
    pub fn new(data: &'a Library, most_servers: usize) -> Self {
        Self { data, uqbench: own_program(), servers: Arc::new(Servers::new(most_servers)) }
    }
}

impl Executor for InProcess<'_> {
    /// The time limit is checked at the method's checkpoints; memory is not limited.
    fn execute(&self, job: &Job, cancel: &CancelToken) -> Result<TrialRecord, Unfinished> {
        let limit = job.limits.seconds.map(Duration::from_secs);
        let deadline = limit.and_then(|limit| Instant::now().checked_add(limit));
        let host = |place| {
            let limits = (job.limits.seconds, job.limits.memory);
            Arc::new(Host::new(self.uqbench.clone(), place, limits, self.servers.clone()))
        };
        let steps =
            job.steps.clone().map(|folder| Steps::new(Arc::new(Patient::machine()), folder));
        let steps = steps.as_ref().map(|steps| steps as &dyn Journal);
        let data = Data { library: self.data, own: job.table.as_ref() };
        survive(|| {
            trial::run(&job.spec, data, job.place.clone().map(host), cancel, deadline, steps)
        })
        .unwrap_or_else(|panic| Err(Failure::Crashed(panic)))
        .map_err(Unfinished::from)
    }
}
