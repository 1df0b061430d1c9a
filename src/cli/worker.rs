//! `uqbench worker`: run trials in a child process, one after another, as its parent sends them.

use std::io::{BufRead, stdin, stdout};
use std::sync::mpsc::{Receiver, channel};

use clap::Args;

use super::sources::SourceArgs;
use super::{CliError, Ending};
use uq_core::CancelToken;
use uqbench_run::runner::execute::{Executor, InProcess, Job};
use uqbench_run::runner::outcome::Failure;
use uqbench_run::runner::record::write_answer;
use uqbench_system::limit_address_space;
use uqbench_system::machine::{peak_memory, reset_peak_memory};

/// Run the trials that standard input names, one per line, and write answers to standard output.
#[derive(Debug, Args)]
pub struct Worker {
    #[command(flatten)]
    sources: SourceArgs,
}

impl Worker {
    /// Runs trials until standard input closes, because the parent has then ended or needs no more.
    ///
    /// Trials run in a thread as they do with `--isolation thread`: the thread's memory comes from
    /// its own arena, which returns less of it to the system between trials than the main thread's
    /// heap.
    pub fn run(&self) -> Result<Ending, CliError> {
        let jobs = jobs()?;
        std::thread::scope(|scope| {
            let trials = std::thread::Builder::new()
                .name("trials".into())
                .spawn_scoped(scope, || self.run_all(jobs))?;
            trials
                .join()
                .unwrap_or_else(|_| Err(CliError::Other("the thread of the trials ended".into())))
        })
    }

    fn run_all(&self, jobs: Receiver<String>) -> Result<Ending, CliError> {
        let library = self.sources.open_library();
        let executor = InProcess::new(&library, 1);
        for (ran, line) in jobs.into_iter().enumerate() {
            let job: Job = serde_json::from_str(&line)
                .map_err(|error| CliError::Other(format!("standard input is no trial: {error}")))?;
            // The processes of an external method are measured instead, because libraries reserve
            // far more than they use.
            let is_external = job.place.is_some();
            let is_own_peak = reset_peak_memory(std::process::id()) || ran == 0;
            let limited = limit_address_space(job.limits.memory.filter(|_| !is_external));
            let limited = limited
                .map_err(|error| Failure::Crashed(format!("memory cannot be limited: {error}")));
            // The parent enforces the time limit: it ends this process if the trial does not check
            // its deadline. It also sees the memory of a trial that does not finish.
            let executed =
                |()| executor.execute(&job, &CancelToken::default()).map_err(|end| end.failure);
            let mut end = limited.and_then(executed);
            if let Ok(record) = &mut end {
                record.provenance.peak_memory =
                    peak_memory(std::process::id()).filter(|_| is_own_peak && !is_external);
            }
            write_answer(&end, &mut stdout().lock())?;
        }
        Ok(Ending::Done)
    }
}

/// The lines of standard input. When it closes this process ends at once, because a trial that
/// hangs must not outlive a killed parent.
fn jobs() -> Result<Receiver<String>, CliError> {
    let (sender, receiver) = channel();
    let listen = move || {
        let mut lines = stdin().lock().lines();
        while let Some(Ok(line)) = lines.next() {
            if sender.send(line).is_err() {
                return;
            }
        }
        std::process::exit(1)
    };
    std::thread::Builder::new().name("jobs".into()).spawn(listen)?;
    Ok(receiver)
}
