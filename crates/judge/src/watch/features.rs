//! Compare the features of new rows with those that a model was fitted on.

use ndarray::ArrayView2;

use uq_core::stats::drift::{Drift, Histogram};
use uq_core::stats::holm_adjusted;

/// Smallest distance of distributions that is told: a smaller one changes few predictions, although
/// many rows may show it.
const TOLD: f64 = 0.1;

/// A feature whose distribution has changed.
#[derive(Clone, Debug, PartialEq)]
pub struct FeatureDrift {
    /// Its name.
    pub name: String,
    /// How it has changed.
    pub drift: Drift,
    /// The p-value of the test, corrected by Holm for the number of features.
    pub p_value: f64,
}

/// The features (m × d, under these names) whose distribution has changed: those for which the
/// corrected p-value is at most `alpha` and the distance at least 0.1, the largest distance first.
pub fn compare_features(
    reference: &[Histogram],
    names: &[String],
    features: ArrayView2<f64>,
    alpha: f64,
) -> Vec<FeatureDrift> {
    let compared = reference.iter().zip(features.columns()).zip(names);
    let all: Vec<(&String, Drift)> = compared
        .filter_map(|((before, now), name)| Some((name, before.compare(now.iter().copied())?)))
        .collect();
    let p: Vec<f64> = all.iter().map(|(_, drift)| drift.p_value.unwrap_or(1.0)).collect();
    let mut found: Vec<FeatureDrift> = all
        .into_iter()
        .zip(holm_adjusted(&p))
        .filter(|((_, drift), p)| *p <= alpha && drift.distance >= TOLD)
        .map(|((name, drift), p_value)| FeatureDrift { name: name.clone(), drift, p_value })
        .collect();
    found.sort_by(|a, b| b.drift.distance.total_cmp(&a.drift.distance));
    found
}
