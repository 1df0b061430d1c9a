//! List the predictions of every finished trial of some benchmarks, in numbers that every form has:
//! mean, standard deviation and quantiles.

use ndarray::Array1;
use rayon::ThreadPool;
use rayon::prelude::*;

use super::results::{End, Results, Series};
use super::trials::{EvidenceError, decode, prediction};
use uq_core::predictive::SUMMARY_LEVELS;
use uqbench_run::runner::key::TrialKey;
use uqbench_run::runner::outcome::Outcome;
use uqbench_run::runner::plan::Plan;
use uqbench_run::runner::record::TrialResult;
use uqbench_run::runner::store::{Store, StoreError};

/// The predictions of one column of one trial: m test rows, in the units of its scores.
#[derive(Clone, Debug, PartialEq)]
pub struct Predicted {
    /// The trial's key.
    pub trial: String,
    /// The benchmark's name.
    pub benchmark: String,
    /// The dataset's key.
    pub dataset: String,
    /// The method's heading in the benchmark's tables.
    pub method: String,
    /// Its name in the registry.
    pub id: String,
    /// The row of the benchmark that varies the method, where it is not the main one.
    pub variant: Option<String>,
    /// The reading.
    pub reading: String,
    /// Number of the split.
    pub split: u64,
    /// Seed of the method's random streams.
    pub seed: u64,
    /// Number of training rows, which `uqbench score` needs for intervals.
    pub train_rows: u64,
    /// Outcomes, m.
    pub y: Array1<f64>,
    /// Means, m; `None` where they are undefined, here and below.
    pub mean: Vec<Option<f64>>,
    /// Standard deviations, m.
    pub sd: Vec<Option<f64>>,
    /// Quantiles by level, those of [`SUMMARY_LEVELS`], and row.
    pub quantiles: Vec<Vec<Option<f64>>>,
}

/// The predictions of every finished trial, in the order of the plans' tables. A trial whose
/// predictions cannot be read, or are none, counts among those of the store that were left out.
///
/// # Errors
/// [`EvidenceError`] where the store cannot be read or holds no predictions, as a pack may.
pub fn predictions(
    plans: &[Plan],
    store: &Store,
    pool: &ThreadPool,
) -> Result<Vec<Predicted>, EvidenceError> {
    let mut all = Vec::new();
    for plan in plans {
        let results = Results::collect(plan, &[], store, pool)?;
        for series in results.series() {
            let one = |(split, end): (usize, &End)| match end {
                End::Finished { result, .. } if result.outcome == Outcome::Ok => left_out(
                    store,
                    &result.key,
                    of_trial(plan, &series, split as u64, result, store),
                ),
                _ => Ok(None),
            };
            let ends = &series.repetitions.ends;
            let found = pool
                .install(|| ends.par_iter().enumerate().map(one).collect::<Result<Vec<_>, _>>())?;
            all.extend(found.into_iter().flatten());
        }
    }
    Ok(all)
}

/// What was read of a trial; `None` for one that is left out, which its store remembers.
fn left_out<T>(
    store: &Store,
    key: &TrialKey,
    read: Result<T, EvidenceError>,
) -> Result<Option<T>, EvidenceError> {
    match read {
        Err(
            EvidenceError::Damaged { message, .. }
            | EvidenceError::Store(StoreError::Damaged { message, .. }),
        ) => {
            store.note_damage(key, &message);
            Ok(None)
        }
        Err(EvidenceError::Store(error)) => Ok(store.readable(key, Err(error))?.ok()),
        read => read.map(Some),
    }
}

fn of_trial(
    plan: &Plan,
    series: &Series,
    split: u64,
    result: &TrialResult,
    store: &Store,
) -> Result<Predicted, EvidenceError> {
    let decoded = decode(result, store)?;
    let predictive = prediction(&decoded, &series.column.reading, result)?;
    let (distribution, spec) =
        (predictive.distribution(), series.repetitions.experiment.spec(split));
    let column = |number: &dyn Fn(usize) -> Option<f64>| {
        (0..predictive.len()).map(number).collect::<Vec<_>>()
    };
    Ok(Predicted {
        trial: result.key.to_string(),
        benchmark: plan.benchmark.id.clone(),
        dataset: spec.dataset,
        method: series.column.heading.clone(),
        id: spec.method,
        variant: series.variant().map(str::to_owned),
        reading: series.column.reading.to_string(),
        split: spec.split,
        seed: spec.seed,
        train_rows: result.train_rows as u64,
        mean: column(&|i| distribution.mean(i)),
        sd: column(&|i| distribution.variance(i).map(f64::sqrt)),
        quantiles: SUMMARY_LEVELS
            .iter()
            .map(|&level| column(&|i| distribution.quantile(i, level)))
            .collect(),
        y: decoded.y.clone(),
    })
}
