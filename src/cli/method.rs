//! `uqbench method`: check a method of your own in another language.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use super::describe::{given, given_words};
use super::{CliError, Ending, print};
use uqbench_run::benchmark::MOST_MEMORY;
use uqbench_run::external::check::{Verdict, check};
use uqbench_run::external::template::{TEMPLATES, template};
use uqbench_system::supervise::own_program;

/// Check a method of your own in another language.
#[derive(Debug, Args)]
pub struct Method {
    #[command(subcommand)]
    command: MethodCommand,
}

#[derive(Debug, Subcommand)]
enum MethodCommand {
    /// Run a method on small problems, and report whether it follows the contract.
    #[command(after_help = "Example: uqbench method check python3 mine.py\n\n\
        Exit codes: 0 it follows the contract, 1 it does not. docs/do/external-methods.md \
        describes the contract.")]
    Check {
        /// Longest time of one question, in seconds.
        #[arg(
            long,
            value_name = "SECONDS",
            default_value_t = 300,
            value_parser = clap::value_parser!(u64).range(1..=86_400),
        )]
        timeout: u64,
        /// Most memory of one question, in MiB.
        #[arg(
            long,
            value_name = "MIB",
            value_parser = clap::value_parser!(u64).range(1..=MOST_MEMORY),
        )]
        memory: Option<u64>,
        /// The command and its arguments.
        #[arg(
            required = true,
            trailing_var_arg = true,
            allow_hyphen_values = true,
            value_name = "COMMAND"
        )]
        command: Vec<String>,
    },
    /// Write a small whole method to start from: an older name of `uqbench new FILE`.
    #[command(hide = true)]
    New {
        /// The file to write; its ending is .py or .R. An existing file is not replaced.
        file: PathBuf,
    },
}

impl Method {
    /// Checks a method, or writes a template.
    pub fn run(&self) -> Result<Ending, CliError> {
        match &self.command {
            MethodCommand::Check { timeout, memory, command } => {
                run_check(command, (*timeout, memory.map(|mib| mib << 20)))
            }
            MethodCommand::New { file } => write_template(file),
        }
    }
}

fn run_check(command: &[String], limits: (u64, Option<u64>)) -> Result<Ending, CliError> {
    let (given, place) = match command {
        [line] => given(line)?,
        words => given_words(words)?,
    };
    let name = given.name.clone();
    let findings = check(given, place, own_program(), limits);
    for finding in &findings {
        print(&format!("{finding}\n"))?;
    }
    match findings.iter().filter(|finding| finding.verdict == Verdict::Failed).count() {
        0 => {
            print(&format!("`{name}` follows the contract.\n"))?;
            Ok(Ending::Done)
        }
        failed => {
            let all = findings.len();
            Err(CliError::Other(format!(
                "`{name}` does not follow the contract: {failed} of {all} checks failed"
            )))
        }
    }
}

/// Writes a small whole method to start from.
pub(super) fn write_template(file: &Path) -> Result<Ending, CliError> {
    let ending = file.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let shown = file.display();
    let Some(text) = template(ending) else {
        let known: Vec<String> = TEMPLATES.iter().map(|(ending, _)| format!(".{ending}")).collect();
        return Err(CliError::Usage(format!(
            "{shown}: the name must end in {}",
            known.join(" or ")
        )));
    };
    let written = fs::File::options().write(true).create_new(true).open(file);
    let written = written.and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(|error| CliError::Other(format!("{shown} cannot be written: {error}")))?;
    let program =
        TEMPLATES.iter().find(|(known, _)| *known == ending).map_or("", |(_, program)| program);
    print(&format!(
        "wrote {shown}; `uqbench method check {program} {shown}` checks it, and `uqbench try \
         TABLE.csv --target COLUMN --with \"{program} {shown}\"` compares it\n"
    ))?;
    Ok(Ending::Done)
}
