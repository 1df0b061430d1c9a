//! Say which verdicts change with the trials that differ.

use super::Packs;
use crate::cli::CliError;
use crate::cli::parts::Workplace;
use crate::cli::wording::Worded;
use crate::pages::render_one;
use uqbench_report::rerun::ChangedVerdict;
use uqbench_report::scorecard::Row;
use uqbench_run::runner::derived::keep_scores;
use uqbench_run::runner::plan::{Plan, Planned, trials};
use uqbench_run::runner::record::TrialRecord;
use uqbench_run::runner::store::{Found, Store, StoreError};
use uqbench_system::Scratch;

/// What becomes of the verdicts where some trials are taken as they ran here.
#[derive(Default)]
pub(super) struct Verdicts {
    /// Those that change.
    pub changed: Vec<ChangedVerdict>,
    /// Benchmarks whose verdicts cannot be compared, and why: the packs may lack what their pages
    /// need.
    pub unknown: Vec<(String, String)>,
}

/// The verdicts that are others where these trials are taken as they ran here, all others as the
/// packs have them.
///
/// # Errors
/// [`CliError`] where the packs cannot be merged, or a trial cannot be kept.
pub(super) fn verdicts(
    plans: &[Plan],
    packs: &Packs,
    Workplace { store: here, pool, .. }: &Workplace,
    differing: &[&Planned],
) -> Result<Verdicts, CliError> {
    let has_any = |plan: &&Plan| {
        trials([*plan]).iter().any(|trial| differing.iter().any(|one| one.key == trial.key))
    };
    let affected: Vec<&Plan> =
        plans.iter().filter(|_| !differing.is_empty()).filter(has_any).collect();
    if affected.is_empty() {
        return Ok(Verdicts::default());
    }
    let scratch = Scratch::new()
        .map_err(|error| CliError::Other(format!("no folder for the verdicts: {error}")))?;
    let root = scratch.path().join("store");
    Store::merge(&packs.stores, &root)?;
    let rows = || -> Result<Vec<Result<Vec<Row>, String>>, CliError> {
        let store = Store::open_existing(&root)?;
        let render = |plan: &&Plan| match render_one(plan, &store, pool) {
            Ok(page) => Ok(page.brief.rows),
            Err(error) => Err(error.worded()),
        };
        Ok(affected.iter().map(render).collect())
    };
    let before = rows()?;
    let store = Store::open(&root)?;
    for trial in differing {
        let Found::Finished(result) = here.find(&trial.key)? else { continue };
        let files =
            result.files.keys().map(|name| Ok((name.clone(), here.stamped(&result, name)?)));
        let files = files.collect::<Result<_, StoreError>>()?;
        let provenance = here.provenance(&trial.key)?.unwrap_or_default();
        let record = TrialRecord { result: (*result).clone(), files, provenance };
        store.replace_trial(&record)?;
        keep_scores(&store, &record, &trial.plan.first_metrics())?;
    }
    drop(store);
    let mut verdicts = Verdicts::default();
    for ((plan, before), after) in affected.iter().zip(before).zip(rows()?) {
        let benchmark = &plan.benchmark.id;
        match before.and_then(|before| Ok((before, after?))) {
            Ok((before, after)) => verdicts.changed.extend(changed(benchmark, &before, &after)),
            Err(why) => verdicts.unknown.push((benchmark.clone(), why)),
        }
    }
    Ok(verdicts)
}

/// The rows whose verdict differs: both lists have the same rows.
fn changed(benchmark: &str, before: &[Row], after: &[Row]) -> Vec<ChangedVerdict> {
    let pairs = before.iter().zip(after).filter(|(a, b)| a.verdict != b.verdict);
    let words = |row: &Row| {
        let parts = [&row.claim, &row.dataset, &row.method, &row.variant, &row.metric];
        parts.into_iter().filter(|part| !part.is_empty()).cloned().collect::<Vec<_>>().join(", ")
    };
    let of = |(a, b): (&Row, &Row)| ChangedVerdict {
        benchmark: benchmark.to_owned(),
        what: words(a),
        stored: a.verdict.to_string(),
        here: b.verdict.to_string(),
    };
    pairs.map(of).collect()
}
