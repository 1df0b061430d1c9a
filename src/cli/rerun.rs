//! `uqbench rerun`: run trials of packs again, and compare them.

mod changed;

use std::collections::{BTreeSet, HashSet};
use std::fs::create_dir_all;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clap::Args;

use super::choices::profile;
use super::describe::Ask;
use super::options::{Running, Selection, StorePlace, with_damage};
use super::parts::{Part, Workplace, run_parts};
use super::sources::SourceArgs;
use super::wording::Worded;
use super::{CliError, Ending, print_markdown};
use crate::pages::render_one;
use uqbench_report::rerun::{Fate, Rerun};
use uqbench_report::run_line::date;
use uqbench_run::benchmark::{Profile, Wall};
use uqbench_run::runner::costs::Costs;
use uqbench_run::runner::key::TrialKey;
use uqbench_run::runner::plan::{Plan, Planned, trials};
use uqbench_run::runner::record::TrialResult;
use uqbench_run::runner::rerun::compare::{Grade, Side, compare};
use uqbench_run::runner::rerun::draw::{Time, draw, seed, strata};
use uqbench_run::runner::store::{Found, Store};
use uqbench_run::runner::tally::Standing;
use uqbench_system::Scratch;
use uqbench_system::disk::{LARGEST, RealDisk, read_whole};
use uqbench_system::files::write_output;
use uqbench_system::hash::sha256;
use uqbench_system::machine::affordable;
use uqbench_system::notice::say;

/// The packs of a clone of this repository.
const PACKS: &str = "reports/packs";

/// Most packs whose hashes are printed.
const PACKS_SHOWN: usize = 3;

/// Run trials of a pack again, drawn at random, and say whether they give the same numbers.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  uqbench rerun --time 30min --word \"closing price of today\"\n  \
                  uqbench rerun dtb --all\n  \
                  uqbench rerun dtb-table-1 --pack dtb-table-1.pack\n  \
                  uqbench rerun 0f3a9c41\n\n\
                  Exit codes: 0 no trial differs, 1 error or nothing ran, 3 a trial differs."
)]
pub struct RerunTrials {
    /// Papers, benchmarks (by name or as a TOML file), or keys of trials or their first eight
    /// digits or more; all by default.
    #[arg(value_name = "PAPER|BENCHMARK|KEY")]
    names: Vec<String>,
    /// A pack, as a file or an https address, or an http address with --sha256; it may be repeated
    /// [default: the packs in reports/packs].
    #[arg(long, value_name = "FILE|URL")]
    pack: Vec<String>,
    /// SHA-256 that the only pack must have.
    #[arg(long, value_name = "HASH", requires = "pack", value_parser = hash)]
    sha256: Option<String>,
    /// Draw as many trials as are expected to run in this time, and stop then.
    #[arg(long, value_name = "TIME", default_value = "30min", value_parser = wall)]
    time: Wall,
    /// Run every trial, however long it takes.
    #[arg(long, conflicts_with = "time")]
    all: bool,
    /// A word that decides with the packs' hashes which trials are drawn: best one that is
    /// published later than the pack [default: today's date].
    #[arg(long, value_name = "TEXT")]
    word: Option<String>,
    /// The profile that the packs were made for.
    #[arg(long, value_parser = profile(), default_value = "full")]
    profile: Profile,
    /// Keep the trials that run in this folder, and go on from those that it has [default: a folder
    /// that is removed at the end].
    #[arg(long, value_name = "DIR")]
    store: Option<PathBuf>,
    /// Folder of the results: rerun.md, and rerun.csv with a line for each trial.
    #[arg(long, value_name = "DIR", default_value = "uqbench-report/rerun")]
    out: PathBuf,
    #[command(flatten)]
    running: Running,
    #[command(flatten)]
    sources: SourceArgs,
}

fn wall(text: &str) -> Result<Wall, String> {
    Wall::try_from(text.to_owned())
}

fn hash(text: &str) -> Result<String, String> {
    let digits = text.to_ascii_lowercase();
    let is_hash = digits.len() == 64 && digits.bytes().all(|b| b.is_ascii_hexdigit());
    if is_hash { Ok(digits) } else { Err("expected 64 hexadecimal digits".into()) }
}

/// Packs.
struct Packs {
    /// Name and SHA-256 of each.
    names: Vec<(String, String)>,
    stores: Vec<Store>,
}

impl Packs {
    /// The finished trial of the first pack that has it.
    fn find(&self, key: &TrialKey) -> Result<Option<(&Store, Arc<TrialResult>)>, CliError> {
        for store in &self.stores {
            if let Found::Finished(result) = store.find(key)? {
                return Ok(Some((store, result)));
            }
        }
        Ok(None)
    }
}

