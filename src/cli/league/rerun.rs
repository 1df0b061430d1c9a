//! `uqbench league rerun`: run code of somebody else on splits whose seed is drawn after the code
//! was frozen, and keep what it predicts.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use clap::Args;

use super::reruns::{Chosen, gather, plan_rerun};
use super::{find_board, is_called};
use crate::cli::describe::{Ask, Describe, Described};
use crate::cli::options::{MOST_SPLITS, Running, StorePlace, with_damage};
use crate::cli::parts::{Workplace, parts, run_parts};
use crate::cli::reread::reread;
use crate::cli::rerun::today;
use crate::cli::room::prepare_folder;
use crate::cli::sources::SourceArgs;
use crate::cli::wording::Worded;
use crate::cli::{CliError, Ending, print, print_markdown};
use uq_core::metrics::{Crps, MetricId};
use uq_core::printable::printable;
use uqbench_data::number_file::shown;
use uqbench_judge::evidence::field::Field;
use uqbench_judge::evidence::machines::machines;
use uqbench_judge::judgement::league::judge_rerun;
use uqbench_report::league::{result, scores};
use uqbench_report::run_line::machine_line;
use uqbench_run::benchmark::Benchmark;
use uqbench_run::league::rerun::{NewRerun, Record, TRIALS, write_rerun};
use uqbench_run::league::{Board, Code, Frozen, LARGEST_CODE, blank_code, hash_code};
use uqbench_run::runner::key::TrialKey;
use uqbench_run::runner::plan::{Plan, trials};
use uqbench_run::runner::store::Store;
use uqbench_system::disk::Durability;
use uqbench_system::files::random_bits;
use uqbench_system::named_file::read_named_text;
use uqbench_system::notice::say;
use uqbench_system::program::Program;
use uqbench_system::{Disk, Patient};

/// What stands for no method beside the code.
const NONE: &str = "none";

/// Longest name of who runs the code, in characters.
const LONGEST_BY: usize = 100;

/// Run code of somebody else on splits whose seed is drawn after the code was frozen, and keep what
/// it predicts as an entry.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  uqbench league rerun --example code.toml\n  \
    uqbench league rerun code.toml --allow-external --by \"A. Runner\"\n  \
    uqbench league rerun code.toml --allow-external --seed 1729 --datasets yacht,boston\n\n\
    docs/do/league.md goes through it.")]
pub struct Rerun {
    /// File that states the code: who made it, its command, and all of its files.
    #[arg(value_name = "CODE.toml")]
    code: PathBuf,
    /// Write such a file to fill in; nothing runs.
    #[arg(long)]
    example: bool,
    /// The board, where it is that of a benchmark file [default: the board that the file names].
    #[arg(long, value_name = "BOARD")]
    board: Option<String>,
    /// Only these datasets of the board.
    #[arg(long, value_name = "KEY,…", value_delimiter = ',')]
    datasets: Vec<String>,
    /// Splits of each dataset [default: all folds of the board, or 5 where its splits are random].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MOST_SPLITS))]
    splits: Option<u64>,
    /// Methods of the board that run on the same splits, or `none` [default: ridge,
    /// quantile-forest and ngboost, as far as the board has them].
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    beside: Vec<String>,
    /// Repeat an earlier run by its seed. The entry says that its seed was not drawn [default: a
    /// seed that the operating system draws after the code was frozen].
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Who runs the code, as the board is to show it.
    #[arg(long, value_name = "NAME")]
    by: Option<String>,
    /// Folder of entries: each gets a folder of its own in that of its board, and none is ever
    /// changed.
    #[arg(long, value_name = "DIR", default_value = "uqbench-league")]
    into: PathBuf,
    #[command(flatten)]
    store: StorePlace,
    #[command(flatten)]
    running: Running,
    #[command(flatten)]
    sources: SourceArgs,
}

