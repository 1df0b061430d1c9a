//! The file of a plan: run one of its shards, and show how much of each is in the store.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;

use super::describe::{Ask, Describe};
use super::options::{Running, Selection, StorePlace, with_damage};
use super::parts::{Part, Workplace, run_parts};
use super::plan::time;
use super::reread::reread;
use super::sources::SourceArgs;
use super::wording::Worded;
use super::{CliError, Ending, print, print_markdown};
use uq_core::CancelToken;
use uqbench_report::grid::{Grid, counted};
use uqbench_run::runner::outcome::Failure;
use uqbench_run::runner::plan::Plan;
use uqbench_run::runner::run::prepare_data;
use uqbench_run::runner::shards::{Shards, shard_number};
use uqbench_run::runner::store::Found;
use uqbench_run::runner::tally::{Standing, Tally};

/// A shard of a plan.
#[derive(Debug, Default, Args)]
pub struct ShardArgs {
    /// Run one shard of this plan, which `uqbench plan --shards N --out FILE` has written. No page
    /// is written.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = [
            "benchmarks", "profile", "methods", "datasets", "splits", "with", "out", "png", "pdf", "open",
        ],
    )]
    plan: Option<PathBuf>,
    /// Which shard, from 1 to N [default: the number of the scheduler's task:
    /// `SLURM_ARRAY_TASK_ID`, `SGE_TASK_ID`, `PBS_ARRAY_INDEX`, `PBS_ARRAYID` or `LSB_JOBINDEX`].
    #[arg(long, value_name = "I/N", requires = "plan")]
    shard: Option<String>,
    /// Run no trial of the shard: check the plan, the methods, the store and the data that it
    /// needs.
    #[arg(long, requires = "plan")]
    dry: bool,
}

/// The file of a plan, and the plans that it was made from.
pub struct PlanFile {
    /// Its content.
    pub shards: Shards,
    /// The plans of its choice of trials.
    pub plans: Vec<Plan>,
}

impl PlanFile {
    /// Reads a file, and plans its trials.
    pub fn read(path: &Path, describe: impl Describe) -> Result<Self, CliError> {
        let shards = Shards::read(path)?;
        let plans =
            Selection::of_choice(&shards.choice).plans(&shards.choice.benchmarks, describe)?;
        Ok(Self { shards, plans })
    }
}

impl ShardArgs {
    /// Runs a shard; `None` where no plan is given.
    pub fn run(
        &self,
        store: &StorePlace,
        running: &Running,
        sources: &SourceArgs,
    ) -> Option<Result<Ending, CliError>> {
        match (self.plan.as_deref(), self.dry || self.shard.is_some()) {
            (Some(plan), _) => Some(self.run_shard(plan, store, running, sources)),
            // The parser does not ask for a plan beside a benchmark, which excludes one.
            (None, true) => Some(Err(CliError::Usage(
                "--shard and --dry are of a plan: name its file by --plan".into(),
            ))),
            (None, false) => None,
        }
    }

    fn run_shard(
        &self,
        path: &Path,
        store: &StorePlace,
        running: &Running,
        sources: &SourceArgs,
    ) -> Result<Ending, CliError> {
        let mut external = Ask::new(running.allow_external, running.timeout);
        let file = PlanFile::read(path, &mut external)?;
        let mut found = file.shards.find(&file.plans, path)?;
        let count = found.len();
        let number = shard_number(self.shard.as_deref(), |name| std::env::var(name).ok(), count);
        let number = number.map_err(|why| CliError::Usage(why.worded()))?;
        let workplace = Workplace::open(store, running, &external)?;
        let part = Part::new(
            format!("shard {number} of {count}"),
            found.swap_remove(number - 1),
            &workplace,
        )?;
        if self.dry {
            let needed = missing_trials(&part);
            check_data(&part, running, sources)?;
            print(&format!(
                "shard {number} of {count}: {} to run; nothing was run\n",
                counted(needed, "trial")
            ))?;
            return Ok(with_damage(Ending::Done, &[&workplace.store]));
        }
        match run_parts(&file.plans, &[part], (running, sources), &workplace, |_, _| Ok(()))? {
            Some(total) => {
                reread(&file.plans, &total, &workplace.store);
                print(&format!("shard {number} of {count}: {total}\n"))?;
                Ok(with_damage(running.ending(&total), &[&workplace.store]))
            }
            None => Ok(Ending::Interrupted),
        }
    }
}

fn missing_trials(part: &Part) -> usize {
    part.surveyed.iter().filter(|(_, found)| !matches!(found, Found::Finished(_))).count()
}

/// Fetches or verifies the data of a part.
///
/// # Errors
/// [`CliError::Other`] where the data of a trial differ from the pinned ones, or are missing
/// although they are required.
fn check_data(part: &Part, running: &Running, sources: &SourceArgs) -> Result<(), CliError> {
    let cancel = CancelToken::default();
    let library = sources.open_library_until(&cancel, running.timeout.map(Duration::from_secs));
    let failures = prepare_data(&part.surveyed, &library, &cancel, &HashMap::new());
    let refused =
        |failure: &&Failure| running.require_data || !matches!(failure, Failure::Unavailable(_));
    let mut refused: Vec<String> =
        failures.values().filter(refused).map(Failure::message).collect();
    refused.sort_unstable();
    if refused.is_empty() { Ok(()) } else { Err(CliError::Other(refused.join("; "))) }
}

/// Prints how much of each shard is in the store. No scheduler is asked.
pub fn print_status(path: &Path, place: &StorePlace) -> Result<Ending, CliError> {
    let file = PlanFile::read(path, place)?;
    let found = file.shards.find(&file.plans, path)?;
    let store = place.open_existing()?;
    let mut grid =
        Grid::new(&["Shard", "#Expected", "#Finished", "#Processor time left", "Others"]);
    let mut all = Tally::default();
    let mut all_left = 0.0;
    for (number, (trials, assigned)) in (1..).zip(found.iter().zip(&file.shards.shards)) {
        let (mut tally, mut left) = (Tally::default(), 0.0);
        for (trial, (_, seconds)) in trials.iter().zip(assigned) {
            let standing = Standing::of(&store, &trial.key)?;
            left += if matches!(standing, Standing::Finished(_)) { 0.0 } else { *seconds };
            tally.count(trial, &standing);
        }
        grid.push(status_row(&number.to_string(), &tally, left));
        all.add(&tally);
        all_left += left;
    }
    grid.push(status_row("all", &all, all_left));
    print_markdown(&grid.markdown())?;
    Ok(with_damage(if all.unexcused() > 0 { Ending::Incomplete } else { Ending::Done }, &[&store]))
}

fn status_row(name: &str, tally: &Tally, left: f64) -> Vec<String> {
    vec![
        name.to_owned(),
        tally.expected.to_string(),
        tally.reused.to_string(),
        time(left),
        tally.others(),
    ]
}
