//! Read the side tables of a kernel regression for its figures.

use crate::evidence::EvidenceError;
use crate::evidence::trials::decode;
use uq_methods::side_tables::{NoiseLaw, Points, SideTable};
use uqbench_run::runner::record::TrialResult;
use uqbench_run::runner::store::Store;

/// The noise-free function at the test rows, shifted so that the noise has mean zero.
pub(super) fn truth(
    result: &TrialResult,
    tables: &[SideTable],
    store: &Store,
) -> Result<Option<Vec<f64>>, EvidenceError> {
    let mean =
        tables.iter().find_map(NoiseLaw::from_table).and_then(|noise| noise.mean).unwrap_or(0.0);
    Ok(decode(result, store)?.facts.truth.map(|truth| truth.iter().map(|f| f - mean).collect()))
}

/// x and y of the training rows; `None` for several features.
pub(super) fn training(tables: &[SideTable]) -> Option<(Vec<f64>, Vec<f64>)> {
    let Points { x, y } =
        Points::from_table(tables.iter().find(|table| table.name == Points::TRAINING)?)?;
    Some((x, y))
}
