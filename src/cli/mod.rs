//! The command line: one file a subcommand, each of them what was typed turned into calls of the rooms above.

use std::process::ExitCode;

pub mod data;
pub mod sources;

/// Runs the command line.
pub fn main() -> ExitCode {
    ExitCode::SUCCESS
}
