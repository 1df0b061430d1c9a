//! `uqbench dev costs`: the table of what trials cost, with the times of a store.

use clap::Args;

use crate::cli::options::{Selection, StorePlace};
use crate::cli::{CliError, Ending, print};
use uqbench_run::runner::costs::Costs;
use uqbench_run::runner::store::Store;

/// Print the table of what trials cost, with the times of a store.
#[derive(Debug, Args)]
#[command(
    after_help = "Example: uqbench dev costs uqbench-store --profile full > benchmarks/costs.csv\n\n\
    The table belongs to the program. Build the program again after the file was changed."
)]
pub struct RenewCosts {
    /// A store or a pack.
    store: std::path::PathBuf,
    /// Benchmarks; all by default.
    benchmarks: Vec<String>,
    #[command(flatten)]
    selection: Selection,
}

impl RenewCosts {
    /// Prints the rows of the store's trials, and the program's own rows of all others.
    pub fn run(&self) -> Result<Ending, CliError> {
        let plans =
            self.selection.plans(&self.benchmarks, &StorePlace { store: self.store.clone() })?;
        let store = Store::open_existing(&self.store)?;
        print(&Costs::shipped()?.renewed(&plans, &store)?.text()?)?;
        Ok(Ending::Done)
    }
}
