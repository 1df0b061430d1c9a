//! Gather the report of a benchmark from the store, and write its pages.
//!
//! [`uqbench_judge`] reads the store, [`uqbench_report`] never does: this is where the one meets
//! the other. [`kept`] shows pages again that nothing has changed, [`mod@pack`] checks that a pack
//! gives the pages of its store.

pub mod kept;
pub mod pack;

use rayon::ThreadPool;

use uqbench_judge::evidence::EvidenceError;
use uqbench_judge::evidence::machines::{also_shipped, machines};
use uqbench_judge::report::Report;
use uqbench_report::index::{Rendered, pages};
use uqbench_report::words::claims;
use uqbench_run::runner::plan::Plan;
use uqbench_run::runner::store::{Store, StoreError};

/// Renders one benchmark from the store.
///
/// # Errors
/// [`EvidenceError`] where the store or the file of printed numbers cannot be read.
pub fn render_one(
    plan: &Plan,
    store: &Store,
    pool: &ThreadPool,
) -> Result<Rendered, EvidenceError> {
    let report = Report::collect(plan, store, pool, claims::ours)?;
    Ok(pool.install(|| pages(&report)))
}

/// Where and when the plans' trials ran, and how many of them the shipped run has, too.
///
/// # Errors
/// [`StoreError::Read`].
pub fn run_line(plans: &[Plan], store: &Store) -> Result<String, StoreError> {
    Ok(uqbench_report::run_line::run_line(&machines(plans, store)?, also_shipped(plans, store)?))
}

/// A sentence on the damaged trials of a store that were met, and one on those that cannot be read.
pub fn damage_line(store: &Store) -> String {
    uqbench_report::index::damage_line(store.damaged().len(), store.unreadable().len())
}
