//! `uqbench baselines`: what there is to compare a method of one's own with: finished trials that
//! the program carries or that lie in a checkout, and the boards of the league.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::path::PathBuf;

use clap::Args;

use super::options::{Selection, StorePlace};
use super::{CliError, Ending, print_markdown};
use uqbench_report::grid::Grid;
use uqbench_run::benchmark::{Benchmark, Profile, boards, shipped};
use uqbench_run::runner::key::TrialKey;
use uqbench_run::runner::plan::{Filter, Plan, plan, trials};
use uqbench_system::carried;

/// Where packs are: in what the program carries, and in a checkout that it runs in.
const PACKS: &str = "reports/packs";

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
    let name = format!("{PACKS}/{}.pack", benchmark.id);
    let in_program = || {
        let bytes = carried::bytes(&name)?.len() as u64;
        Some((Place::Program, bytes, PathBuf::from(&benchmark.id)))
    };
    let in_checkout = || {
        let file = fs::metadata(&name).ok().filter(fs::Metadata::is_file)?;
        Some((Place::Checkout, file.len(), PathBuf::from(&name)))
    };
    let board = benchmark.league.as_ref().map(|league| league.board.as_str());
    let (place, bytes, contents) = match in_program().or_else(in_checkout) {
        Some((place, bytes, store)) => (place, bytes, read_pack(benchmark, store)?),
        None if board.is_some() => (Place::Nowhere, 0, plan_board(benchmark)?),
        None => return Ok(None),
    };
    Ok(Some(Baseline { id: &benchmark.id, board, place, bytes, contents }))
}

/// What a pack has of a benchmark: of the largest profile of which it has all trials, else of the
/// full one.
fn read_pack(benchmark: &Benchmark, store: PathBuf) -> Result<Contents, CliError> {
    let place = StorePlace { store };
    let stored: HashSet<TrialKey> = place.stored()?;
    let mut largest = None;
    for profile in [Profile::Full, Profile::Quick, Profile::Smoke] {
        // Of a search nothing is said on standard error.
        let all = Selection { profile, is_search: true, ..Selection::default() };
        let plans = all.plans(std::slice::from_ref(&benchmark.id), &place)?;
        let Some(plan) = plans.first() else { continue };
        let found = count(plan, |key| stored.contains(key));
        if found.profile.is_some() {
            return Ok(found);
        }
        largest.get_or_insert(found);
    }
    Ok(largest.unwrap_or_default())
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

/// The commands that put a method of one's own beside each. Packs of a checkout have a line
/// together, and so have boards that were not run: they differ in the name alone.
fn advice(all: &[Baseline]) -> String {
    let mut text = String::new();
    for Baseline { id, board, place, .. } in all {
        if *place == Place::Program || (*place == Place::Checkout && board.is_some()) {
            text += &format!("- {id}: {}\n", beside(id, *place));
            text += &board.map_or_else(String::new, of_board);
        }
    }
    let has = |place: Place, is_board: bool| {
        all.iter().any(|one| one.place == place && one.board.is_some() == is_board)
    };
    if has(Place::Checkout, false) {
        text += &format!("- NAME in this checkout: {}\n", beside("NAME", Place::Checkout));
    }
    if has(Place::Nowhere, true) {
        let run = beside("league-BOARD", Place::Nowhere);
        text += &format!("- league-BOARD that is to be run: {run}\n{}", of_board("BOARD"));
    }
    text
}

fn of_board(board: &str) -> String {
    format!(
        "  `uqbench league {board}` ranks its methods, and `uqbench league init {board} tasks` \
         begins an entry of predictions that were made elsewhere.\n"
    )
}

/// The commands for one of them: a run of the own method alone, where the trials of the others are
/// there.
fn beside(id: &str, place: Place) -> String {
    let run = format!("uqbench run {id} --profile full {MINE}");
    let compare = format!("uqbench compare mine --benchmarks {id} --profile full {MINE}");
    let pack = match place {
        Place::Program => id.to_owned(),
        Place::Checkout => format!("{PACKS}/{id}.pack"),
        Place::Nowhere => return format!("`{run}` runs all methods; then `{compare}`."),
    };
    format!(
        "`{run} --methods external`, then `uqbench store merge uqbench-store {pack} --into all`, \
         then `{compare} --store all`."
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
            let line = advice(&[found]);
            assert!(line.contains("uqbench run ") && line.contains("uqbench league "), "{line}");
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
