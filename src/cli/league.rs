//! `uqbench league`: boards on which methods of anybody stand beside those of this program.

mod add;
mod division;
mod entries;
mod init;
mod rerun;
mod reruns;
mod show;
mod stored;

use clap::{Args, Subcommand};

use super::{CliError, Ending};
use uqbench_run::benchmark::{Benchmark, BenchmarkError, find};

/// Rank the methods of a board, with entries that anybody may bring; or make such an entry.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:\n  uqbench run league-standard --profile full\n  \
                  uqbench league standard --open\n  \
                  uqbench league modern --from modern.pack --entries entries --out modern\n  \
                  uqbench league init standard tasks\n  \
                  uqbench league rerun code.toml --allow-external\n\n\
                  docs/do/league.md goes through it."
)]
pub struct League {
    #[command(subcommand)]
    command: Option<LeagueCommand>,
    #[command(flatten)]
    show: show::Show,
}

#[derive(Debug, Subcommand)]
enum LeagueCommand {
    /// Write the splits of a board into a folder: training rows, features of the test rows, and a
    /// card to fill in.
    Init(init::Init),
    /// Check predictions of a board and their card, score them, and keep them as an entry.
    Add(add::Add),
    /// Run code of somebody else on splits whose seed is drawn after the code was frozen, and keep
    /// what it predicts as an entry.
    Rerun(rerun::Rerun),
}

impl League {
    /// Does what the subcommand says; without one, writes the page of a board.
    pub fn run(&self) -> Result<Ending, CliError> {
        match &self.command {
            Some(LeagueCommand::Init(command)) => command.run(),
            Some(LeagueCommand::Add(command)) => command.run(),
            Some(LeagueCommand::Rerun(command)) => command.run(),
            None => self.show.run(),
        }
    }
}

/// What the names of boards begin with. A command line may leave it out.
const PREFIX: &str = "league-";

/// The board of this name, with or without its prefix, or the benchmark in the file of this name.
fn find_board(name: &str) -> Result<Benchmark, BenchmarkError> {
    let with_prefix = || find(&format!("{PREFIX}{name}"));
    match if name.ends_with(".toml") { find(name) } else { with_prefix() } {
        Err(BenchmarkError::Unknown { .. }) => find(name),
        found => found,
    }
}

/// Whether a card or a file of code names this board, with or without the prefix.
fn is_called(board: &Benchmark, name: &str) -> bool {
    board.id == name || board.id == format!("{PREFIX}{name}")
}
