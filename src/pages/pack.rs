//! Pack a store with what its pages need, and check that the pack renders the same pages.

use std::collections::BTreeMap;
use std::path::Path;

use rayon::ThreadPool;
use rayon::prelude::*;

use super::{render_one, run_line};
use uq_core::metrics::MetricId;
use uqbench_judge::evidence::{EvidenceError, reach};
use uqbench_report::brief::Brief;
use uqbench_report::document::Document;
use uqbench_report::index::render_index;
use uqbench_run::runner::derived;
use uqbench_run::runner::key::TrialKey;
use uqbench_run::runner::plan::{Plan, trials};
use uqbench_run::runner::store::{Found, Store, StoreError};

/// Every page, table and figure of these plans, and the index.
///
/// # Errors
/// [`EvidenceError`].
pub fn render_all(
    plans: &[Plan],
    store: &Store,
    pool: &ThreadPool,
) -> Result<Vec<Document>, EvidenceError> {
    let rendered = pool.install(|| {
        plans.par_iter().map(|plan| render_one(plan, store, pool)).collect::<Result<Vec<_>, _>>()
    })?;
    let briefs: Vec<&Brief> = rendered.iter().map(|one| &one.brief).collect();
    let mut documents = render_index(plans, &briefs, &run_line(plans, store)?);
    documents.extend(rendered.into_iter().flat_map(|one| [one.documents, one.site].concat()));
    Ok(documents)
}

/// A pack of the plans' trials, and the names of the pages that it would render otherwise than the
/// store: none, unless the program is at fault. `path` is where the pack will be; nothing is
/// written.
///
/// # Errors
/// [`EvidenceError`].
pub fn pack(
    plans: &[Plan],
    store: &Store,
    pool: &ThreadPool,
    path: &Path,
) -> Result<(Vec<u8>, Vec<String>), EvidenceError> {
    let keys: Vec<TrialKey> = trials(plans).into_iter().map(|trial| trial.key).collect();
    // Another program may add trials while the pages are rendered.
    store.freeze(&keys)?;
    let from_store = render_all(plans, store, pool)?;
    let bytes = store.pack(&keys, &derived_data(plans, store)?)?;
    let packed = Store::from_pack(&bytes, path)?;
    let from_pack = render_all(plans, &packed, pool)?;
    let differ = |document: &&Document| !from_pack.contains(document);
    let differing =
        from_store.iter().filter(differ).map(|document| document.name.clone()).collect();
    Ok((bytes, differing))
}

/// What is derived from every finished trial, as far as pages and comparisons need it, sealed.
fn derived_data(plans: &[Plan], store: &Store) -> Result<BTreeMap<TrialKey, Vec<u8>>, StoreError> {
    let mut metrics: BTreeMap<TrialKey, Vec<MetricId>> = BTreeMap::new();
    for plan in plans {
        let of_plan: Vec<MetricId> =
            plan.first_metrics().into_iter().chain(reach::metrics(&plan.benchmark)).collect();
        for trial in trials([plan]) {
            let known = metrics.entry(trial.key).or_default();
            known.extend(
                of_plan
                    .iter()
                    .filter(|metric| !known.contains(metric))
                    .copied()
                    .collect::<Vec<_>>(),
            );
        }
    }
    let mut caches = BTreeMap::new();
    for (key, metrics) in metrics {
        if let Found::Finished(result) = store.find(&key)? {
            let sealed = derived::for_pack(store, &result, &metrics)?;
            caches.insert(key, sealed);
        }
    }
    Ok(caches)
}
