//! Make a candidate of an external method that is given by its command.

use std::collections::HashSet;
use std::sync::Arc;

use super::CliError;
use super::describe::{LONGEST, ask, given};
use uqbench_run::candidates::Candidate;
use uqbench_run::external::{Host, Servers};
use uqbench_run::registry;
use uqbench_system::machine::free_memory;
use uqbench_system::supervise::own_program;

/// Longest time of one fit and prediction of an external method, in seconds.
const LONGEST_FIT: u64 = 3600;

/// The external methods of these commands, which run on this number of threads at a time.
///
/// # Errors
/// [`CliError`] for a name that another method has, and for a program that does not describe
/// itself.
pub fn external(commands: &[String], threads: usize) -> Result<Vec<Candidate>, CliError> {
    let memory = free_memory().map(|free| free / threads as u64);
    let servers = Arc::new(Servers::new(threads));
    let mut names = HashSet::new();
    let one = |command: &String| {
        let (given, place) = given(command)?;
        if registry::entry(&given.name).is_ok() || !names.insert(given.name.clone()) {
            let name = &given.name;
            return Err(CliError::Usage(format!(
                "--with: another method is called `{name}`; rename the file"
            )));
        }
        let description = ask(&given, &place, LONGEST).map_err(CliError::Other)?;
        let parameters = given.resolve(&place, description).map_err(CliError::Other)?;
        let host = Host::new(own_program(), place, (Some(LONGEST_FIT), memory), servers.clone());
        Ok(Candidate::external(parameters, host))
    };
    commands.iter().map(one).collect()
}
