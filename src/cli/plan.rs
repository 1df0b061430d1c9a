//! `uqbench plan`: what trials will cost, and how they are divided among machines.

use std::collections::HashSet;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::describe::{Describe, Described};
use super::options::{Selection, StorePlace};
use super::room::prepare;
use super::{CliError, Ending, print, print_markdown};
use uqbench_report::grid::{Grid, counted};
use uqbench_run::benchmark::Stated;
use uqbench_run::external::ExternalParameters;
use uqbench_run::runner::costs::{Cost, Costs, Known};
use uqbench_run::runner::key::TrialKey;
use uqbench_run::runner::plan::trials;
use uqbench_run::runner::shards::{MOST_SHARDS, Shards};
use uqbench_system::elapsed;
use uqbench_system::files::write_output;

/// Show what trials will cost, and divide them among machines.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  uqbench plan --profile full\n  \
    uqbench plan --profile full --shards 8 --out plan.json\n  \
    uqbench run --plan plan.json --shard 3/8\n\n\
    docs/do/clusters.md describes plans, shards and Slurm.")]
pub struct PlanTrials {
    /// Benchmarks, by name or as a TOML file; all by default.
    benchmarks: Vec<String>,
    #[command(flatten)]
    selection: Selection,
    #[command(flatten)]
    store: StorePlace,
    /// Divide the trials into N shards of about equal cost. Trials in the store cost nothing
    /// any more.
    #[arg(
        long,
        value_name = "N",
        requires = "out",
        value_parser = clap::value_parser!(u16).range(1..=MOST_SHARDS as i64),
    )]
    shards: Option<u16>,
    /// The file of the shards; an existing one is replaced.
    #[arg(long, value_name = "FILE", requires = "shards")]
    out: Option<PathBuf>,
}

/// What is expected of some trials.
#[derive(Default)]
struct Sum {
    trials: usize,
    stored: usize,
    /// Processor time of all, and of those that are not stored, in seconds.
    seconds: f64,
    left: f64,
    longest: f64,
    memory_mib: Option<u64>,
    /// Numbers of trials whose cost is not measured: guessed from other trials of the method under
    /// the same profile, scaled from those under another profile, and guessed from nothing.
    alike: usize,
    scaled: usize,
    unknown: usize,
}

impl Sum {
    fn add(&mut self, cost: Cost, is_stored: bool) {
        self.trials += 1;
        self.stored += usize::from(is_stored);
        self.seconds += cost.seconds;
        self.left += if is_stored { 0.0 } else { cost.seconds };
        self.longest = self.longest.max(cost.longest);
        self.memory_mib = self.memory_mib.max(cost.memory_mib);
        self.alike += usize::from(cost.known == Known::Alike);
        self.scaled += usize::from(cost.known == Known::Scaled);
        self.unknown += usize::from(cost.known == Known::Unknown);
    }

    fn row(&self, name: &str) -> Vec<String> {
        let guessed: Vec<String> = [
            (self.alike, "by method"),
            (self.scaled, "by another profile"),
            (self.unknown, "unknown"),
        ]
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, how)| format!("{count} {how}"))
        .collect();
        vec![
            name.to_owned(),
            self.trials.to_string(),
            self.stored.to_string(),
            time(self.seconds),
            time(self.left),
            time(self.longest),
            self.memory_mib.map_or_else(String::new, |mib| format!("{mib} MiB")),
            guessed.join(", "),
        ]
    }
}

/// A store that is asked for methods that will run: each needs a description, because it is part of
/// the keys of its trials.
struct ToRun<'a>(&'a StorePlace);

impl Describe for ToRun<'_> {
    fn describe(&mut self, stated: Stated) -> Result<Described, String> {
        let Self(mut store) = *self;
        store.describe(stated)
    }

    fn versions(&mut self, stated: Stated) -> Result<Vec<ExternalParameters>, String> {
        let Self(mut store) = *self;
        store.versions(stated)
    }

    fn stored(&mut self) -> Result<HashSet<TrialKey>, String> {
        StorePlace::stored(self.0).map_err(|error| error.to_string())
    }
}

/// A processor time for people.
pub fn time(seconds: f64) -> String {
    elapsed(Duration::from_secs_f64(seconds.ceil()))
}

impl PlanTrials {
    /// Prints the expected costs of each benchmark, and writes the file of shards.
    pub fn run(&self) -> Result<Ending, CliError> {
        let choice = self.shards.map(|_| self.selection.choice(&self.benchmarks)).transpose()?;
        let plans = self.selection.plans(&self.benchmarks, ToRun(&self.store))?;
        let costs = Costs::shipped()?;
        let stored = self.store.stored()?;
        self.out.as_deref().map_or(Ok(()), prepare)?;
        let head = [
            "Benchmark",
            "#Trials",
            "#Stored",
            "#Processor time",
            "#Left",
            "#Longest trial",
            "#Memory",
            "Guessed",
        ];
        let (mut grid, mut total, mut counted_once) =
            (Grid::new(&head), Sum::default(), HashSet::new());
        for plan in &plans {
            let mut sum = Sum::default();
            for trial in trials([plan]) {
                let (cost, is_stored) = (costs.of_trial(&trial), stored.contains(&trial.key));
                sum.add(cost, is_stored);
                // Benchmarks may share a trial.
                if counted_once.insert(trial.key) {
                    total.add(cost, is_stored);
                }
            }
            grid.push(sum.row(&plan.benchmark.id));
        }
        grid.push(total.row("all, each trial once"));
        print_markdown(&grid.markdown())?;
        if let (Some(count), Some(out), Some(choice)) = (self.shards, &self.out, choice) {
            let shards = Shards::new(choice, &plans, costs, &stored, count.into());
            let failed = |why: String| {
                CliError::Other(format!(
                    "{} cannot be written: {why}; name another file by --out",
                    out.display()
                ))
            };
            let bytes = shards.bytes().map_err(failed)?;
            write_output(out, &bytes).map_err(|error| failed(error.to_string()))?;
            let loads = shards.shards.iter().map(|shard| {
                let left = shard.iter().filter(|(key, _)| !stored.contains(key));
                left.map(|(_, seconds)| seconds).sum::<f64>()
            });
            let (least, most) =
                loads.fold((f64::INFINITY, 0.0_f64), |(a, b), load| (a.min(load), b.max(load)));
            print(&format!(
                "wrote {}: {} of {} to {} of processor time\n",
                out.display(),
                counted(shards.shards.len(), "shard"),
                time(least),
                time(most)
            ))?;
        }
        Ok(Ending::Done)
    }
}
