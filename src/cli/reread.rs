//! Read stored trials again after programs of others have run.

use uqbench_run::external;
use uqbench_run::runner::key::TrialKey;
use uqbench_run::runner::plan::{Plan, Planned, trials};
use uqbench_run::runner::store::Store;
use uqbench_run::runner::tally::Tally;

/// Reads all trials again after methods of others have run with the user's rights: one may have
/// damaged what was stored.
pub(super) fn reread(plans: &[Plan], total: &Tally, store: &Store) {
    let all = trials(plans);
    let is_of_others = |trial: &Planned| trial.experiment.template.method == external::ID;
    if total.ran == 0 || !all.iter().any(is_of_others) {
        return;
    }
    let keys: Vec<TrialKey> = all.into_iter().map(|trial| trial.key).collect();
    store.read_again(&keys);
}
