//! Keep rendered pages in the store, and show them again where nothing has changed that they depend
//! on.
//!
//! The pages of a benchmark are kept with a stamp of all that they depend on: the bytes of this
//! program, which include the committed verdicts, the paper, the benchmark, the plan, the state of
//! every trial, and the cache of what is derived from it. Where the stamp is the same, so would
//! the pages be. Any doubt renders them: a pack, a damaged trial, a file that cannot be read.
//! `report --verify` never takes kept pages.

use std::fmt::Write;

use rayon::ThreadPool;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::render_one;
use uqbench_judge::evidence::EvidenceError;
use uqbench_report::brief::Brief;
use uqbench_report::index::Rendered;
use uqbench_run::benchmark::{Profile, papers};
use uqbench_run::runner::key::TrialKey;
use uqbench_run::runner::plan::{Plan, trials};
use uqbench_run::runner::store::{Store, StoreError};
use uqbench_run::runner::tally::Standing;
use uqbench_system::hash::sha256;
use uqbench_system::program::fingerprint;

/// The pages of one benchmark.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pages {
    /// The pages, and what pages about several benchmarks show of this one.
    pub rendered: Rendered,
    /// How its trials stand, in the order of the plan.
    pub standings: Vec<Standing>,
    /// Whether they were rendered now.
    #[serde(skip)]
    pub are_new: bool,
    /// What [`stamp`] was before they were rendered.
    #[serde(skip)]
    stamp: Option<String>,
}

/// Pages with what they depend on.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept<S, P> {
    stamp: S,
    /// What [`derived_stamp`] was when they were kept.
    derived: String,
    pages: P,
}

/// The pages of a benchmark: those that are kept, or new ones where something has changed or new
/// ones are wanted.
///
/// # Errors
/// [`EvidenceError`].
pub fn pages(
    plan: &Plan,
    store: &Store,
    pool: &ThreadPool,
    are_new: bool,
) -> Result<Pages, EvidenceError> {
    // Taken before anything is read, so that it does not tell of a state that is newer than the
    // pages.
    let stamp = pool.install(|| stamp(plan, store));
    let known =
        stamp.as_deref().filter(|_| !are_new).and_then(|stamp| kept(plan, store, pool, stamp));
    if let Some(pages) = known {
        return Ok(pages);
    }
    let rendered = render_one(plan, store, pool)?;
    let of_trials = trials([plan]);
    let standings =
        of_trials.iter().map(|trial| Standing::of(store, &trial.key)).collect::<Result<_, _>>()?;
    Ok(Pages { rendered, standings, are_new: true, stamp })
}

/// Pages that were kept when everything was as it is now.
fn kept(plan: &Plan, store: &Store, pool: &ThreadPool, stamp: &str) -> Option<Pages> {
    let kept: Kept<String, Pages> = serde_json::from_slice(&store.kept_pages(&name(plan))?).ok()?;
    let is_same =
        kept.stamp == stamp && pool.install(|| derived_stamp(plan, store))? == kept.derived;
    is_same.then_some(kept.pages)
}

impl Pages {
    /// Keeps new pages, if the store can be written and they can be read again as they are.
    ///
    /// To be called when all benchmarks are rendered: each adds to the caches of trials that it
    /// shares with others. A cache says the same after that, because its names tell all that they
    /// depend on.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn keep(&self, plan: &Plan, store: &Store, pool: &ThreadPool) -> Result<(), StoreError> {
        // A damaged trial has to be reported each time.
        let is_damaged = self
            .standings
            .iter()
            .any(|standing| matches!(standing, Standing::Damaged(_) | Standing::Unreadable(_)));
        let Some(stamp) = self.stamp.as_ref().filter(|_| !is_damaged && self.is_readable()) else {
            return Ok(());
        };
        let Some(derived) = pool.install(|| derived_stamp(plan, store)) else { return Ok(()) };
        let Ok(text) = serde_json::to_vec(&Kept { stamp, derived, pages: self }) else {
            return Ok(());
        };
        match store.keep_pages(&name(plan), &text) {
            Err(StoreError::Write { .. }) => Ok(()),
            end => end,
        }
    }

    /// Whether its numbers can be read as they are written: JSON has no infinite ones.
    fn is_readable(&self) -> bool {
        let brief = &self.rendered.brief;
        let read =
            serde_json::to_vec(brief).and_then(|text| serde_json::from_slice::<Brief>(&text));
        read.is_ok_and(|read| read == *brief)
    }
}

