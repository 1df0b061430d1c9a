//! Hold a small fit to stored numbers, so that a change of a method's numbers cannot pass without a
//! new version.

use ndarray::{Array1, Array2};

use uq_core::Table;
use uq_core::predictive::Predictive;

/// 50 rows and 3 features whose values are computed without random numbers; some rows are equal.
pub(super) fn golden_features() -> Array2<f64> {
    Array2::from_shape_fn((50, 3), |(i, j)| ((i * (7 + 4 * j) + j) % 17) as f64 / 4.0 - 2.0)
}

/// The features, and a target that follows the first one.
pub(super) fn golden_table() -> Table {
    let features = golden_features();
    let target =
        Array1::from_shape_fn(50, |i| 3.0 + 2.0 * features[(i, 0)] + ((i * 13) % 11) as f64 / 8.0);
    Table::unnamed(features, target)
}

/// Mean and variance of the first and of the fiftieth row.
pub(super) fn first_and_last(predictive: &Predictive) -> [f64; 4] {
    let (means, variances) = (predictive.means().unwrap(), predictive.variances().unwrap());
    [means[0], means[49], variances[0], variances[49]]
}

/// Numbers of a fit must be the golden ones up to this relative difference: processors add up in
/// different orders.
#[track_caller]
pub(super) fn assert_golden<const N: usize>(found: [f64; N], golden: [f64; N], tolerance: f64) {
    let same =
        found.iter().zip(golden).all(|(found, golden)| (found / golden - 1.0).abs() < tolerance);
    assert!(same, "{found:?} against {golden:?}: raise the version");
}
