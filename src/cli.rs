//! The command line: one file for each subcommand.
//!
//! A subcommand parses its options, calls the rooms above (mostly the runner and the report) and
//! returns an exit code. Start with `reproduce.rs`, which is `uqbench reproduce`, `run` and
//! `report`; `options.rs` has the options that they share. Nothing imports this room but `main.rs`.

mod audit;
mod audit_table;
mod baselines;
mod cells;
mod check;
mod choices;
mod chosen;
mod cite;
mod compare;
mod data;
mod describe;
mod dev;
mod export;
mod format_args;
mod groups;
mod lacks;
mod league;
mod link;
mod list;
mod manual;
mod method;
mod new;
mod new_paper;
mod new_rows;
mod options;
mod own_datasets;
mod own_file;
mod part;
mod parts;
mod plan;
mod predict;
mod quoted;
mod recalibrate;
mod refill;
mod reproduce;
mod reread;
mod rerun;
mod room;
mod saved_model;
mod score;
mod shard;
mod show;
pub mod sources;
mod status;
mod store;
mod submit;
mod try_table;
mod verify;
mod versions;
mod watch;
mod with;
mod wording;
mod worker;

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use terminal_size::{Width, terminal_size_of};
use thiserror::Error;

use self::chosen::with_chosen;
use self::groups::grouped;
use self::wording::Worded;
use crate::carried::hand_down;
use uq_core::CancelToken;
use uq_methods::Entry;
use uq_methods::registry::RegistryError;
use uqbench_data::DataError;
use uqbench_data::own::OwnError;
use uqbench_judge::evidence::EvidenceError;
use uqbench_judge::judgement::baseline::BaselineError;
use uqbench_report::comparison::methods::CompareError;
use uqbench_report::export::for_terminal;
use uqbench_report::write::WriteError;
use uqbench_run::benchmark::BenchmarkError;
use uqbench_run::league::LeagueError;
use uqbench_run::registry;
use uqbench_run::runner::costs::CostsError;
use uqbench_run::runner::plan::PlanError;
use uqbench_run::runner::shards::ShardsError;
use uqbench_run::runner::store::StoreError;
use uqbench_system::notice::{harmless, say};
pub use uqbench_system::program::Program;
use uqbench_system::program::UQBENCH;
use uqbench_system::quiet_caught_panics;
use uqbench_system::supervise::{detach, supervise};

/// Characters of a line on a terminal that does not tell its width.
const WIDTH: u16 = 80;

/// Most characters of a line of help.
const WIDEST: u16 = 100;

/// A reproducible research benchmark harness for uncertainty quantification in regression.
#[derive(Debug, Parser)]
#[command(
    version,
    help_expected = true,
    max_term_width = WIDEST.into(),
    after_help = "Example: uqbench reproduce --profile quick\n\n\
                  Exit codes: 0 done, 1 error, 2 usage, 3 trials crashed, timed out or missing, a \
                  warning of `audit`, what a theorem excludes in `audit-table`, or an alarm of \
                  `watch`, 4 `check` found a worse score, 130 interrupted."
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run every benchmark and write every table and figure.
    Reproduce(reproduce::Reproduce),
    /// Run chosen benchmarks, write their tables and figures, and print their pages.
    Run(reproduce::Run),
    /// Write tables and figures from stored trials; runs nothing.
    Report(reproduce::Report),
    /// Run trials of a pack again, drawn at random, and say whether they give the same numbers.
    Rerun(rerun::RerunTrials),
    /// Compare methods over datasets and splits, or the trials of two stores.
    Compare(compare::Compare),
    /// Compare the store's scores with those of a reference run, and fail where they got worse.
    Check(check::Check),
    /// Compare methods on a CSV file of your own, recommend one, and predict new rows with it.
    Try(try_table::Try),
    /// Predict new rows by a fitted model of `try --save`; needs no table.
    Predict(predict::Predict),
    /// Judge the predictions of a model by what came true since: coverage by week, alarms, advice.
    Watch(watch::Watch),
    /// Move the intervals of a model by what came true, without a fit.
    Recalibrate(recalibrate::Recalibrate),
    /// Check a CSV file of your own, and list all that may make its scores wrong; runs nothing.
    Audit(audit::Audit),
    /// Audit the printed numbers of a table: what they say of themselves; runs nothing.
    AuditTable(audit_table::AuditTable),
    /// Score predictions that you have, compare methods, draw their calibration; runs nothing.
    Score(score::Score),
    /// Rank the methods of a board, with entries that anybody may bring; or make such an entry.
    League(league::League),
    /// List the finished trials and boards that the program carries, and how to stand beside them.
    Baselines(baselines::Baselines),
    /// Fetch, verify, describe, export or pack datasets.
    Data {
        #[command(flatten)]
        command: data::DataCommand,
        #[command(flatten)]
        sources: sources::SourceArgs,
    },
    /// List benchmarks, methods, metrics or datasets.
    List(list::List),
    /// Show one stored trial, and the command that runs it again.
    Show(show::Show),
    /// Print BibTeX of the papers, methods, datasets and metrics that a run uses.
    Cite(cite::Cite),
    /// Check a method of your own in another language.
    Method(method::Method),
    /// Start something of your own: a benchmark, a method, or the folder of a paper.
    New(new::New),
    /// Show what trials will cost, and divide them among machines.
    Plan(plan::PlanTrials),
    /// Submit a plan to the scheduler of a cluster.
    Submit(submit::Submit),
    /// Show how much of each benchmark is in the store.
    Status(status::Status),
    /// Write every trial's scores, or predictions, as one table for other programs.
    Export(export::Export),
    /// Check, pack, merge and clean stores.
    Store(store::StoreCommand),
    /// Print the manual page, or write those of all commands into a folder.
    Man(manual::Manual),
    /// Print a script with which a shell completes commands and options.
    Completions(manual::Completions),
    /// Maintain the benchmarks, the pages and the stores of this repository.
    Dev(dev::Dev),
    /// Print the table of what trials cost, with the times of a store.
    #[command(hide = true)]
    Costs(dev::RenewCosts),
    /// Run the trials that standard input names, as a child process.
    #[command(hide = true)]
    Worker(worker::Worker),
    /// Run the program that standard input names within limits, in a process of its own.
    #[command(hide = true)]
    Supervise {
        /// Do it in this process.
        #[arg(long)]
        here: bool,
    },
}

