//! `uqbench check --against FILE`: the gate of continuous integration.

use std::collections::HashSet;
use std::path::PathBuf;

use clap::Args;

use super::choices::{Metrics, metrics, profile};
use super::options::{MOST_SPLITS, Running, Selection, StorePlace, with_damage};
use super::{CliError, Ending, print, print_markdown};
use uqbench_judge::evidence::results::Results;
use uqbench_judge::judgement::baseline::{Baseline, BaselineError, Blessing, Extent, Run};
use uqbench_report::export::section;
use uqbench_report::gate;
use uqbench_run::benchmark::Profile;
use uqbench_run::runner::key::TrialKey;
use uqbench_run::runner::plan::{Plan, trials};
use uqbench_run::runner::store::Store;
use uqbench_system::notice::say;
use uqbench_system::program::Program;

/// Compare the store's scores with those of a reference run, and fail where they got worse.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  uqbench check --against benchmarks/baselines/smoke.toml\n  \
    uqbench check --against benchmarks/baselines/smoke.toml --bless --reason \"trees split ties by \
    row order\"\n  \
    uqbench check dtb-table-1 --against dtb-table-1.pack --profile full\n\n\
    Exit codes: 0 no score got worse, 3 trials of the baseline are not in the store, 4 a score got \
    worse.")]
pub struct Check {
    /// File of the reference scores, or a pack, whose trials are then the reference run.
    #[arg(long, value_name = "FILE|PACK")]
    against: PathBuf,
    /// Benchmarks, by name or as a TOML file; all by default.
    benchmarks: Vec<String>,
    /// Profile of a new file, or of a pack [default: the file's own, or smoke].
    #[arg(long, value_parser = profile())]
    profile: Option<Profile>,
    /// Only these methods, by their names in `uqbench list methods`.
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    methods: Vec<String>,
    /// Only these datasets, even if the profile leaves them out.
    #[arg(long, value_name = "KEY,…", value_delimiter = ',')]
    datasets: Vec<String>,
    /// Only the first N splits.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MOST_SPLITS))]
    splits: Option<u64>,
    /// An external method as one more column, by its command: --with "python3 mine.py". It may be
    /// repeated.
    #[arg(long, value_name = "COMMAND")]
    with: Vec<String>,
    /// Only these scores, such as `log-likelihood`, of those that the benchmarks are compared by.
    #[arg(long, value_name = "NAME,…", value_parser = metrics)]
    metrics: Option<Metrics>,
    #[command(flatten)]
    store: StorePlace,
    /// Replace the file's scores by the store's; needs --reason.
    #[arg(long, requires = "reason")]
    bless: bool,
    /// Why the scores changed; stored in the file.
    #[arg(long, value_name = "TEXT", requires = "bless", value_parser = reason)]
    reason: Option<String>,
}

fn reason(text: &str) -> Result<String, String> {
    if text.trim().is_empty() {
        Err("say why the scores changed".into())
    } else {
        Ok(text.trim().into())
    }
}

impl Check {
    fn selection(&self, profile: Profile) -> Selection {
        let (methods, datasets, with) =
            (self.methods.clone(), self.datasets.clone(), self.with.clone());
        Selection { profile, methods, datasets, splits: self.splits, with, ..Selection::default() }
    }

    fn extent(&self) -> Extent {
        Extent {
            all_benchmarks: self.benchmarks.is_empty(),
            all_columns: self.methods.is_empty()
                && self.datasets.is_empty()
                && self.metrics.is_none(),
            all_splits: self.splits.is_none(),
        }
    }

    /// Prints the changes; ends with code 4 if a score got worse.
    pub fn run(&self) -> Result<Ending, CliError> {
        if self.against.is_file() && Store::is_store(&self.against) {
            return self.run_against_pack();
        }
        if self.against.is_dir() {
            return Err(CliError::Usage(format!(
                "--against {0}: it is a folder, expected a pack or a file of blessed scores; `uqbench \
                 store pack {0} FILE` makes a pack of a store",
                self.against.display()
            )));
        }
        let old = match Baseline::read(&self.against) {
            Ok(old) => Some(old),
            Err(BaselineError::Unread { source, .. })
                if self.bless && source.kind() == std::io::ErrorKind::NotFound =>
            {
                None
            }
            Err(error) => return Err(error.into()),
        };
        let own = old.as_ref().map(|old| old.profile);
        if let (Some(asked), Some(own)) =
            (self.profile, own.filter(|own| self.profile != Some(*own)))
        {
            return Err(CliError::Usage(format!(
                "{} holds scores of profile {}, not {}: leave --profile out",
                self.against.display(),
                own.as_str(),
                asked.as_str()
            )));
        }
        let profile = own.or(self.profile).unwrap_or(Profile::Smoke);
        let plans = self.selection(profile).plans(&self.benchmarks, &self.store)?;
        let before =
            old.unwrap_or_else(|| Baseline { profile, blessed: Vec::new(), cells: Vec::new() });
        let run = self.scores(&plans, &self.store.open_existing()?)?;
        self.compare(before, run)
    }

