//! Choose the levels at which a method predicts quantiles: the requested ones and a grid between
//! them.
//!
//! The grid makes mean, variance and CRPS of the quantiles' linear interpolation good, and leaves
//! the form within the 64 numbers a row that a store keeps exactly.

use ndarray::Array2;

use super::FitError;
use uq_core::predictive::Predictive;

/// Steps of the even part of [`grid`].
const STEPS: u32 = 50;

/// Levels beyond the even part of [`grid`].
const TAILS: [f64; 4] = [0.005, 0.01, 0.99, 0.995];

/// The levels that are always predicted: 0.02, 0.04, … 0.98 and the tails.
fn grid() -> impl Iterator<Item = f64> {
    (1..STEPS).map(|k| f64::from(k) / f64::from(STEPS)).chain(TAILS)
}

/// The levels of the grid alone, increasing.
pub fn only_grid() -> Vec<f64> {
    let mut levels: Vec<f64> = grid().collect();
    levels.sort_unstable_by(f64::total_cmp);
    levels
}

/// The requested levels and those of the grid, increasing, none twice.
///
/// # Errors
/// [`FitError::Unsupported`], in the name of the method `id`, for a requested level outside (0, 1).
pub fn with_grid(id: &str, asked: &[f64]) -> Result<Vec<f64>, FitError> {
    if let Some(level) = asked.iter().find(|level| !(**level > 0.0 && **level < 1.0)) {
        return Err(FitError::Unsupported(format!(
            "{id}: asked for the quantile at {level}, expected levels in (0, 1)"
        )));
    }
    let mut levels: Vec<f64> = asked.to_vec();
    // A requested level replaces a level of the grid that differs from it by rounding.
    levels.extend(grid().filter(|g| asked.iter().all(|a| (a - g).abs() > 1e-9)));
    levels.sort_unstable_by(f64::total_cmp);
    levels.dedup();
    Ok(levels)
}

/// The quantiles at these levels in an answer of the method `base`, n × levels.
///
/// # Errors
/// [`FitError::Diverged`], in the name of the method `id`, where one is undefined or not finite.
pub(super) fn finite_quantiles(
    id: &str,
    base: &str,
    answer: &Predictive,
    levels: &[f64],
) -> Result<Array2<f64>, FitError> {
    let mut values = Array2::zeros((answer.len(), levels.len()));
    for (&level, mut into) in levels.iter().zip(values.columns_mut()) {
        let found = answer.distribution().quantiles(level);
        let finite = found.filter(|values| values.iter().all(|value| value.is_finite()));
        let none = || {
            FitError::Diverged(format!(
                "{id}: `{base}` predicts no finite quantile of level {level}"
            ))
        };
        into.assign(&finite.ok_or_else(none)?);
    }
    Ok(values)
}
