//! The `uqbench` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    uqbench::cli::main()
}
