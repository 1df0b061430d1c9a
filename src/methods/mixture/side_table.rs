//! Lay a fitted mixture out as a small table, a row a component.

use super::GaussianMixture;
use crate::methods::SideTable;

/// The table `components`: `weight`, `mean_y`, `mean_z1`, …, and the lower triangle of the covariance, `covariance_y_y`,
/// `covariance_z1_y`, `covariance_z1_z1`, …; column 0 of the mixture is y, the others are z1, z2, …
///
/// `units` are shift and scale of each column, by which value = shift + scale · column is in the units that a reader expects.
///
/// # Panics
/// If there is not one unit a column.
pub(super) fn components(mixture: &GaussianMixture, units: &[(f64, f64)]) -> SideTable {
    let (k, m) = (mixture.components(), mixture.columns());
    assert_eq!(units.len(), m, "a shift and a scale for each column");
    let axis = |i: usize| if i == 0 { "y".to_string() } else { format!("z{i}") };
    let weights = ("weight".to_string(), mixture.weights.to_vec());
    let means = units.iter().enumerate().map(|(i, (shift, scale))| {
        (format!("mean_{}", axis(i)), mixture.means.column(i).mapv(|mean| shift + scale * mean).to_vec())
    });
    let entries = (0..m).flat_map(|i| (0..=i).map(move |j| (i, j)));
    let covariances = entries.map(|(i, j)| {
        let square = units[i].1 * units[j].1;
        let values = (0..k).map(|c| square * mixture.covariances[c][[i, j]]).collect();
        (format!("covariance_{}_{}", axis(i), axis(j)), values)
    });
    SideTable { name: "components".into(), columns: std::iter::once(weights).chain(means).chain(covariances).collect() }
}
