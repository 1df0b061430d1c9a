//! Call what libraries speak of by the options and commands of the command line. Libraries name
//! neither: their errors and findings have values, and this file alone has the words of each.

use std::borrow::Cow;
use std::io::ErrorKind;

use uq_core::metrics::ParseMetricError;
use uq_methods::Advice;
use uq_methods::registry::RegistryError;
use uqbench_data::own::{Finding, OwnError, Setting, Words};
use uqbench_data::{Attempt, DataError, NoFile, listed};
use uqbench_judge::evidence::EvidenceError;
use uqbench_judge::judgement::baseline::BaselineError;
use uqbench_judge::judgement::league::NoBoard;
use uqbench_report::comparison::methods::CompareError;
use uqbench_report::write::WriteError;
use uqbench_run::benchmark::report_files::SameFiles;
use uqbench_run::benchmark::{BenchmarkError, Names};
use uqbench_run::league::LeagueError;
use uqbench_run::runner::left_out::Reason;
use uqbench_run::runner::model::ModelError;
use uqbench_run::runner::plan::{PlanAdvice, PlanError};
use uqbench_run::runner::shards::{ShardNumberError, ShardsError, TASK_VARIABLES};
use uqbench_run::runner::store::StoreError;
use uqbench_run::runner::try_table::DivisionError;
use uqbench_system::program::Program;

/// What a library says, in the words of the command line.
pub trait Worded {
    /// The words.
    fn worded(&self) -> String;
}

/// The option that states a setting.
pub fn option(setting: Setting) -> Cow<'static, str> {
    match setting {
        Setting::Target => "--target".into(),
        Setting::Drop => "--drop".into(),
        Setting::Id => "--id".into(),
        Setting::Group => "--group".into(),
        Setting::Time => "--time".into(),
        Setting::Keep => "--keep".into(),
        Setting::Encoding => "--encoding".into(),
        Setting::Sheet => "--sheet".into(),
        Setting::Na => "--na".into(),
        Setting::LevelNa => "--level-na".into(),
        Setting::Censored(reading) => format!("--censored {}", reading.name()).into(),
        Setting::KeepIndex => "--keep-index".into(),
        Setting::Outcome => "--y".into(),
        Setting::Form => "--form".into(),
        Setting::Level => "--level".into(),
        // A setting that no command has an option for.
        other => other.to_string().into(),
    }
}

impl Worded for Words {
    fn worded(&self) -> String {
        self.named(|setting| option(setting).into_owned())
    }
}

impl Worded for Finding {
    fn worded(&self) -> String {
        format!("{}: {}", self.severity, self.text.worded())
    }
}

impl Worded for OwnError {
    fn worded(&self) -> String {
        self.to_words().worded()
    }
}

/// Where all names of a kind are shown.
fn all(names: Names) -> String {
    let (all, of_kind) = match names {
        Names::Benchmarks => ("list benchmarks", ""),
        Names::Datasets => return "; `uqbench list datasets` shows all".into(),
        Names::Methods => ("list methods", ""),
        Names::MethodsOfKind => ("list methods", WITH),
        Names::Metrics => ("list metrics", ""),
    };
    format!("{of_kind}; `uqbench {all}` shows them all")
}

/// What runs methods of other packages.
const WITH: &str = ", and --with runs methods of other packages (docs/do/wrappers.md)";

impl Worded for BenchmarkError {
    fn worded(&self) -> String {
        match self {
            Self::NoPaper { .. } => format!("{self}; `uqbench new paper DIR` starts one"),
            _ => self.describe(all),
        }
    }
}

impl Worded for SameFiles {
    fn worded(&self) -> String {
        match self {
            Self::Written { .. } => {
                format!("{self}, or run them one after the other with another --out")
            }
            Self::Figure { .. } | Self::Papers { .. } => self.to_string(),
        }
    }
}

