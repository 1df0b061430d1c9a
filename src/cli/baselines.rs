//! `uqbench baselines`: what there is to compare a method of one's own with: finished trials that
//! the program carries or that lie in a checkout, and the boards of the league.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;

use super::options::{Selection, StorePlace};
use super::{CliError, Ending, print_markdown};
use uqbench_report::grid::Grid;
use uqbench_run::benchmark::{Benchmark, Profile, boards, shipped};
use uqbench_run::runner::key::TrialKey;
use uqbench_run::runner::plan::{Filter, Plan, plan, trials};
use uqbench_system::carried;

/// Where packs are: in what the program carries, and in a checkout that it runs in. Those of boards
/// that have not run whole are in the second folder of a checkout.
const PACKS: [&str; 2] = ["reports/packs", "reports/boards"];

/// A method of a user's own, in examples.
const MINE: &str = "--with \"python3 mine.py\"";

/// List what there is to compare a method of your own with: the finished trials that the program
/// carries, those of packs of a checkout in which it runs, and the boards of the league.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  uqbench baselines\n  uqbench baselines --methods\n\n\
    docs/do/league.md#baselines goes through the commands that it names.")]
pub struct Baselines {
    /// Name the methods of each, too.
    #[arg(long)]
    methods: bool,
}

/// Where finished trials of a benchmark are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    /// In the program.
    Program,
    /// In a pack of the checkout that the program runs in.
    Checkout,
    /// Nowhere: nobody has run the board for this program yet.
    Nowhere,
}

/// A benchmark with which a method can be compared.
struct Baseline {
    id: &'static str,
    /// The board's name, if it is one.
    board: Option<&'static str>,
    place: Place,
    /// Its pack, as an option names it; empty where there is none.
    pack: PathBuf,
    /// Size of its pack in bytes.
    bytes: u64,
    contents: Contents,
}

/// What a pack has of a benchmark; what a board has in its full profile, where there is no pack.
#[derive(Debug, Default, PartialEq)]
struct Contents {
    /// Its methods, in the order of the table, as `--methods` takes them.
    methods: Vec<String>,
    /// Number of datasets.
    datasets: usize,
    /// Number of splits of all datasets.
    splits: u64,
    /// Number of trials: those that are there, and those of the profile.
    trials: [usize; 2],
    /// The profile, where all its trials are there.
    profile: Option<Profile>,
}

impl Baselines {
    /// Prints a table of all baselines, and the commands that put a method beside them.
    pub fn run(&self) -> Result<Ending, CliError> {
        let mut all = Vec::new();
        for benchmark in boards()?.iter().chain(shipped()?) {
            all.extend(find_baseline(benchmark)?);
        }
        all.sort_by_key(|one| one.place);
        let mut text = table(&all).markdown();
        if self.methods {
            let mut grid = Grid::new(&["Name", "Methods"]);
            grid.extend(all.iter().map(|one| [one.id.to_owned(), one.contents.methods.join(", ")]));
            text += &format!("\n## Methods\n\n{}", grid.markdown());
        }
        text += &format!("\n## A method of your own beside them\n\n{}", advice(&all));
        print_markdown(&text)?;
        Ok(Ending::Done)
    }
}

/// The pack of a benchmark, or the benchmark without one if it is a board; `None` otherwise.
fn find_baseline(benchmark: &'static Benchmark) -> Result<Option<Baseline>, CliError> {
    let names = PACKS.map(|folder| format!("{folder}/{}.pack", benchmark.id));
    let in_program = || {
        let bytes = names.iter().find_map(|name| carried::bytes(name))?.len() as u64;
        Some((Place::Program, bytes, PathBuf::from(&benchmark.id)))
    };
    let in_checkout = || {
        names.iter().find_map(|name| {
            let file = fs::metadata(name).ok().filter(fs::Metadata::is_file)?;
            Some((Place::Checkout, file.len(), PathBuf::from(name)))
        })
    };
    let board = benchmark.league.as_ref().map(|league| league.board.as_str());
    let (place, bytes, pack, contents) = match in_program().or_else(in_checkout) {
        Some((place, bytes, pack)) => (place, bytes, pack.clone(), read_pack(benchmark, pack)?),
        None if board.is_some() => (Place::Nowhere, 0, PathBuf::new(), plan_board(benchmark)?),
        None => return Ok(None),
    };
    Ok(Some(Baseline { id: &benchmark.id, board, place, pack, bytes, contents }))
}