    /// The same with the trials of a pack as the blessed run: of those benchmarks of which it has
    /// any.
    fn run_against_pack(&self) -> Result<Ending, CliError> {
        let file = self.against.display();
        if self.bless {
            return Err(CliError::Usage(format!(
                "{file} is a pack, which is not blessed: `uqbench store pack` writes a new one"
            )));
        }
        let profile = self.profile.unwrap_or(Profile::Smoke);
        let pack = Store::open_existing(&self.against)?;
        let mut plans = self.selection(profile).plans(&self.benchmarks, &self.store)?;
        let packed: HashSet<TrialKey> = pack.keys()?.into_iter().collect();
        plans.retain(|plan| trials([plan]).iter().any(|trial| packed.contains(&trial.key)));
        if plans.is_empty() {
            return Err(CliError::Other(format!(
                "{file} has no trial of the chosen benchmarks in the profile {}: nothing was \
                 checked; choose another --profile",
                profile.as_str()
            )));
        }
        let empty = Baseline { profile, blessed: Vec::new(), cells: Vec::new() };
        let program = Program::this().to_string();
        let blessing =
            Blessing { program, reason: format!("the pack {file}"), changed: String::new() };
        let blessed = self.scores(&plans, &pack)?;
        let run = self.scores(&plans, &self.store.open_existing()?)?;
        let others = run.not_in(&blessed);
        let ending = self.compare(empty.renewed(blessed, blessing), run)?;
        if others == 0 {
            return Ok(ending);
        }
        say(format!(
            "{others} scores of the store are of trials that {file} does not have: their method, \
             its version or its parameters are others there, or it has fewer splits; they were not \
             checked"
        ));
        Ok(if ending == Ending::Done { Ending::Incomplete } else { ending })
    }

    /// The scores of a store.
    fn scores(&self, plans: &[Plan], store: &Store) -> Result<Run, CliError> {
        let pool = Running::default().pool()?;
        let chosen = self.metrics.as_ref().map(|chosen| &chosen.0[..]);
        let collect = |plan| Results::collect(plan, &Baseline::metrics(plan, chosen), store, &pool);
        let results = plans.iter().map(collect).collect::<Result<Vec<_>, _>>()?;
        Ok(Run::of(&results, self.extent(), chosen))
    }

    /// Compares the store's scores with a blessed run.
    fn compare(&self, before: Baseline, run: Run) -> Result<Ending, CliError> {
        let (store, profile) = (self.store.open_existing()?, before.profile);
        let verdicts = before.against(&run);
        if !self.bless && verdicts.nothing_in_common() {
            return Err(CliError::Other(format!(
                "{} and the chosen benchmarks have no column in common: nothing was checked",
                self.against.display()
            )));
        }
        for table in gate::sections(&verdicts) {
            print_markdown(&format!("{}\n", section(&table)))?;
        }
        let (file, counts) = (self.against.display(), verdicts.counts());
        print(&format!("{file}: {counts}\n"))?;
        if verdicts.missing > 0 {
            say(format!(
                "{} repetitions of the baseline are not in the store: `uqbench reproduce --profile \
                 {}` runs them",
                verdicts.missing,
                profile.as_str()
            ));
        }
        if let Some(reason) = self.reason.clone() {
            if !run.is_whole() {
                return Err(CliError::Other(
                    "an incomplete run cannot be blessed; run its missing trials".into(),
                ));
            }
            let (columns, empty) = (run.columns(), run.without_scores());
            let program = Program::this().to_string();
            before
                .renewed(run, Blessing { program, reason, changed: counts })
                .write(&self.against)?;
            let none = if empty > 0 {
                format!(", {empty} of them without any score")
            } else {
                String::new()
            };
            print(&format!("blessed {columns} columns{none}: {file}\n"))?;
            return Ok(with_damage(Ending::Done, &[&store]));
        }
        let ending = match verdicts.is_worse() {
            true => Ending::Worse,
            false if verdicts.missing > 0 => Ending::Incomplete,
            false => Ending::Done,
        };
        Ok(with_damage(ending, &[&store]))
    }
}
