//! Options that several subcommands share.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::choices::{format, profile};
use super::describe::{Describe, Described, given};
use super::room::prepare_folder;
use super::sources::SourceArgs;
use super::versions::choose_versions;
use super::wording::Worded;
use super::{CliError, Ending};
use uqbench_data::Library;
use uqbench_report::export::Format;
use uqbench_report::long_table::TableFormat;
use uqbench_report::write::{Beside, Output};
use uqbench_run::benchmark::report_files::check_together;
use uqbench_run::benchmark::{
    Benchmark, LEAST_MEMORY, LONGEST, MOST_MEMORY, Memory, Profile, Stated, Wall, find_all, shipped,
};
use uqbench_run::external::{self, ExternalParameters};
use uqbench_run::runner::execute::{Executor, InProcess, Workers};
use uqbench_run::runner::key::TrialKey;
use uqbench_run::runner::plan::{Filter, Plan, plan, planned_methods};
use uqbench_run::runner::record::Limits;
use uqbench_run::runner::shards::Choice;
use uqbench_run::runner::store::{Store, StoreError};
use uqbench_run::runner::tally::Tally;
use uqbench_system::machine::free_memory;
use uqbench_system::notice::say;

/// Most splits that a command line can ask for.
pub const MOST_SPLITS: u64 = 100_000;

/// The choice of trials.
#[derive(Debug, Default, Args)]
pub struct Selection {
    /// Profile, which sets how much of each benchmark is run.
    #[arg(long, value_parser = profile(), default_value = "quick")]
    pub profile: Profile,
    /// Only these methods, by their names in `uqbench list methods`.
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub methods: Vec<String>,
    /// Only these datasets, even if the profile leaves them out. `power` also chooses
    /// `power:sheet5` of a benchmark without `power`.
    #[arg(long, value_name = "KEY,…", value_delimiter = ',')]
    pub datasets: Vec<String>,
    /// Number of splits, instead of the profile's.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MOST_SPLITS))]
    pub splits: Option<u64>,
    /// An external method as one more column, by its command: --with "python3 mine.py". It may be
    /// repeated.
    #[arg(long, value_name = "COMMAND")]
    pub with: Vec<String>,
    /// Whether the program itself looks for a trial, so that no warning of too many splits and no
    /// note of an absent method is due.
    #[arg(skip)]
    pub is_search: bool,
}

impl Selection {
    /// Whether all trials of the profile are chosen.
    pub fn is_whole(&self) -> bool {
        self.methods.is_empty() && self.datasets.is_empty() && self.splits.is_none()
    }

    /// What a plan for several machines was made from.
    pub fn of_choice(choice: &Choice) -> Self {
        let Choice { profile, methods, datasets, splits, .. } = choice.clone();
        Self { profile, methods, datasets, splits, ..Self::default() }
    }

    /// These options and the named benchmarks, for the file of a plan.
    ///
    /// # Errors
    /// [`CliError::Usage`] for a method that is given by its command, because a file of a plan runs
    /// no commands.
    pub fn choice(&self, benchmarks: &[String]) -> Result<Choice, CliError> {
        if !self.with.is_empty() {
            return Err(CliError::Usage(
                "a plan for several machines takes no --with: name the method in a benchmark file \
                 (docs/do/external-methods.md)"
                    .into(),
            ));
        }
        let Self { profile, methods, datasets, splits, .. } = self;
        let (methods, datasets) = (methods.clone(), datasets.clone());
        Ok(Choice {
            benchmarks: benchmarks.to_vec(),
            profile: *profile,
            datasets,
            methods,
            splits: *splits,
        })
    }

