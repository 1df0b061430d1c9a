//! Reference methods that use little of the data: their scores show how much the others have
//! learnt.

mod linear_gaussian;
mod references;
mod unconditional_gaussian;
mod unconditional_quantiles;

pub use linear_gaussian::{LinearGaussian, LinearGaussianParameters};
pub use references::PUBLICATIONS;
pub use unconditional_gaussian::{UnconditionalGaussian, UnconditionalGaussianParameters};
pub use unconditional_quantiles::{UnconditionalQuantiles, UnconditionalQuantilesParameters};

#[cfg(test)]
use uq_core::Table;

/// The names and headings of the anchor methods, which are in every table. A column carries the
/// name as label `method`.
pub const ANCHORS: [(&str, &str); 3] = [
    ("unconditional-gaussian", "Unconditional Gaussian"),
    ("unconditional-quantiles", "Unconditional quantiles"),
    ("linear-gaussian", "Linear Gaussian"),
];

/// A table of 50 rows and 3 features whose values are computed without random numbers.
#[cfg(test)]
fn golden_table() -> Table {
    let features = super::golden::golden_features();
    let target = ndarray::Array1::from_shape_fn(50, |i| {
        let x = features.row(i);
        3.0 + 2.0 * x[0] - 0.5 * x[1] + 0.25 * x[2] + ((i * 13) % 11) as f64 / 8.0
    });
    Table::unnamed(features, target)
}
