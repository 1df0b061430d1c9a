//! `uqbench reproduce`, `run` and `report`: run the missing trials of a plan, then render its
//! results.

use std::collections::{BTreeSet, HashMap};
use std::io::{IsTerminal, stdout};
use std::time::Instant;

use clap::Args;
use rayon::ThreadPool;
use rayon::prelude::*;

use super::describe::Ask;
use super::lacks::with_lacks;
use super::link::{address, open_page};
use super::options::{Places, Running, Selection, with_damage};
use super::own_datasets::warn;
use super::own_file::tell;
use super::part::say_part;
use super::parts::{Workplace, parts, run_parts};
use super::refill::{Refill, has_predictions};
use super::reread::reread;
use super::rerun::explain;
use super::shard::ShardArgs;
use super::sources::SourceArgs;
use super::verify::Verify;
use super::versions::say_versions;
use super::{CliError, Ending, print, print_markdown};
use crate::pages::kept::{Pages, pages};
use crate::pages::run_line;
use uqbench_data::own::{Finding, TableNumbers, same_tables};
use uqbench_judge::evidence::machines::{also_shipped, machines};
use uqbench_report::brief::Brief;
use uqbench_report::document::Document;
use uqbench_report::grid::counted;
use uqbench_report::index::render_index;
use uqbench_report::run_line::{machine_line, shipped_line};
use uqbench_report::site::{self, Coverage, Frame, comparisons, present_page};
use uqbench_report::write::Output;
use uqbench_run::runner::key::TrialKey;
use uqbench_run::runner::plan::{Plan, trials};
use uqbench_run::runner::progress::Progress;
use uqbench_run::runner::shipped::{Beside, Shipped};
use uqbench_run::runner::store::Store;
use uqbench_run::runner::tally::{Standing, Tally};
use uqbench_system::elapsed;
use uqbench_system::notice::say;

/// Run every benchmark and write every table and figure.
#[derive(Debug, Args)]
#[command(after_help = "Example: uqbench reproduce --profile full --mirror ../data --out reports")]
pub struct Reproduce {
    #[command(flatten)]
    options: Options,
}

/// Run chosen benchmarks, write their tables and figures, and print their pages.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  uqbench run dtb-table-1 --datasets california --splits 5\n  \
    uqbench run --plan plan.json --shard 3/8")]
pub struct Run {
    /// Benchmarks, by name (`uqbench list`) or as a TOML file.
    #[arg(required_unless_present = "plan")]
    benchmarks: Vec<String>,
    #[command(flatten)]
    shard: ShardArgs,
    /// Only the trial whose key starts with these digits (`uqbench show`, and the pages of trials);
    /// writes no page.
    #[arg(long, value_name = "KEY", conflicts_with = "plan")]
    trial: Option<String>,
    #[command(flatten)]
    options: Options,
}

/// Write tables and figures from stored trials; runs nothing.
#[derive(Debug, Args)]
#[command(after_help = "Example: uqbench report --profile full --out reports")]
pub struct Report {
    /// Benchmarks; all by default.
    benchmarks: Vec<String>,
    #[command(flatten)]
    selection: Selection,
    #[command(flatten)]
    places: Places,
    /// Write nothing: compare with the files in the folder. Pages whose trials another version of
    /// the program made are named, and any other difference is an error. Of a pack without names:
    /// the benchmarks that it was made for.
    #[arg(long)]
    verify: bool,
    #[command(flatten)]
    refill: Refill,
}

#[derive(Debug, Args)]
struct Options {
    #[command(flatten)]
    selection: Selection,
    #[command(flatten)]
    places: Places,
    #[command(flatten)]
    running: Running,
    #[command(flatten)]
    sources: SourceArgs,
}

impl Reproduce {
    /// Plans everything, runs what is missing, writes and prints the index.
    pub fn run(&self) -> Result<Ending, CliError> {
        self.options.run(&[], Printed::Index)
    }
}

impl Run {
    /// Plans the chosen benchmarks, runs what is missing, writes and prints their pages; or runs
    /// one shard of a plan.
    pub fn run(&self) -> Result<Ending, CliError> {
        let Options { places, running, sources, .. } = &self.options;
        match (self.shard.run(&places.store, running, sources), &self.trial) {
            (Some(ended), _) => ended,
            (None, Some(key)) => {
                self.options.run_trial(&self.benchmarks, &key.to_ascii_lowercase())
            }
            (None, None) => self.options.run(&self.benchmarks, Printed::Pages),
        }
    }
}

