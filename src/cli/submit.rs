//! `uqbench submit`: submit a plan to the scheduler of a cluster.

mod slurm;

use std::collections::HashSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::Args;

use self::slurm::{Script, submit};
use super::describe::Ask;
use super::options::StorePlace;
use super::shard::PlanFile;
use super::sources::SourceArgs;
use super::{CliError, Ending, print};
use uqbench_report::grid::counted;
use uqbench_run::benchmark::{LEAST_MEMORY, LONGEST, MOST_MEMORY};
use uqbench_run::runner::costs::Costs;
use uqbench_run::runner::key::TrialKey;
use uqbench_run::runner::plan::Planned;
use uqbench_run::runner::shards::Choice;
use uqbench_system::supervise::own_program;

/// Submit a plan to the scheduler of a cluster.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  uqbench plan --profile full --shards 64 --out plan.json\n  \
    uqbench submit plan.json --slurm --print\n  \
    uqbench submit plan.json --slurm --at-once 16 --sbatch=--partition=long\n\n\
    docs/do/clusters.md describes plans, shards and Slurm.")]
pub struct Submit {
    /// The file of a plan, which `uqbench plan --shards N --out FILE` has written.
    plan: PathBuf,
    /// Submit an array of tasks to Slurm, one for each shard, and a job that writes the report
    /// after them. Slurm is the only scheduler that is known.
    #[arg(long, required = true)]
    slurm: bool,
    /// Print the scripts and submit nothing.
    #[arg(long)]
    print: bool,
    #[command(flatten)]
    store: StorePlace,
    /// Folder for tables and figures [default: uqbench-report/PROFILE].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Folder for the output of the tasks.
    #[arg(long, value_name = "DIR", default_value = "uqbench-logs")]
    logs: PathBuf,
    /// Most tasks at one time [default: all].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    at_once: Option<u16>,
    /// Processors of a task, and trials at a time in it.
    #[arg(
        long,
        value_name = "N",
        default_value = "1",
        value_parser = clap::value_parser!(u16).range(1..=1024),
    )]
    cpus: u16,
    /// Time limit of a task: FACTOR times the expected time, and ten minutes.
    #[arg(long, value_name = "FACTOR", default_value = "3", value_parser = margin)]
    margin: f64,
    /// Time limit of a task in minutes, instead of the expected one with its margin.
    #[arg(
        long,
        value_name = "MINUTES",
        conflicts_with = "margin",
        value_parser = clap::value_parser!(u64).range(1..=LONGEST / 60),
    )]
    minutes: Option<u64>,
    /// Memory of one trial in MiB [default: 2048, or what its benchmark states, or one and a half
    /// times the most that such a trial took].
    #[arg(
        long,
        value_name = "MIB",
        value_parser = clap::value_parser!(u64).range(LEAST_MEMORY..=MOST_MEMORY),
    )]
    memory: Option<u64>,
    /// One more option of `sbatch` for the array and the report, such as --sbatch=--partition=long.
    /// It may be repeated.
    #[arg(long, value_name = "OPTION", value_parser = sbatch_option)]
    sbatch: Vec<String>,
    /// Let benchmark files run the commands that they name. They run with your rights: read them
    /// first.
    #[arg(long)]
    allow_external: bool,
    #[command(flatten)]
    sources: SourceArgs,
}

/// A factor of at least 1.
fn margin(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|factor| (1.0..=100.0).contains(factor));
    number.ok_or_else(|| "expected a number from 1 to 100".into())
}

/// An option of `sbatch` on a line of its own.
fn sbatch_option(text: &str) -> Result<String, String> {
    let is_option = text.starts_with("--") && !text.contains(['\n', '\r']);
    is_option
        .then(|| text.to_owned())
        .ok_or_else(|| "expected one long option, such as --partition=long".into())
}

/// Memory of a trial where nothing else is known, in MiB.
const MEMORY: u64 = 2048;
/// Memory of the program beside its trials, in MiB.
const OWN_MEMORY: u64 = 512;
/// Memory of the report: its base, and one MiB for this number of trials.
const REPORT_MEMORY: (u64, u64) = (2048, 32);
/// Time for a task to start and to look up its trials, in minutes.
const START: f64 = 10.0;
/// Time limit of the report in minutes.
const REPORT_MINUTES: u64 = 120;

