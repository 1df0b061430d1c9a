//! Lay a fitted mixture out as a small table, one row for each component.

use super::GaussianMixture;
use crate::side_tables::{Components, SideTable};

/// The [`Components`] of a mixture whose column 0 is y. `units` are shift and scale of each column,
/// by which value = shift + scale · column is in the units that a reader expects.
///
/// # Panics
/// If there is not one unit for each column.
pub(super) fn components(mixture: &GaussianMixture, units: &[(f64, f64)]) -> SideTable {
    let (k, m) = (mixture.components(), mixture.columns());
    assert_eq!(units.len(), m, "a shift and a scale for each column");
    let means = units.iter().zip(mixture.means.columns());
    let entries = (0..m).flat_map(|i| (0..=i).map(move |j| (i, j)));
    let covariance = |(i, j): (usize, usize)| {
        let square = units[i].1 * units[j].1;
        (0..k).map(|c| square * mixture.covariances[c][[i, j]]).collect()
    };
    let components = Components {
        weights: mixture.weights.to_vec(),
        means: means
            .map(|((shift, scale), means)| means.mapv(|mean| shift + scale * mean).to_vec())
            .collect(),
        covariances: entries.map(covariance).collect(),
    };
    components.to_table()
}