impl Rerun {
    /// Freezes the code, draws a seed, runs the trials, and writes the entry.
    pub fn run(&self) -> Result<Ending, CliError> {
        if self.example {
            return self.write_example();
        }
        let (text, code) = self.read_code()?;
        let board = find_board(self.board.as_ref().unwrap_or(&code.board))?;
        if !is_called(&board, &code.board) {
            let (found, id) = (&code.board, &board.id);
            return Err(self.wrong(format!("`board`: found `{found}`, expected `{id}`")));
        }
        let folder = std::path::absolute(&self.code).map_err(|error| self.wrong(error))?;
        let folder = folder.parent().unwrap_or(Path::new("/"));
        if !self.running.allow_external {
            return Err(self.wrong(format!(
                "it runs the command `{}` with your rights: read its files ({}), and allow it by \
                 --allow-external",
                code.command.join(" "),
                code.files.join(", ")
            )));
        }
        self.check_data(&board)?;
        let into = self.into.join(&board.id);
        prepare_folder(&into)?;

        let frozen = Frozen::copy(&code, folder).map_err(|why| self.wrong(why))?;
        let mut ask = Ask::new(true, self.running.timeout);
        let place = frozen.place(&code);
        let mut planned = |seed: u64| {
            let chosen = self.chosen(&board, seed);
            plan_rerun(&board, (&code, &place), &chosen, |stated| {
                match (&mut ask).describe(stated)? {
                    Described::Known(parameters) => Ok(parameters),
                    Described::Unknown(why) => Err(why),
                }
            })
        };
        // What is wrong with the code or with the choice is told before a seed is drawn.
        planned(0)?;
        let hash = hash_code(&code.command, &frozen.files);
        let seed = self.seed.unwrap_or_else(random_bits);
        let plan = planned(seed)?;
        let drawn = if self.seed.is_some() { "given" } else { "drawn after that" };
        say(format!("the code is frozen (SHA-256 {hash}); the seed {seed} was {drawn}"));

        let Some((store, ended)) = self.run_trials(&plan, &ask)? else {
            say(format!(
                "with --seed {seed} the trials that finished are taken from the store; such an \
                 entry counts as repeated"
            ));
            return Ok(Ending::Interrupted);
        };
        frozen.check_unchanged(&code).map_err(|why| self.wrong(why))?;
        let packed = Packed::of(&plan, &store, &self.running)?;
        let record = Record {
            format: 0,
            board: board.id.clone(),
            code: hash,
            seed,
            repeated: self.seed.is_some(),
            date: today(),
            by: self.by.as_ref().map(|by| printable(by, LONGEST_BY)),
            program: Program::this().to_string(),
            machine: packed.machine.clone(),
            protocol: serde_json::to_string(&plan.benchmark.protocol).unwrap_or_default(),
            datasets: planned_datasets(&plan),
            splits: self.splits(&board),
            yardsticks: self.yardsticks(&board),
            files_of_code: frozen.files.clone(),
            files: Default::default(),
        };
        self.finish(&plan, (&code, text), packed, record, &into)?;
        Ok(with_damage(ended, &[&store]))
    }

    fn write_example(&self) -> Result<Ending, CliError> {
        let board = find_board(self.board.as_deref().unwrap_or("standard"))?;
        let text = blank_code(&board.id);
        let written = Patient::machine().write_new(&self.code, text.as_bytes(), Durability::Cached);
        written.map_err(|error| {
            CliError::Other(format!("{} cannot be written: {error}", self.code.display()))
        })?;
        print(&format!("wrote {}: fill it in\n", self.code.display()))?;
        Ok(Ending::Done)
    }

    /// The file that states the code, with its text.
    fn read_code(&self) -> Result<(String, Code), CliError> {
        let text = read_named_text(&self.code, LARGEST_CODE)
            .map_err(|error| self.wrong(format!("it cannot be read: {error}")))?;
        let code = Code::parse(&text).map_err(|error| self.wrong(error))?;
        Ok((text, code))
    }

    fn wrong(&self, why: impl Display) -> CliError {
        CliError::Other(format!("{}: {why}", shown(&self.code)))
    }

    /// Refuses a board whose chosen datasets are not at hand, before anything runs.
    fn check_data(&self, board: &Benchmark) -> Result<(), CliError> {
        let chosen = Board::new(&board.redivided(0)?)?.only(&self.datasets, self.splits)?;
        chosen.load(&self.sources.open_library())?;
        Ok(())
    }

