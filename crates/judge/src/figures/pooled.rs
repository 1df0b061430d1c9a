//! Pool the finished repetitions of several columns, and compute the effective number of outcomes
//! where test rows recur.

use std::ptr;
use std::sync::Arc;

use ndarray::ArrayView1;
use rayon::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::evidence::EvidenceError;
use crate::evidence::results::Series;
use crate::evidence::trials::prediction;
use uq_core::predictive::Predictive;
use uq_methods::Reading;
use uqbench_run::benchmark::Panel;
use uqbench_run::protocols::TestRows;
use uqbench_run::runner::derived::reduced;
use uqbench_run::runner::record::TrialResult;
use uqbench_run::runner::store::Store;

/// The results of `of` for the predictions and outcomes of each finished repetition, in their
/// order, for each panel; `None` for a panel where one of them is `None`. `what` names the result
/// with its parameters and a version: it is cached.
pub(super) fn pool<T: Clone + Send + Serialize + DeserializeOwned>(
    chosen: &[(&Panel, &Series)],
    store: &Store,
    what: &str,
    of: impl Fn(&Predictive, ArrayView1<f64>) -> Option<T> + Sync,
) -> Result<Vec<Option<Vec<T>>>, EvidenceError> {
    let mut pooled: Vec<Option<Vec<T>>> = vec![Some(Vec::new()); chosen.len()];
    for (first, (_, one)) in chosen.iter().enumerate() {
        let same = |other: &Series| ptr::eq(other.repetitions, one.repetitions);
        if chosen[..first].iter().any(|(_, earlier)| same(earlier)) {
            continue;
        }
        // All columns that are read from these trials.
        let columns: Vec<usize> =
            (0..chosen.len()).filter(|&column| same(chosen[column].1)).collect();
        let readings: Vec<&Reading> =
            columns.iter().map(|&column| &chosen[column].1.column.reading).collect();
        let names: Vec<String> =
            readings.iter().map(|reading| format!("{what} of {reading}")).collect();
        let of_trial = |result: &&Arc<TrialResult>| -> Result<Vec<Option<T>>, EvidenceError> {
            reduced(store, result, &names, |decoded, place| {
                Ok(of(prediction(decoded, readings[place], result)?, decoded.y.view()))
            })
        };
        // In parallel; the results are joined in the order of the repetitions.
        let trials: Vec<&Arc<TrialResult>> = one.finished().collect();
        for of_columns in trials.par_iter().map(of_trial).collect::<Result<Vec<_>, _>>()? {
            for (&column, more) in columns.iter().zip(of_columns) {
                match (pooled[column].as_mut(), more) {
                    (Some(all), Some(more)) => all.push(more),
                    _ => pooled[column] = None,
                }
            }
        }
    }
    Ok(pooled)
}

/// Effective number of independent outcomes among this number of pooled ones of a column.
pub(super) fn effective(series: &Series, outcomes: usize) -> usize {
    let rows = series
        .finished()
        .map(|result| result.train_rows.saturating_add(result.test_rows))
        .max()
        .unwrap_or(0);
    let test_rows = series.repetitions.experiment.template.protocol.kind().test_rows();
    effective_outcomes(test_rows, outcomes, rows, series.finished().count())
}

/// Effective number of independent outcomes among `outcomes` that are pooled over `repetitions` of
/// a protocol on `rows` rows, if transforms of one row are the same in all repetitions.
///
/// Folds test each row once in each repeat, so the number of rows is the limit. A simulated problem
/// draws new rows. Any other split tests a share f of the rows, nearly independently of the other
/// splits. By the design effect of Kish (1965, *Survey Sampling*), Σc² / Σc of the counts c with
/// which rows recur, m outcomes then have the effective number m / (1 + (repetitions − 1) f).
fn effective_outcomes(
    test_rows: TestRows,
    outcomes: usize,
    rows: usize,
    repetitions: usize,
) -> usize {
    match test_rows {
        TestRows::New => outcomes,
        TestRows::InTurn => outcomes.min(rows),
        TestRows::Random | TestRows::Chosen => {
            let share = outcomes as f64 / (rows.max(1) as f64 * repetitions.max(1) as f64);
            (outcomes as f64 / (1.0 + repetitions.saturating_sub(1) as f64 * share)).round()
                as usize
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recurring_rows_count_less() {
        assert_eq!(
            effective_outcomes(TestRows::Random, 20, 100, 1),
            20,
            "one split repeats nothing"
        );
        // Five splits of 20 of 100 rows: 100 / (1 + 4 · 0.2).
        assert_eq!(effective_outcomes(TestRows::Random, 100, 100, 5), 56);
        assert_eq!(
            effective_outcomes(TestRows::Random, 200_000, 100, 10_000),
            100,
            "at most the number of rows"
        );
        let folds = |outcomes, repetitions| {
            effective_outcomes(TestRows::InTurn, outcomes, 100, repetitions)
        };
        assert_eq!((folds(100, 5), folds(200, 10)), (100, 100));
        assert_eq!(effective_outcomes(TestRows::New, 5000, 1200, 5), 5000);
    }
}
