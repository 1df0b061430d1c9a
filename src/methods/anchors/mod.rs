//! Methods that know little: what they score says how much the others have learnt.

mod linear_gaussian;
mod unconditional_gaussian;
mod unconditional_quantiles;

pub use linear_gaussian::LinearGaussian;
pub use unconditional_gaussian::UnconditionalGaussian;
pub use unconditional_quantiles::UnconditionalQuantiles;

use super::{FitError, Reading};
use crate::data::Table;

/// The names and headings of the anchor methods, which stand in every table. A column carries the name as label `method`.
pub const ANCHORS: [(&str, &str); 3] = [
    ("unconditional-gaussian", "Unconditional Gaussian"),
    ("unconditional-quantiles", "Unconditional quantiles"),
    ("linear-gaussian", "Linear Gaussian"),
];

/// Refuses any reading but [`Reading::MAIN`].
fn only_main(method: &str, reading: &Reading) -> Result<(), FitError> {
    if *reading == Reading::MAIN {
        return Ok(());
    }
    Err(FitError::Unsupported(format!("{method} has the reading '{}' only, asked for '{reading}'", Reading::MAIN)))
}

/// Refuses targets that are not finite, naming the first row at fault.
fn finite_target(method: &str, train: &Table) -> Result<(), FitError> {
    match train.target.iter().position(|y| !y.is_finite()) {
        None => Ok(()),
        Some(row) => Err(FitError::Unsupported(format!(
            "{method}: the target in training row {row} is {}, expected a finite number",
            train.target[row]
        ))),
    }
}

/// A table of 50 rows and 3 features whose values are computed without random numbers.
#[cfg(test)]
fn golden_table() -> Table {
    use ndarray::{Array1, Array2};
    let features = Array2::from_shape_fn((50, 3), |(i, j)| ((i * (7 + 4 * j) + j) % 17) as f64 / 4.0 - 2.0);
    let target = Array1::from_shape_fn(50, |i| {
        let x = features.row(i);
        3.0 + 2.0 * x[0] - 0.5 * x[1] + 0.25 * x[2] + ((i * 13) % 11) as f64 / 8.0
    });
    Table::unnamed(features, target)
}
