//! Derive the scores of a trial from its rows, by (reading, metric@version): a new metric needs no
//! refit.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::layout::{self, Decoded};
use super::record::{Provenance, TrialResult};
use uq_core::metrics::{MetricId, ScoreContext};
use uq_methods::Reading;

/// Scores of one trial: reading, then `metric@version`. `None` is an undefined score.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Scores(BTreeMap<Reading, BTreeMap<String, Number>>);

/// A score in JSON, which has no infinity.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Number {
    /// A number of JSON.
    Finite(f64),
    /// A word.
    Infinite(Infinity),
    /// `null`.
    Undefined(()),
}

/// An infinite score.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Infinity {
    /// +∞.
    #[serde(rename = "inf")]
    Positive,
    /// −∞.
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

    /// Whether these are the scores of every reading by every one of these metrics.
    pub(super) fn cover(&self, result: &TrialResult, metrics: &[MetricId]) -> bool {
        let names: Vec<String> = metrics.iter().map(MetricId::versioned).collect();
        result
            .layout
            .readings()
            .all(|r| self.0.get(r).is_some_and(|s| names.iter().all(|n| s.contains_key(n))))
    }

    /// Keeps the scores by these metrics alone.
    pub(super) fn retain(&mut self, metrics: &[MetricId]) {
        let names: Vec<String> = metrics.iter().map(MetricId::versioned).collect();
        self.0
            .values_mut()
            .for_each(|of_reading| of_reading.retain(|name, _| names.contains(name)));
    }

    /// Adds the scores by these metrics that are not known yet, derived from the rows.
    ///
    /// # Errors
    /// A message that states why the rows cannot be used.
    pub(super) fn extend(
        &mut self,
        result: &TrialResult,
        rows: &[u8],
        provenance: Option<&Provenance>,
        metrics: &[MetricId],
    ) -> Result<(), String> {
        let decoded = layout::decode(&result.layout, rows)?.checked(result.test_rows)?;
        self.extend_decoded(result, decoded, provenance, metrics);
        Ok(())
    }

    /// The metrics by which there are scores; those of another version, and those that are not
    /// known here, are none.
    pub(super) fn metrics(&self) -> Vec<MetricId> {
        let names: BTreeSet<&String> = self.0.values().flat_map(BTreeMap::keys).collect();
        names.into_iter().filter_map(|name| metric_of(name)).collect()
    }

    /// Adds the scores of others that are not known yet. Returns the name of one that both have as
    /// other numbers, which `are_same` tells. Costs may differ: these stay. Of other scores with
    /// different last digits the smaller one stays, so that the order does not choose.
    pub(super) fn add(
        &mut self,
        others: Self,
        are_same: impl Fn(&MetricId, Option<f64>, Option<f64>) -> bool,
    ) -> Option<String> {
        for (reading, of_reading) in others.0 {
            let known = self.0.entry(reading).or_default();
            for (name, number) in of_reading {
                let own = known.entry(name.clone()).or_insert(number);
                let (a, b): (Option<f64>, Option<f64>) = ((*own).into(), number.into());
                match metric_of(&name) {
                    Some(metric) if metric.is_cost() => {}
                    Some(metric) if are_same(&metric, a, b) => {
                        let is_smaller = match (a, b) {
                            (Some(a), Some(b)) => b < a,
                            (a, b) => a.is_none() && b.is_some(),
                        };
                        if is_smaller {
                            *own = number;
                        }
                    }
                    // Of a score that this program does not know nothing but equality can be told.
                    None if *own == number => {}
                    _ => return Some(name),
                }
            }
        }
        None
    }

    /// As [`Scores::extend`], from rows that were checked.
    pub(super) fn extend_decoded(
        &mut self,
        result: &TrialResult,
        decoded: Decoded,
        provenance: Option<&Provenance>,
        metrics: &[MetricId],
    ) {
        let mut context = ScoreContext {
            target_range: result.target_range,
            target_resolution: result.target_resolution,
            fit_seconds: provenance.map(|p| p.fit_seconds),
            predict_seconds: provenance.map(|p| p.predict_seconds),
            fit_cpu_seconds: provenance.and_then(|p| p.fit_cpu_seconds),
            predict_cpu_seconds: provenance.and_then(|p| p.predict_cpu_seconds),
            interval_cpu_seconds: None,
            peak_memory: provenance.and_then(|p| p.peak_memory),
            x: decoded.x,
            facts: decoded.facts,
        };
        for (reading, predictive) in &decoded.readings {
            context.interval_cpu_seconds =
                provenance.and_then(|p| p.interval_cpu_seconds.get(reading).copied());
            let of_reading = self.0.entry(reading.clone()).or_default();
            for metric in metrics {
                let name = metric.versioned();
                of_reading
                    .entry(name)
                    .or_insert_with(|| metric.score(predictive, decoded.y.view(), &context).into());
            }
        }
    }
}

/// The metric of a score's name, in the version of this program.
fn metric_of(name: &str) -> Option<MetricId> {
    let metric: MetricId = name.rsplit_once('@')?.0.parse().ok()?;
    (metric.versioned() == name).then_some(metric)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_score_survives_the_cache() {
        for score in [Some(1.5), Some(f64::INFINITY), Some(f64::NEG_INFINITY), None] {
            let number: Number = score.into();
            let back: Number =
                serde_json::from_str(&serde_json::to_string(&number).unwrap()).unwrap();
            assert_eq!(Option::<f64>::from(back), score);
        }
        assert_eq!(Option::<f64>::from(Number::from(Some(f64::NAN))), None, "NaN is no score");
    }
}
