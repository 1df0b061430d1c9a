//! Say of which predictions a score overflows: they are so large that sums of their squares are
//! beyond the largest number.

use super::results::Series;
use super::{EvidenceError, Results};
use uq_core::metrics::MetricId;
use uq_core::predictive::{Predictive, Quantity};
use uqbench_run::runner::derived::reduced;
use uqbench_run::runner::layout::Decoded;
use uqbench_run::runner::store::{Store, StoreError};

/// Squares of larger numbers are near the end of what a number can be.
pub const LARGE: f64 = 1e150;

/// Name of the reduction, with its version.
const NAME: &str = "overflow@1";

/// A column on a dataset whose predictions are so large that scores overflow.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Overflow {
    /// The column with its variant.
    pub column: String,
    /// Heading of the dataset.
    pub dataset: String,
    /// Number of tested rows with predictions larger than [`LARGE`] in size.
    pub rows: usize,
    /// Number of tested rows.
    pub tested: usize,
    /// Metrics that are not defined for it.
    pub metrics: Vec<MetricId>,
}

/// The columns on datasets that lack a score by one of these metrics because their predictions are
/// too large.
///
/// # Errors
/// [`EvidenceError`] where predictions cannot be read.
pub fn overflows(
    results: &Results,
    metrics: &[MetricId],
    store: &Store,
) -> Result<Vec<Overflow>, EvidenceError> {
    let mut found = Vec::new();
    for series in results.series() {
        let lacks = |metric: &&MetricId| {
            let given = series.split_values(metric).into_iter().flatten().count();
            given < series.finished().count() && !metric.is_cost()
        };
        let lacking: Vec<&MetricId> = metrics.iter().filter(lacks).collect();
        if !lacking.iter().any(|metric| is_usual(metric, &series)) {
            continue;
        }
        let (large, tested) = large_rows(&series, store)?;
        if large > 0 {
            found.push(Overflow {
                column: series.name(),
                dataset: series.dataset.heading.clone(),
                rows: large,
                tested,
                metrics: lacking.into_iter().copied().collect(),
            });
        }
    }
    Ok(found)
}

/// Whether the form of a column's predictions defines a score: then its numbers are the reason why
/// there is none.
fn is_usual(metric: &MetricId, series: &Series) -> bool {
    let reading = &series.column.reading;
    let Some(result) = series.first_finished().filter(|result| !result.layout.is_lossy(reading))
    else {
        return false;
    };
    match metric.properties().quantities[..] {
        [Quantity::Mean] => result.layout.levels_of(reading).is_none(),
        [Quantity::Crps] => true,
        _ => false,
    }
}

/// Number of tested rows of a column with large predictions, and of all. A pack without predictions
/// has none.
fn large_rows(series: &Series, store: &Store) -> Result<(usize, usize), EvidenceError> {
    let (mut large, mut all) = (0, 0);
    let reading = &series.column.reading;
    let count = |decoded: &Decoded, _: usize| -> Result<usize, EvidenceError> {
        let found = decoded.readings.iter().find(|(own, _)| own == reading);
        Ok(found.map_or(0, |(_, predictive)| {
            (0..predictive.len()).filter(|&row| is_large(predictive, row)).count()
        }))
    };
    for result in series.finished() {
        match reduced(store, result, &[format!("{NAME}({reading})")], count) {
            Ok(found) => large += found.iter().sum::<usize>(),
            Err(EvidenceError::Store(StoreError::NotPacked { .. })) => continue,
            Err(error) => return Err(error),
        }
        all += result.test_rows;
    }
    Ok((large, all))
}

/// Whether a row's mean, standard deviation or one of its quantiles is large.
fn is_large(predictive: &Predictive, row: usize) -> bool {
    let distribution = predictive.distribution();
    let sd = distribution.variance(row).map(f64::sqrt);
    let quantiles = [0.05, 0.5, 0.95].map(|level| distribution.quantile(row, level));
    [distribution.mean(row), sd]
        .into_iter()
        .chain(quantiles)
        .flatten()
        .any(|number| number.abs() > LARGE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::{Array1, array};
    use uq_core::predictive::{Form, Gaussian, Samples};

    #[test]
    fn large_means_spreads_and_draws_are_recognised() {
        let normal = |mean: f64, variance: f64| {
            let one = |number: f64| Array1::from_elem(1, number);
            Predictive::new(Form::Gaussian(Gaussian { mean: one(mean), variance: one(variance) }))
        };
        assert!(
            is_large(&normal(1e308, 1.0), 0)
                && is_large(&normal(-1e200, 1.0), 0)
                && is_large(&normal(0.0, 1e304), 0)
        );
        assert!(is_large(
            &Predictive::new(Form::Samples(Samples { values: array![[-1e300, 1e300]] })),
            0
        ));
        assert!(!is_large(&normal(1e100, 1e200), 0) && !is_large(&normal(0.0, 0.0), 0));
    }
}
