//! `uqbench dev`: what the maintenance of this repository needs.

mod costs;
mod gc;
mod index;
mod stale;

use clap::{Args, Subcommand};

use super::{CliError, Ending};

pub use self::costs::RenewCosts;
pub use self::gc::Gc;
pub use self::index::Index;
pub use self::stale::StalePages;

/// Maintain the benchmarks, the pages and the stores of this repository.
#[derive(Debug, Args)]
#[command(after_help = "Example: uqbench dev stale --profile full --pages reports")]
pub struct Dev {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Name the pages whose trials another version of the program made. The exit code is 3 if there
    /// is one.
    #[command(after_help = "Examples:\n  uqbench dev stale --profile full --from full.pack\n  \
        uqbench dev stale --profile full --pages reports")]
    Stale(StalePages),
    /// List the trials that no run will use again, because their method, protocol or data have
    /// another version now.
    #[command(after_help = "Example: uqbench dev gc --remove --store uqbench-store")]
    Gc(Gc),
    /// Print the first digits of the key of each finished trial and of the checksum of its record,
    /// a line each.
    #[command(after_help = "Example: uqbench dev index reports/packs/*.pack > \
                      benchmarks/shipped-trials.txt")]
    Index(Index),
    /// Print the table of what trials cost, with the times of a store.
    Costs(RenewCosts),
}

impl Dev {
    /// Runs the subcommand.
    pub fn run(&self) -> Result<Ending, CliError> {
        match &self.action {
            Action::Stale(stale) => stale.run(),
            Action::Gc(gc) => gc.run(),
            Action::Index(index) => index.run(),
            Action::Costs(costs) => costs.run(),
        }
    }
}