/// The trials that may be drawn.
struct Candidates<'a> {
    trials: Vec<Planned<'a>>,
    /// Why others are none, with their number.
    excluded: Vec<(usize, String)>,
}

/// What the names on the command line stand for.
struct Wanted {
    /// Names of benchmarks, or their files; none stand for all.
    benchmarks: Vec<String>,
    /// First digits of the keys of trials; none stand for all trials.
    keys: Vec<String>,
}

impl Wanted {
    /// Tells keys of trials and benchmarks apart.
    fn new(names: &[String]) -> Self {
        let is_key =
            |name: &&String| name.len() >= 8 && name.bytes().all(|b| b.is_ascii_hexdigit());
        let (keys, benchmarks): (Vec<&String>, Vec<&String>) = names.iter().partition(is_key);
        Self {
            benchmarks: benchmarks.into_iter().cloned().collect(),
            keys: keys.into_iter().map(|key| key.to_ascii_lowercase()).collect(),
        }
    }

    fn has(&self, key: &TrialKey) -> bool {
        self.keys.is_empty() || self.keys.iter().any(|digits| key.as_str().starts_with(digits))
    }
}

impl RerunTrials {
    /// Draws, runs and compares trials; ends with code 3 where one differs.
    pub fn run(&self) -> Result<Ending, CliError> {
        let wanted = Wanted::new(&self.names);
        let mut external = Ask::new(self.running.allow_external, self.running.timeout);
        let plans = Selection { profile: self.profile, ..Selection::default() }
            .plans(&wanted.benchmarks, &mut external)?;
        let packs = self.packs(&plans, &wanted)?;
        let scratch = Scratch::new()
            .map_err(|error| CliError::Other(format!("no folder for the trials: {error}")))?;
        let place = StorePlace {
            store: self.store.clone().unwrap_or_else(|| scratch.path().join("store")),
        };
        let mut workplace = Workplace::open(&place, &self.running, &external)?;

        let Candidates { trials, excluded } = candidates(&plans, &packs, &wanted)?;
        let hashes: Vec<String> = packs.names.iter().map(|(_, sha256)| sha256.clone()).collect();
        let word = self.word.clone().unwrap_or_else(today);
        let seed = seed(&hashes, &word);
        let mut strata = strata(trials, Costs::shipped()?, &seed);
        let jobs = workplace.pool.current_num_threads();
        let is_limited = !self.all && wanted.keys.is_empty();
        draw(&mut strata, is_limited.then_some(Time { seconds: self.time.0 as f64, jobs }));
        let mut rerun =
            Rerun { packs: packs.names.clone(), word, seed, strata, excluded, ..Rerun::default() };
        let announcement = rerun.announcement();
        // All hashes are in the file.
        let shown =
            if packs.names.len() <= PACKS_SHOWN { announcement.clone() } else { rerun.draw() };
        print_markdown(&format!("{shown}\n"))?;
        self.write(&rerun, &announcement)?;

        // The cheapest first: where the time does not suffice, as many as possible are verified.
        let mut rounds: Vec<(f64, Planned)> = rerun
            .strata
            .iter()
            .flat_map(|one| one.drawn().iter().map(|trial| (one.seconds, trial.clone())))
            .collect();
        rounds.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        let drawn: Vec<Planned> = rounds.into_iter().map(|(_, trial)| trial).collect();
        if drawn.is_empty() {
            return Err(CliError::Other(
                "no trial was drawn: name others, or give more --time, or --all".into(),
            ));
        }
        refuse_foreign(&drawn, &workplace.store)?;
        if is_limited {
            workplace.stop_after(Duration::from_secs(self.time.0));
        }
        let parts = [Part::new("trials".into(), drawn.clone(), &workplace)?];
        let total =
            run_parts(&plans, &parts, (&self.running, &self.sources), &workplace, |_, _| Ok(()))?;
        if total.is_none() && !workplace.is_out_of_time() {
            return Ok(Ending::Interrupted);
        }
        derive(&plans, &drawn, &workplace);
        grade(&mut rerun, &plans, &packs, &workplace)?;
        let summary = rerun.summary();
        print_markdown(&summary)?;
        self.write(
            &rerun,
            &format!("{announcement}\n## Strata\n\n{}\n## Results\n\n{summary}", rerun.strata()),
        )?;
        say(format!(
            "wrote {}: what came out of each stratum",
            self.out.join("rerun.md").display()
        ));
        let stores: Vec<&Store> = packs.stores.iter().chain([&workplace.store]).collect();
        let counts = rerun.counts();
        match (counts.ran(), counts.different()) {
            (0, _) => Err(CliError::Other("no drawn trial finished: nothing is verified".into())),
            (_, 0) => Ok(with_damage(Ending::Done, &stores)),
            _ => Ok(with_damage(Ending::Incomplete, &stores)),
        }
    }

