//! Options that several subcommands share.

use std::collections::HashSet;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::sources::SourceArgs;
use super::{CliError, Ending};
use crate::benchmark::{Benchmark, LEAST_MEMORY, LONGEST, MOST_MEMORY, Memory, Profile, Wall, find, shipped};
use crate::data::Library;
use crate::runner::execute::{Executor, InProcess, Workers};
use crate::runner::plan::{Filter, Plan, plan};
use crate::runner::record::Limits;
use crate::runner::store::Store;
use crate::system::machine::free_memory;
use crate::system::notice::say;

/// What is run.
#[derive(Debug, Default, Args)]
pub struct Selection {
    /// How much is run.
    #[arg(long, value_enum, default_value = "quick")]
    pub profile: Profile,
    /// Only these methods, by their names in `uqbench list methods`.
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub methods: Vec<String>,
    /// Only these datasets, even if the profile leaves them out.
    #[arg(long, value_name = "KEY,…", value_delimiter = ',')]
    pub datasets: Vec<String>,
    /// Number of splits, instead of the profile's.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    pub splits: Option<u64>,
}

impl Selection {
    /// Whether everything that the profile holds is chosen.
    pub fn is_whole(&self) -> bool {
        self.methods.is_empty() && self.datasets.is_empty() && self.splits.is_none()
    }

    /// The plans of the named benchmarks, or of all where none is named; without those that have nothing to run.
    pub fn plans(&self, names: &[String]) -> Result<Vec<Plan>, CliError> {
        let benchmarks: Vec<Benchmark> = if names.is_empty() {
            shipped()?.to_vec()
        } else {
            names.iter().map(|name| find(name)).collect::<Result<_, _>>()?
        };
        let mut ids = HashSet::new();
        if let Some(twice) = benchmarks.iter().find(|benchmark| !ids.insert(benchmark.id.as_str())) {
            return Err(CliError::Usage(format!(
                "two benchmarks have the id `{}`: pages would overwrite each other",
                twice.id
            )));
        }
        let (datasets, methods) = (self.datasets.clone(), self.methods.clone());
        let mut plans = plan(&benchmarks, self.profile, &Filter { datasets, methods, splits: self.splits })?;
        // A benchmark that has none of the chosen datasets or methods keeps its page as it is.
        plans.retain(|plan| !plan.experiments.is_empty());
        Ok(plans)
    }
}

/// Where trials are.
#[derive(Debug, Args)]
pub struct StorePlace {
    /// Folder of finished trials.
    #[arg(long, value_name = "DIR", default_value = "uqbench-store")]
    pub store: PathBuf,
}

impl StorePlace {
    /// Opens the store.
    pub fn open(&self) -> Result<Store, CliError> {
        Ok(Store::open(&self.store)?)
    }

    /// Opens the store, which must be there, to read it.
    pub fn open_existing(&self) -> Result<Store, CliError> {
        Ok(Store::open_existing(&self.store)?)
    }
}

/// Names every damaged trial that a command met on standard error, and ends it with code 3 if there was one.
pub fn with_damage(ending: Ending, stores: &[&Store]) -> Ending {
    let mut any = false;
    for store in stores {
        for (key, damage) in store.damaged() {
            any = true;
            say(format!(
                "warning: trial {key} is damaged ({damage}) and was left out; `uqbench store check --store {}` tells more",
                store.root().display()
            ));
        }
    }
    if any && ending == Ending::Done { Ending::Incomplete } else { ending }
}

/// Where results are.
#[derive(Debug, Args)]
pub struct Places {
    #[command(flatten)]
    pub store: StorePlace,
    /// Folder for tables and figures [default: uqbench-report/PROFILE].
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

impl Places {
    /// Folder for tables and figures.
    pub fn out(&self, profile: Profile) -> PathBuf {
        self.out.clone().unwrap_or_else(|| PathBuf::from("uqbench-report").join(profile.as_str()))
    }
}

/// Where trials run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Isolation {
    /// In processes that each take one trial at a time: survives aborts, hangs and lack of memory.
    #[default]
    Process,
    /// In this process, for debugging: an abort, a hang or lack of memory ends or stops the whole run.
    Thread,
}

