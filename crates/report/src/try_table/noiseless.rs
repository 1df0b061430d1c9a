//! Tell a target that methods predict without an error, because it is computed from the features.

use uqbench_run::runner::try_table::Evaluation;

use super::choice::Rated;
use super::summary::summed;
use crate::words::try_table::headline::noiseless;

/// Below this share of the CRPS of the best method without features, nothing is left that noise
/// would leave.
const NOTHING: f64 = 1e-6;

/// The warning that the target seems to be computed from the features; `None` where every method
/// that uses them has an error, and where none without them was compared.
pub fn warning_of_noiseless(evaluation: &Evaluation) -> Option<String> {
    let methods = exact(evaluation);
    (!methods.is_empty()).then(|| noiseless(&methods))
}

/// The methods that use the features and have no error beside that of the best one without them.
pub(super) fn exact(evaluation: &Evaluation) -> Vec<String> {
    let all = summed(evaluation);
    let rated = Rated::all(&all);
    let of_reference =
        rated.iter().filter(|method| method.ignores_features()).map(|method| method.crps);
    let Some(without) = of_reference.reduce(f64::min) else { return Vec::new() };
    let exact =
        rated.iter().filter(|method| !method.ignores_features() && method.crps < NOTHING * without);
    exact.map(|method| method.id().to_owned()).collect()
}
