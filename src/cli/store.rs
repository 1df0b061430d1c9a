//! `uqbench store`: check, pack, merge and clean stores.

mod check;
mod merge;
mod pack;

use clap::{Args, Subcommand};

use super::dev::{Gc, Index, StalePages};
use super::{CliError, Ending};
use uqbench_report::grid::counted;
use uqbench_system::notice::say;

/// Check, pack, merge and clean stores.
#[derive(Debug, Args)]
#[command(after_help = "Example: uqbench store check --repair --store uqbench-store")]
pub struct StoreCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    // Those hidden here are older names of commands of `uqbench dev`.
    /// Verify every stored trial, also those in quarantine. The exit code is 3 if one is damaged or
    /// cannot be read.
    #[command(after_help = "Example: uqbench store check --store uqbench-store")]
    Check(check::Check),
    /// Write one sealed file with a whole store, or with all that the chosen pages, `compare` and
    /// `check` need of it. The exit code is 3 where the choice leaves trials out.
    #[command(after_help = "Examples:\n  uqbench store pack uqbench-store whole.pack\n  \
        uqbench store pack uqbench-store full.pack --profile full\n  \
        uqbench report --from full.pack --profile full")]
    Pack(pack::Pack),
    /// Join stores and packs: every trial once. Where two disagree on a trial, nothing is written.
    #[command(after_help = "Examples:\n  uqbench store merge part-1 part-2 --into whole\n  \
        uqbench store merge part-1.pack part-2.pack --into whole.pack")]
    Merge(merge::Merge),
    /// List the trials that no run will use again, because their method, protocol or data have
    /// another version now.
    #[command(hide = true)]
    Gc(Gc),
    /// Print the first digits of the key of each finished trial and of the checksum of its record,
    /// a line each.
    #[command(hide = true)]
    Index(Index),
    /// Name the pages whose trials another version of the program made. The exit code is 3 if there
    /// is one.
    #[command(hide = true)]
    Stale(StalePages),
}

/// Says of how many unfinished trials a new store or pack lacks the steps.
fn say_steps(trials: usize) {
    if trials > 0 {
        let steps = counted(trials, "unfinished trial");
        say(format!(
            "note: left out: the steps of {steps}, from which a run on its own store goes on"
        ));
    }
}

impl StoreCommand {
    /// Runs the subcommand.
    pub fn run(&self) -> Result<Ending, CliError> {
        match &self.action {
            Action::Check(check) => check.run(),
            Action::Pack(pack) => pack.run(),
            Action::Merge(merge) => merge.run(),
            Action::Gc(gc) => gc.run(),
            Action::Index(index) => index.run(),
            Action::Stale(stale) => stale.run(),
        }
    }
}
