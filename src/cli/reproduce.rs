//! `uqbench reproduce`, `run` and `report`: run the missing trials of a plan, then render its results.

use std::collections::{HashMap, HashSet};
use std::io::{IsTerminal, stdout};
use std::time::{Duration, Instant};

use clap::Args;
use rayon::ThreadPool;
use rayon::prelude::*;

use super::describe::Ask;
use super::link::{address, elapsed, open_page};
use super::options::{Places, Running, Selection, with_damage};
use super::sources::SourceArgs;
use super::verify::verify;
use super::{CliError, Ending, print};
use crate::report::index::{Rendered, machine_line, render_index, render_one};
use crate::report::site::{self, Coverage};
use crate::report::write::Output;
use crate::runner::key::TrialKey;
use crate::runner::plan::{Plan, trials};
use crate::runner::progress::Progress;
use crate::runner::record::Limits;
use crate::runner::run::{Runner, Surveyed, prepare_data, survey};
use crate::runner::store::{Found, Store, StoreError};
use crate::runner::tally::Tally;
use crate::system::notice::say;
use crate::system::signals::stop_on_interrupt;

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
    /// Benchmarks; all by default.
    benchmarks: Vec<String>,
    #[command(flatten)]
    selection: Selection,
    #[command(flatten)]
    places: Places,
    /// Write nothing: compare with the files in the folder. Pages whose trials another version of the program made are
    /// named, and any other difference is an error.
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
    /// Plans the chosen benchmarks, runs what is missing, writes and prints their pages.
    pub fn run(&self) -> Result<Ending, CliError> {
        self.options.run(&self.benchmarks, Printed::Pages)
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
            return verify(&plans, &store, &pool, &out.folder, whole);
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

/// The trials of one plan, with their state in the store.
struct Part<'a> {
    plan: &'a Plan,
    surveyed: Surveyed<'a>,
}

impl Options {
    fn run(&self, names: &[String], printed: Printed) -> Result<Ending, CliError> {
        let started = Instant::now();
        let mut external = Ask::new(self.running.allow_external);
        let plans = self.selection.plans(names, &mut external)?;
        let pool = self.running.pool()?;
        let limits = self.running.default_limits(pool.current_num_threads())?;
        let store = self.places.store.open()?;
        store.keep_descriptions(&external.known)?;
        let interrupt = |error| CliError::Other(format!("Ctrl-C cannot be handled: {error}"));
        let cancel = stop_on_interrupt().map_err(interrupt)?;
        let most = self.running.timeout.map(Duration::from_secs);
        let library = self.sources.open_library_until(&cancel, most);
        let out = self.places.output(self.selection.profile);
        say(self.running.told(limits, pool.current_num_threads()));

        // The store and then the data are checked before the first trial.
        let parts = parts(&plans, &store, &pool)?;
        let mut missing_data = HashMap::new();
        for part in &parts {
            missing_data.extend(prepare_data(&part.surveyed, &library, &cancel, &missing_data));
        }
        let executor = self.running.executor(&library, &self.sources)?;
        let fresh = plans.iter().filter(|plan| plan.scores_costs()).flat_map(|plan| trials([plan]));
        let fresh: HashSet<TrialKey> = fresh.map(|trial| trial.key).collect();
        let runner =
            Runner { store: &store, executor: executor.as_ref(), pool: &pool, cancel: &cancel, missing_data, fresh };

        let mut total = Tally::default();
        let mut rendered: Vec<Option<Rendered>> = Vec::new();
        let all = parts.iter().map(|part| part.surveyed.len() as u64).sum();
        let progress = Progress::new("trials", all, "trials");
        for part in &parts {
            let (tally, error) = self.run_part(&runner, part, limits, &progress);
            total.add(&tally);
            if let Some(error) = error {
                progress.finish();
                rest_is_stored(&parts[rendered.len() + 1..], &mut total);
                tell(&total);
                print(&format!("stopped: {total}; the same command goes on from here\n"))?;
                return Err(error.into());
            }
            if cancel.is_cancelled() {
                progress.finish();
                rest_is_stored(&parts[rendered.len() + 1..], &mut total);
                tell(&total);
                print(&format!("interrupted: {total}; the same command goes on from here\n"))?;
                return Ok(Ending::Interrupted);
            }
            // Plans whose trials ran are shown at once; plans that were complete are rendered together below.
            let told = |line: &str| progress.say(line);
            let page = if tally.ran > 0 { Some(render(part.plan, &store, &pool, &out, told)?) } else { None };
            rendered.push(page);
        }
        progress.finish();
        tell(&total);
        let rendered = render_rest(&plans, rendered, &store, &pool, &out)?;
        let scope = Scope::new(names.is_empty() && self.selection.is_whole(), printed, &out);
        finish(&plans, &rendered, &store, &out, scope)?;
        close(&total, &out, scope, started, self.places.open)?;
        let excused = if self.running.require_data { 0 } else { total.failed("unavailable") };
        let ending = if total.unfinished() > excused { Ending::Incomplete } else { Ending::Done };
        Ok(with_damage(ending, &[&store]))
    }

    fn run_part(
        &self,
        runner: &Runner,
        part: &Part,
        limits: Limits,
        progress: &Progress,
    ) -> (Tally, Option<StoreError>) {
        progress.enter(&part.plan.benchmark.id);
        let limits = self.running.limits(limits, &part.plan.benchmark);
        runner.run(&part.surveyed, &part.plan.first_metrics(), limits, progress)
    }
}

/// The trials of each plan, in order; a trial that an earlier plan shares is counted only there.
fn parts<'a>(plans: &'a [Plan], store: &Store, pool: &ThreadPool) -> Result<Vec<Part<'a>>, CliError> {
    let mut counted = HashSet::new();
    let part = |plan: &'a Plan| {
        let mut planned = trials([plan]);
        planned.retain(|trial| counted.insert(trial.key.clone()));
        Ok(Part { plan, surveyed: survey(planned, store, pool)? })
    };
    plans.iter().map(part).collect()
}

/// Counts the parts that a run did not reach: stored trials are finished, the rest is cancelled.
fn rest_is_stored(parts: &[Part], total: &mut Tally) {
    for (trial, found) in parts.iter().flat_map(|part| &part.surveyed) {
        match found {
            Found::Finished(_) => total.count(trial, found, None),
            Found::Absent | Found::Damaged(_) => total.expected += 1,
        }
    }
    total.cancel_rest();
}

fn tell(tally: &Tally) {
    for reason in &tally.reasons {
        say(format!("note: {reason}"));
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
