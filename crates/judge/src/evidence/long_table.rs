//! List every trial of some benchmarks with every score of it: one row for each reading and metric.

use rayon::ThreadPool;
use rayon::prelude::*;

use super::results::End;
use super::{EvidenceError, Results, reach};
use uq_core::metrics::MetricId;
use uqbench_run::runner::attempt::Attempt;
use uqbench_run::runner::key::canonical;
use uqbench_run::runner::plan::{Experiment, Plan};
use uqbench_run::runner::record::Provenance;
use uqbench_run::runner::store::Store;

/// One score of one reading of one trial; without them for a trial that has no predictions.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The trial's key; two benchmarks may share a trial.
    pub trial: String,
    /// The benchmark's name.
    pub benchmark: String,
    /// The dataset's key.
    pub dataset: String,
    /// The method's name in the registry.
    pub method: String,
    /// All of its parameters, as canonical JSON.
    pub parameters: String,
    /// The row of the benchmark that varies the method, where it is not the main one.
    pub variant: Option<String>,
    /// Number of the split.
    pub split: u64,
    /// Seed of the method's random streams.
    pub seed: u64,
    /// Whether the test rows are held-out training rows.
    pub validation: bool,
    /// `ok`, or what became of the trial: `diverged`, `unsupported`, `timed out`, `not run`, …
    pub outcome: String,
    /// Why it has no predictions.
    pub reason: Option<String>,
    /// The reading.
    pub reading: Option<String>,
    /// The metric with its parameters.
    pub metric: Option<String>,
    /// The score, in the metric's unit; infinite for an outcome of no probability; `None` where it
    /// is undefined.
    pub score: Option<f64>,
    /// Number of training rows.
    pub train_rows: Option<u64>,
    /// Number of test rows.
    pub test_rows: Option<u64>,
    /// Wall time of the fit, in seconds.
    pub fit_seconds: Option<f64>,
    /// Wall time of all predictions, in seconds.
    pub predict_seconds: Option<f64>,
    /// Largest resident memory of the trial's process, in bytes, where it is known.
    pub peak_memory: Option<u64>,
}

/// The rows of every planned trial, in the order of the plans.
///
/// # Errors
/// [`EvidenceError`] where the store cannot be read.
pub fn rows(plans: &[Plan], store: &Store, pool: &ThreadPool) -> Result<Vec<Row>, EvidenceError> {
    let mut rows = Vec::new();
    for plan in plans {
        let metrics: Vec<MetricId> =
            plan.first_metrics().into_iter().chain(reach::metrics(&plan.benchmark)).collect();
        let results = Results::collect(plan, &metrics, store, pool)?;
        let parts = [
            (&results.experiments, false),
            (&results.reseeded, false),
            (&results.validation, true),
        ];
        for (repetitions, validation) in
            parts.into_iter().flat_map(|(all, part)| all.iter().map(move |one| (one, part)))
        {
            let one = |(split, end): (usize, &End)| -> Result<Vec<Row>, EvidenceError> {
                let trial = planned(plan, repetitions.experiment, split as u64, validation);
                let End::Finished { result, .. } = end else {
                    return Ok(of_end(trial, end, None, &metrics));
                };
                let provenance =
                    store.readable(&result.key, store.provenance(&result.key))?.ok().flatten();
                Ok(of_end(trial, end, provenance, &metrics))
            };
            let found = pool.install(|| {
                repetitions.ends.par_iter().enumerate().map(one).collect::<Result<Vec<_>, _>>()
            })?;
            rows.extend(found.into_iter().flatten());
        }
    }
    Ok(rows)
}

/// What the plan says of a trial.
fn planned(plan: &Plan, experiment: &Experiment, split: u64, validation: bool) -> Row {
    let spec = experiment.spec(split);
    Row {
        trial: experiment.key(split).to_string(),
        benchmark: plan.benchmark.id.clone(),
        dataset: spec.dataset,
        method: spec.method,
        parameters: canonical(&spec.parameters),
        variant: experiment.method.variant.clone(),
        split: spec.split,
        seed: spec.seed,
        validation,
        outcome: "not run".into(),
        reason: None,
        reading: None,
        metric: None,
        score: None,
        train_rows: None,
        test_rows: None,
        fit_seconds: None,
        predict_seconds: None,
        peak_memory: None,
    }
}

/// The rows of a trial: one for each reading and metric, or one without them.
fn of_end(
    planned: Row,
    end: &End,
    provenance: Option<Provenance>,
    metrics: &[MetricId],
) -> Vec<Row> {
    let without = |outcome: &str, reason: Option<String>| Row {
        outcome: outcome.into(),
        reason,
        ..planned.clone()
    };
    let (result, scores) = match end {
        End::Finished { result, scores } => (result, scores),
        End::Failed(Attempt { failure, .. }) => {
            return vec![without(failure.word(), Some(failure.message()))];
        }
        End::Damaged => return vec![without("damaged", None)],
        End::Unreadable(why) => return vec![without("unreadable", Some(why.clone()))],
        End::Missing => return vec![planned],
    };
    let trial = Row {
        train_rows: Some(result.train_rows as u64),
        test_rows: Some(result.test_rows as u64),
        fit_seconds: provenance.as_ref().map(|provenance| provenance.fit_seconds),
        predict_seconds: provenance.as_ref().map(|provenance| provenance.predict_seconds),
        peak_memory: provenance.and_then(|provenance| provenance.peak_memory),
        ..without(result.outcome.word(), result.outcome.reason().map(str::to_owned))
    };
    let mut rows = Vec::new();
    for reading in result.layout.readings() {
        for metric in metrics {
            rows.push(Row {
                reading: Some(reading.to_string()),
                metric: Some(metric.to_string()),
                score: scores.get(reading, metric).flatten(),
                ..trial.clone()
            });
        }
    }
    if rows.is_empty() { vec![trial] } else { rows }
}
