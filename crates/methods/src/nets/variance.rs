//! Measure the spread of the members of an ensemble, or of the passes of dropout.

use ndarray::ArrayView1;

/// The variance of equally weighed numbers, (1/M) Σ (z_m − z̄)²: exactly zero where all are equal.
pub(super) fn variance_of(values: ArrayView1<f64>) -> f64 {
    let (count, first) = (values.len() as f64, values[0]);
    // Relative to the first one, so that equal numbers have no rounding.
    let mean = values.iter().map(|z| z - first).sum::<f64>() / count;
    values.iter().map(|z| (z - first - mean).powi(2)).sum::<f64>() / count
}
