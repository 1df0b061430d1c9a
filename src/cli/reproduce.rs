//! `uqbench reproduce`, `run` and `report`: run the missing trials of a plan, then render its results.

use std::io::{IsTerminal, stdout};
use std::time::Instant;

use clap::Args;
use rayon::ThreadPool;
use rayon::prelude::*;

use super::describe::Ask;
use super::link::{address, elapsed, open_page};
use super::options::{Places, Running, Selection, with_damage};
use super::parts::{Workplace, parts, run_parts};
use super::shard::ShardArgs;
use super::sources::SourceArgs;
use super::verify::Verify;
use super::{CliError, Ending, print};
use crate::report::index::{Rendered, machine_line, render_index, render_one};
use crate::report::site::{self, Coverage};
use crate::report::write::Output;
use crate::runner::plan::{Plan, trials};
use crate::runner::progress::Progress;
use crate::runner::store::Store;
use crate::runner::tally::Tally;
use crate::system::notice::say;

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
    /// Write nothing: compare with the files in the folder. Pages whose trials another version of the program made are
    /// named, and any other difference is an error. Of a pack without names: the benchmarks that it was made for.
    #[arg(long)]
    verify: bool,
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
    /// Plans the chosen benchmarks, runs what is missing, writes and prints their pages; or runs one shard of a plan.
    pub fn run(&self) -> Result<Ending, CliError> {
        let Options { places, running, sources, .. } = &self.options;
        match self.shard.run(&places.store, running, sources) {
            Some(ended) => ended,
            None => self.options.run(&self.benchmarks, Printed::Pages),
        }
    }
}

impl Report {
    /// Renders the stored trials.
    pub fn run(&self) -> Result<Ending, CliError> {
        let plans = self.selection.plans(&self.benchmarks, &self.places.store)?;
        let store = self.places.store.open_existing()?;
        let pool = Running::default().pool()?;
        let whole = self.benchmarks.is_empty() && self.selection.is_whole();
        let out = self.places.output(self.selection.profile);
        if self.verify {
            let verify = Verify { store: &store, pool: &pool, folder: &out.folder };
            let is_named = !self.benchmarks.is_empty() || !store.is_pack();
            return if is_named { verify.run(&plans, whole) } else { verify.packed(&plans, whole) };
        }
        let scope = Scope::new(whole, Printed::Index, &out);
        let started = Instant::now();
        let none = plans.iter().map(|_| None).collect();
        let rendered = render_rest(&plans, none, &store, &pool, &out)?;
        finish(&plans, &rendered, &store, &out, scope)?;
        let tally = stored(&plans, &store)?;
        close(&tally, &out, scope, started, self.places.open)?;
        Ok(with_damage(if tally.unexcused() > 0 { Ending::Incomplete } else { Ending::Done }, &[&store]))
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
    /// Index and scorecard are written for all benchmarks alone, because they would lose the rows of the others.
    coverage: Coverage,
    printed: Printed,
}

impl Scope {
    fn new(is_whole: bool, printed: Printed, out: &Output) -> Self {
        let index = || std::fs::read_to_string(out.folder.join(Coverage::Whole.first_page())).ok();
        let coverage = if is_whole { Coverage::Whole } else { Coverage::chosen_beside(index().as_deref()) };
        Self { coverage, printed }
    }
}

impl Options {
    fn run(&self, names: &[String], printed: Printed) -> Result<Ending, CliError> {
        let started = Instant::now();
        let mut external = Ask::new(self.running.allow_external);
        let plans = self.selection.plans(names, &mut external)?;
        let workplace = Workplace::open(&self.places.store, &self.running, &external)?;
        let Workplace { store, pool, .. } = &workplace;
        let out = self.places.output(self.selection.profile);
        let parts = parts(&plans, &workplace)?;
        let mut rendered: Vec<Option<Rendered>> = Vec::new();
        let ended = |tally: &Tally, progress: &Progress| {
            // Plans whose trials ran are shown at once; plans that were complete are rendered together below.
            let told = |line: &str| progress.say(line);
            let plan = &plans[rendered.len()];
            let page = if tally.ran > 0 { Some(render(plan, store, pool, &out, told)?) } else { None };
            rendered.push(page);
            Ok(())
        };
        let Some(total) = run_parts(&plans, &parts, (&self.running, &self.sources), &workplace, ended)? else {
            return Ok(Ending::Interrupted);
        };
        let rendered = render_rest(&plans, rendered, store, pool, &out)?;
        let scope = Scope::new(names.is_empty() && self.selection.is_whole(), printed, &out);
        finish(&plans, &rendered, store, &out, scope)?;
        close(&total, &out, scope, started, self.places.open)?;
        Ok(with_damage(self.running.ending(&total), &[store]))
    }
}

/// Counts the trials of all plans by their state in the store, each trial once.
fn stored(plans: &[Plan], store: &Store) -> Result<Tally, CliError> {
    let mut tally = Tally::default();
    for trial in trials(plans) {
        tally.count(&trial, &store.find(&trial.key)?, store.failure(&trial.key)?.as_ref());
    }
    Ok(tally)
}

/// Writes the pages of one benchmark, and tells where they are.
fn render<'a>(
    plan: &'a Plan,
    store: &'a Store,
    pool: &ThreadPool,
    out: &Output,
    tell: impl Fn(&str),
) -> Result<Rendered<'a>, CliError> {
    let rendered = render_one(plan, store, pool)?;
    out.write(&rendered.documents)?;
    let page = out.folder.join(format!("{}.md", plan.benchmark.id));
    tell(&format!("{}: wrote {}", plan.benchmark.id, page.display()));
    Ok(rendered)
}

/// Renders the plans that are not rendered yet, in parallel.
fn render_rest<'a>(
    plans: &'a [Plan],
    rendered: Vec<Option<Rendered<'a>>>,
    store: &'a Store,
    pool: &ThreadPool,
    out: &Output,
) -> Result<Vec<Rendered<'a>>, CliError> {
    let one = |(plan, rendered): (&'a Plan, Option<Rendered<'a>>)| {
        rendered.map_or_else(|| render(plan, store, pool, out, |line: &str| say(line)), Ok)
    };
    pool.install(|| plans.par_iter().zip(rendered).map(one).collect())
}

fn finish(plans: &[Plan], rendered: &[Rendered], store: &Store, out: &Output, scope: Scope) -> Result<(), CliError> {
    let machine = machine_line(plans, store)?;
    let index = render_index(plans, rendered, &machine);
    out.write(&site::documents(plans, rendered, &machine, scope.coverage))?;
    if scope.coverage == Coverage::Whole {
        out.write(&index)?;
    }
    if scope.printed == Printed::Index && stdout().is_terminal() {
        return print(&site::told(plans, rendered));
    }
    let pages: Vec<_> = match scope.printed {
        Printed::Index => index.iter().filter(|d| d.name == "index.md").collect(),
        Printed::Pages => rendered.iter().flat_map(|r| &r.documents).filter(|d| d.name.ends_with(".md")).collect(),
    };
    for page in pages {
        print(&String::from_utf8_lossy(&page.bytes))?;
        print("\n")?;
    }
    Ok(())
}

/// Says where the report is and how long it took, prints the tally, and opens the report where that is wanted.
fn close(tally: &Tally, out: &Output, scope: Scope, started: Instant, is_opened: bool) -> Result<(), CliError> {
    let page = out.folder.join(scope.coverage.first_page());
    say(format!("report: {} ({})", address(&page), elapsed(started.elapsed())));
    print(&format!("{tally}\n"))?;
    if is_opened { open_page(&page) } else { Ok(()) }
}
