//! `uqbench trial --spec -`: what a child process does.

use std::io::{Read, copy, sink, stdin, stdout};

use clap::Args;

use super::sources::SourceArgs;
use super::{CliError, Ending};
use crate::methods::CancelToken;
use crate::runner::execute::{Executor, InProcess, limit_memory};
use crate::runner::key::TrialSpec;
use crate::runner::record::write_answer;
use crate::runner::trial::peak_memory;

/// Run one serialised trial.
#[derive(Debug, Args)]
pub struct Trial {
    /// Where the specification is: `-` for standard input.
    #[arg(long, value_parser = ["-"])]
    spec: String,
    /// Bytes of memory that it may use.
    #[arg(long)]
    memory: Option<u64>,
    /// The specification is one line; end as soon as standard input closes after it, for then the parent is gone.
    #[arg(long)]
    with_parent: bool,
    #[command(flatten)]
    sources: SourceArgs,
}

impl Trial {
    /// Reads a specification, runs the trial, answers on standard output.
    pub fn run(&self) -> Result<Ending, CliError> {
        if let Some(bytes) = self.memory {
            limit_memory(bytes).map_err(CliError::Other)?;
        }
        let mut text = String::new();
        if self.with_parent {
            stdin().read_line(&mut text)?;
            end_with_parent()?;
        } else {
            stdin().read_to_string(&mut text)?;
        }
        let spec: TrialSpec = serde_json::from_str(&text)
            .map_err(|error| CliError::Other(format!("standard input is no trial: {error}")))?;
        let library = self.sources.open_library();
        let mut end = InProcess { data: &library, timeout: None }.execute(&spec, &CancelToken::default());
        if let Ok(record) = &mut end {
            record.provenance.peak_memory = peak_memory();
        }
        write_answer(&end, &mut stdout().lock())?;
        Ok(Ending::Done)
    }
}

/// Ends this process when standard input closes, whatever the trial does: a hang must not outlive a killed parent.
fn end_with_parent() -> Result<(), CliError> {
    let watch = || {
        let _ = copy(&mut stdin(), &mut sink()); // an error means the same as its end
        std::process::exit(1)
    };
    std::thread::Builder::new().name("parent".into()).spawn(watch)?;
    Ok(())
}
