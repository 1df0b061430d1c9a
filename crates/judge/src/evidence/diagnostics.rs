//! Collect the side tables of fits over the repetitions of each experiment.

use rayon::prelude::*;

use super::results::{Repetitions, Results};
use super::trials::EvidenceError;
use uq_methods::side_tables::SideTable;
use uqbench_run::runner::store::Store;

/// The side tables of the fits of one experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct FitDiagnostics {
    /// Index of the experiment in the plan.
    pub experiment: usize,
    /// The wanted tables of all finished repetitions, in their order.
    pub side_tables: Vec<SideTable>,
}

impl FitDiagnostics {
    /// The tables of this name, one for each repetition that has it.
    pub fn named(&self, name: &str) -> Vec<&SideTable> {
        self.side_tables.iter().filter(|side_table| side_table.name == name).collect()
    }
}

/// The tables of these names of each experiment that has any. If the first finished repetition has
/// none, the others are not read. Repetitions with other seeds and those of the validation are left
/// out.
///
/// # Errors
/// [`EvidenceError`] where stored trials cannot be read.
pub fn collect(
    results: &Results,
    names: &[&str],
    store: &Store,
) -> Result<Vec<FitDiagnostics>, EvidenceError> {
    let of_experiment =
        |(experiment, repetitions): (usize, &Repetitions)| -> Result<_, EvidenceError> {
            let mut found = Vec::new();
            for result in repetitions.finished() {
                found.extend(store.side_tables(result, |name| names.contains(&name))?);
                if found.is_empty() {
                    return Ok(None);
                }
            }
            Ok((!found.is_empty()).then_some(FitDiagnostics { experiment, side_tables: found }))
        };
    let all = results
        .experiments
        .par_iter()
        .enumerate()
        .map(of_experiment)
        .collect::<Result<Vec<_>, _>>()?;
    Ok(all.into_iter().flatten().collect())
}
