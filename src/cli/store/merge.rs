//! `uqbench store merge`: join stores and packs.

use std::path::PathBuf;

use clap::Args;

use super::say_steps;
use crate::cli::options::with_damage;
use crate::cli::{CliError, Ending, print};
use uqbench_run::runner::store::{Merged, Store};

#[derive(Debug, Args)]
pub struct Merge {
    /// Stores and packs.
    #[arg(required = true, value_name = "STORE")]
    sources: Vec<PathBuf>,
    /// A new folder for a store, or a new file that ends in .pack for a pack.
    #[arg(long, value_name = "STORE")]
    into: PathBuf,
}

impl Merge {
    /// Joins the sources, and prints the number of trials.
    pub fn run(&self) -> Result<Ending, CliError> {
        let sources =
            self.sources.iter().map(Store::open_existing).collect::<Result<Vec<_>, _>>()?;
        let Merged { trials, lacking, with_steps } = Store::merge(&sources, &self.into)?;
        let without = match lacking.len() {
            0 => String::new(),
            count => format!(
                ", {count} of them from packs without predictions: a run counts them as finished, \
                 and `export`, `compare` and `report` with --refill compute what their pages have \
                 not shown so far"
            ),
        };
        print(&format!("wrote {}: {trials} trials{without}\n", self.into.display()))?;
        say_steps(with_steps);
        Ok(with_damage(Ending::Done, &sources.iter().collect::<Vec<_>>()))
    }
}
