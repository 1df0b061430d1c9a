//! State what a page shows of one trial: its specification, where and when it ran, its scores, its
//! calibration and residuals. Of one that did not finish the error is stated in place of scores.

use crate::evidence::EvidenceError;
use crate::evidence::portrait::{Portrait, portraits};
use uq_core::metrics::MetricId;
use uqbench_run::runner::attempt::Attempt;
use uqbench_run::runner::derived;
use uqbench_run::runner::key::{TrialKey, TrialSpec};
use uqbench_run::runner::outcome::Outcome;
use uqbench_run::runner::record::{Provenance, TrialResult};
use uqbench_run::runner::store::{Store, StoreError};

/// One trial.
#[derive(Clone, Debug, PartialEq)]
pub struct TrialReport {
    /// Its key.
    pub key: TrialKey,
    /// What it is.
    pub spec: TrialSpec,
    /// How it ended.
    pub end: TrialEnd,
}

/// How a trial ended.
#[derive(Clone, Debug, PartialEq)]
pub enum TrialEnd {
    /// It is stored.
    Finished(Box<FinishedTrial>),
    /// Its last attempt failed.
    Failed(Box<Attempt>),
}

/// What is known of a finished trial.
#[derive(Clone, Debug, PartialEq)]
pub struct FinishedTrial {
    /// Whether it has predictions.
    pub outcome: Outcome,
    /// Number of training rows.
    pub train_rows: usize,
    /// Number of test rows.
    pub test_rows: usize,
    /// Every score of every reading; none without predictions.
    pub scores: Vec<TrialScore>,
    /// What is drawn of each reading; `None` where a pack has no predictions.
    pub portraits: Option<Vec<Portrait>>,
    /// Where and how fast it ran.
    pub provenance: Option<Provenance>,
}

/// A score of a trial.
#[derive(Clone, Debug, PartialEq)]
pub struct TrialScore {
    /// The reading.
    pub reading: String,
    /// The metric.
    pub metric: MetricId,
    /// The score; `None` where it is not defined.
    pub score: Option<f64>,
}

impl TrialReport {
    /// Of a finished trial by these metrics.
    ///
    /// # Errors
    /// [`EvidenceError`] where its files cannot be read.
    pub fn collect(
        store: &Store,
        result: &TrialResult,
        metrics: &[MetricId],
    ) -> Result<Self, EvidenceError> {
        let (mut scores, mut portraits_of) = (Vec::new(), Some(Vec::new()));
        if result.outcome == Outcome::Ok {
            let known = derived::scores(store, result, metrics)?;
            for reading in result.layout.readings() {
                let score = |metric: &MetricId| TrialScore {
                    reading: reading.to_string(),
                    metric: *metric,
                    score: known.get(reading, metric).flatten(),
                };
                scores.extend(metrics.iter().map(score));
            }
            portraits_of = match portraits(store, result) {
                Err(EvidenceError::Store(StoreError::NotPacked { .. })) => None,
                portraits => Some(portraits?),
            };
        }
        let finished = FinishedTrial {
            outcome: result.outcome.clone(),
            train_rows: result.train_rows,
            test_rows: result.test_rows,
            scores,
            portraits: portraits_of,
            provenance: store.provenance(&result.key)?,
        };
        let end = TrialEnd::Finished(Box::new(finished));
        Ok(Self { key: result.key.clone(), spec: result.spec.clone(), end })
    }

    /// Of a trial whose last attempt failed.
    pub fn failed(key: TrialKey, spec: TrialSpec, attempt: &Attempt) -> Self {
        Self { key, spec, end: TrialEnd::Failed(Box::new(attempt.clone())) }
    }
}
