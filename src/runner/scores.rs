//! Derive scores from stored trials, and cache them by (trial, reading, metric@version): a new metric needs no refit.
//!
//! A cache contains the trial's key and the hash of the rows that it was derived from. A cache with another key or hash
//! is made again.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::key::TrialKey;
use super::layout;
use super::outcome::Outcome;
use super::record::{Provenance, ROWS, TrialRecord, TrialResult, seal, unseal};
use super::store::{Store, StoreError};
use crate::methods::Reading;
use crate::metrics::{MetricId, ScoreContext};

/// Scores of one trial: reading, then `metric@version`. `None` is an undefined score.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Scores(BTreeMap<Reading, BTreeMap<String, Number>>);

/// Scores with the trial and the rows that they were derived from.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Cached {
    trial: TrialKey,
    rows_sha256: String,
    scores: Scores,
}

/// A score in JSON, which has no infinity.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Number {
    Finite(f64),
    Infinite(Infinity),
    Undefined(()),
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
enum Infinity {
    #[serde(rename = "inf")]
    Positive,
    #[serde(rename = "-inf")]
    Negative,
}

impl From<Option<f64>> for Number {
    fn from(score: Option<f64>) -> Self {
        match score {
            Some(f64::INFINITY) => Self::Infinite(Infinity::Positive),
            Some(f64::NEG_INFINITY) => Self::Infinite(Infinity::Negative),
            Some(value) if value.is_finite() => Self::Finite(value),
            _ => Self::Undefined(()),
        }
    }
}

impl From<Number> for Option<f64> {
    fn from(number: Number) -> Self {
        match number {
            Number::Finite(value) => Some(value),
            Number::Infinite(Infinity::Positive) => Some(f64::INFINITY),
            Number::Infinite(Infinity::Negative) => Some(f64::NEG_INFINITY),
            Number::Undefined(()) => None,
        }
    }
}

impl Scores {
    /// A score; outer `None` where it has not been computed, inner `None` where it is undefined.
    pub fn get(&self, reading: &Reading, metric: &MetricId) -> Option<Option<f64>> {
        self.0.get(reading)?.get(&metric.versioned()).map(|number| (*number).into())
    }

    fn covers(&self, result: &TrialResult, metrics: &[MetricId]) -> bool {
        let names: Vec<String> = metrics.iter().map(MetricId::versioned).collect();
        result.layout.readings().all(|r| self.0.get(r).is_some_and(|s| names.iter().all(|n| s.contains_key(n))))
    }
}

/// The scores of a finished trial: from the cache, or derived from its rows, and then cached if the store can be
/// written.
///
/// # Errors
/// [`StoreError::Read`] where the cache or the rows cannot be read.
pub fn of_trial(store: &Store, result: &TrialResult, metrics: &[MetricId]) -> Result<Scores, StoreError> {
    if result.outcome != Outcome::Ok {
        return Ok(Scores::default());
    }
    let cached = cached(store, result)?;
    if cached.covers(result, metrics) {
        return Ok(cached);
    }
    let rows = store.stamped(result, ROWS)?;
    let provenance = store.provenance(&result.key)?;
    let scores = derive(result, &rows, provenance.as_ref(), metrics, cached)?;
    match keep(store, result, &scores) {
        // A read-only store gives the same scores, which are derived again each time.
        Ok(()) | Err(StoreError::Write { .. }) => Ok(scores),
        Err(error) => Err(error),
    }
}

/// The scores of a trial that has just finished; cached.
///
/// # Errors
/// [`StoreError::Write`] where the cache cannot be written.
pub fn of_record(store: &Store, record: &TrialRecord, metrics: &[MetricId]) -> Result<(), StoreError> {
    let Some(rows) = record.files.get(ROWS) else { return Ok(()) };
    let scores = derive(&record.result, rows, Some(&record.provenance), metrics, Scores::default())?;
    keep(store, &record.result, &scores)
}

/// The scores of a finished trial by these metrics alone, sealed as the cache keeps them: for a pack.
///
/// # Errors
/// As [`of_trial`].
pub fn sealed_scores(store: &Store, result: &TrialResult, metrics: &[MetricId]) -> Result<Vec<u8>, StoreError> {
    let mut scores = of_trial(store, result, metrics)?;
    let names: Vec<String> = metrics.iter().map(MetricId::versioned).collect();
    scores.0.values_mut().for_each(|of_reading| of_reading.retain(|name, _| names.contains(name)));
    sealed(result, &scores)
}

/// The hash of a trial's rows.
fn rows_hash(result: &TrialResult) -> String {
    result.files.get(ROWS).map(|stamp| stamp.sha256.clone()).unwrap_or_default()
}

fn cached(store: &Store, result: &TrialResult) -> Result<Scores, StoreError> {
    // A cache that is damaged, absent or of another trial is made again.
    let cached = store.scores(&result.key)?.and_then(|text| unseal::<Cached>(&text).ok());
    let own = cached.filter(|cached| cached.trial == result.key && cached.rows_sha256 == rows_hash(result));
    Ok(own.map(|own| own.scores).unwrap_or_default())
}

fn sealed(result: &TrialResult, scores: &Scores) -> Result<Vec<u8>, StoreError> {
    let cached = Cached { trial: result.key.clone(), rows_sha256: rows_hash(result), scores: scores.clone() };
    let text = seal(&cached)
        .map_err(|error| StoreError::Unwritable { key: result.key.clone(), message: error.to_string() })?;
    Ok(text.into_bytes())
}

fn keep(store: &Store, result: &TrialResult, scores: &Scores) -> Result<(), StoreError> {
    store.keep_scores(&result.key, &sealed(result, scores)?)
}

fn derive(
    result: &TrialResult,
    rows: &[u8],
    provenance: Option<&Provenance>,
    metrics: &[MetricId],
    mut scores: Scores,
) -> Result<Scores, StoreError> {
    let damaged = |message: String| StoreError::Damaged { key: result.key.clone(), message };
    let decoded =
        layout::decode(&result.layout, rows).and_then(|rows| rows.checked(result.test_rows)).map_err(damaged)?;
    let mut context = ScoreContext {
        target_range: result.target_range,
        target_resolution: result.target_resolution,
        fit_seconds: provenance.map(|p| p.fit_seconds),
        predict_seconds: provenance.map(|p| p.predict_seconds),
        fit_cpu_seconds: provenance.and_then(|p| p.fit_cpu_seconds),
        interval_cpu_seconds: None,
        peak_memory: provenance.and_then(|p| p.peak_memory),
        x: decoded.x,
        facts: decoded.facts,
    };
    for (reading, predictive) in &decoded.readings {
        context.interval_cpu_seconds = provenance.and_then(|p| p.interval_cpu_seconds.get(reading).copied());
        let of_reading = scores.0.entry(reading.clone()).or_default();
        for metric in metrics {
            let name = metric.versioned();
            of_reading.entry(name).or_insert_with(|| metric.score(predictive, decoded.y.view(), &context).into());
        }
    }
    Ok(scores)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_score_survives_the_cache() {
        for score in [Some(1.5), Some(f64::INFINITY), Some(f64::NEG_INFINITY), None] {
            let number: Number = score.into();
            let back: Number = serde_json::from_str(&serde_json::to_string(&number).unwrap()).unwrap();
            assert_eq!(Option::<f64>::from(back), score);
        }
        assert_eq!(Option::<f64>::from(Number::from(Some(f64::NAN))), None, "NaN is no score");
    }
}