/// Warnings of tables that several datasets of these plans have under different keys.
fn same_datasets(plans: &[Plan]) -> Vec<Finding> {
    let mut datasets: Vec<(&str, &TableNumbers)> = Vec::new();
    for row in
        plans.iter().flat_map(|plan| &plan.benchmark.datasets).filter(|row| row.variant.is_none())
    {
        let own = row.own.as_ref().filter(|_| !datasets.iter().any(|(key, _)| *key == row.key));
        datasets.extend(own.map(|own| (row.key.as_str(), &own.numbers)));
    }
    same_tables(&datasets)
}

impl Report {
    /// Renders the stored trials.
    pub fn run(&self) -> Result<Ending, CliError> {
        let plans = self.selection.plans(&self.benchmarks, &self.places.store)?;
        let mut store = self.places.store.open_existing()?;
        let pool = Running::default().pool()?;
        let whole = self.benchmarks.is_empty() && self.selection.is_whole();
        let out = self.places.output(self.selection.profile);
        if self.verify {
            let verify = Verify { store: &store, pool: &pool, output: &out };
            let is_named = !self.benchmarks.is_empty() || !store.is_pack();
            return if is_named { verify.run(&plans, whole) } else { verify.packed(&plans, whole) };
        }
        self.places.prepare(self.selection.profile)?;
        let scope = Scope::new(whole, Printed::Index, &out);
        let started = Instant::now();
        let none = || plans.iter().map(|_| None).collect();
        let mut pages = render_rest(&plans, none(), &store, &pool, &out);
        if let Err(CliError::Report(error)) = &pages
            && error.is_not_packed()
        {
            if let Some(ended) =
                self.refill.complete(&plans, &self.places.store, has_predictions)?
            {
                return Ok(ended);
            }
            store = self.places.store.open_existing()?;
            pages = render_rest(&plans, none(), &store, &pool, &out);
        }
        let pages = pages?;
        finish(&plans, &pages, &store, &out, scope)?;
        let tally = stored(&plans, &pages);
        say_versions(&plans, &store)?;
        close(&tally, &out, scope, started, self.places.open)?;
        say_part(&store, &plans)?;
        let ending = if tally.unexcused() > 0 { Ending::Incomplete } else { Ending::Done };
        Ok(with_damage(with_lacks(ending, files(&pages)), &[&store]))
    }
}

/// Output besides the last line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Printed {
    Index,
    Pages,
}

/// Output besides the pages.
#[derive(Clone, Copy)]
struct Scope {
    /// Index and scorecard are written for all benchmarks alone, because they would lose the rows
    /// of the others.
    coverage: Coverage,
    printed: Printed,
}

impl Scope {
    fn new(is_whole: bool, printed: Printed, out: &Output) -> Self {
        let index = || present_page(&out.folder, Coverage::Whole);
        let coverage =
            if is_whole { Coverage::Whole } else { Coverage::chosen_beside(index().as_deref()) };
        Self { coverage, printed }
    }
}

