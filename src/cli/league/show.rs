//! `uqbench league [BOARD]`: the page of a board, from stored trials and from entries that somebody
//! brought.

use std::path::PathBuf;

use clap::Args;

use super::division::OtherBoards;
use super::entries::{Entries, read_entries};
use super::find_board;
use super::reruns::{Reruns, read_reruns};
use super::stored::Stored;
use crate::cli::choices::{format, profile};
use crate::cli::describe::Ask;
use crate::cli::lacks::with_lacks;
use crate::cli::link::close;
use crate::cli::options::{FigureForms, MOST_SPLITS, Running, Selection, StorePlace, with_damage};
use crate::cli::parts::{Workplace, parts, run_parts};
use crate::cli::room::prepare_folder;
use crate::cli::sources::SourceArgs;
use crate::cli::wording::{Worded, trials_of_board};
use crate::cli::{CliError, Ending, print_markdown};
use crate::pages::damage_line;
use uqbench_judge::evidence::field::FieldNote;
use uqbench_judge::evidence::machines::machines;
use uqbench_judge::evidence::versions::several_versions;
use uqbench_judge::judgement::league::judge;
use uqbench_report::document::Document;
use uqbench_report::export::Format;
use uqbench_report::league::{Subject, render};
use uqbench_report::run_line::machine_line;
use uqbench_report::site::first_page;
use uqbench_report::words::league as words;
use uqbench_report::write::Output;
use uqbench_run::benchmark::{Benchmark, Profile};
use uqbench_run::external;
use uqbench_run::runner::plan::Plan;
use uqbench_run::runner::store::Store;
use uqbench_run::runner::tally::Tally;
use uqbench_system::carried;

/// The folder of trials where no other is named, and the program carries no pack of the board.
const STORE: &str = "uqbench-store";

/// The folder of entries where no other is named.
const ENTRIES: &str = "uqbench-league";

/// The page of a board.
#[derive(Debug, Args)]
pub struct Show {
    /// The board, with or without `league-`; or a benchmark file with a key `league`.
    #[arg(value_name = "BOARD", default_value = "standard")]
    board: String,
    /// Folder of finished trials, or a pack [default: the pack of the board that the program
    /// carries, if it does, else uqbench-store].
    #[arg(long, visible_alias = "from", value_name = "DIR")]
    store: Option<PathBuf>,
    /// Folder of entries, which `league add` and `league rerun` make [default: uqbench-league, where
    /// it is].
    #[arg(long, value_name = "DIR")]
    entries: Option<PathBuf>,
    /// Profile of the trials.
    #[arg(long, value_parser = profile(), default_value = "full")]
    profile: Profile,
    /// Only these datasets.
    #[arg(long, value_name = "KEY,…", value_delimiter = ',')]
    datasets: Vec<String>,
    /// Only the first splits of each dataset, this many: a first look with --with.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MOST_SPLITS))]
    splits: Option<u64>,
    /// Folder for the page, its numbers and its figure.
    #[arg(long, value_name = "DIR", default_value = "uqbench-report/league")]
    out: PathBuf,
    #[command(flatten)]
    forms: FigureForms,
    /// Write files of these formats alone.
    #[arg(long, value_name = "FORMAT,…", value_parser = format(), value_delimiter = ',')]
    formats: Vec<&'static Format>,
    /// Open the page in the browser at the end.
    #[arg(long)]
    open: bool,
    /// A method of your own beside those of the board, by its command: --with "python3 mine.py". Its
    /// missing trials run first. It may be repeated.
    #[arg(long, value_name = "COMMAND")]
    with: Vec<String>,
    /// Folder that keeps the trials of --with.
    #[arg(long, value_name = "DIR", default_value = STORE, requires = "with")]
    trials: PathBuf,
    #[command(flatten)]
    running: Running,
    #[command(flatten)]
    sources: SourceArgs,
}

impl Show {
    /// Reads trials and entries, writes the page in every format, and prints it.
    pub fn run(&self) -> Result<Ending, CliError> {
        let board = find_board(&self.board)?;
        if let Some(missing) = self.entries.as_ref().filter(|folder| !folder.is_dir()) {
            let folder = missing.display();
            return Err(CliError::Usage(format!("--entries: there is no folder {folder}")));
        }
        let place = self.place(&board)?;
        let selection = Selection { with: self.with.clone(), ..self.selection() };
        let names = [self.name(&board)];
        let mut ask = Ask::new(self.running.allow_external, self.running.timeout);
        let plans = match self.with.is_empty() {
            true => selection.plans(&names, &place)?,
            false => selection.plans(&names, &mut ask)?,
        };
        let Some(plan) = plans.first() else {
            let (id, profile) = (&board.id, self.profile.as_str());
            return Err(CliError::Usage(format!("{id} has no trial in the profile {profile}")));
        };
        prepare_folder(&self.out)?;
        if !self.with.is_empty() && self.run_methods(&names, &mut ask)?.is_none() {
            return Ok(Ending::Interrupted);
        }
        let mut stores = vec![place.open_existing()?];
        if !self.with.is_empty() && self.trials != place.store {
            stores.push(Store::open_existing(&self.trials)?);
        }
        let entries = self.entries(plan)?;
        let reruns = read_reruns(&self.folder(), &plan.benchmark, &self.running.pool()?)?;
        // Of a choice alone, no more is compared.
        let others = match selection.is_whole() {
            true => OtherBoards::find(&board, &self.selection(), &place)?,
            false => OtherBoards::default(),
        };
        let mut written = self.written(plan, &others, &stores, &entries, reruns)?;
        written.extend(first_page(&written, &self.out));
        let output = Output {
            folder: self.out.clone(),
            beside: self.forms.beside(),
            formats: self.formats.clone(),
        };
        output.write(&written)?;
        for page in written.iter().filter(|document| is_page(document)) {
            output.clear_tables(page.name.trim_end_matches(".md"), &written)?;
            print_markdown(&String::from_utf8_lossy(&page.bytes))?;
        }
        close(&output, &written, self.open)?;
        Ok(with_lacks(with_damage(Ending::Done, &stores.iter().collect::<Vec<_>>()), &written))
    }

