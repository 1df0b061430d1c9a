//! `uqbench league init`: write the splits of a board, so that anybody can predict them.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::find_board;
use crate::cli::options::MOST_SPLITS;
use crate::cli::sources::SourceArgs;
use crate::cli::wording::Worded;
use crate::cli::{CliError, Ending, print};
use uq_core::names::counted;
use uqbench_run::league::{ArrayFormat, Board, LeagueError, write_tasks};

/// Which arrays are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Arrays {
    /// Parquet and NPY.
    Both,
    /// Parquet alone, with the names of the columns.
    Parquet,
    /// NumPy's NPY alone.
    Npy,
}

/// Write the splits of a board into a folder: training rows, features of the test rows, and a card
/// to fill in.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  uqbench league init standard tasks\n  \
    uqbench league init modern tasks --mirror /srv/uq-data --arrays parquet\n\ndocs/do/league.md \
    goes through it.")]
pub struct Init {
    /// The board, with or without `league-`; or a benchmark file.
    #[arg(value_name = "BOARD")]
    board: String,
    /// The folder to make. One that has files is refused.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Only these datasets, for a part of the board.
    #[arg(long, value_name = "KEY,…", value_delimiter = ',')]
    datasets: Vec<String>,
    /// Only the first splits of each dataset, for a part of the board.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MOST_SPLITS))]
    splits: Option<u64>,
    /// Formats of the arrays.
    #[arg(long, value_enum, default_value = "both")]
    arrays: Arrays,
    #[command(flatten)]
    sources: SourceArgs,
}

impl Init {
    /// Writes the folder, whole or not at all.
    pub fn run(&self) -> Result<Ending, CliError> {
        let board = Board::new(&find_board(&self.board)?)?;
        let board = board.only(&self.datasets, self.splits)?;
        let formats: &[ArrayFormat] = match self.arrays {
            Arrays::Both => &[ArrayFormat::Npy, ArrayFormat::Parquet],
            Arrays::Parquet => &[ArrayFormat::Parquet],
            Arrays::Npy => &[ArrayFormat::Npy],
        };
        let shown = self.folder.display();
        let written = write_tasks(&board, &self.sources.open_library(), &self.folder, formats);
        written.map_err(|error| match error {
            LeagueError::Write(error) => {
                CliError::Other(format!("{shown} cannot be written: {error}"))
            }
            LeagueError::Data(_) => CliError::Other(format!(
                "{}\n`uqbench data fetch` brings datasets into the cache, and --datasets chooses \
                 others",
                error.worded()
            )),
            error => error.into(),
        })?;
        let datasets = counted(board.datasets.len(), "dataset");
        let splits = counted(usize::try_from(board.splits()).unwrap_or(usize::MAX), "split");
        print(&format!(
            "wrote {shown}: {datasets}, {splits}; {} says what to do\n",
            self.folder.join("README.md").display()
        ))?;
        Ok(Ending::Done)
    }
}
