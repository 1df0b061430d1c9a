//! The file of a plan: run one of its shards, and show how much of each is in the store.

use std::path::{Path, PathBuf};

use clap::Args;

use super::describe::{Ask, Describe};
use super::options::{Running, Selection, StorePlace, with_damage};
use super::parts::{Part, Workplace, run_parts};
use super::plan::time;
use super::sources::SourceArgs;
use super::{CliError, Ending, print, print_markdown};
use crate::report::grid::Grid;
use crate::runner::plan::Plan;
use crate::runner::shards::{Shards, shard_number};
use crate::runner::tally::{Standing, Tally};

/// A shard of a plan.
#[derive(Debug, Default, Args)]
pub struct ShardArgs {
    /// Run one shard of this plan, which `uqbench plan --shards N --out FILE` has written. No page is written.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["benchmarks", "profile", "methods", "datasets", "splits", "with", "out", "png", "open"],
    )]
    plan: Option<PathBuf>,
    /// Which shard, from 1 to N [default: the number of the scheduler's task: `SLURM_ARRAY_TASK_ID`, `SGE_TASK_ID`,
    /// `PBS_ARRAY_INDEX`, `PBS_ARRAYID` or `LSB_JOBINDEX`].
    #[arg(long, value_name = "I/N", requires = "plan")]
    shard: Option<String>,
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
        let plans = Selection::of_choice(&shards.choice).plans(&shards.choice.benchmarks, describe)?;
        Ok(Self { shards, plans })
    }
}

impl ShardArgs {
    /// Runs a shard; `None` where no plan is given.
    pub fn run(&self, store: &StorePlace, running: &Running, sources: &SourceArgs) -> Option<Result<Ending, CliError>> {
        Some(self.run_shard(self.plan.as_deref()?, store, running, sources))
    }

    fn run_shard(
        &self,
        path: &Path,
        store: &StorePlace,
        running: &Running,
        sources: &SourceArgs,
    ) -> Result<Ending, CliError> {
        let mut external = Ask::new(running.allow_external);
        let file = PlanFile::read(path, &mut external)?;
        let mut found = file.shards.find(&file.plans, path)?;
        let count = found.len();
        let number = shard_number(self.shard.as_deref(), |name| std::env::var(name).ok(), count);
        let number = number.map_err(CliError::Usage)?;
        let workplace = Workplace::open(store, running, &external)?;
        let part = Part::new(format!("shard {number} of {count}"), found.swap_remove(number - 1), &workplace)?;
        match run_parts(&file.plans, &[part], (running, sources), &workplace, |_, _| Ok(()))? {
            Some(total) => {
                print(&format!("shard {number} of {count}: {total}\n"))?;
                Ok(with_damage(running.ending(&total), &[&workplace.store]))
            }
            None => Ok(Ending::Interrupted),
        }
    }
}

/// Prints how much of each shard is in the store. No scheduler is asked.
pub fn print_status(path: &Path, place: &StorePlace) -> Result<Ending, CliError> {
    let file = PlanFile::read(path, place)?;
    let found = file.shards.find(&file.plans, path)?;
    let store = place.open_existing()?;
    let mut grid = Grid::new(&["Shard", "#Expected", "#Finished", "#Processor time left", "Others"]);
    let mut all = Tally::default();
    let mut all_left = 0.0;
    for (number, (trials, assigned)) in (1..).zip(found.iter().zip(&file.shards.shards)) {
        let (mut tally, mut left) = (Tally::default(), 0.0);
        for (trial, (_, seconds)) in trials.iter().zip(assigned) {
            let standing = Standing::of(&store, &trial.key)?;
            left += if matches!(standing, Standing::Finished(_)) { 0.0 } else { *seconds };
            tally.count(trial, &standing);
        }
        grid.rows.push(status_row(&number.to_string(), &tally, left));
        all.add(&tally);
        all_left += left;
    }
    grid.rows.push(status_row("all", &all, all_left));
    print_markdown(&grid.markdown())?;
    Ok(with_damage(if all.unexcused() > 0 { Ending::Incomplete } else { Ending::Done }, &[&store]))
}

fn status_row(name: &str, tally: &Tally, left: f64) -> Vec<String> {
    vec![name.to_owned(), tally.expected.to_string(), tally.reused.to_string(), time(left), tally.others()]
}
