//! Say which part of a store a command takes, and whether the user chose one.

use clap::{ArgMatches, Args, Command, FromArgMatches, parser::ValueSource};

use super::CliError;
use super::options::Selection;
use super::wording::Worded;
use uqbench_report::grid::counted;
use uqbench_run::benchmark::shipped;
use uqbench_run::runner::left_out::{LeftOut, Reason};
use uqbench_run::runner::plan::Plan;
use uqbench_run::runner::store::Store;
use uqbench_system::notice::say;

/// The choice of trials, and whether there is one.
#[derive(Debug)]
pub struct Choice {
    /// The options.
    pub selection: Selection,
    /// Whether the command line has any of them.
    pub is_stated: bool,
}

/// The options of [`Selection`].
const OPTIONS: [&str; 5] = ["profile", "methods", "datasets", "splits", "with"];

impl Args for Choice {
    fn augment_args(command: Command) -> Command {
        Selection::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Selection::augment_args_for_update(command)
    }
}

impl FromArgMatches for Choice {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let is_stated = OPTIONS
            .iter()
            .any(|option| matches.value_source(option) == Some(ValueSource::CommandLine));
        Ok(Self { selection: Selection::from_arg_matches(matches)?, is_stated })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// What `plans` leave out of a store.
///
/// # Errors
/// [`CliError`] where the store cannot be listed, or a benchmark of this program cannot be planned.
pub fn left_out(store: &Store, plans: &[Plan]) -> Result<LeftOut, CliError> {
    let stored: Vec<_> = store.keys_with_failures()?.into_iter().collect();
    Ok(LeftOut::count(store, &stored, plans, shipped()?)?)
}

/// Says on standard error which part of a store a command has taken, where it has not taken all.
///
/// # Errors
/// As [`left_out`].
pub fn say_part(store: &Store, plans: &[Plan]) -> Result<(), CliError> {
    let left = left_out(store, plans)?;
    if left.total() > 0 {
        let taken = left.stored - left.total();
        say(format!(
            "note: {taken} of the {} in {} are taken",
            counted(left.stored, "trial"),
            store.root().display()
        ));
        reasons(&left).into_iter().for_each(say);
    }
    Ok(())
}

/// A line for each reason why trials are left out.
pub fn reasons(left: &LeftOut) -> Vec<String> {
    let line = |(reason, count): (&Reason, usize)| {
        format!("left out: {}: {}", counted(count, "trial"), reason.worded())
    };
    left.reasons.iter().map(|(reason, count)| (reason, *count)).map(line).collect()
}