    fn splits(&self, board: &Benchmark) -> u64 {
        self.splits.unwrap_or_else(|| board.splits_of_rerun())
    }

    fn yardsticks(&self, board: &Benchmark) -> Vec<String> {
        match &self.beside[..] {
            [] => board.usual_yardsticks(),
            [none] if none == NONE => Vec::new(),
            beside => beside.to_vec(),
        }
    }

    fn chosen(&self, board: &Benchmark, seed: u64) -> Chosen {
        let (splits, yardsticks) = (self.splits(board), self.yardsticks(board));
        Chosen { seed, datasets: self.datasets.clone(), splits, yardsticks }
    }

    /// Runs what the store lacks. `None` where the user stopped it.
    fn run_trials(&self, plan: &Plan, ask: &Ask) -> Result<Option<(Store, Ending)>, CliError> {
        let plans = std::slice::from_ref(plan);
        let workplace = Workplace::open(&self.store, &self.running, ask)?;
        let parts = parts(plans, &workplace)?;
        let total =
            run_parts(plans, &parts, (&self.running, &self.sources), &workplace, |_, _| Ok(()))?;
        let Some(total) = total else { return Ok(None) };
        reread(plans, &total, &workplace.store);
        Ok(Some((workplace.store, self.running.ending(&total))))
    }

    /// Judges the trials, writes the entry, and prints what it has shown.
    fn finish(
        &self,
        plan: &Plan,
        (code, text): (&Code, String),
        packed: Packed,
        record: Record,
        into: &Path,
    ) -> Result<(), CliError> {
        let Packed { bytes, field, .. } = packed;
        let shown = judge_rerun(&field, &plan.benchmark, &code.heading());
        let shown = shown.map_err(|why| CliError::Usage(why.worded()))?;
        if shown.failed.0 == shown.failed.1 {
            return Err(self.wrong(format!(
                "it failed on all {} splits, so that no entry is written; `uqbench method check` \
                 says what is wrong with a method",
                shown.failed.1
            )));
        }
        let failed = |why: String| {
            CliError::Other(format!("no entry can be written into {}: {why}", into.display()))
        };
        let scores = scores(&field).csv().map_err(failed)?;
        let scores = String::from_utf8(scores).map_err(|error| failed(error.to_string()))?;
        let new = NewRerun { code, text, trials: bytes, scores, record };
        let folder = write_rerun(&Patient::machine(), into, new)
            .map_err(|error| failed(error.to_string()))?;
        let loss = plan.benchmark.league.as_ref().map_or(MetricId::Crps(Crps), |one| one.loss);
        print_markdown(&result(&shown, &loss.label()))?;
        let board = self.board.as_ref().unwrap_or(&code.board);
        print(&format!(
            "\nwrote {}; `uqbench league {board} --entries {}` shows it beside the board\n",
            folder.display(),
            self.into.display()
        ))
    }
}

/// All trials of a plan in a pack, as a reader of the entry will find them.
struct Packed {
    bytes: Vec<u8>,
    field: Field,
    /// Where they ran.
    machine: String,
}

impl Packed {
    /// Packs the trials, and reads their scores from the pack.
    ///
    /// # Errors
    /// [`CliError`] for a trial that has not run to an end, so that the entry would not be whole.
    fn of(plan: &Plan, store: &Store, running: &Running) -> Result<Self, CliError> {
        let keys: Vec<TrialKey> = trials([plan]).into_iter().map(|trial| trial.key).collect();
        store.freeze(&keys)?;
        let bytes = store.pack_whole(&keys)?;
        let pack = Store::from_pack(&bytes, Path::new(TRIALS))?;
        let unfit = |why| CliError::Other(format!("no entry is written: {why}"));
        let field = gather(plan, &pack, &running.pool()?).map_err(unfit)?;
        let machine = machine_line(&machines(std::slice::from_ref(plan), &pack)?);
        Ok(Self { bytes, field, machine })
    }
}

/// Keys of the datasets of a plan, in the order of the board.
fn planned_datasets(plan: &Plan) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for experiment in &plan.experiments {
        if !all.contains(&experiment.template.dataset) {
            all.push(experiment.template.dataset.clone());
        }
    }
    all
}
