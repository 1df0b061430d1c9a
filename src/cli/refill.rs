//! `--refill`: compute again what a pack has left out, and keep it where it is the same.

use std::sync::Arc;
use std::time::Duration;

use clap::Args;

use super::describe::Ask;
use super::options::{Running, StorePlace};
use super::parts::{Part, Workplace, run_parts};
use super::sources::SourceArgs;
use super::{CliError, Ending};
use uqbench_report::grid::counted;
use uqbench_run::runner::costs::Costs;
use uqbench_run::runner::derived::keep_scores;
use uqbench_run::runner::outcome::Outcome;
use uqbench_run::runner::plan::{Plan, Planned, trials};
use uqbench_run::runner::record::{TrialRecord, TrialResult};
use uqbench_run::runner::rerun::compare::{Side, compare};
use uqbench_run::runner::store::{Found, Store, StoreError};
use uqbench_system::notice::say;
use uqbench_system::{Scratch, elapsed};

/// Whether what a pack lacks is computed again.
#[derive(Debug, Args)]
pub struct Refill {
    /// Run trials again whose predictions or side tables a pack has left out and the command needs;
    /// compare each with the pack, and keep it in the store if its numbers are the same.
    #[arg(long)]
    refill: bool,
    #[command(flatten)]
    sources: SourceArgs,
}

/// The finished trials of a store that are needed whole and lack files.
fn lacking<'a>(
    plans: &'a [Plan],
    store: &Store,
    is_needed: impl Fn(&Store, &TrialResult) -> Result<bool, StoreError>,
) -> Result<Vec<(Planned<'a>, Arc<TrialResult>)>, StoreError> {
    let mut lacking = Vec::new();
    for trial in trials(plans) {
        let Some(Found::Finished(result)) = store.find_readable(&trial.key)? else { continue };
        if store.lacks_files(&result)? && is_needed(store, &result)? {
            lacking.push((trial, result));
        }
    }
    Ok(lacking)
}

/// Whether a trial has predictions.
pub fn has_predictions(_: &Store, result: &TrialResult) -> Result<bool, StoreError> {
    Ok(result.outcome == Outcome::Ok)
}

impl Refill {
    /// Completes those trials of a store that a command needs whole; says how the command ends
    /// where some cannot be completed, and `None` where it can go on. The store is to be opened
    /// after it.
    ///
    /// # Errors
    /// [`CliError::Other`] where trials lack files and the user did not ask to run them, with what
    /// they would cost.
    pub fn complete(
        &self,
        plans: &[Plan],
        place: &StorePlace,
        is_needed: impl Fn(&Store, &TrialResult) -> Result<bool, StoreError>,
    ) -> Result<Option<Ending>, CliError> {
        let lacking = lacking(plans, &place.open_existing()?, is_needed)?;
        if lacking.is_empty() {
            return Ok(None);
        }
        let costs = Costs::shipped()?;
        let seconds: f64 = lacking.iter().map(|(trial, _)| costs.of_trial(trial).seconds).sum();
        let (root, time) =
            (place.store.display(), elapsed(Duration::from_secs_f64(seconds.ceil())));
        let what = format!(
            "{} of {root} {} no predictions, because a pack has left them out",
            counted(lacking.len(), "trial"),
            if lacking.len() == 1 { "has" } else { "have" }
        );
        if place.store.is_file() {
            return Err(CliError::Other(format!(
                "{what}: `uqbench store merge {root} --into DIR` makes a store of it, and the same \
                 command with `DIR` and --refill runs them again (about {time} of processor time)"
            )));
        }
        if !self.refill {
            return Err(CliError::Other(format!(
                "{what}: --refill runs them again (about {time} of processor time), compares each \
                 with the pack, and keeps them"
            )));
        }
        say(format!("{what}: they run again, which takes about {time} of processor time"));
        self.run(plans, &lacking, place)
    }

    fn run(
        &self,
        plans: &[Plan],
        lacking: &[(Planned, Arc<TrialResult>)],
        place: &StorePlace,
    ) -> Result<Option<Ending>, CliError> {
        let scratch = Scratch::new()
            .map_err(|error| CliError::Other(format!("no folder for the trials: {error}")))?;
        let beside = StorePlace { store: scratch.path().join("store") };
        let running = Running::default();
        let workplace = Workplace::open(&beside, &running, &Ask::new(false, None))?;
        let mut in_order: Vec<Planned> = lacking.iter().map(|(trial, _)| trial.clone()).collect();
        Costs::shipped()?.longest_first(&mut in_order);
        let parts = [Part::new("trials".into(), in_order, &workplace)?];
        let total = run_parts(plans, &parts, (&running, &self.sources), &workplace, |_, _| Ok(()))?;
        let store = place.open()?;
        let (mut kept, mut failed) = (0, 0);
        for (trial, stored) in lacking {
            let Found::Finished(here) = workplace.store.find(&trial.key)? else {
                failed += 1;
                continue;
            };
            let [before, now] = [(&store, stored), (&workplace.store, &here)]
                .map(|(store, result)| Side { store, result });
            let grade = compare(before, now)?;
            if grade.is_confirmed() {
                keep(trial, stored, &here, &store, &workplace.store)?;
                kept += 1;
            } else {
                failed += 1;
                say(format!(
                    "warning: {} is {} when it runs again, and is not kept ({})",
                    trial.name(),
                    grade.word(),
                    trial.key
                ));
            }
        }
        say(format!(
            "{} ran again with the numbers of the pack, and {kept} are kept",
            counted(kept, "trial")
        ));
        if total.is_none() {
            return Ok(Some(Ending::Interrupted));
        }
        if failed > 0 {
            say(format!(
                "{} could not be completed: the command ends here",
                counted(failed, "trial")
            ));
            return Ok(Some(Ending::Incomplete));
        }
        Ok(None)
    }
}

/// Puts a trial that ran again in place of the one that lacks files. What the pack says of where
/// and how fast it ran stays, because scores of time are about that run.
fn keep(
    trial: &Planned,
    stored: &TrialResult,
    here: &TrialResult,
    store: &Store,
    from: &Store,
) -> Result<(), CliError> {
    let files = here.files.keys().map(|name| Ok((name.clone(), from.stamped(here, name)?)));
    let files = files.collect::<Result<_, StoreError>>()?;
    let now = from.provenance(&here.key)?.unwrap_or_default();
    let mut provenance = store.provenance(&stored.key)?.unwrap_or_else(|| now.clone());
    provenance.numbers_sha256 = now.numbers_sha256;
    let record = TrialRecord { result: here.clone(), files, provenance };
    store.replace_trial(&record)?;
    Ok(keep_scores(store, &record, &trial.plan.first_metrics())?)
}