impl Worded for ParseMetricError {
    fn worded(&self) -> String {
        match self {
            Self::UnknownName { .. } => format!("{self}{}", all(Names::Metrics)),
            Self::Form { .. } | Self::Value { .. } => self.to_string(),
        }
    }
}

impl Worded for Advice {
    fn worded(&self) -> String {
        match self {
            Self::OfKind(_) => format!("{self}{WITH}"),
            Self::Similar(_) => self.to_string(),
        }
    }
}

impl Worded for RegistryError {
    fn worded(&self) -> String {
        match self {
            Self::Unknown { advice: Advice::OfKind(_), .. } => {
                format!("{self}{}", all(Names::MethodsOfKind))
            }
            Self::Unknown { .. } => format!("{self}{}", all(Names::Methods)),
            Self::Unnamed { prefix } if !prefix.is_empty() => {
                format!("{self}{}", all(Names::Methods))
            }
            Self::Several(wrong) => {
                let each: Vec<String> = wrong.iter().map(Self::worded).collect();
                format!("{} names are wrong:\n  {}", wrong.len(), each.join("\n  "))
            }
            _ => self.to_string(),
        }
    }
}

impl Worded for PlanError {
    fn worded(&self) -> String {
        match self {
            Self::Data { benchmark, source } => {
                format!("benchmark {benchmark}: {}", source.worded())
            }
            Self::Method { benchmark, source } => {
                format!("benchmark {benchmark}: {}", source.worded())
            }
            Self::Unknown { advice: PlanAdvice::OfNoBenchmark, .. } => {
                format!("{self}: `uqbench new` writes one")
            }
            Self::Unknown { advice: PlanAdvice::NoMethod(advice), .. } => {
                let with = if matches!(advice, Advice::OfKind(_)) { WITH } else { "" };
                format!("{self}{with}; `uqbench list methods` shows all methods")
            }
            Self::Unknown { .. } | Self::Reading { .. } => self.to_string(),
        }
    }
}

impl Worded for DataError {
    fn worded(&self) -> String {
        let told = |attempt: &Attempt| match attempt.reason {
            NoFile::Offline => format!("{}: not asked: --offline", attempt.source),
            NoFile::Told(_) => attempt.to_string(),
        };
        match self {
            Self::Unknown { nearest: None, .. } => format!("{self}{}", all(Names::Datasets)),
            Self::Unavailable { key, file, tried } => format!(
                "{key}: {file} is not available: {}; to provide it by hand, put it at \
                 DIR/{key}/{file} and pass --mirror DIR",
                listed(tried, told)
            ),
            Self::Cache { .. } => format!("{self} with --cache DIR"),
            _ => self.to_string(),
        }
    }
}

impl Worded for LeagueError {
    fn worded(&self) -> String {
        match self {
            Self::Benchmark(error) => error.worded(),
            Self::Plan(error) => error.worded(),
            Self::Own(error) => error.worded(),
            Self::Data(errors) => errors.iter().map(Worded::worded).collect::<Vec<_>>().join("\n"),
            Self::Unfit { .. } | Self::Write(_) => self.to_string(),
        }
    }
}

impl Worded for StoreError {
    fn worded(&self) -> String {
        let more = match self {
            Self::Write { .. } => " `--store DIR` chooses another one".into(),
            Self::Descriptions { .. } => {
                "; `uqbench run BENCHMARK --allow-external` asks the methods again".into()
            }
            Self::Absent { .. } => "; `uqbench reproduce --store DIR` makes one".into(),
            Self::Foreign { .. } => {
                ". `--store DIR` chooses an empty folder, a new one or a store".into()
            }
            Self::ForeignFile { .. } => "; `uqbench store pack STORE FILE` makes one".into(),
            Self::Newer { .. } => ", or another `--store DIR`. Nothing was changed".into(),
            Self::Locked { .. } => ", or choose another `--store DIR`".into(),
            Self::Damaged { .. } => "; run `uqbench store check` for details".into(),
            Self::NotPacked { .. } => {
                "; `uqbench report`, `compare` and `export` with --refill run such trials again"
                    .into()
            }
            Self::FalseScores { key, source_of_it, .. } => {
                format!(
                    ". `uqbench rerun {key} --pack {}` shows which are right",
                    source_of_it.display()
                )
            }
            Self::Taken { path } => {
                let needed = "`--into` needs a new folder, or a new file that ends in .pack";
                return format!("{} exists; {needed}", path.display());
            }
            _ => String::new(),
        };
        format!("{self}{more}")
    }
}