impl Options {
    fn run(&self, names: &[String], printed: Printed) -> Result<Ending, CliError> {
        let started = Instant::now();
        let mut external = Ask::new(self.running.allow_external, self.running.timeout);
        let plans = self.selection.plans(names, &mut external)?;
        tell(&same_datasets(&plans));
        warn(&plans)?;
        let workplace = Workplace::open(&self.places.store, &self.running, &external)?;
        let Workplace { store, pool, .. } = &workplace;
        self.places.prepare(self.selection.profile)?;
        let out = self.places.output(self.selection.profile);
        let parts = parts(&plans, &workplace)?;
        let mut rendered: Vec<Option<Pages>> = Vec::new();
        let ended = |tally: &Tally, progress: &Progress| {
            // Plans whose trials ran are shown at once; plans that were complete are rendered
            // together below.
            let told = |line: &str| progress.say(line);
            let plan = &plans[rendered.len()];
            let page =
                if tally.ran > 0 { Some(render(plan, store, pool, &out, told)?) } else { None };
            rendered.push(page);
            Ok(())
        };
        let Some(total) =
            run_parts(&plans, &parts, (&self.running, &self.sources), &workplace, ended)?
        else {
            return Ok(Ending::Interrupted);
        };
        reread(&plans, &total, store);
        let pages = render_rest(&plans, rendered, store, pool, &out)?;
        let scope = Scope::new(names.is_empty() && self.selection.is_whole(), printed, &out);
        let ran = Shipped::read().beside(&plans, store, |key| Ok(!store.is_from_pack(key)?))?;
        if ran.count() > 0 {
            print(&format!("{}\n\n", beside_shipped(&ran)))?;
        }
        finish(&plans, &pages, store, &out, scope)?;
        if !ran.differing.is_empty() {
            print_markdown(&explain(&ran.differing, &workplace)?)?;
        }
        say_versions(&plans, store)?;
        close(&total, &out, scope, started, self.places.open)?;
        Ok(with_damage(with_lacks(self.running.ending(&total), files(&pages)), &[store]))
    }
}

impl Options {
    /// Runs the only planned trial whose key starts with these digits.
    fn run_trial(&self, names: &[String], digits: &str) -> Result<Ending, CliError> {
        let mut external = Ask::new(self.running.allow_external, self.running.timeout);
        let plans = self.selection.plans(names, &mut external)?;
        let found: Vec<TrialKey> = trials(&plans).into_iter().map(|trial| trial.key).collect();
        let found: Vec<&TrialKey> =
            found.iter().filter(|key| key.as_str().starts_with(digits)).collect();
        let [key] = found[..] else {
            let profile = self.selection.profile.as_str();
            return Err(CliError::Usage(format!(
                "{} of these benchmarks under the profile {profile} start with `{digits}`, \
                 expected one",
                counted(found.len(), "trial")
            )));
        };
        let workplace = Workplace::open(&self.places.store, &self.running, &external)?;
        let mut parts = parts(&plans, &workplace)?;
        parts.iter_mut().for_each(|part| part.surveyed.retain(|(trial, _)| trial.key == *key));
        parts.retain(|part| !part.surveyed.is_empty());
        let total =
            run_parts(&plans, &parts, (&self.running, &self.sources), &workplace, |_, _| Ok(()))?;
        let Some(total) = total else { return Ok(Ending::Interrupted) };
        reread(&plans, &total, &workplace.store);
        print(&format!("{total}\n"))?;
        say(format!(
            "`uqbench show {} --store {}` shows it",
            key.short(),
            workplace.store.root().display()
        ));
        Ok(with_damage(self.running.ending(&total), &[&workplace.store]))
    }
}

/// How many trials that ran here are those of the shipped run.
fn beside_shipped(ran: &Beside) -> String {
    let (verb, count) = if ran.count() == 1 {
        ("is", "1 trial".into())
    } else {
        ("are", format!("{} trials", ran.count()))
    };
    format!(
        "{count} ran on this machine and {verb} also in the shipped run: {} equal, {} differ.",
        if ran.equal == 1 { "1 is".into() } else { format!("{} are", ran.equal) },
        ran.differing.len()
    )
}

/// All files of these pages.
fn files(pages: &[Pages]) -> impl Iterator<Item = &Document> {
    pages.iter().flat_map(|pages| pages.rendered.all())
}

/// Counts the trials of all plans by their state, each trial once.
fn stored(plans: &[Plan], pages: &[Pages]) -> Tally {
    let mut standings: HashMap<TrialKey, &Standing> = HashMap::new();
    for (plan, pages) in plans.iter().zip(pages) {
        standings.extend(trials([plan]).into_iter().map(|trial| trial.key).zip(&pages.standings));
    }
    let mut tally = Tally::default();
    for trial in trials(plans) {
        tally.count(&trial, standings.get(&trial.key).unwrap_or(&&Standing::NotRun));
    }
    tally
}

