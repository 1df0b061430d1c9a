//! Bring a network's answer back to the target's units.

use ndarray::ArrayView1;

use crate::methods::scales::Scales;
use crate::methods::{FitError, Reading};
use crate::predictive::Predictive;

/// Refuses every reading but [`Reading::MAIN`].
///
/// # Errors
/// [`FitError::Unsupported`] in the name of the method `id`.
pub(super) fn main_only(id: &str, reading: &Reading) -> Result<(), FitError> {
    if *reading == Reading::MAIN {
        return Ok(());
    }
    let main = Reading::MAIN;
    Err(FitError::Unsupported(format!("{id} has the reading '{main}' only, asked for '{reading}'")))
}

/// The predictive distribution of the standardised target in the target's units, checked.
///
/// # Errors
/// [`FitError::Diverged`], in the name of the method `id`, where its numbers make no distribution.
pub(super) fn in_target_units(id: &str, standardised: &Predictive, scales: &Scales) -> Result<Predictive, FitError> {
    let (shift, scale) = (scales.target.shift, scales.target.scale);
    let predictive = standardised.affine(shift, scale).map_err(|error| FitError::Diverged(error.to_string()))?;
    predictive.validate().map_err(|error| FitError::Diverged(format!("{id}: {error}")))?;
    Ok(predictive)
}

/// The variance of equally weighed numbers, (1/M) Σ (z_m − z̄)²: exactly zero where all are equal.
pub(super) fn variance_of(values: ArrayView1<f64>) -> f64 {
    let (count, first) = (values.len() as f64, values[0]);
    // From the first one on, so that equal numbers have no rounding.
    let mean = values.iter().map(|z| z - first).sum::<f64>() / count;
    values.iter().map(|z| (z - first - mean).powi(2)).sum::<f64>() / count
}
