//! Hold what is derived from one trial, and compare two of them, or one with the predictions that
//! it was derived from.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::key::TrialKey;
use super::layout::Decoded;
use super::record::{Provenance, ROWS, TrialResult, seal, unseal};
use super::scores::Scores;
use uq_core::metrics::MetricId;

/// What is derived from one trial, with the trial and its rows.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cache {
    trial: TrialKey,
    rows_sha256: String,
    /// The scores.
    #[serde(default)]
    pub scores: Scores,
    /// Reductions of the predictions, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub reduced: BTreeMap<String, Value>,
}

impl Cache {
    /// Nothing yet.
    pub fn none(result: &TrialResult) -> Self {
        let rows_sha256 =
            result.files.get(ROWS).map(|stamp| stamp.sha256.clone()).unwrap_or_default();
        Self {
            trial: result.key.clone(),
            rows_sha256,
            scores: Scores::default(),
            reduced: BTreeMap::new(),
        }
    }

    /// The sealed cache of this trial; `None` where it is damaged, or of another trial or other
    /// rows.
    pub fn of(result: &TrialResult, sealed: &[u8]) -> Option<Self> {
        let none = Self::none(result);
        let found = unseal::<Self>(sealed).ok()?;
        (found.trial == none.trial && found.rows_sha256 == none.rows_sha256).then_some(found)
    }

    /// The sealed cache of this trial, though it was derived from other rows, as those of another
    /// run of the trial are; `None` where it is damaged, or of another trial.
    pub fn of_trial(result: &TrialResult, sealed: &[u8]) -> Option<Self> {
        unseal::<Self>(sealed).ok().filter(|found| found.trial == result.key)
    }

    /// The trial.
    pub fn trial(&self) -> &TrialKey {
        &self.trial
    }

    /// Its bytes with a checksum.
    ///
    /// # Errors
    /// The serialiser's error.
    pub fn sealed(&self) -> Result<Vec<u8>, serde_json::Error> {
        Ok(seal(self)?.into_bytes())
    }

    /// The first score that is not that of the predictions, in words; `None` where all are. Costs
    /// are no scores of predictions.
    pub fn contradiction(
        &self,
        result: &TrialResult,
        decoded: Decoded,
        provenance: Option<&Provenance>,
    ) -> Option<String> {
        let metrics: Vec<_> =
            self.scores.metrics().into_iter().filter(|metric| !metric.is_cost()).collect();
        let mut derived = Scores::default();
        derived.extend_decoded(result, decoded, provenance, &metrics);
        for reading in result.layout.readings() {
            for metric in &metrics {
                // Not every reading has every score.
                let (Some(stated), Some(own)) =
                    (self.scores.get(reading, metric), derived.get(reading, metric))
                else {
                    continue;
                };
                if !are_same_scores(metric, stated, own) {
                    let [stated, own] = [stated, own]
                        .map(|score| score.map_or("undefined".into(), |x| format!("{x:e}")));
                    return Some(format!(
                        "its score {metric} is stated as {stated}, and its predictions give {own}"
                    ));
                }
            }
        }
        None
    }

    /// All that either of two caches of one trial has: they may differ in their metrics and
    /// reductions.
    ///
    /// # Errors
    /// What the two state differently. Costs may differ, because each machine measured its own.
    pub fn joined(self, other: Self) -> Result<Self, String> {
        let differs = |name: &str| Err(format!("{name} is another number"));
        let Self { mut scores, mut reduced, .. } = self.clone();
        if let Some(name) = scores.add(other.scores, are_same_scores) {
            return differs(&name);
        }
        for (name, value) in other.reduced {
            match reduced.get_mut(&name) {
                Some(known) if !is_same(known, &value) => return differs(&name),
                // Their last digits may differ, and the order of the two does not choose.
                Some(known) => {
                    let (text, other) = (known.to_string(), value.to_string());
                    if other < text {
                        *known = value;
                    }
                }
                None => _ = reduced.insert(name, value),
            }
        }
        Ok(Self { scores, reduced, ..self })
    }
}

/// Largest relative difference of numbers that two processors compute from the same predictions.
const LAST_DIGITS: f64 = 1e-6;

fn are_same_numbers(a: f64, b: f64) -> bool {
    let are_near = a.is_finite()
        && b.is_finite()
        && ((a - b).abs() <= LAST_DIGITS * a.abs().max(b.abs()) || (a - b).abs() < 1e-12);
    a == b || are_near || (a.is_nan() && b.is_nan())
}

/// Programs before this one called a log-likelihood undefined wherever a component had the variance
/// 0.
fn are_same_scores(metric: &MetricId, a: Option<f64>, b: Option<f64>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => are_same_numbers(a, b),
        (None, None) => true,
        _ => matches!(metric, MetricId::LogLikelihood(_) | MetricId::Nlpd(_)),
    }
}

fn is_same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => match (a.as_f64(), b.as_f64()) {
            (Some(a), Some(b)) => are_same_numbers(a, b),
            _ => a == b,
        },
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| is_same(a, b)))
        }
        (a, b) => a == b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_infinite_score_is_no_other_number_and_only_a_log_likelihood_may_have_been_undefined() {
        let of = |name: &str| name.parse::<MetricId>().unwrap();
        let (ll, rmse) = (of("log-likelihood"), of("rmse"));
        let (low, high) = (Some(f64::NEG_INFINITY), Some(f64::INFINITY));
        assert!(are_same_scores(&ll, low, low) && !are_same_scores(&ll, low, high));
        assert!(!are_same_scores(&ll, low, Some(0.5)) && !are_same_scores(&ll, Some(0.5), high));
        assert!(are_same_scores(&ll, None, low) && are_same_scores(&ll, Some(-2.0), None));
        assert!(!are_same_scores(&rmse, None, Some(1.0)) && are_same_scores(&rmse, None, None));
        assert!(
            are_same_scores(&rmse, Some(1.0), Some(1.0 + 1e-9))
                && !are_same_scores(&rmse, Some(1.0), Some(1.001))
        );
    }
}