    /// The packs that are named, or those of the chosen benchmarks in a clone.
    fn packs(&self, plans: &[Plan], wanted: &Wanted) -> Result<Packs, CliError> {
        let named = match self.pack.is_empty() {
            true => packs_of_clone(plans, wanted)?,
            false => self.pack.clone(),
        };
        if self.sha256.is_some() && named.len() > 1 {
            return Err(CliError::Usage(
                "--sha256 is about one pack, and several are named".into(),
            ));
        }
        let mut packs = Packs { names: Vec::new(), stores: Vec::new() };
        for name in named {
            let bytes = self.bytes(&name)?;
            packs.stores.push(Store::from_pack(&bytes, Path::new(&name))?);
            packs.names.push((name, sha256(&bytes)));
        }
        Ok(packs)
    }

    /// The bytes of a pack, which have the hash that is given.
    fn bytes(&self, name: &str) -> Result<Vec<u8>, CliError> {
        let cannot =
            |why: String| CliError::Other(format!("the pack {name} cannot be read: {why}"));
        let bytes = if name.starts_with("http://") && self.sha256.is_none() {
            return Err(CliError::Usage(format!(
                "{name}: anybody on the way can change what comes by http; name an https address, \
                 a file, or the pack's --sha256"
            )));
        } else if name.starts_with("https://") || name.starts_with("http://") {
            self.sources.download(name).map_err(cannot)?
        } else {
            read_whole(&RealDisk, Path::new(name), affordable(LARGEST))
                .map_err(|error| cannot(error.to_string()))?
        };
        let found = sha256(&bytes);
        if let Some(expected) = self.sha256.as_ref().filter(|expected| **expected != found) {
            return Err(CliError::Other(format!(
                "{name} has the SHA-256 {found}, expected {expected}"
            )));
        }
        Ok(bytes)
    }

    /// Writes the page and the table of trials.
    fn write(&self, rerun: &Rerun, page: &str) -> Result<(), CliError> {
        let unwritable = |path: &Path, why: String| {
            CliError::Other(format!("{} cannot be written: {why}", path.display()))
        };
        let (md, csv) = (self.out.join("rerun.md"), self.out.join("rerun.csv"));
        create_dir_all(&self.out).map_err(|error| unwritable(&self.out, error.to_string()))?;
        let table = rerun.csv().map_err(|error| unwritable(&csv, error.to_string()))?;
        write_output(&csv, &table).map_err(|error| unwritable(&csv, error.to_string()))?;
        write_output(&md, page.as_bytes()).map_err(|error| unwritable(&md, error.to_string()))
    }
}

/// The packs of the chosen benchmarks in a clone of this repository; all of them where trials are
/// named.
fn packs_of_clone(plans: &[Plan], wanted: &Wanted) -> Result<Vec<String>, CliError> {
    let file = |plan: &Plan| Path::new(PACKS).join(format!("{}.pack", plan.benchmark.id));
    let found: Vec<PathBuf> = plans.iter().map(file).filter(|path| path.is_file()).collect();
    if found.is_empty() {
        let of = if wanted.benchmarks.is_empty() {
            String::new()
        } else {
            format!(" of {}", wanted.benchmarks.join(", "))
        };
        return Err(CliError::Usage(format!(
            "no pack{of} is in {PACKS}: name one by --pack FILE or --pack https://…, or run this \
             in a clone of the repository"
        )));
    }
    Ok(found.into_iter().map(|path| path.display().to_string()).collect())
}

/// Today's date in UTC.
pub fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    date(seconds / (24 * 3600))
}

/// The trials of the packs that this program plans.
fn candidates<'a>(
    plans: &'a [Plan],
    packs: &Packs,
    wanted: &Wanted,
) -> Result<Candidates<'a>, CliError> {
    let (mut found, mut known, mut absent) = (Vec::new(), HashSet::new(), 0);
    for trial in trials(plans).into_iter().filter(|trial| wanted.has(&trial.key)) {
        known.insert(trial.key.clone());
        match packs.find(&trial.key)? {
            Some(_) => found.push(trial),
            None => absent += 1,
        }
    }
    let mut others = HashSet::new();
    for store in &packs.stores {
        others.extend(
            store.keys()?.into_iter().filter(|key| wanted.has(key) && !known.contains(key)),
        );
    }
    let excluded = [
        (absent, "the chosen benchmarks plan them, and no pack has them finished"),
        (
            others.len(),
            "a pack has them, and the chosen benchmarks do not plan them in this version of the \
             program",
        ),
    ];
    let excluded = excluded
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, why)| (count, why.to_owned()));
    Ok(Candidates { trials: found, excluded: excluded.collect() })
}