/// Writes the pages of one benchmark, and tells where they are if they are new.
fn render(
    plan: &Plan,
    store: &Store,
    pool: &ThreadPool,
    out: &Output,
    tell: impl Fn(&str),
) -> Result<Pages, CliError> {
    // Pages that were kept have neither PNG nor PDF.
    let pages = pages(plan, store, pool, out.beside.is_any())?;
    out.write(&pages.rendered.documents)?;
    out.clear_tables(&plan.benchmark.id, &pages.rendered.documents)?;
    if pages.are_new {
        let page = out.folder.join(format!("{}.md", plan.benchmark.id));
        tell(&format!("{}: wrote {}", plan.benchmark.id, page.display()));
    }
    Ok(pages)
}

/// Renders the plans that are not rendered yet, in parallel, and keeps new pages.
fn render_rest(
    plans: &[Plan],
    rendered: Vec<Option<Pages>>,
    store: &Store,
    pool: &ThreadPool,
    out: &Output,
) -> Result<Vec<Pages>, CliError> {
    let one = |(plan, rendered): (&Plan, Option<Pages>)| {
        rendered.map_or_else(|| render(plan, store, pool, out, |line: &str| say(line)), Ok)
    };
    let all: Vec<Pages> =
        pool.install(|| plans.par_iter().zip(rendered).map(one).collect::<Result<_, CliError>>())?;
    let keep = |(plan, pages): (&Plan, &Pages)| pages.keep(plan, store, pool);
    pool.install(|| plans.par_iter().zip(&all).try_for_each(keep))?;
    let unchanged = all.iter().filter(|pages| !pages.are_new).count();
    if unchanged > 0 {
        let all = counted(all.len(), "benchmark");
        say(format!("{unchanged} of {all}: nothing has changed since the pages were rendered"));
    }
    Ok(all)
}

fn finish(
    plans: &[Plan],
    pages: &[Pages],
    store: &Store,
    out: &Output,
    scope: Scope,
) -> Result<(), CliError> {
    let briefs: Vec<&Brief> = pages.iter().map(|pages| &pages.rendered.brief).collect();
    let (machine, shipped) =
        (machine_line(&machines(plans, store)?), shipped_line(also_shipped(plans, store)?));
    let index = render_index(plans, &briefs, &run_line(plans, store)?);
    let unread =
        |error| CliError::Other(format!("{} cannot be read: {error}", out.folder.display()));
    let comparisons = comparisons::below(&out.folder).map_err(unread)?;
    let frame = Frame {
        machine: &machine,
        shipped: &shipped,
        coverage: scope.coverage,
        comparisons: &comparisons,
    };
    out.write(&site::documents(plans, &briefs, &frame))?;
    // One trial may belong to several tables; its page is the same but for the way back.
    let mut seen = BTreeSet::new();
    let of_site = pages.iter().flat_map(|pages| &pages.rendered.site);
    out.write(of_site.filter(|page| seen.insert(&page.name)))?;
    // Pages of papers refer to errata, whatever else is shown.
    let is_written = |document: &&Document| {
        scope.coverage == Coverage::Whole || document.name.starts_with("errata")
    };
    out.write(index.iter().filter(is_written))?;
    if scope.printed == Printed::Index && stdout().is_terminal() {
        return print(&site::list_findings(plans, &briefs));
    }
    let of_each = pages.iter().flat_map(|pages| &pages.rendered.documents);
    let pages: Vec<&Document> = match scope.printed {
        Printed::Index => index.iter().filter(|d| d.name == "index.md").collect(),
        Printed::Pages => of_each.filter(|d| d.name.ends_with(".md")).collect(),
    };
    for page in pages {
        print_markdown(&format!("{}\n", String::from_utf8_lossy(&page.bytes)))?;
    }
    Ok(())
}

/// Prints the tally, says where the report is and how long it took, and opens the report where that
/// is wanted.
fn close(
    tally: &Tally,
    out: &Output,
    scope: Scope,
    started: Instant,
    is_opened: bool,
) -> Result<(), CliError> {
    let first = scope.coverage.first_page();
    let written = [first.as_str(), "index.md"].into_iter().find(|name| out.has(name));
    let page = written.map_or_else(|| out.folder.clone(), |name| out.folder.join(name));
    print(&format!("{tally}\n"))?;
    say(format!("report: {} ({})", address(&page), elapsed(started.elapsed())));
    if is_opened { open_page(&page) } else { Ok(()) }
}
