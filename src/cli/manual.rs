//! `uqbench man` and `uqbench completions`: what an installation places beside the program.

use std::io;
use std::path::PathBuf;

use clap::{Args, Command, CommandFactory};
use clap_complete::Shell;
use uqbench_system::program::UQBENCH;

use super::{Arguments, CliError, Ending};

/// Print the manual page, or write those of all commands into a folder.
#[derive(Debug, Args)]
#[command(after_help = "Example: uqbench man > uqbench.1")]
pub struct Manual {
    /// Write a page for each command, `uqbench-run.1` and others, into this folder, which exists.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Print a script with which a shell completes commands and options.
#[derive(Debug, Args)]
#[command(after_help = "Example: uqbench completions bash > \
                        ~/.local/share/bash-completion/completions/uqbench")]
pub struct Completions {
    /// The shell.
    shell: Shell,
}

fn command() -> Command {
    Arguments::command().name(UQBENCH.name)
}

impl Manual {
    /// Prints or writes the pages.
    pub fn run(&self) -> Result<Ending, CliError> {
        match &self.out {
            None => clap_mangen::Man::new(command()).render(&mut io::stdout().lock())?,
            Some(folder) => clap_mangen::generate_to(command(), folder)
                .map_err(|error| CliError::Other(format!("{}: {error}", folder.display())))?,
        }
        Ok(Ending::Done)
    }
}

impl Completions {
    /// Prints the script.
    pub fn run(&self) -> Result<Ending, CliError> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command(), UQBENCH.name, &mut script);
        super::print(&String::from_utf8_lossy(&script))?;
        Ok(Ending::Done)
    }
}
