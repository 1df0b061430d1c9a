//! Say at how many rows the outcome has the density zero, so that a log-likelihood is −∞, or a density without a bound, so that it is
//! undefined.

use ndarray::ArrayView1;

use uq_core::metrics::{MetricId, impossible_rows, unbounded_rows};
use uq_core::predictive::Predictive;
use uq_methods::Reading;
use uqbench_judge::evidence::{Evidence, EvidenceError, Series};
use uqbench_run::runner::derived;
use uqbench_run::runner::layout::{Decoded, Layout};
use uqbench_run::runner::store::{Store, StoreError};

/// Rows of a kind, and how the cache of a trial names their number, with a version.
struct Rows {
    name: &'static str,
    count: fn(&Predictive, ArrayView1<f64>) -> usize,
    /// Whether a reading may have any.
    are_possible: fn(&Layout, &Reading) -> bool,
}

const IMPOSSIBLE: Rows = Rows { name: "impossible@1", count: impossible_rows, are_possible: |_, _| true };
const UNBOUNDED: Rows =
    Rows { name: "unbounded@1", count: unbounded_rows, are_possible: Layout::may_have_point_masses };

/// Why log-likelihoods are −∞ or undefined, and at how many tested rows: a sentence for each of the two, where there is such a row.
///
/// # Errors
/// [`EvidenceError`] where predictions cannot be read.
pub fn sentences(evidence: &Evidence) -> Result<Vec<String>, EvidenceError> {
    let metrics = evidence.results.plan.benchmark.all_metrics();
    let is_log = |metric: &&MetricId| matches!(metric, MetricId::LogLikelihood(_) | MetricId::Nlpd(_));
    let metrics: Vec<&MetricId> = metrics.iter().filter(is_log).collect();
    let (mut impossible, mut unbounded) = (Vec::new(), Vec::new());
    for series in evidence.results.series() {
        let any = |is_so: fn(Option<f64>) -> bool| {
            metrics.iter().any(|metric| series.split_values(metric).into_iter().any(is_so))
        };
        if any(|score| score.is_some_and(f64::is_infinite)) {
            let counts = IMPOSSIBLE.count_in(&series, evidence.store)?;
            impossible.extend((counts.0 > 0).then(|| place(&series, counts)));
        }
        if any(|score| score.is_none()) {
            let counts = UNBOUNDED.count_in(&series, evidence.store)?;
            unbounded.extend((counts.0 > 0).then(|| place(&series, counts)));
        }
    }
    let told = [
        (
            "A log-likelihood is -inf where an outcome has the predictive density 0, as beside the mean of a prediction of variance 0",
            impossible,
        ),
        (
            "A log-likelihood is undefined where an outcome equals the mean of a prediction of variance 0, because its density has no \
             bound",
            unbounded,
        ),
    ];
    let told = told.into_iter().filter(|(_, places)| !places.is_empty());
    Ok(told.map(|(why, places)| format!("{why}: {}. One such row decides the mean.", places.join("; "))).collect())
}

fn place(series: &Series, (rows, tested): (usize, usize)) -> String {
    format!("{} on {} at {rows} of {tested} tested rows", series.name(), series.dataset.heading)
}

impl Rows {
    /// Their number over a column's repetitions, and that of all rows. Trials without the predictions that may have such rows, or
    /// without any predictions in a pack, do not count.
    fn count_in(&self, series: &Series, store: &Store) -> Result<(usize, usize), EvidenceError> {
        let (mut of_kind, mut all) = (0, 0);
        let reading = &series.column.reading;
        let count = |decoded: &Decoded, _: usize| -> Result<usize, EvidenceError> {
            let found = decoded.readings.iter().find(|(own, _)| own == reading);
            Ok(found.map_or(0, |(_, predictive)| (self.count)(predictive, decoded.y.view())))
        };
        for result in series.finished().filter(|result| (self.are_possible)(&result.layout, reading)) {
            match derived::reduced(store, result, &[format!("{}({reading})", self.name)], count) {
                Ok(found) => of_kind += found.iter().sum::<usize>(),
                Err(EvidenceError::Store(StoreError::NotPacked { .. })) => continue,
                Err(error) => return Err(error),
            }
            all += result.test_rows;
        }
        Ok((of_kind, all))
    }
}