impl Worded for EvidenceError {
    fn worded(&self) -> String {
        match self {
            Self::Store(error) => error.worded(),
            _ => self.to_string(),
        }
    }
}

impl Worded for CompareError {
    fn worded(&self) -> String {
        match self {
            Self::NoTrial => format!("{self}; `uqbench reproduce` or `uqbench run` makes them"),
            Self::Unknown { .. } | Self::Nothing(_) => self.to_string(),
        }
    }
}

impl Worded for NoBoard {
    fn worded(&self) -> String {
        match self {
            Self::NotABoard(_) => format!(
                "{self}; `uqbench league standard` and `uqbench league modern` are the boards of \
                 this program"
            ),
            Self::NoTrial { board } => format!("{self}; {}", trials_of_board(board)),
        }
    }
}

/// How the trials of a board are made.
pub fn trials_of_board(board: &str) -> String {
    format!("`uqbench run {board} --profile full` makes them, and `--store` names where they are")
}

impl Worded for WriteError {
    fn worded(&self) -> String {
        format!("{self}; `--out DIR` chooses another folder")
    }
}

impl Worded for BaselineError {
    fn worded(&self) -> String {
        match self {
            Self::Unread { source, .. } if source.kind() == ErrorKind::NotFound => {
                format!("{self}; `--bless --reason TEXT` makes it")
            }
            _ => self.to_string(),
        }
    }
}

impl Worded for ModelError {
    fn worded(&self) -> String {
        let anew = "save it anew with `uqbench try --save FILE`";
        match self {
            Self::Foreign => {
                format!("{self}; expected one that `uqbench try --save FILE` has written")
            }
            Self::Damaged(_) | Self::Version { .. } => format!("{self}, or {anew}"),
            Self::Older => format!("{self}; {anew}"),
            Self::Method { program, source } => {
                let (this, why) = (Program::this(), source.worded());
                format!(
                    "the model was saved by {program}, and {this} cannot build its method: {why}; \
                     use {program}, or {anew}"
                )
            }
            _ => self.to_string(),
        }
    }
}

impl Worded for ShardsError {
    fn worded(&self) -> String {
        match self {
            Self::Foreign { .. } => {
                format!("{self}; `uqbench plan --shards N --out FILE` writes a plan")
            }
            Self::Newer { .. } => self.to_string(),
            Self::Other { .. } => format!("{self} by `uqbench plan`"),
        }
    }
}

impl Worded for ShardNumberError {
    fn worded(&self) -> String {
        match self {
            Self::Given { given, count } => {
                format!(
                    "--shard {given}: the plan has {count} shards, expected 1/{count} to \
                     {count}/{count}"
                )
            }
            Self::Task { .. } => self.to_string(),
            Self::Unstated { count } => format!(
                "which shard? The plan has {count}: give --shard I/{count}, or run in an array of \
                 a scheduler, which sets one of {}",
                TASK_VARIABLES.join(", ")
            ),
        }
    }
}

impl Worded for DivisionError {
    fn worded(&self) -> String {
        match self {
            Self::FewGroups(_) => {
                format!("{self}, or leave --group out if new rows will be of these groups")
            }
            Self::FewTimes => self.to_string(),
        }
    }
}

impl Worded for Reason {
    fn worded(&self) -> String {
        match self {
            Self::MoreSplits { .. } => format!("{self}; choose their number by --splits"),
            _ => self.to_string(),
        }
    }
}

#[cfg(test)]
mod tests;