impl Submit {
    /// Prints or submits the scripts, and says how to watch and cancel what was submitted.
    pub fn run(&self) -> Result<Ending, CliError> {
        // As the tasks read it: what they will refuse is refused here.
        let file = PlanFile::read(&self.plan, &mut Ask::new(self.allow_external, None))?;
        let found = file.shards.find(&file.plans, &self.plan)?;
        let stored = self.store.stored()?;
        let costs = Costs::shipped()?;
        let memory = self.memory.unwrap_or_else(|| trial_memory(&found, costs));
        let minutes = self.minutes.unwrap_or_else(|| {
            let cpus = f64::from(self.cpus);
            let longest = found
                .iter()
                .map(|shard| shard_seconds(shard, &stored, costs, cpus))
                .fold(0.0, f64::max);
            (longest * self.margin / 60.0 + START).ceil() as u64
        });
        let tasks = found.len();
        let array = match self.at_once {
            Some(most) => format!("--array=1-{tasks}%{most}"),
            None => format!("--array=1-{tasks}"),
        };
        let trials = found.iter().map(Vec::len).sum::<usize>() as u64;
        let script = |name: &str,
                      log: &str,
                      minutes: u64,
                      memory: u64,
                      words: Vec<String>|
         -> Result<Script, CliError> {
            let options = [
                format!("--job-name={name}"),
                format!("--cpus-per-task={}", self.cpus),
                format!("--mem={memory}M"),
                format!("--time={minutes}"),
                format!("--output={}", log_file(&self.logs, log)?),
                "--open-mode=append".into(),
                "--requeue".into(),
            ];
            Ok(Script {
                options: options.into_iter().chain(self.sbatch.iter().cloned()).collect(),
                words,
            })
        };
        let task_memory = memory * u64::from(self.cpus) + OWN_MEMORY;
        let mut tasks_script = script(
            "uqbench",
            "task-%A_%a.log",
            minutes,
            task_memory,
            quoted(&self.task(memory)?)?,
        )?;
        tasks_script.options.insert(1, array);
        let report_memory = REPORT_MEMORY.0 + trials / REPORT_MEMORY.1;
        let words = self.report_words(&file.shards.choice)?;
        let report =
            script("uqbench-report", "report-%j.log", REPORT_MINUTES, report_memory, words)?;
        if self.print {
            print(&format!("{}\n{}", tasks_script.text()?, report.text()?))?;
            return Ok(Ending::Done);
        }
        self.run_dry(memory, tasks)?;
        std::fs::create_dir_all(&self.logs).map_err(|error| {
            let logs = self.logs.display();
            CliError::Other(format!(
                "{logs} cannot be created: {error}; name another folder by --logs"
            ))
        })?;
        let (array, report) = submit(&tasks_script, &report)?;
        let (plan, store) = (word(&self.plan)?, word(&self.store.store)?);
        print(&format!(
            "submitted array {array} ({}), and report {report}, which starts when the array has \
             ended\n\
             watch:  uqbench status --plan {plan} --store {store}\n\
             output: {}\n\
             cancel: scancel {array} {report}\n\
             Where tasks were killed or reached their time limit, the same command goes on from \
             what is stored.\n",
            counted(tasks, "task"),
            word(&self.logs)?,
        ))?;
        Ok(Ending::Done)
    }

    /// The words of a task after the program's name.
    fn task(&self, memory: u64) -> Result<Vec<OsString>, CliError> {
        let mut words: Vec<OsString> =
            vec!["run".into(), "--plan".into(), absolute(&self.plan)?.into()];
        words.extend(["--store".into(), absolute(&self.store.store)?.into()]);
        words.extend([
            "--jobs".into(),
            self.cpus.to_string().into(),
            "--memory".into(),
            memory.to_string().into(),
        ]);
        if self.allow_external {
            words.push("--allow-external".into());
        }
        words.extend(self.sources.as_arguments());
        Ok(words)
    }

