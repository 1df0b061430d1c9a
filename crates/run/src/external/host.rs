//! Say where methods outside of this program run, and keep those that serve.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::contract::Bounds;
use super::process::Process;
use uqbench_system::supervise::MOST_PROCESSES;

/// Where the program and the files of a method are on this machine. It is not part of a trial's
/// key.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The folder from which a relative path of the program starts.
    pub folder: PathBuf,
    /// The path of each named file, by its name.
    pub files: BTreeMap<String, PathBuf>,
}

/// Where a method runs, and within which limits. A [`Context`](uq_methods::Context) carries it to a
/// fit.
#[derive(Clone, Debug)]
pub struct Host {
    /// The path of this program, which supervises the method.
    pub uqbench: PathBuf,
    /// Where the method's files are.
    pub place: Place,
    /// Limits of one trial.
    pub bounds: Bounds,
    /// Methods that serve.
    pub servers: Arc<Servers>,
    /// Number of processes that methods have left running. They were ended.
    pub left: Arc<AtomicUsize>,
}

impl Host {
    /// A host of this place with these limits of time and memory.
    pub fn new(
        uqbench: PathBuf,
        place: Place,
        (seconds, memory): (Option<u64>, Option<u64>),
        servers: Arc<Servers>,
    ) -> Self {
        let bounds = Bounds { seconds, memory, processes: MOST_PROCESSES };
        Self { uqbench, place, bounds, servers, left: Arc::default() }
    }
}

/// Processes that wait for the next request, so that a large library is imported only once.
#[derive(Debug)]
pub struct Servers {
    most: usize,
    /// The last one has answered last.
    idle: Mutex<Vec<(String, Process)>>,
}

impl Servers {
    /// None yet, and never more than `most` that wait.
    pub fn new(most: usize) -> Self {
        Self { most, idle: Mutex::default() }
    }

    /// A waiting process with this identity.
    pub(super) fn take(&self, identity: &str) -> Option<Process> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let position = idle.iter().rposition(|(other, _)| other == identity)?;
        Some(idle.remove(position).1)
    }

    /// Lets a process wait. If too many wait, the one that has waited longest is ended.
    pub(super) fn keep(&self, identity: String, process: Process) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.push((identity, process));
        let over = idle.len().saturating_sub(self.most);
        let ended: Vec<_> = idle.drain(..over).collect();
        drop(idle);
        drop(ended); // without the lock, because ending takes a moment
    }
}
