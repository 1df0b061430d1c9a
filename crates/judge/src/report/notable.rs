//! Choose the trials of a benchmark that a reader should look at: of every dataset those with the
//! lowest, the median and the highest score, and those without predictions.

use std::collections::BTreeSet;

use rayon::prelude::*;
use serde::Serialize;

use super::lacks::Lacks;
use super::real;
use super::trial::TrialReport;
use crate::evidence::results::{End, Series};
use crate::evidence::{EvidenceError, Results};
use uq_core::metrics::MetricId;
use uqbench_run::benchmark::DatasetRow;
use uqbench_run::runner::attempt::Attempt;
use uqbench_run::runner::key::TrialKey;
use uqbench_run::runner::outcome::{Failure, Outcome};
use uqbench_run::runner::record::TrialResult;
use uqbench_run::runner::store::Store;

/// Most trials without predictions that are chosen.
const MOST_WITHOUT: usize = 100;

/// The trials that a reader should look at.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Notable {
    /// Those with extreme and median scores, dataset by dataset, then those without predictions.
    pub trials: Vec<NotableTrial>,
    /// How many further trials have no predictions.
    pub more: usize,
    /// What is known of each, once; one that cannot be read is left out.
    #[serde(skip)]
    pub reports: Vec<TrialReport>,
}

/// A trial that a reader should look at.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NotableTrial {
    /// Its key.
    pub key: TrialKey,
    /// Why.
    pub why: Why,
    /// Heading of the dataset.
    pub dataset: String,
    /// The column with its variant.
    pub column: String,
    /// Number of the repetition, from 0.
    pub split: u64,
    /// Its score by the first metric.
    #[serde(serialize_with = "real::option::serialize")]
    pub score: Option<f64>,
}

/// Why a reader should look at a trial.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Why {
    /// It has the only score of its dataset.
    OnlyScore,
    /// It has the lowest score.
    LowestScore,
    /// It has the median score.
    MedianScore,
    /// It has the highest score.
    HighestScore,
    /// It finished with this outcome instead of predictions.
    NoPredictions(&'static str),
    /// It did not finish: the error.
    Failed(String),
}

/// A chosen trial with what the store has of it.
struct Chosen<'a> {
    why: Why,
    series: Series<'a>,
    split: u64,
    stored: Stored<'a>,
    score: Option<f64>,
}

/// What the store has of a trial.
#[derive(Clone, Copy)]
enum Stored<'a> {
    Result(&'a TrialResult),
    Attempt(&'a Attempt),
}

impl Chosen<'_> {
    fn key(&self) -> TrialKey {
        self.series.repetitions.experiment.key(self.split)
    }

    fn report(&self, store: &Store, metrics: &[MetricId]) -> Result<TrialReport, EvidenceError> {
        match self.stored {
            Stored::Result(result) => TrialReport::collect(store, result, metrics),
            Stored::Attempt(attempt) => {
                let spec = self.series.repetitions.experiment.spec(self.split);
                Ok(TrialReport::failed(self.key(), spec, attempt))
            }
        }
    }
}

/// The trials that a reader should look at. One that cannot be read costs itself alone, and is
/// named in `lacks`.
///
/// # Errors
/// [`EvidenceError`] where the store cannot be read.
pub(super) fn notable(
    results: &Results,
    store: &Store,
    lacks: &mut Lacks,
) -> Result<Notable, EvidenceError> {
    let Some(metric) = results.plan.benchmark.metrics.first() else {
        return Ok(Notable::default());
    };
    let scored = extremes_of_all(results, &metric.id);
    let mut without = without_predictions(results);
    let more = without.len().saturating_sub(MOST_WITHOUT);
    without.truncate(MOST_WITHOUT);
    let all: Vec<Chosen> = scored.into_iter().chain(without).collect();
    let mut seen = BTreeSet::new();
    let once: Vec<&Chosen> = all.iter().filter(|one| seen.insert(one.key())).collect();
    let metrics = results.plan.first_metrics();
    let read: Vec<_> = once.par_iter().map(|one| one.report(store, &metrics)).collect();
    let mut reports = Vec::new();
    for (one, report) in once.iter().zip(read) {
        let part = format!("the page of trial {}", one.key().short());
        reports.extend(lacks.or_none_of(&part, report.map(Some))?);
    }
    let trials = all.iter().map(|one| NotableTrial {
        key: one.key(),
        why: one.why.clone(),
        dataset: one.series.dataset.heading.clone(),
        column: one.series.name(),
        split: one.split,
        score: one.score,
    });
    Ok(Notable { trials: trials.collect(), more, reports })
}

/// The trials that ran, or began to, and have no predictions.
fn without_predictions<'a>(results: &'a Results) -> Vec<Chosen<'a>> {
    let mut all = Vec::new();
    // Columns of one fit fail together.
    for series in results.series().into_iter().filter(|one| one.id.column == 0) {
        for (split, end) in (0..).zip(&series.repetitions.ends) {
            let (why, stored) = match end {
                End::Finished { result, .. } if result.outcome != Outcome::Ok => {
                    (Why::NoPredictions(result.outcome.word()), Stored::Result(result))
                }
                // What has no data did not run.
                End::Failed(Attempt {
                    failure: Failure::Unavailable(_) | Failure::MethodUnavailable(_),
                    ..
                }) => {
                    continue;
                }
                End::Failed(attempt) => {
                    (Why::Failed(attempt.failure.message()), Stored::Attempt(attempt))
                }
                _ => continue,
            };
            all.push(Chosen { why, series, split, stored, score: None });
        }
    }
    all
}

/// Of each dataset the trials with extreme and median scores.
fn extremes_of_all<'a>(results: &'a Results, metric: &MetricId) -> Vec<Chosen<'a>> {
    let series = results.series();
    let datasets =
        results.plan.benchmark.datasets.iter().filter(|dataset| dataset.variant.is_none());
    datasets.flat_map(|dataset| extremes(&series, dataset, metric)).collect()
}

/// The trials of one dataset with the lowest, the median and the highest score, among the columns
/// of the table.
fn extremes<'a>(series: &[Series<'a>], dataset: &DatasetRow, metric: &MetricId) -> Vec<Chosen<'a>> {
    let mut scored = Vec::new();
    for one in series.iter().filter(|one| one.variant().is_none() && one.dataset.key == dataset.key)
    {
        for (split, (score, end)) in
            (0..).zip(one.split_values(metric).into_iter().zip(&one.repetitions.ends))
        {
            if let (Some(score), End::Finished { result, .. }) = (score, end) {
                scored.push((score, *one, split, &**result));
            }
        }
    }
    // The sort is stable, so that equal scores keep the order of the table.
    scored.sort_by(|a, b| a.0.total_cmp(&b.0));
    let places = match scored.len() {
        0 => Vec::new(),
        1 => vec![(Why::OnlyScore, 0)],
        2 => vec![(Why::LowestScore, 0), (Why::HighestScore, 1)],
        n => {
            vec![(Why::LowestScore, 0), (Why::MedianScore, (n - 1) / 2), (Why::HighestScore, n - 1)]
        }
    };
    let pick = |(why, at): (Why, usize)| {
        let (score, series, split, result) = scored[at];
        Chosen { why, series, split, stored: Stored::Result(result), score: Some(score) }
    };
    places.into_iter().map(pick).collect()
}
