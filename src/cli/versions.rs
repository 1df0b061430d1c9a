//! Choose which version of an external method is shown, where a store has several, and say which
//! ones it has.

use std::collections::HashSet;
use std::slice::from_ref;

use serde::Deserialize;
use serde_json::json;

use super::CliError;
use super::describe::Describe;
use uqbench_judge::evidence::versions::{SeveralVersions, other_builds, several_versions};
use uqbench_report::words::versions as words;
use uqbench_run::benchmark::{Benchmark, BenchmarkError, Profile, Stated};
use uqbench_run::external::given::Given;
use uqbench_run::external::{ExternalParameters, ID};
use uqbench_run::runner::key::TrialKey;
use uqbench_run::runner::plan::{Filter, Plan, plan, planned_methods};
use uqbench_run::runner::store::Store;
use uqbench_system::notice::say;

/// Gives each external method the version of which the store has most of the planned trials, of
/// several with equally many the newest one. So it does not matter in which order trials came into
/// the store.
///
/// # Errors
/// [`CliError`] where the store cannot be read, or a benchmark cannot be planned.
pub fn choose_versions(
    benchmarks: &mut [Benchmark],
    profile: Profile,
    filter: &Filter,
    describe: &mut impl Describe,
) -> Result<(), CliError> {
    let mut stored: Option<HashSet<TrialKey>> = None;
    for benchmark in benchmarks {
        let planned = planned_methods(benchmark, profile, filter);
        for at in (0..benchmark.methods.len()).filter(|at| planned[*at]) {
            let versions = versions_of(benchmark, at, describe)?;
            if versions.is_empty() {
                continue;
            }
            let stored = match &mut stored {
                Some(stored) => stored,
                none => none.insert(describe.stored().map_err(CliError::Other)?),
            };
            let mut chosen: Option<(usize, ExternalParameters)> = None;
            for version in versions {
                benchmark.methods[at].parameters = json!(version);
                let trials =
                    trials_of(&plan(from_ref(benchmark), profile, filter)?, &version, stored);
                // The first of equally many is the newest one.
                if chosen.as_ref().is_none_or(|(most, _)| trials > *most) {
                    chosen = Some((trials, version));
                }
            }
            if let Some((_, version)) = chosen {
                benchmark.methods[at].parameters = json!(version);
            }
        }
    }
    Ok(())
}

/// The versions of the method of this row that the store has, the newest one first, where it has
/// another one than the row's; none for a method of this program.
fn versions_of(
    benchmark: &Benchmark,
    at: usize,
    describe: &mut impl Describe,
) -> Result<Vec<ExternalParameters>, CliError> {
    let row = &benchmark.methods[at];
    let Some(place) = row.place.as_ref().filter(|_| row.id == ID) else { return Ok(Vec::new()) };
    let wrong = |message: String| BenchmarkError::Meaning { name: benchmark.id.clone(), message };
    let own = ExternalParameters::deserialize(&row.parameters)
        .map_err(|error| wrong(error.to_string()))?;
    let (name, command, settings) = (own.name.clone(), own.command.clone(), own.settings.clone());
    let given = Given { name, command, files: own.files.keys().cloned().collect(), settings };
    let versions =
        describe.versions(Stated { given: &given, place, from_file: false }).map_err(wrong)?;
    Ok(if versions.iter().all(|version| *version == own) { Vec::new() } else { versions })
}

/// Number of planned trials of this version that are stored.
fn trials_of(plans: &[Plan], version: &ExternalParameters, stored: &HashSet<TrialKey>) -> usize {
    let own = json!(version);
    let experiments =
        plans.iter().flat_map(Plan::all_experiments).filter(|one| *one.template.parameters == own);
    experiments
        .map(|one| (0..one.splits).filter(|&split| stored.contains(&one.key(split))).count())
        .sum()
}

/// Notes the methods of the plans of which the store has several versions, and warns of those of the
/// program's own that another build has run.
///
/// # Errors
/// [`CliError`] where the store cannot be read.
pub fn say_versions(plans: &[Plan], store: &Store) -> Result<Vec<SeveralVersions>, CliError> {
    let several = several_versions(plans, store)?;
    several.iter().for_each(|one| say(format!("note: {}", words::several(one))));
    for one in other_builds(plans, store)? {
        say(format!("warning: {}", words::other_build(&one)));
    }
    Ok(several)
}
