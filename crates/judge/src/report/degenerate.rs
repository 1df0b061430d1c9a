//! Count the rows at which the outcome has the density zero, so that a log-likelihood is −∞, or a
//! density without a bound, so that it is undefined.

use ndarray::ArrayView1;
use serde::Serialize;

use crate::evidence::{Evidence, EvidenceError, Series};
use uq_core::metrics::{MetricId, impossible_rows, unbounded_rows};
use uq_core::predictive::Predictive;
use uq_methods::Reading;
use uqbench_run::runner::derived;
use uqbench_run::runner::layout::{Decoded, Layout};
use uqbench_run::runner::store::{Store, StoreError};

/// The density of an outcome that leaves its log-likelihood without a finite value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Density {
    /// It is zero.
    Zero,
    /// It has no bound.
    Unbounded,
}

/// Tested rows of a column on a dataset whose outcomes have such a density.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DegenerateRows {
    /// The density.
    pub density: Density,
    /// The column with its variant.
    pub column: String,
    /// Heading of the dataset.
    pub dataset: String,
    /// How many rows.
    pub rows: usize,
    /// How many rows were tested.
    pub tested: usize,
}

/// How rows of a kind are counted, and how the cache of a trial names their number, with a version.
struct Rule {
    name: &'static str,
    count: fn(&Predictive, ArrayView1<f64>) -> usize,
    /// Whether a reading may have any.
    are_possible: fn(&Layout, &Reading) -> bool,
}

impl Density {
    fn rule(self) -> Rule {
        match self {
            Self::Zero => {
                Rule { name: "impossible@1", count: impossible_rows, are_possible: |_, _| true }
            }
            Self::Unbounded => Rule {
                name: "unbounded@1",
                count: unbounded_rows,
                are_possible: Layout::may_have_point_masses,
            },
        }
    }
}

/// The columns with such rows, those of density zero first.
///
/// # Errors
/// [`EvidenceError`] where predictions cannot be read.
pub(super) fn degenerate(evidence: &Evidence) -> Result<Vec<DegenerateRows>, EvidenceError> {
    let metrics = evidence.results.plan.benchmark.all_metrics();
    let is_log =
        |metric: &&MetricId| matches!(metric, MetricId::LogLikelihood(_) | MetricId::Nlpd(_));
    let metrics: Vec<&MetricId> = metrics.iter().filter(is_log).collect();
    let mut all = Vec::new();
    for series in evidence.results.series() {
        let any = |is_so: fn(Option<f64>) -> bool| {
            metrics.iter().any(|metric| series.split_values(metric).into_iter().any(is_so))
        };
        let infinite = any(|score| score.is_some_and(f64::is_infinite)).then_some(Density::Zero);
        let undefined = any(|score| score.is_none()).then_some(Density::Unbounded);
        for density in infinite.into_iter().chain(undefined) {
            let (rows, tested) = density.rule().count_in(&series, evidence.store)?;
            if rows > 0 {
                let (column, dataset) = (series.name(), series.dataset.heading.clone());
                all.push(DegenerateRows { density, column, dataset, rows, tested });
            }
        }
    }
    // The sort is stable: columns keep the order of the table.
    all.sort_by_key(|rows| rows.density);
    Ok(all)
}

impl Rule {
    /// Their number over a column's repetitions, and that of all rows. Trials without the
    /// predictions that may have such rows, or without any predictions in a pack, do not count.
    fn count_in(&self, series: &Series, store: &Store) -> Result<(usize, usize), EvidenceError> {
        let (mut of_kind, mut all) = (0, 0);
        let reading = &series.column.reading;
        let count = |decoded: &Decoded, _: usize| -> Result<usize, EvidenceError> {
            let found = decoded.readings.iter().find(|(own, _)| own == reading);
            Ok(found.map_or(0, |(_, predictive)| (self.count)(predictive, decoded.y.view())))
        };
        for result in
            series.finished().filter(|result| (self.are_possible)(&result.layout, reading))
        {
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
