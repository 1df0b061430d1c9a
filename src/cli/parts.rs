//! Run the missing trials of some plans, part by part: what `uqbench reproduce`, `run` and the
//! shards of a plan share.

use std::collections::{HashMap, HashSet};
use std::thread;
use std::time::{Duration, Instant};

use rayon::ThreadPool;

use super::describe::Ask;
use super::options::{Running, StorePlace};
use super::sources::SourceArgs;
use super::{CliError, print};
use uq_core::CancelToken;
use uqbench_run::runner::costs::{Costs, is_work_known};
use uqbench_run::runner::key::TrialKey;
use uqbench_run::runner::plan::{Plan, Planned, trials};
use uqbench_run::runner::progress::Progress;
use uqbench_run::runner::record::Limits;
use uqbench_run::runner::run::{Runner, Surveyed, learned_kind, prepare_data, survey};
use uqbench_run::runner::store::{Found, Store};
use uqbench_run::runner::tally::{Standing, Tally};
use uqbench_system::notice::say;
use uqbench_system::signals::stop_on_interrupt;

/// Where trials run and are kept.
pub struct Workplace {
    /// The store, open for writing.
    pub store: Store,
    /// The threads that each take one trial at a time.
    pub pool: ThreadPool,
    /// Limits of a trial whose benchmark states none.
    limits: Limits,
    /// The flag that asks to stop.
    cancel: CancelToken,
    /// When the run stops by itself.
    deadline: Option<Instant>,
}

impl Workplace {
    /// Opens the store, keeps what external methods said of themselves, tells how trials will run,
    /// and turns Ctrl-C into a request to stop.
    pub fn open(place: &StorePlace, running: &Running, external: &Ask) -> Result<Self, CliError> {
        let pool = running.pool()?;
        let limits = running.default_limits(pool.current_num_threads())?;
        let store = place.open()?;
        store.keep_descriptions(&external.known)?;
        let interrupt = |error| CliError::Other(format!("Ctrl-C cannot be handled: {error}"));
        let cancel = stop_on_interrupt().map_err(interrupt)?;
        say(running.describe(limits, pool.current_num_threads()));
        Ok(Self { store, pool, limits, cancel, deadline: None })
    }

    /// Lets the run stop by itself after this time, as Ctrl-C stops it.
    pub fn stop_after(&mut self, time: Duration) {
        let cancel = self.cancel.clone();
        self.deadline = Some(Instant::now() + time);
        // It ends with the program at the latest.
        thread::spawn(move || {
            thread::sleep(time);
            cancel.cancel();
        });
    }

    /// Whether the run has stopped by itself.
    pub fn is_out_of_time(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

/// Trials that run together, with their state in the store.
pub struct Part<'a> {
    /// What is at work, for the progress.
    pub label: String,
    /// The trials.
    pub surveyed: Surveyed<'a>,
}

impl<'a> Part<'a> {
    /// Looks the trials up in the store.
    pub fn new(
        label: String,
        trials: Vec<Planned<'a>>,
        workplace: &Workplace,
    ) -> Result<Self, CliError> {
        Ok(Self { label, surveyed: survey(trials, &workplace.store, &workplace.pool)? })
    }
}

/// A part for each plan, with its trials, the longest first; a trial that an earlier plan shares is
/// counted only there.
pub fn parts<'a>(plans: &'a [Plan], workplace: &Workplace) -> Result<Vec<Part<'a>>, CliError> {
    let (mut counted, costs) = (HashSet::new(), Costs::shipped()?);
    let part = |plan: &'a Plan| {
        let mut planned = trials([plan]);
        planned.retain(|trial| counted.insert(trial.key.clone()));
        costs.longest_first(&mut planned);
        Part::new(plan.benchmark.id.clone(), planned, workplace)
    };
    plans.iter().map(part).collect()
}

/// Runs the missing trials of each part, in order, and returns how all trials ended; `None` where
/// the user stopped the run, which is then told. The data are verified before the first trial.
/// `plans` are all plans of the run, and `ended` is called after each part.
///
/// # Errors
/// [`CliError::Store`] where the store cannot be written, after the number of finished trials was
/// printed.
pub fn run_parts(
    plans: &[Plan],
    parts: &[Part],
    (running, sources): (&Running, &SourceArgs),
    workplace @ Workplace { store, pool, limits, cancel, .. }: &Workplace,
    mut ended: impl FnMut(&Tally, &Progress) -> Result<(), CliError>,
) -> Result<Option<Tally>, CliError> {
    let library = sources.open_library_until(cancel, running.timeout.map(Duration::from_secs));
    let mut missing_data = HashMap::new();
    for part in parts {
        missing_data.extend(prepare_data(&part.surveyed, &library, cancel, &missing_data));
    }
    let executor = running.executor(&library, sources)?;
    let executor = executor.as_ref();
    let fresh = plans.iter().filter(|plan| plan.scores_costs()).flat_map(|plan| trials([plan]));
    let fresh: HashSet<TrialKey> = fresh.map(|trial| trial.key).collect();
    let costs = Costs::shipped()?;
    let runner = Runner { store, executor, pool, cancel, missing_data, fresh, costs };
    let all: Vec<_> = parts.iter().flat_map(|part| &part.surveyed).collect();
    let progress = progress(&all, costs, pool.current_num_threads());

    let mut total = Tally::default();
    for (done, part) in parts.iter().enumerate() {
        progress.enter(&part.label);
        let limits = |plan: &Plan| running.limits(*limits, &plan.benchmark);
        let (tally, error) = runner.run(&part.surveyed, limits, &progress);
        total.add(&tally);
        if error.is_some() || cancel.is_cancelled() {
            progress.finish();
            rest_is_stored(&parts[done + 1..], &mut total);
            tell(&total);
            if error.is_none() && workplace.is_out_of_time() {
                print(&format!("out of time: {total}\n"))?;
            } else {
                let word = if error.is_some() { "stopped" } else { "interrupted" };
                print(&format!("{word}: {total}; the same command goes on from here\n"))?;
            }
            return error.map_or(Ok(None), |error| Err(error.into()));
        }
        ended(&tally, &progress)?;
    }
    progress.finish();
    tell(&total);
    Ok(Some(total))
}

/// A display of all trials, and of the time that those which are not finished are expected to take.
fn progress(all: &[&(Planned, Found)], costs: &Costs, threads: usize) -> Progress {
    let left = all.iter().filter(|(_, found)| !matches!(found, Found::Finished(_)));
    let missing: Vec<&Planned> = left.map(|(trial, _)| trial).collect();
    let left: Vec<_> = missing.iter().map(|trial| costs.of_trial(trial)).collect();
    let seconds = left.iter().map(|cost| cost.seconds).sum();
    // Where most of the work is guessed, the first trials have to tell how fast it goes.
    let rate = is_work_known(&left).then_some(threads as f64);
    let progress = Progress::of_work("trials", all.len() as u64, "trials", seconds, rate);
    for (trial, cost) in missing.into_iter().zip(&left) {
        learned_kind(trial, costs).iter().for_each(|kind| progress.expect(kind, cost.seconds));
    }
    progress
}

/// Counts the parts that a run did not reach: stored trials are finished, the rest is cancelled.
fn rest_is_stored(parts: &[Part], total: &mut Tally) {
    for (trial, found) in parts.iter().flat_map(|part| &part.surveyed) {
        match found {
            Found::Finished(result) => {
                total.count(trial, &Standing::Finished(result.outcome.clone()))
            }
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
