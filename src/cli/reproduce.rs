//! `uqbench reproduce`, `run` and `report`: bring the store up to a plan, then render it.

use std::collections::HashSet;
use std::path::Path;

use clap::Args;
use rayon::ThreadPool;
use rayon::prelude::*;

use super::options::{Places, Running, Selection};
use super::sources::SourceArgs;
use super::{CliError, Ending, print};
use crate::methods::CancelToken;
use crate::report::index::{Rendered, machine_line, render_index, render_one};
use crate::report::write::write;
use crate::runner::execute::{Executor, WithData};
use crate::runner::plan::{Plan, Planned, trials};
use crate::runner::progress::Progress;
use crate::runner::run::{Tally, run};
use crate::runner::store::Store;

/// Run every benchmark and write every table and figure.
#[derive(Debug, Args)]
#[command(after_help = "Example: uqbench reproduce --profile full --mirror ../data --out reports")]
pub struct Reproduce {
    #[command(flatten)]
    options: Options,
}

/// Run chosen benchmarks, write their tables and figures, and print their pages.
#[derive(Debug, Args)]
#[command(after_help = "Example: uqbench run dtb-table-1 --datasets california --splits 5")]
pub struct Run {
    /// Benchmarks, by name (`uqbench list`) or as a TOML file.
    #[arg(required = true)]
    benchmarks: Vec<String>,
    #[command(flatten)]
    options: Options,
}

/// Write tables and figures from stored trials; runs nothing.
#[derive(Debug, Args)]
#[command(after_help = "Example: uqbench report --profile full --out reports")]
pub struct Report {
    /// Benchmarks; all where none is named.
    benchmarks: Vec<String>,
    #[command(flatten)]
    selection: Selection,
    #[command(flatten)]
    places: Places,
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
    /// Plans the chosen benchmarks, runs what is missing, writes and prints their pages.
    pub fn run(&self) -> Result<Ending, CliError> {
        self.options.run(&self.benchmarks, Printed::Pages)
    }
}

impl Report {
    /// Renders what is stored.
    pub fn run(&self) -> Result<Ending, CliError> {
        let plans = self.selection.plans(&self.benchmarks)?;
        let store = self.places.store.open_existing()?;
        let pool = Running::default().pool()?;
        let out = self.places.out(self.selection.profile);
        let none = plans.iter().map(|_| None).collect();
        let rendered = render_rest(&plans, none, &store, &pool, &out)?;
        let scope = Scope::new(self.benchmarks.is_empty() && self.selection.is_whole(), Printed::Index);
        finish(&plans, &rendered, &store, &out, scope)?;
        let tally = stored(&plans, &store)?;
        print(&format!("{tally}\n"))?;
        Ok(if tally.unexcused() > 0 { Ending::Incomplete } else { Ending::Done })
    }
}

/// What is printed besides the last line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Printed {
    Index,
    Pages,
}

/// What is written and printed besides the pages.
#[derive(Clone, Copy)]
struct Scope {
    /// Index and scorecard are written: only where all benchmarks are there, or they would lose the others' rows.
    index: bool,
    printed: Printed,
}

impl Scope {
    fn new(index: bool, printed: Printed) -> Self {
        Self { index, printed }
    }
}