/// Derives what pages show of predictions, for the comparison: it is derived as pages are rendered.
/// A page of a part of its trials may lack what others have, which is then not compared.
fn derive(plans: &[Plan], drawn: &[Planned], Workplace { store, pool, .. }: &Workplace) {
    let has_any =
        |plan: &&Plan| drawn.iter().any(|trial| trial.plan.benchmark.id == plan.benchmark.id);
    for plan in plans.iter().filter(has_any) {
        if let Err(error) = render_one(plan, store, pool) {
            let (id, why) = (&plan.benchmark.id, error.worded());
            say(format!("note: {id}: {why}; what its page shows of predictions is not compared"));
        }
    }
}

/// What is known of trials that differ from those of the shipped run: both values, the cause, and
/// verdicts that change. It needs the packs of a clone.
///
/// # Errors
/// [`CliError`] where packs or trials cannot be read.
pub fn explain(differing: &[Planned], workplace: &Workplace) -> Result<String, CliError> {
    let benchmarks: BTreeSet<String> =
        differing.iter().map(|trial| trial.plan.benchmark.id.clone()).collect();
    let wanted = Wanted { benchmarks: benchmarks.into_iter().collect(), keys: Vec::new() };
    let full = Selection { profile: Profile::Full, ..Selection::default() };
    let plans = full.plans(&wanted.benchmarks, &workplace.store)?;
    let Ok(named) = packs_of_clone(&plans, &wanted) else {
        let names = differing.iter().map(|trial| format!("- {}, `{}`\n", trial.name(), trial.key));
        return Ok(format!(
            "\nTrials that differ from the shipped run:\n\n{}\n`uqbench rerun KEY --pack FILE` \
             with the pack of the benchmark shows what differs.\n",
            names.collect::<String>()
        ));
    };
    let mut packs = Packs { names: Vec::new(), stores: Vec::new() };
    for name in named {
        packs.stores.push(Store::open_existing(&name)?);
        packs.names.push((name, String::new()));
    }
    let mut strata = strata(differing.to_vec(), Costs::shipped()?, "");
    draw(&mut strata, None);
    let mut rerun = Rerun { strata, ..Rerun::default() };
    grade(&mut rerun, &plans, &packs, workplace)?;
    Ok(rerun.differing())
}

/// Compares the drawn trials with those of the packs.
fn grade(
    rerun: &mut Rerun,
    plans: &[Plan],
    packs: &Packs,
    workplace: &Workplace,
) -> Result<(), CliError> {
    let drawn: Vec<Planned> = rerun.drawn().map(|(_, trial)| trial.clone()).collect();
    for trial in &drawn {
        let fate = fate(trial, packs, workplace)?;
        if let (Fate::Ran(Grade::Different(_)), Some((store, _))) = (&fate, packs.find(&trial.key)?)
        {
            let machine = store.provenance(&trial.key)?.map(|provenance| provenance.machine);
            rerun.machines.insert(trial.key.clone(), machine);
        }
        rerun.fates.insert(trial.key.clone(), fate);
    }
    let differing: Vec<&Planned> =
        drawn.iter().filter(|trial| rerun.machines.contains_key(&trial.key)).collect();
    let changed::Verdicts { changed, unknown } =
        changed::verdicts(plans, packs, workplace, &differing)?;
    rerun.changed = changed;
    rerun.unknown = unknown;
    Ok(())
}

/// Refuses a store that has one of these trials from a pack, which would be compared with itself.
fn refuse_foreign(drawn: &[Planned], store: &Store) -> Result<(), CliError> {
    for trial in drawn {
        if store.is_from_pack(&trial.key)? {
            return Err(CliError::Usage(format!(
                "{} has trial {} from a pack: it did not run there; name another folder by --store",
                store.root().display(),
                trial.key
            )));
        }
    }
    Ok(())
}

/// What became of a drawn trial.
fn fate(trial: &Planned, packs: &Packs, workplace: &Workplace) -> Result<Fate, CliError> {
    let here = match workplace.store.find(&trial.key)? {
        Found::Finished(result) => result,
        Found::Damaged(why) => return Ok(Fate::Unfinished(format!("damaged: {why}"))),
        Found::Absent => {
            return Ok(Fate::Unfinished(match Standing::of(&workplace.store, &trial.key)? {
                Standing::Failed(failure) => failure.message(),
                _ => "the time was over".into(),
            }));
        }
    };
    let Some((store, result)) = packs.find(&trial.key)? else {
        return Ok(Fate::Unfinished("its pack cannot be read any more".into()));
    };
    let (stored, here) =
        (Side { store, result: &result }, Side { store: &workplace.store, result: &here });
    Ok(Fate::Ran(compare(stored, here)?))
}