    /// The plans of the named benchmarks, or of all where none is named; without those that have no
    /// chosen trial. `describe` returns what external methods say of themselves.
    pub fn plans(
        &self,
        names: &[String],
        mut describe: impl Describe,
    ) -> Result<Vec<Plan>, CliError> {
        let mut benchmarks: Vec<Benchmark> = if names.is_empty() {
            shipped()?.to_vec()
        } else {
            let found: Vec<_> =
                names.iter().map(|name| find_all(name)).collect::<Result<_, _>>()?;
            found.into_iter().flatten().collect()
        };
        let mut ids = HashSet::new();
        if let Some(twice) = benchmarks.iter().find(|benchmark| !ids.insert(benchmark.id.as_str()))
        {
            return Err(CliError::Usage(format!(
                "two benchmarks have the id `{}`: pages would overwrite each other",
                twice.id
            )));
        }
        check_together(&benchmarks).map_err(|same| CliError::Usage(same.worded()))?;
        let (datasets, mut methods) = (self.datasets.clone(), self.methods.clone());
        for words in &self.with {
            let (given, place) = given(words)?;
            for benchmark in &mut benchmarks {
                benchmark.add_external(&given, &place);
                benchmark.origin.with.push(words.clone());
            }
        }
        for benchmark in benchmarks.iter().filter(|_| !self.with.is_empty()) {
            benchmark.check_added_columns()?;
        }
        if !self.with.is_empty() && !methods.is_empty() {
            methods.push(external::ID.into());
        }
        let filter = Filter { datasets, methods, splits: self.splits };
        for benchmark in &mut benchmarks {
            let planned = planned_methods(benchmark, self.profile, &filter);
            let tell = |note: &str| {
                if !self.is_search {
                    say(note);
                }
            };
            benchmark.describe_external(&planned, &mut |stated| {
                described(&mut describe, stated, tell)
            })?;
        }
        choose_versions(&mut benchmarks, self.profile, &filter, &mut describe)?;
        let mut plans = plan(&benchmarks, self.profile, &filter)?;
        // A benchmark that has none of the chosen datasets or methods is left out, so that its page
        // is not changed.
        plans.retain(|plan| !plan.experiments.is_empty());
        if !self.is_search {
            warn_of_splits(&plans);
        }
        Ok(plans)
    }
}

/// What a method says of itself. One of a benchmark file of which a store has nothing is as a
/// method that has never run.
fn described(
    describe: &mut impl Describe,
    stated: Stated,
    tell: impl Fn(&str),
) -> Result<ExternalParameters, String> {
    match describe.describe(stated)? {
        Described::Known(parameters) => Ok(parameters),
        Described::Unknown(why) if stated.from_file && describe.is_reading() => {
            tell(&format!("note: {why}; its cells are “not run”"));
            Ok(stated.given.clone().without_description())
        }
        Described::Unknown(why) => Err(why),
    }
}

/// Warns of each benchmark whose protocol has fewer splits than the command line asks for.
fn warn_of_splits(plans: &[Plan]) {
    for (plan, most) in plans.iter().filter_map(|plan| Some((plan, plan.most_splits()?))) {
        let (id, asked) = (&plan.benchmark.id, plan.filter.splits.unwrap_or(most));
        say(format!(
            "warning: --splits {asked}: the protocol of {id} has only {most} that differ; these \
             are taken"
        ));
    }
}

/// The store.
#[derive(Debug, Args)]
pub struct StorePlace {
    /// Folder of finished trials. Commands that only read take a pack, too: `uqbench store pack`
    /// makes one.
    #[arg(long, visible_alias = "from", value_name = "DIR", default_value = "uqbench-store")]
    pub store: PathBuf,
}

impl StorePlace {
    /// Opens the store.
    pub fn open(&self) -> Result<Store, CliError> {
        Ok(Store::open(&self.store)?)
    }

    /// Opens an existing store for reading.
    pub fn open_existing(&self) -> Result<Store, CliError> {
        Ok(Store::open_existing(&self.store)?)
    }

    /// The keys of its trials, whose content is not verified; none where there is no store yet.
    pub fn stored(&self) -> Result<HashSet<TrialKey>, CliError> {
        match Store::open_existing(&self.store) {
            Ok(store) => Ok(store.keys()?.into_iter().collect()),
            Err(StoreError::Absent { .. }) => Ok(HashSet::new()),
            Err(error) => Err(error.into()),
        }
    }
}