/// How a command ends without an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    /// All work is done.
    Done,
    /// Trials crashed, timed out or are missing.
    Incomplete,
    /// `audit` found what may make scores wrong, or `watch` has raised an alarm.
    Suspicious,
    /// `check` found a worse score.
    Worse,
    /// Stopped by the user.
    Interrupted,
}

/// Why a command ends in error, in the words of the command line.
#[derive(Debug, Error)]
enum CliError {
    #[error("{}", .0.worded())]
    Benchmark(#[from] BenchmarkError),
    #[error("{}", .0.worded())]
    Data(#[from] DataError),
    #[error("{}", .0.worded())]
    Own(#[from] OwnError),
    #[error("{}", .0.worded())]
    Registry(#[from] RegistryError),
    #[error("{}", .0.worded())]
    Plan(#[from] PlanError),
    #[error("{}", .0.worded())]
    League(#[from] LeagueError),
    #[error("{}", .0.worded())]
    Store(#[from] StoreError),
    #[error(transparent)]
    Costs(#[from] CostsError),
    #[error("{}", .0.worded())]
    Shards(#[from] ShardsError),
    #[error("{}", .0.worded())]
    Report(#[from] EvidenceError),
    #[error("{}", .0.worded())]
    Write(#[from] WriteError),
    #[error("{}", .0.worded())]
    Compare(#[from] CompareError),
    #[error("{}", .0.worded())]
    Baseline(#[from] BaselineError),
    #[error("{0}")]
    Usage(String),
    #[error("standard output: {0}")]
    Output(#[from] io::Error),
    #[error("{0}")]
    Other(String),
}

/// Runs the command line.
pub fn main() -> ExitCode {
    main_with(UQBENCH, &[])
}

/// Runs the command line of a program with methods of its own, which benchmark files and options
/// name as they name the others: see `examples/own_method_in_a_benchmark.rs`. Usage, trials and
/// models name `program`. Trials run in processes of the same program, so that its `main` calls
/// this and nothing else.
pub fn main_with(program: Program, own: &[&'static Entry]) -> ExitCode {
    program.introduce();
    quiet_caught_panics();
    hand_down();
    if let Err(error) = registry::add(own) {
        say(format!("error: {error}"));
        return ExitCode::FAILURE;
    }
    let arguments = match parse(program) {
        Ok(arguments) => arguments,
        Err(error) => return fail(&error),
    };
    let end = match arguments.command {
        Command::Reproduce(command) => command.run(),
        Command::Run(command) => command.run(),
        Command::Report(command) => command.run(),
        Command::Rerun(command) => command.run(),
        Command::Compare(command) => command.run(),
        Command::Check(command) => command.run(),
        Command::Data { command, sources } => return data_command(&command, &sources),
        Command::List(command) => command.run(),
        Command::Method(command) => command.run(),
        Command::New(command) => command.run(),
        Command::Export(command) => command.run(),
        Command::Show(command) => command.run(),
        Command::Cite(command) => command.run(),
        Command::Plan(command) => command.run(),
        Command::Submit(command) => command.run(),
        Command::Status(command) => command.run(),
        Command::Costs(command) => command.run(),
        Command::Dev(command) => command.run(),
        Command::Man(command) => command.run(),
        Command::Completions(command) => command.run(),
        Command::Store(command) => command.run(),
        Command::Worker(command) => command.run(),
        Command::Supervise { here } => {
            let ended = if here { supervise() } else { detach() };
            ended.map(|()| Ending::Done).map_err(|error| CliError::Other(error.to_string()))
        }
        Command::Try(command) => command.run(),
        Command::Predict(command) => command.run(),
        Command::Watch(command) => command.run(),
        Command::Recalibrate(command) => command.run(),
        Command::Audit(command) => command.run(),
        Command::AuditTable(command) => command.run(),
        Command::Score(command) => command.run(),
        Command::League(command) => command.run(),
        Command::Baselines(command) => command.run(),
    };
    match end {
        Ok(Ending::Done) => ExitCode::SUCCESS,
        Ok(Ending::Incomplete | Ending::Suspicious) => ExitCode::from(3),
        Ok(Ending::Worse) => ExitCode::from(4),
        Ok(Ending::Interrupted) => ExitCode::from(130),
        // A closed pipe is not an error.
        Err(CliError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            ExitCode::SUCCESS
        }
        Err(error) => fail(&error),
    }
}

/// The words of the command line; ends the program where they ask for help.
///
/// # Errors
/// [`CliError::Usage`] for a file of a selection with a mistake. Other mistakes end the program.
fn parse(program: Program) -> Result<Arguments, CliError> {
    let width = terminal_size_of(io::stdout()).map_or(WIDEST, |(Width(width), _)| width);
    let mut command = grouped(Arguments::command(), width.min(WIDEST).into());
    if program != UQBENCH {
        // Read once, by the whole program.
        let version: &str = program.to_string().leak();
        command = command.name(program.name).version(version);
    }
    let words = with_chosen(&command, std::env::args_os().collect())?;
    let matches = command.get_matches_from(words);
    Ok(Arguments::from_arg_matches(&matches).unwrap_or_else(|error| error.exit()))
}

/// Says an error, and returns its exit code.
fn fail(error: &CliError) -> ExitCode {
    say(format!("error: {error}"));
    if error.is_usage() { ExitCode::from(2) } else { ExitCode::FAILURE }
}

impl CliError {
    /// Whether an argument names something that does not exist.
    fn is_usage(&self) -> bool {
        matches!(
            self,
            Self::Usage(_)
                | Self::Benchmark(BenchmarkError::Unknown { .. })
                | Self::Data(DataError::Unknown { .. })
                | Self::Registry(_)
                | Self::Plan(PlanError::Unknown { .. })
                | Self::Compare(CompareError::Unknown { .. })
        ) || matches!(self, Self::Own(error) if error.is_usage())
            || matches!(self, Self::League(LeagueError::Plan(PlanError::Unknown { .. })))
    }
}

fn data_command(command: &data::DataCommand, sources: &sources::SourceArgs) -> ExitCode {
    let width = terminal_size_of(io::stdout()).map(|(Width(width), _)| width.into());
    let mut out = io::stdout().lock();
    let library = || sources.open_library_until(&CancelToken::default(), command.timeout());
    let ended = command.own_table().and_then(|own| match own {
        Some(file) => data::describe_own(&file, &mut out),
        None => Ok(data::run(command, &library(), width, &mut out)?),
    });
    match ended {
        Ok(code) => ExitCode::from(code),
        Err(error) => fail(&error),
    }
}

/// Prints Markdown: on a terminal as text that is as wide as the window.
fn print_markdown(text: &str) -> Result<(), CliError> {
    if !io::stdout().is_terminal() {
        return print(text);
    }
    let width = terminal_size_of(io::stdout()).map_or(WIDTH, |(Width(width), _)| width);
    print(&for_terminal(text, width))
}

/// Prints a result.
fn print(text: &str) -> Result<(), CliError> {
    let mut out = io::stdout().lock();
    out.write_all(harmless(text).as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Writes a file to standard output: as it is, unless a person reads it there.
fn print_bytes(bytes: &[u8]) -> Result<(), CliError> {
    if io::stdout().is_terminal() {
        return print(&String::from_utf8_lossy(bytes));
    }
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()?;
    Ok(())
}
