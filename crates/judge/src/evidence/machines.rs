//! Read where and when trials ran, and how many of them the shipped run has, too.

use std::collections::BTreeSet;

use serde::Serialize;

use uqbench_run::benchmark::Profile;
use uqbench_run::runner::plan::Plan;
use uqbench_run::runner::record::Provenance;
use uqbench_run::runner::shipped::Shipped;
use uqbench_run::runner::store::{Store, StoreError};

/// Where and when the trials of plans ran.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Machines {
    /// Programs with their versions.
    pub programs: BTreeSet<String>,
    /// Systems and processor families.
    pub platforms: BTreeSet<String>,
    /// Names of processors, where the system tells them.
    pub processors: BTreeSet<String>,
    /// The first and the last day, counted from 1970-01-01; `None` where nothing is known.
    pub days: Option<(u64, u64)>,
}

/// Trials that the shipped run has, too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct AlsoShipped {
    /// Those with the same record.
    pub equal: usize,
    /// Those with another one.
    pub differing: usize,
}

/// Where and when the plans' trials ran, by the first and the last split of each experiment.
///
/// # Errors
/// [`StoreError::Read`].
pub fn machines(plans: &[Plan], store: &Store) -> Result<Machines, StoreError> {
    let experiments = plans.iter().flat_map(Plan::all_experiments).filter(|e| e.splits > 0);
    let keys = experiments.flat_map(|e| [e.key(0), e.key(e.splits - 1)]);
    let read = |key| Ok(store.readable(&key, store.provenance(&key))?.ok().flatten());
    let found: Vec<Provenance> =
        keys.filter_map(|key| read(key).transpose()).collect::<Result<Vec<_>, StoreError>>()?;
    let days = || found.iter().map(|p| p.started / 86_400);
    Ok(Machines {
        programs: found.iter().map(|p| p.machine.program.clone()).collect(),
        platforms: found.iter().map(|p| p.machine.platform.clone()).collect(),
        processors: found.iter().filter_map(|p| p.machine.processor.clone()).collect(),
        days: days().min().zip(days().max()),
    })
}

/// The trials of plans of a smaller profile that the shipped run has, too; none in the full one,
/// which would be beside itself.
///
/// # Errors
/// [`StoreError::Read`].
pub fn also_shipped(plans: &[Plan], store: &Store) -> Result<AlsoShipped, StoreError> {
    if plans.iter().any(|plan| plan.profile == Profile::Full) {
        return Ok(AlsoShipped::default());
    }
    let beside = Shipped::read().beside(plans, store, |_| Ok(true))?;
    Ok(AlsoShipped { equal: beside.equal, differing: beside.differing.len() })
}