impl Describe for &StorePlace {
    fn is_reading(&self) -> bool {
        true
    }

    fn describe(&mut self, stated: Stated) -> Result<Described, String> {
        (&self.open_existing().map_err(|error| error.to_string())?).describe(stated)
    }

    fn versions(&mut self, stated: Stated) -> Result<Vec<ExternalParameters>, String> {
        (&self.open_existing().map_err(|error| error.to_string())?).versions(stated)
    }

    fn stored(&mut self) -> Result<HashSet<TrialKey>, String> {
        StorePlace::stored(self).map_err(|error| error.to_string())
    }
}

/// Reports every damaged trial that a command found on standard error, and returns code 3 if there
/// was one.
pub fn with_damage(ending: Ending, stores: &[&Store]) -> Ending {
    let mut any = false;
    for store in stores {
        for (key, damage) in store.damaged() {
            any = true;
            say(format!(
                "warning: trial {key} is damaged ({damage}) and was left out; `uqbench store check \
                 --store {}` reports details",
                store.root().display()
            ));
        }
        for (key, why) in store.unreadable() {
            any = true;
            say(format!("warning: trial {key} was left out: {why}"));
        }
    }
    if any && ending == Ending::Done { Ending::Incomplete } else { ending }
}

/// The forms in which figures are written beside their SVG.
#[derive(Clone, Copy, Debug, Args)]
pub struct FigureForms {
    /// Write each figure as PNG, too.
    #[arg(long)]
    png: bool,
    /// Write each figure as PDF, too, in the folder `pdf`: vectors for a paper.
    #[arg(long)]
    pdf: bool,
}

impl FigureForms {
    /// What is written beside each SVG.
    pub fn beside(self) -> Beside {
        Beside { png: self.png, pdf: self.pdf }
    }
}

/// The folder of results.
#[derive(Debug, Args)]
pub struct Places {
    #[command(flatten)]
    pub store: StorePlace,
    /// Folder for tables and figures [default: uqbench-report/PROFILE].
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub figures: FigureForms,
    /// Write, and with --verify compare, files of these formats alone.
    #[arg(long, value_name = "FORMAT,…", value_parser = format(), value_delimiter = ',')]
    pub formats: Vec<&'static Format>,
    /// Open the report in the browser at the end.
    #[arg(long)]
    pub open: bool,
}

impl Places {
    /// Makes room for the output before the first trial.
    ///
    /// # Errors
    /// [`CliError`] where nothing can be written.
    pub fn prepare(&self, profile: Profile) -> Result<(), CliError> {
        prepare_folder(&self.output(profile).folder)
    }

    /// Folder for tables and figures.
    pub fn output(&self, profile: Profile) -> Output {
        let folder = self
            .out
            .clone()
            .unwrap_or_else(|| PathBuf::from("uqbench-report").join(profile.as_str()));
        Output { folder, beside: self.figures.beside(), formats: self.formats.clone() }
    }
}

/// Where trials run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Isolation {
    /// In worker processes, one trial at a time in each: the run survives aborts, hangs and lack of
    /// memory.
    #[default]
    Process,
    /// In threads of this process, for debugging: an abort, a hang or lack of memory stops the
    /// whole run.
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
    /// Time limit of one trial, and of the download of one file, in seconds, at most 30 days. The
    /// next run repeats a trial that timed out [default: the benchmark's limit, or an hour].
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=LONGEST))]
    pub timeout: Option<u64>,
    /// Memory limit of one trial in MiB [default: the benchmark's limit, or an equal share of the
    /// memory that is free at the start].
    #[arg(
        long,
        value_name = "MIB",
        value_parser = clap::value_parser!(u64).range(LEAST_MEMORY..=MOST_MEMORY),
    )]
    pub memory: Option<u64>,
    /// Fail if the data of a trial are unavailable.
    #[arg(long)]
    pub require_data: bool,
    /// Let benchmark files run the commands that they name. They run with your rights: read them
    /// first.
    #[arg(long)]
    pub allow_external: bool,
}

