//! Define why the rows of a board cannot be had.

use std::io;

use thiserror::Error;

use crate::benchmark::BenchmarkError;
use crate::runner::plan::PlanError;
use uqbench_data::DataError;
use uqbench_data::own::OwnError;

/// Why the rows of a board cannot be had, or written.
#[derive(Debug, Error)]
pub enum LeagueError {
    /// The benchmark cannot be read.
    #[error(transparent)]
    Benchmark(#[from] BenchmarkError),
    /// The benchmark cannot be planned.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A user's table cannot be read.
    #[error(transparent)]
    Own(#[from] OwnError),
    /// Datasets that are not at hand, or damaged, each with the reason.
    #[error("{}", all(.0))]
    Data(Vec<DataError>),
    /// The benchmark is no board, or its rows cannot be divided.
    #[error("board {board}: {why}")]
    Unfit {
        /// The board.
        board: String,
        /// What was found, and what was expected.
        why: String,
    },
    /// A file cannot be written.
    #[error("{0}")]
    Write(#[from] io::Error),
}

fn all(errors: &[DataError]) -> String {
    errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}