    /// Runs the first task without its trials, so that an array of which every task fails is not
    /// submitted.
    fn run_dry(&self, memory: u64, tasks: usize) -> Result<(), CliError> {
        let mut command = Command::new(own_program());
        command
            .args(self.task(memory)?)
            .args(["--shard", &format!("1/{tasks}"), "--dry"])
            .stdin(Stdio::null());
        let failed = |why: &str| {
            CliError::Other(format!(
                "a task would fail, and nothing was submitted: {}",
                why.trim().trim_start_matches("error: ")
            ))
        };
        let output = command.output().map_err(|error| failed(&error.to_string()))?;
        let errors = String::from_utf8_lossy(&output.stderr);
        // What is not the error, such as progress, stands before it.
        let error = errors.rfind("error: ").map_or(errors.as_ref(), |start| &errors[start..]);
        if output.status.success() { Ok(()) } else { Err(failed(error)) }
    }

    /// The command of the report.
    fn report_words(&self, choice: &Choice) -> Result<Vec<String>, CliError> {
        let Choice { benchmarks, profile, datasets, methods, splits } = choice;
        let out = self
            .out
            .clone()
            .unwrap_or_else(|| PathBuf::from("uqbench-report").join(profile.as_str()));
        let mut words = vec!["report".to_owned()];
        for benchmark in benchmarks {
            words.push(word(Path::new(benchmark))?);
        }
        words.extend(["--profile".into(), profile.as_str().to_owned()]);
        for (option, names) in [("--datasets", datasets), ("--methods", methods)] {
            if !names.is_empty() {
                words.extend([option.to_owned(), word(Path::new(&names.join(",")))?]);
            }
        }
        words.extend(splits.iter().flat_map(|splits| ["--splits".to_owned(), splits.to_string()]));
        words.extend(["--store".into(), word(&absolute(&self.store.store)?)?]);
        words.extend(["--out".into(), word(&absolute(&out)?)?]);
        Ok(words)
    }
}

/// Memory that one trial of a plan may need, in MiB.
fn trial_memory(shards: &[Vec<Planned>], costs: &Costs) -> u64 {
    let of_trial = |trial: &Planned| {
        let measured = costs.of_trial(trial).memory_mib.unwrap_or(0) * 3 / 2;
        measured.max(trial.plan.benchmark.limits.memory.map_or(0, |memory| memory.0))
    };
    shards.iter().flatten().map(of_trial).fold(MEMORY, u64::max)
}

/// Wall time that a shard may take with `cpus` trials at a time: each takes as long as the longest
/// of its kind, and the longest one starts when the others are done.
fn shard_seconds(shard: &[Planned], stored: &HashSet<TrialKey>, costs: &Costs, cpus: f64) -> f64 {
    let left = shard
        .iter()
        .filter(|trial| !stored.contains(&trial.key))
        .map(|trial| costs.of_trial(trial));
    let (sum, longest) = left.fold((0.0, 0.0_f64), |(sum, longest), cost| {
        (sum + cost.seconds, longest.max(cost.longest))
    });
    sum / cpus + longest
}

/// A file of the folder of logs, as Slurm reads it.
fn log_file(folder: &Path, name: &str) -> Result<String, CliError> {
    let folder = absolute(folder)?;
    let text = folder.to_str().filter(|text| !text.contains(['%', '"', '\\', '\n', '\r']));
    let text = text.ok_or_else(|| {
        let folder = folder.display();
        CliError::Usage(format!(
            "{folder}: Slurm gives such a name another meaning; name another folder by --logs"
        ))
    })?;
    Ok(format!("\"{text}/{name}\""))
}

fn absolute(path: &Path) -> Result<PathBuf, CliError> {
    let failed = |error| {
        CliError::Other(format!("{}: its whole path cannot be found: {error}", path.display()))
    };
    std::path::absolute(path).map_err(failed)
}

/// Words of a shell.
fn quoted(words: &[OsString]) -> Result<Vec<String>, CliError> {
    words.iter().map(|text| word(Path::new(text))).collect()
}

/// A path as one word of a shell.
fn word(path: &Path) -> Result<String, CliError> {
    let quoted = path.to_str().and_then(|text| shlex::try_quote(text).ok());
    let quoted = quoted.map(|text| text.into_owned());
    quoted.ok_or_else(|| {
        CliError::Usage(format!(
            "{}: a script cannot name it; give it another name",
            path.display()
        ))
    })
}
