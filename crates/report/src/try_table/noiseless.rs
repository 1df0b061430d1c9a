//! Tell a target that methods predict without an error, because it is computed from the features.

use uqbench_run::runner::try_table::Evaluation;

use super::choice::Rated;
use super::summary::summed;

/// Below this share of the CRPS of the best method without features, nothing is left that noise
/// would leave.
const NOTHING: f64 = 1e-6;

/// The warning that the target seems to be computed from the features; `None` where every method
/// that uses them has an error, and where none without them was compared.
pub fn warning_of_noiseless(evaluation: &Evaluation) -> Option<String> {
    let all = summed(evaluation);
    let rated = Rated::all(&all);
    let without = rated
        .iter()
        .filter(|method| method.ignores_features())
        .map(|method| method.crps)
        .reduce(f64::min)?;
    let exact =
        rated.iter().filter(|method| !method.ignores_features() && method.crps < NOTHING * without);
    let names: Vec<String> = exact.map(|method| format!("`{}`", method.id())).collect();
    (!names.is_empty()).then(|| {
        format!(
            "the target seems to be computed from the features without noise: at rows that the \
             fits have not seen, the CRPS of {} is less than a millionth of that of methods \
             without features. So good are scores of a simulator, or where the features are what \
             the target was computed of; nothing else is as good",
            names.join(", ")
        )
    })
}