/// How trials run.
#[derive(Debug, Default, Args)]
pub struct Running {
    /// Trials at a time [default: all processors].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Where trials run.
    #[arg(long, value_enum, default_value = "process")]
    pub isolation: Isolation,
    /// Seconds that one trial, and the download of one file, may take, at most 30 days; a trial is tried again by the next run
    /// [default: the benchmark's limit, or an hour].
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=LONGEST))]
    pub timeout: Option<u64>,
    /// MiB of memory that one trial may use [default: the benchmark's limit, or its share of what is free at the start].
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(LEAST_MEMORY..=MOST_MEMORY))]
    pub memory: Option<u64>,
    /// Data that no source has are a failure.
    #[arg(long)]
    pub require_data: bool,
}

/// Seconds that a trial may take where nothing else is stated.
const DEFAULT_SECONDS: u64 = 3600;

impl Running {
    /// The threads that run trials.
    pub fn pool(&self) -> Result<ThreadPool, CliError> {
        let threads = self.jobs.map_or(0, usize::from); // 0: all processors
        ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(|i| format!("trial-{i}"))
            .build()
            .map_err(|error| CliError::Other(format!("threads cannot be started: {error}")))
    }

    /// What one trial may use where its benchmark states nothing: the command line's limits, or those of the machine.
    ///
    /// # Errors
    /// [`CliError::Usage`] for a limit of memory without a process that could be limited.
    pub fn default_limits(&self, at_a_time: usize) -> Result<Limits, CliError> {
        if self.isolation == Isolation::Thread && self.memory.is_some() {
            return Err(CliError::Usage("--memory needs --isolation process: threads share one memory".into()));
        }
        let share = || free_memory().map(|free| (free / at_a_time.max(1) as u64).max(LEAST_MEMORY << 20));
        let memory = match self.isolation {
            Isolation::Process => self.memory.map(|mib| mib << 20).or_else(share),
            Isolation::Thread => None,
        };
        Ok(Limits { seconds: Some(self.timeout.unwrap_or(DEFAULT_SECONDS)), memory })
    }

    /// What one trial of a benchmark may use: the command line comes first, then the benchmark's file.
    pub fn limits(&self, default: Limits, benchmark: &Benchmark) -> Limits {
        let own = benchmark.limits;
        let seconds = self.timeout.or(own.wall.map(|wall| wall.0)).or(default.seconds);
        let stated = own.memory.filter(|_| self.memory.is_none() && self.isolation == Isolation::Process);
        Limits { seconds, memory: stated.map(Memory::bytes).or(default.memory) }
    }

    /// One line on how trials run.
    pub fn told(&self, default: Limits, at_a_time: usize) -> String {
        let wall = default.seconds.map_or_else(String::new, |seconds| String::from(Wall(seconds)));
        let memory = match (self.isolation, default.memory) {
            (Isolation::Thread, _) => "threads of this process (no limit of memory)".into(),
            (Isolation::Process, None) => "processes of their own".into(),
            (Isolation::Process, Some(bytes)) => {
                let origin = if self.memory.is_some() { "as asked" } else { "their share of what is free" };
                format!("processes of their own with at most {:.1} GiB, {origin}", bytes as f64 / (1_u64 << 30) as f64)
            }
        };
        format!("trials: {at_a_time} at a time, at most {wall} each, in {memory}; a benchmark may state other limits")
    }

    /// What runs a trial.
    pub fn executor<'a>(&self, library: &'a Library, sources: &SourceArgs) -> Result<Box<dyn Executor + 'a>, CliError> {
        match self.isolation {
            Isolation::Thread => Ok(Box::new(InProcess { data: library })),
            Isolation::Process => {
                let program = std::env::current_exe()
                    .map_err(|error| CliError::Other(format!("this program cannot find itself: {error}")))?;
                Ok(Box::new(Workers::new(program, sources.as_arguments())))
            }
        }
    }
}
