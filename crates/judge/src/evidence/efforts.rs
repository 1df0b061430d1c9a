//! Read what the trials of each column took, and why some of them have no predictions.

use std::collections::BTreeMap;

use rayon::ThreadPool;
use rayon::prelude::*;

use super::results::{End, Results, Series};
use uqbench_run::runner::record::Provenance;
use uqbench_run::runner::store::{Store, StoreError};

/// The trials of a column on one dataset.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Effort {
    /// Heading of the column.
    pub column: String,
    /// Key of the dataset.
    pub dataset: String,
    /// Mean processor seconds of a finished trial: its fit and its predictions. Wall time where the
    /// operating system reported no other.
    pub seconds: Option<f64>,
    /// Largest resident memory of a finished trial, in bytes.
    pub memory: Option<u64>,
    /// Number of trials with predictions.
    pub finished: usize,
    /// Number of trials of the plan.
    pub planned: usize,
    /// Outcomes of failed trials, such as `unsupported`, with their numbers.
    pub failures: Vec<(String, usize)>,
    /// The first reason among these.
    pub reason: Option<String>,
}

impl Effort {
    /// Number of trials that ended, with predictions or without.
    pub fn ended(&self) -> usize {
        self.finished + self.failures.iter().map(|(_, count)| count).sum::<usize>()
    }
}

/// The efforts of every main column, in the order of the plan.
///
/// # Errors
/// [`StoreError::Read`].
pub fn efforts(
    results: &Results,
    store: &Store,
    pool: &ThreadPool,
) -> Result<Vec<Effort>, StoreError> {
    let columns = results.series();
    let main: Vec<&Series> = columns
        .iter()
        .filter(|series| series.variant().is_none() && series.column.x.is_none())
        .collect();
    pool.install(|| main.par_iter().map(|series| effort(series, store)).collect())
}

fn effort(series: &Series, store: &Store) -> Result<Effort, StoreError> {
    let mut found = Effort {
        column: series.column.heading.clone(),
        dataset: series.dataset.key.clone(),
        planned: series.repetitions.ends.len(),
        ..Effort::default()
    };
    let mut seconds = Vec::new();
    let mut failures: BTreeMap<&str, usize> = BTreeMap::new();
    for end in &series.repetitions.ends {
        if end.has_failed() {
            *failures.entry(end.word()).or_default() += 1;
            found.reason = found.reason.or_else(|| reason(end));
        } else if let End::Finished { result, .. } = end {
            found.finished += 1;
            let record = store.readable(&result.key, store.provenance(&result.key))?.ok().flatten();
            seconds.extend(record.as_ref().map(processor_seconds));
            found.memory = found.memory.max(record.and_then(|record| record.peak_memory));
        }
    }
    let count = seconds.len() as f64;
    found.seconds = (count > 0.0).then(|| seconds.iter().sum::<f64>() / count);
    found.failures = failures.into_iter().map(|(word, count)| (word.to_owned(), count)).collect();
    Ok(found)
}

/// Why a trial has no predictions.
fn reason(end: &End) -> Option<String> {
    match end {
        End::Finished { result, .. } => result.outcome.reason().map(str::to_owned),
        End::Failed(attempt) => Some(attempt.failure.message()),
        End::Damaged | End::Unreadable(_) | End::Missing => None,
    }
}

/// Processor seconds of a trial: of its fit and of its predictions.
fn processor_seconds(record: &Provenance) -> f64 {
    record.fit_cpu_seconds.unwrap_or(record.fit_seconds)
        + record.predict_cpu_seconds.unwrap_or(record.predict_seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processor_time_is_that_of_fit_and_predictions_and_wall_time_stands_in() {
        let record = Provenance { fit_seconds: 4.0, predict_seconds: 2.0, ..Provenance::default() };
        assert_eq!(processor_seconds(&record), 6.0);
        let measured = Provenance { fit_cpu_seconds: Some(7.5), ..record };
        assert_eq!(processor_seconds(&measured), 9.5);
    }
}
