//! `uqbench store merge`: join stores and packs.

use std::path::PathBuf;

use clap::Args;

use crate::cli::options::with_damage;
use crate::cli::{CliError, Ending, print};
use crate::report::grid::counted;
use crate::runner::store::{Merged, Store};
use crate::system::notice::say;

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
        let sources = self.sources.iter().map(Store::open_existing).collect::<Result<Vec<_>, _>>()?;
        let Merged { trials, lacking, with_steps } = Store::merge(&sources, &self.into)?;
        let without = match lacking.len() {
            0 => String::new(),
            count => format!(
                ", {count} of them from packs without predictions: a run counts them as finished, and what their pages have not \
                 shown so far cannot be made"
            ),
        };
        print(&format!("wrote {}: {trials} trials{without}\n", self.into.display()))?;
        if with_steps > 0 {
            let steps = counted(with_steps, "unfinished trial");
            say(format!("note: left out: the steps of {steps}, from which a run on its own store goes on"));
        }
        Ok(with_damage(Ending::Done, &sources.iter().collect::<Vec<_>>()))
    }
}
