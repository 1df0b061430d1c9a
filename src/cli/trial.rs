//! `uqbench trial --spec -`: what a child process does.

use std::io::{Read, stdin, stdout};

use clap::Args;

use super::sources::SourceArgs;
use super::{CliError, Ending};
use crate::methods::CancelToken;
use crate::runner::execute::{Executor, InProcess, limit_memory};
use crate::runner::key::TrialSpec;
use crate::runner::record::write_answer;

/// Run one serialised trial.
#[derive(Debug, Args)]
pub struct Trial {
    /// Where the specification is: `-` for standard input.
    #[arg(long, value_parser = ["-"])]
    spec: String,
    /// Bytes of memory that it may use.
    #[arg(long)]
    memory: Option<u64>,
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
        stdin().read_to_string(&mut text)?;
        let spec: TrialSpec = serde_json::from_str(&text)
            .map_err(|error| CliError::Other(format!("standard input is no trial: {error}")))?;
        let library = self.sources.library();
        let end = InProcess { library: &library, timeout: None }.execute(&spec, &CancelToken::default());
        write_answer(&end, &mut stdout().lock())?;
        Ok(Ending::Done)
    }
}
