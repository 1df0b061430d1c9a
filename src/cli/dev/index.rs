//! `uqbench dev index`: a line for each finished trial of stores and packs.

use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::Args;

use crate::cli::options::with_damage;
use crate::cli::{CliError, Ending, print};
use uqbench_run::runner::shipped::line;
use uqbench_run::runner::store::{Found, Store};

#[derive(Debug, Args)]
pub struct Index {
    /// Stores and packs.
    #[arg(required = true, value_name = "STORE")]
    sources: Vec<PathBuf>,
}

impl Index {
    /// Prints the lines in ascending order.
    pub fn run(&self) -> Result<Ending, CliError> {
        let sources =
            self.sources.iter().map(Store::open_existing).collect::<Result<Vec<_>, _>>()?;
        let mut lines = BTreeSet::new();
        for source in &sources {
            for key in source.keys()? {
                if let Some(Found::Finished(result)) = source.find_readable(&key)? {
                    lines.extend(line(&result));
                }
            }
        }
        print(&lines.iter().map(|line| format!("{line}\n")).collect::<String>())?;
        Ok(with_damage(Ending::Done, &sources.iter().collect::<Vec<_>>()))
    }
}