impl Options {
    fn run(&self, names: &[String], printed: Printed) -> Result<Ending, CliError> {
        let plans = self.selection.plans(names)?;
        let store = self.places.store.open()?;
        let pool = self.running.pool()?;
        let library = self.sources.open_library();
        let cancel = stop_on_interrupt()?;
        let out = self.places.out(self.selection.profile);
        let inner = self.running.executor(&library, &self.sources)?;
        let executor = WithData::new(inner.as_ref(), &library);

        // The expected trials are fixed before the run.
        let mut total = Tally { expected: trials(&plans).len(), ..Tally::default() };
        let mut counted = HashSet::new();
        let mut rendered: Vec<Option<Rendered>> = Vec::new();
        for plan in &plans {
            // A trial that an earlier benchmark shares is there already, and counted.
            let mut planned = trials([plan]);
            planned.retain(|trial| counted.insert(trial.key.clone()));
            let tally = run_one(plan, &planned, &store, &executor, &pool, &cancel)?;
            total.add(&Tally { expected: 0, ..tally.clone() });
            if cancel.is_cancelled() {
                break;
            }
            // What took time to run is shown at once; what was there is rendered together below.
            rendered.push(if tally.ran > 0 { Some(render(plan, &store, &pool, &out)?) } else { None });
        }
        for reason in &total.reasons {
            eprintln!("note: {reason}");
        }
        if cancel.is_cancelled() {
            total.cancel_rest();
            print(&format!("interrupted: {total}; the same command goes on from here\n"))?;
            return Ok(Ending::Interrupted);
        }
        let rendered = render_rest(&plans, rendered, &store, &pool, &out)?;
        finish(&plans, &rendered, &store, &out, Scope::new(names.is_empty() && self.selection.is_whole(), printed))?;
        print(&format!("{total}\n"))?;
        let excused = if self.running.require_data { 0 } else { total.failed("unavailable") };
        Ok(if total.unfinished() > excused { Ending::Incomplete } else { Ending::Done })
    }
}

/// How the trials of all plans are in the store, each of them counted once.
fn stored(plans: &[Plan], store: &Store) -> Result<Tally, CliError> {
    let mut tally = Tally::default();
    for trial in trials(plans) {
        tally.count(&store.find(&trial.key)?, store.failure(&trial.key).as_ref());
    }
    Ok(tally)
}

/// First Ctrl-C: drop the trials in flight, keep the finished ones. Second: end at once; every write is whole or absent.
fn stop_on_interrupt() -> Result<CancelToken, CliError> {
    let cancel = CancelToken::default();
    let token = cancel.clone();
    ctrlc::set_handler(move || {
        if token.is_cancelled() {
            std::process::exit(130);
        }
        token.cancel();
        eprintln!("stopping; once more to stop at once");
    })
    .map_err(|error| CliError::Other(format!("Ctrl-C cannot be handled: {error}")))?;
    Ok(cancel)
}

fn run_one(
    plan: &Plan,
    planned: &[Planned],
    store: &Store,
    executor: &dyn Executor,
    pool: &ThreadPool,
    cancel: &CancelToken,
) -> Result<Tally, CliError> {
    let progress = Progress::new(&plan.benchmark.id, planned.len() as u64);
    let tally = run(planned, &plan.first_metrics(), store, executor, pool, cancel, &progress);
    progress.finish();
    Ok(tally?)
}

fn render(plan: &Plan, store: &Store, pool: &ThreadPool, out: &Path) -> Result<Rendered, CliError> {
    let rendered = render_one(plan, store, pool)?;
    write(out, &rendered.documents)?;
    eprintln!("{}: wrote {}", plan.benchmark.id, out.join(format!("{}.md", plan.benchmark.id)).display());
    Ok(rendered)
}

/// Renders the plans that are not rendered yet, in parallel.
fn render_rest(
    plans: &[Plan],
    rendered: Vec<Option<Rendered>>,
    store: &Store,
    pool: &ThreadPool,
    out: &Path,
) -> Result<Vec<Rendered>, CliError> {
    let one = |(plan, rendered): (&Plan, Option<Rendered>)| rendered.map_or_else(|| render(plan, store, pool, out), Ok);
    pool.install(|| plans.par_iter().zip(rendered).map(one).collect())
}

fn finish(plans: &[Plan], rendered: &[Rendered], store: &Store, out: &Path, scope: Scope) -> Result<(), CliError> {
    let index = render_index(plans, rendered, &machine_line(plans, store));
    if scope.index {
        write(out, &index)?;
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
