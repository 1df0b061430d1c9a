//! `uqbench status`: how much of each benchmark is in the store.

use std::path::PathBuf;

use clap::Args;

use super::options::{Selection, StorePlace, with_damage};
use super::shard::print_status;
use super::{CliError, Ending, print, print_markdown};
use uqbench_judge::evidence::versions::several_versions;
use uqbench_report::grid::Grid;
use uqbench_report::words::versions as words;
use uqbench_run::runner::plan::trials;
use uqbench_run::runner::tally::{Standing, Tally};

/// Show how much of each benchmark is in the store.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  uqbench status --profile full\n  uqbench status --plan plan.json"
)]
pub struct Status {
    /// Benchmarks; all by default.
    benchmarks: Vec<String>,
    #[command(flatten)]
    selection: Selection,
    #[command(flatten)]
    store: StorePlace,
    /// Show the shards of this plan instead. The store alone tells what is finished; no scheduler
    /// is asked.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["benchmarks", "profile", "methods", "datasets", "splits", "with"],
    )]
    plan: Option<PathBuf>,
}

impl Status {
    /// Verifies every expected trial and counts; incomplete if a trial is missing although its data
    /// are available.
    pub fn run(&self) -> Result<Ending, CliError> {
        if let Some(plan) = &self.plan {
            return print_status(plan, &self.store);
        }
        let plans = self.selection.plans(&self.benchmarks, &self.store)?;
        let store = self.store.open_existing()?;
        let mut grid = Grid::new(&["Benchmark", "#Expected", "#Finished", "Others"]);
        let mut unexcused = 0;
        for plan in &plans {
            let mut tally = Tally::default();
            for trial in trials([plan]) {
                tally.count(&trial, &Standing::of(&store, &trial.key)?);
            }
            unexcused += tally.unexcused();
            let (expected, finished) = (tally.expected.to_string(), tally.reused.to_string());
            grid.push(vec![plan.benchmark.id.clone(), expected, finished, tally.others()]);
        }
        print_markdown(&grid.markdown())?;
        for several in several_versions(&plans, &store)? {
            print(&(words::several(&several) + "\n"))?;
        }
        Ok(with_damage(if unexcused > 0 { Ending::Incomplete } else { Ending::Done }, &[&store]))
    }
}