/// Time limit of a trial in seconds, where none is stated.
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

    /// Limits of one trial whose benchmark states none: those of the command line, or those of the
    /// machine.
    ///
    /// # Errors
    /// [`CliError::Usage`] for a memory limit without worker processes.
    pub fn default_limits(&self, at_a_time: usize) -> Result<Limits, CliError> {
        if self.isolation == Isolation::Thread && self.memory.is_some() {
            return Err(CliError::Usage(
                "--memory needs --isolation process: threads share one memory".into(),
            ));
        }
        let share =
            || free_memory().map(|free| (free / at_a_time.max(1) as u64).max(LEAST_MEMORY << 20));
        let memory = match self.isolation {
            Isolation::Process => self.memory.map(|mib| mib << 20).or_else(share),
            Isolation::Thread => None,
        };
        Ok(Limits { seconds: Some(self.timeout.unwrap_or(DEFAULT_SECONDS)), memory })
    }

    /// Limits of one trial of a benchmark: those of the command line, else those of the benchmark's
    /// file, else `default`.
    pub fn limits(&self, default: Limits, benchmark: &Benchmark) -> Limits {
        let own = benchmark.limits;
        let seconds = self.timeout.or(own.wall.map(|wall| wall.0)).or(default.seconds);
        let stated =
            own.memory.filter(|_| self.memory.is_none() && self.isolation == Isolation::Process);
        Limits { seconds, memory: stated.map(Memory::bytes).or(default.memory) }
    }

    /// One line on how trials run.
    pub fn describe(&self, default: Limits, at_a_time: usize) -> String {
        let wall = default.seconds.map_or_else(String::new, |seconds| String::from(Wall(seconds)));
        let memory = match (self.isolation, default.memory) {
            (Isolation::Thread, _) => "threads of this process (no limit of memory)".into(),
            (Isolation::Process, None) => "worker processes".into(),
            (Isolation::Process, Some(bytes)) => {
                let origin = if self.memory.is_some() {
                    "as requested"
                } else {
                    "an equal share of the free memory"
                };
                format!(
                    "worker processes with at most {:.1} GiB, {origin}",
                    bytes as f64 / (1_u64 << 30) as f64
                )
            }
        };
        format!(
            "trials: {at_a_time} at a time, at most {wall} each, in {memory}; a benchmark may \
             state other limits"
        )
    }

    /// How a run ends whose trials ended so.
    pub fn ending(&self, total: &Tally) -> Ending {
        let excused = if self.require_data { 0 } else { total.failed("unavailable") };
        if total.unfinished() > excused { Ending::Incomplete } else { Ending::Done }
    }

    /// The executor of trials.
    pub fn executor<'a>(
        &self,
        library: &'a Library,
        sources: &SourceArgs,
    ) -> Result<Box<dyn Executor + 'a>, CliError> {
        match self.isolation {
            Isolation::Thread => {
                Ok(Box::new(InProcess::new(library, rayon::current_num_threads())))
            }
            Isolation::Process => {
                let program = std::env::current_exe().map_err(|error| {
                    CliError::Other(format!("the path of this program cannot be found: {error}"))
                })?;
                Ok(Box::new(Workers::new(program, sources.as_arguments())))
            }
        }
    }
}

/// A probability strictly between 0 and 1.
pub fn level(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(level) if level > 0.0 && level < 1.0 => Ok(level),
        _ => Err("expected a number between 0 and 1, such as 0.9 for 90 %".into()),
    }
}

/// What a table is written as, by the ending of its file.
///
/// # Errors
/// [`CliError::Usage`] for another ending.
pub fn table_format(file: &Path) -> Result<TableFormat, CliError> {
    let wrong = || {
        CliError::Usage(format!(
            "{}: the name must end in .parquet, .arrow or .csv",
            file.display()
        ))
    };
    TableFormat::of(file).ok_or_else(wrong)
}

/// A share below 1.
pub fn share(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|rope| (0.0..1.0).contains(rope));
    number.ok_or_else(|| "expected a number of at least 0 and below 1".into())
}