/// What a pack has of a benchmark: of the profile of which it has the most trials; of equally many,
/// of one that is there whole, and of the largest.
fn read_pack(benchmark: &Benchmark, store: PathBuf) -> Result<Contents, CliError> {
    let place = StorePlace { store };
    let stored: HashSet<TrialKey> = place.stored()?;
    let mut all = Vec::new();
    for profile in [Profile::Smoke, Profile::Quick, Profile::Full] {
        // Of a search nothing is said on standard error.
        let choice = Selection { profile, is_search: true, ..Selection::default() };
        let plans = choice.plans(std::slice::from_ref(&benchmark.id), &place)?;
        all.extend(plans.first().map(|plan| count(plan, |key| stored.contains(key))));
    }
    let most = all.into_iter().max_by_key(|one| (one.trials[0], one.profile.is_some()));
    Ok(most.unwrap_or_default())
}

/// What the full profile of a board has.
fn plan_board(benchmark: &Benchmark) -> Result<Contents, CliError> {
    let plans = plan(std::slice::from_ref(benchmark), Profile::Full, &Filter::default())?;
    let planned = plans.first().map(|plan| count(plan, |_| true)).unwrap_or_default();
    let [_, expected] = planned.trials;
    Ok(Contents { trials: [0, expected], profile: None, ..planned })
}

/// What those trials of a plan have that are there.
fn count(plan: &Plan, is_there: impl Fn(&TrialKey) -> bool) -> Contents {
    let all = trials([plan]);
    let (mut methods, mut splits, mut found) = (Vec::new(), BTreeMap::new(), 0);
    let mut known = BTreeSet::new();
    for trial in all.iter().filter(|trial| is_there(&trial.key)) {
        found += 1;
        let method = trial.experiment.template.method_name();
        if known.insert(method) {
            methods.push(method.to_owned());
        }
        splits.entry(trial.experiment.dataset).or_insert_with(BTreeSet::new).insert(trial.split);
    }
    Contents {
        methods,
        datasets: splits.len(),
        splits: splits.values().map(|of| of.len() as u64).sum(),
        trials: [found, all.len()],
        profile: (found == all.len()).then_some(plan.profile),
    }
}

fn table(all: &[Baseline]) -> Grid {
    let mut grid = Grid::new(&[
        "Name",
        "Trials are",
        "#Methods",
        "#Datasets",
        "#Splits",
        "#Trials",
        "#Size in bytes",
        "Profile",
    ]);
    grid.extend(all.iter().map(|Baseline { id, place, bytes, contents, .. }| {
        let [found, expected] = contents.trials;
        let is_whole = contents.profile.is_some();
        [
            (*id).to_owned(),
            match place {
                Place::Program => "in this program",
                Place::Checkout => "in this checkout",
                Place::Nowhere => "to be run",
            }
            .into(),
            contents.methods.len().to_string(),
            contents.datasets.to_string(),
            contents.splits.to_string(),
            if is_whole { found.to_string() } else { format!("{found} of {expected}") },
            if *place == Place::Nowhere { "–".into() } else { bytes.to_string() },
            contents.profile.map_or("full", Profile::as_str).into(),
        ]
    }));
    grid
}

