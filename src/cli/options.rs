//! Options that several subcommands share.

use std::collections::HashSet;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::CliError;
use super::sources::SourceArgs;
use crate::benchmark::{Benchmark, Profile, find, shipped};
use crate::data::Library;
use crate::runner::execute::{ChildProcess, Executor, InProcess};
use crate::runner::plan::{Filter, Plan, plan};
use crate::runner::store::Store;

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

    /// Opens the store, which must be there.
    pub fn open_existing(&self) -> Result<Store, CliError> {
        Ok(Store::open_existing(&self.store)?)
    }
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
    /// In this process: fast.
    #[default]
    Thread,
    /// Each in a process of its own: survives aborts, hangs and lack of memory.
    Process,
}

/// How trials run.
#[derive(Debug, Default, Args)]
pub struct Running {
    /// Trials at a time [default: all processors].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Where trials run.
    #[arg(long, value_enum, default_value = "thread")]
    pub isolation: Isolation,
    /// Seconds that one trial may take; it is tried again by the next run.
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub timeout: Option<u64>,
    /// MiB of memory that one trial may use, with `--isolation process`.
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(64..))]
    pub memory: Option<u64>,
    /// Data that no source has are a failure.
    #[arg(long)]
    pub require_data: bool,
}

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

    /// What runs a trial.
    ///
    /// # Errors
    /// [`CliError::Usage`] for a limit of memory without a process that could be limited.
    pub fn executor<'a>(&self, library: &'a Library, sources: &SourceArgs) -> Result<Box<dyn Executor + 'a>, CliError> {
        let timeout = self.timeout.map(Duration::from_secs);
        match self.isolation {
            Isolation::Thread if self.memory.is_some() => {
                Err(CliError::Usage("--memory needs --isolation process: threads share one memory".into()))
            }
            Isolation::Thread => Ok(Box::new(InProcess { data: library, timeout })),
            Isolation::Process => {
                let program = std::env::current_exe()
                    .map_err(|error| CliError::Other(format!("this program cannot find itself: {error}")))?;
                let memory = self.memory.map(|mib| mib << 20);
                Ok(Box::new(ChildProcess { program, arguments: sources.as_arguments(), timeout, memory }))
            }
        }
    }
}