fn name(plan: &Plan) -> String {
    format!("{}-{}", plan.benchmark.id, plan.profile.as_str())
}

/// Whether pages are kept under this name for the benchmark `id`, in any profile.
pub fn is_name_of(name: &str, id: &str) -> bool {
    let profile = name.strip_prefix(id).and_then(|rest| rest.strip_prefix('-'));
    let all = [Profile::Smoke, Profile::Quick, Profile::Full];
    profile.is_some_and(|profile| all.iter().any(|known| known.as_str() == profile))
}

/// A hash of all that the pages of a plan depend on but what is derived from its trials. `None`
/// where it cannot be told.
fn stamp(plan: &Plan, store: &Store) -> Option<String> {
    let Plan { benchmark, profile, filter, seeds, .. } = plan;
    // The pages of trials state the chosen datasets and splits.
    let chosen = (&filter.datasets, filter.splits);
    let paper = papers::with_folder().iter().find(|paper| paper.key == benchmark.paper);
    let mut text =
        format!("{}\n{benchmark:?}\n{paper:?}\n{profile:?} {chosen:?} {seeds:?}\n", fingerprint()?);
    for id in benchmark.other_tables() {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{:?}", benchmark.find_beside(id).ok()?.printed);
    }
    for experiment in plan.all_experiments() {
        let (method, flags) =
            (&experiment.method, (experiment.deterministic, experiment.chooses_by_coverage));
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{} {} {flags:?} {method:?}", experiment.dataset, experiment.splits);
    }
    text += &all_stamps(plan, |trial| store.stamp(trial))?;
    Some(sha256(text.as_bytes()))
}

/// A hash of the caches of what is derived from the trials of a plan.
fn derived_stamp(plan: &Plan, store: &Store) -> Option<String> {
    Some(sha256(all_stamps(plan, |trial| store.derived_stamp(trial))?.as_bytes()))
}

/// Lines for all trials of a plan.
fn all_stamps(plan: &Plan, one: impl Fn(&TrialKey) -> Option<String> + Sync) -> Option<String> {
    let all: Option<Vec<String>> = trials([plan]).par_iter().map(|trial| one(&trial.key)).collect();
    Some(all?.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use uqbench_run::benchmark::find;
    use uqbench_run::runner::plan::{Filter, plan};

    #[test]
    fn the_name_of_kept_pages_tells_their_benchmark() {
        assert!(is_name_of("dtb-table-1-quick", "dtb-table-1") && is_name_of("a-full", "a"));
        for (name, id) in [
            ("dtb-table-10-quick", "dtb-table-1"),
            ("dtb-table-1", "dtb-table-1"),
            ("a-b-full", "a"),
        ] {
            assert!(!is_name_of(name, id), "{name} {id}");
        }
    }

    #[test]
    fn pages_are_kept_until_the_plan_changes_if_they_can_be_read_again_as_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path().join("store")).unwrap();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let mut plan = plan(&[find("dtb-figure-2").unwrap()], Profile::Smoke, &Filter::default())
            .unwrap()
            .swap_remove(0);
        let get = |plan: &Plan| pages(plan, &store, &pool, false).unwrap();
        let mut first = get(&plan);
        assert!(first.are_new && get(&plan).are_new, "nothing is kept yet");
        first.keep(&plan, &store, &pool).unwrap();
        let second = get(&plan);
        assert!(!second.are_new);
        assert_eq!((&second.rendered, &second.standings), (&first.rendered, &first.standings));
        assert!(pages(&plan, &store, &pool, true).unwrap().are_new, "as asked for");
        // JSON has no infinity: these are not kept in place of those that are.
        first.rendered.brief.by_chance = f64::INFINITY;
        first.keep(&plan, &store, &pool).unwrap();
        assert_eq!(get(&plan).rendered, second.rendered);
        plan.experiments.pop();
        assert!(get(&plan).are_new);
    }
}