/// The commands that put a method of one's own beside each. Packs of a checkout that are no board's
/// have a line together, and so have boards that were not run: they differ in the name alone.
fn advice(all: &[Baseline]) -> String {
    let mut text = String::new();
    for Baseline { id, board, place, pack, .. } in all {
        text += &match (place, board) {
            (Place::Nowhere, _) | (Place::Checkout, None) => continue,
            (Place::Program, None) => format!("- {id}: {}\n", compare(id, pack)),
            (Place::Program, Some(board)) => format!("- {id}: {}{}", rank(board, ""), bring(board)),
            (Place::Checkout, Some(board)) => {
                let from = format!(" --from {}", pack.display());
                format!("- {id}: {}{}", rank(board, &from), bring(board))
            }
        };
    }
    let has = |place: Place, is_board: bool| {
        all.iter().any(|one| one.place == place && one.board.is_some() == is_board)
    };
    if has(Place::Checkout, false) {
        let pack = Path::new(PACKS[0]).join("NAME.pack");
        text += &format!("- NAME in this checkout: {}\n", compare("NAME", &pack));
    }
    if has(Place::Nowhere, true) {
        text += &format!(
            "- league-BOARD that is to be run: `uqbench run league-BOARD --profile full` runs all \
             methods; then {}{}",
            rank("BOARD", ""),
            bring("BOARD")
        );
    }
    text
}

/// The command that runs a method of one's own on the splits of a board, and ranks it.
fn rank(board: &str, from: &str) -> String {
    format!("`uqbench league {board}{from} {MINE}` runs it alone, and ranks it among the others.\n")
}

/// The command for predictions that were made elsewhere.
fn bring(board: &str) -> String {
    format!(
        "  `uqbench league init {board} tasks` begins an entry of predictions made elsewhere.\n"
    )
}

/// The commands that run a method of one's own on the splits of a benchmark, and compare it with
/// the trials of a pack.
fn compare(id: &str, pack: &Path) -> String {
    format!(
        "`uqbench run {id} --profile full {MINE} --methods external`, then `uqbench store merge \
         uqbench-store {} --into all`, then `uqbench compare mine --benchmarks {id} --profile full \
         {MINE} --store all`.",
        pack.display()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use uqbench_run::benchmark::find;

    #[test]
    fn trials_that_are_there_count_once() {
        let board = find("league-standard").unwrap();
        let filter = Filter { methods: vec!["ridge".into()], ..Filter::default() };
        let plans = plan(&[board], Profile::Full, &filter).unwrap();
        let all = count(&plans[0], |_| true);
        assert_eq!((all.methods.as_slice(), all.datasets), (&["ridge".to_owned()][..], 9));
        assert_eq!((all.splits, all.trials), (165, [165, 165]));
        assert_eq!(all.profile, Some(Profile::Full));
        let first = trials([&plans[0]])[0].key.clone();
        let one = count(&plans[0], |key| *key == first);
        assert_eq!((one.datasets, one.splits, one.trials, one.profile), (1, 1, [1, 165], None));
        assert_eq!(count(&plans[0], |_| false).methods.len(), 0);
    }

    #[test]
    fn every_board_and_every_pack_is_a_baseline() {
        for benchmark in boards().unwrap() {
            let found = find_baseline(benchmark).unwrap().unwrap();
            assert!(found.board.is_some() && found.contents.methods.len() >= 10, "{}", found.id);
            let is_run = found.place != Place::Nowhere;
            let line = advice(&[found]);
            assert!(line.contains("uqbench league ") && line.contains("--with"), "{line}");
            // Of a board with a pack no other method is run.
            assert_eq!(line.contains("uqbench run "), !is_run, "{line}");
        }
        let found = |id: &str| {
            let all = shipped().unwrap();
            find_baseline(all.iter().find(|benchmark| benchmark.id == id).unwrap()).unwrap()
        };
        let standard = found("baselines-standard").unwrap();
        assert_eq!((standard.place, standard.board), (Place::Program, None));
        assert!(standard.bytes > 100_000 && standard.contents.profile == Some(Profile::Full));
        assert!(found("jcm-figure-7").is_none_or(|one| one.place == Place::Checkout));
    }
}
