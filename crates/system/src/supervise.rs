//! Run a program of somebody else within limits, under a process that watches it.
//!
//! The watching process is this program again, as `uqbench supervise`. It detaches itself, so that
//! no process above the program has the folder in which the user works. It starts the program,
//! keeps the last part of its standard error, and measures it together with all processes that it
//! has started: on Linux they remain descendants of the supervisor even where they detach
//! themselves. When the program ends or breaks a limit, or when the supervisor's own parent has
//! ended, all of them are ended and the program's folder is removed.
//!
//! Parent and supervisor exchange lines of JSON: first a [`Start`], then one line for each request
//! to a program that serves; back comes an [`Event`] a line. Closing the first pipe ends
//! everything. [`Supervised`] is the parent's side, [`supervise`] the other.

mod supervised;
mod supervisor;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

pub use supervised::Supervised;
pub use supervisor::{detach, supervise};

/// Most processes that one supervised program may have at a time, itself included. Threads do not
/// count.
pub const MOST_PROCESSES: usize = 100;

/// Longest line that a program may write as the answer to a request, in bytes.
pub const LONGEST_ANSWER: u64 = 1 << 28;

/// The file of the running program, even if it has been replaced since the start.
pub fn own_program() -> PathBuf {
    let own = PathBuf::from("/proc/self/exe");
    if own.exists() {
        own
    } else {
        std::env::current_exe().unwrap_or_else(|_| PathBuf::from("uqbench"))
    }
}

/// What is run, and within which limits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Start {
    /// The program: a path, or a name that is looked up in `PATH`.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Its working folder. The supervisor removes it when it ends.
    pub folder: PathBuf,
    /// Variables that are added to its environment.
    pub environment: BTreeMap<String, String>,
    /// Memory of all its processes in bytes.
    pub memory: Option<u64>,
    /// Most processes at a time.
    pub processes: usize,
    /// Whether it answers requests on its standard input, one line each.
    pub serves: bool,
}

/// What happened to a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Event {
    /// It answered a request.
    Answer(Answer),
    /// It has ended. Nothing follows.
    Ended(End),
}

/// An answer of a program that serves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// The line that it wrote.
    pub line: String,
    /// Processor time of all its processes for this request, for the first one since their start;
    /// `None` where the operating system does not tell.
    pub processor_time: Option<Duration>,
}

/// How a program ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    /// Why.
    pub cause: Cause,
    /// Last part of its standard output, unless it serves.
    pub output: String,
    /// Last part of its standard error.
    pub messages: String,
    /// Number of processes that it left running; they were ended.
    pub left: usize,
    /// Processor time of all its processes since their start; `None` where the operating system
    /// does not tell.
    pub processor_time: Option<Duration>,
}

/// Why a program ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Cause {
    /// It exited with code 0.
    Success,
    /// It exited with another code, or by a signal.
    Exited(String),
    /// It could not be started.
    Unstarted(String),
    /// Its processes had more memory than the limit, in bytes.
    Memory(u64),
    /// It had more processes than the limit.
    Processes(usize),
    /// It wrote a line that answers no request, or one that is too long.
    Output(String),
}