    /// Runs the missing trials of the methods of --with; `None` where the user stopped that.
    fn run_methods(&self, board: &[String], ask: &mut Ask) -> Result<Option<Tally>, CliError> {
        let methods = Selection {
            methods: vec![external::ID.into()],
            with: self.with.clone(),
            ..self.selection()
        };
        let plans = methods.plans(board, &mut *ask)?;
        let place = StorePlace { store: self.trials.clone() };
        let workplace = Workplace::open(&place, &self.running, ask)?;
        let parts = parts(&plans, &workplace)?;
        let options = (&self.running, &self.sources);
        run_parts(&plans, &parts, options, &workplace, |_, _| Ok(()))
    }

    /// The trials of the board that are asked for.
    fn selection(&self) -> Selection {
        Selection {
            profile: self.profile,
            datasets: self.datasets.clone(),
            splits: self.splits,
            ..Selection::default()
        }
    }

    /// The name by which the board is planned: a file is found by its path.
    fn name(&self, board: &Benchmark) -> String {
        if board.folder.is_some() { self.board.clone() } else { board.id.clone() }
    }

    /// Where the trials are.
    ///
    /// # Errors
    /// [`CliError::Usage`] where no place was named and none has any.
    fn place(&self, board: &Benchmark) -> Result<StorePlace, CliError> {
        let carried = || {
            let name = format!("reports/packs/{}.pack", board.id);
            carried::bytes(&name).map(|_| PathBuf::from(&board.id))
        };
        let usual = || Some(PathBuf::from(STORE)).filter(|store| Store::is_store(store));
        match self.store.clone().or_else(carried).or_else(usual) {
            Some(store) => Ok(StorePlace { store }),
            None => {
                let name = self.name(board);
                Err(CliError::Usage(format!(
                    "there are no trials of {name}: {STORE} is no store; {}",
                    trials_of_board(&name)
                )))
            }
        }
    }

    /// The folder of entries.
    fn folder(&self) -> PathBuf {
        self.entries.clone().unwrap_or_else(|| ENTRIES.into())
    }

    /// The entries of the board that the folder has.
    fn entries(&self, plan: &Plan) -> Result<Entries, CliError> {
        let metrics: Vec<_> = plan.benchmark.metrics.iter().map(|row| row.id).collect();
        read_entries(&self.folder(), &plan.benchmark, &metrics, &self.sources.open_library())
    }

    /// What part of the board the page is about, in words; `None` for all of it.
    fn choice(&self, board: &Benchmark) -> Option<String> {
        let headings = self.datasets.iter().map(|key| {
            let row = board.datasets.iter().find(|row| row.key == *key);
            row.map_or(key.as_str(), |row| &row.heading)
        });
        words::choice(&headings.collect::<Vec<_>>(), self.splits)
    }

    /// The page with its files. The first store has the trials of the board, the further ones those
    /// of further methods.
    fn written(
        &self,
        plan: &Plan,
        others: &OtherBoards,
        stores: &[Store],
        entries: &Entries,
        reruns: Reruns,
    ) -> Result<Vec<Document>, CliError> {
        let pool = self.running.pool()?;
        let Stored { mut field, efforts } = Stored::read(plan, stores, &pool)?;
        let store = &stores[0];
        let plans = std::slice::from_ref(plan);
        let several = several_versions(plans, store)?;
        field.notes.extend(several.into_iter().map(FieldNote::SeveralVersions));
        field.bring(&entries.brought);
        let board = judge(&field, &plan.benchmark, &entries.brought, &efforts);
        let board = board.map_err(|why| CliError::Usage(why.worded()))?;
        let subject = Subject {
            choice: self.choice(&plan.benchmark),
            origin: words::origin(
                self.profile.as_str(),
                &machine_line(&machines(plans, store)?),
                &damage_line(store),
            ),
            damaged: entries
                .left_out
                .iter()
                .chain(&reruns.left_out)
                .map(|one| format!("{}: {}", one.folder, one.why))
                .collect(),
            reruns: reruns.read,
            cards: entries.cards.clone(),
            twin: others.compare(&board, store, &pool)?,
            detrended: others.compare_detrended(store, &pool)?,
        };
        render(&board, plan, &subject).map_err(CliError::Other)
    }
}

/// Whether a document is the page in Markdown, and no note beside it.
fn is_page(document: &Document) -> bool {
    document.name.ends_with(".md") && !document.name.contains('/')
}
