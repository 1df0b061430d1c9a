//! Gather a plan's stored results by column of the table.

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::ThreadPool;
use rayon::prelude::*;

use uq_core::metrics::MetricId;
use uq_core::stats::Summary;
use uqbench_run::benchmark::{Column, Contrast, DatasetRow, MethodRow};
use uqbench_run::runner::attempt::Attempt;
use uqbench_run::runner::derived;
use uqbench_run::runner::key::TrialKey;
use uqbench_run::runner::outcome::{Failure, Outcome};
use uqbench_run::runner::plan::{ColumnId, Experiment, Plan};
use uqbench_run::runner::record::TrialResult;
use uqbench_run::runner::scores::Scores;
use uqbench_run::runner::store::{Found, Store, StoreError, Unreadable};

/// All stored results of one benchmark.
pub struct Results<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// One entry for each experiment of the plan.
    pub experiments: Vec<Repetitions<'a>>,
    /// One entry for each experiment with another seed, for the table of variances only.
    pub reseeded: Vec<Repetitions<'a>>,
    /// One entry for each experiment inside its training rows, for the flag `none` only.
    pub validation: Vec<Repetitions<'a>>,
}

/// The repetitions of one experiment.
pub struct Repetitions<'a> {
    /// The experiment.
    pub experiment: &'a Experiment,
    /// How each repetition ended.
    pub ends: Vec<End>,
}

/// How one repetition ended.
pub enum End {
    /// It is stored.
    Finished {
        /// Its sealed result.
        result: Arc<TrialResult>,
        /// Its scores.
        scores: Scores,
    },
    /// Its last attempt failed.
    Failed(Attempt),
    /// It is stored, but its bytes differ from those that were written.
    Damaged,
    /// It is stored, but cannot be read: why.
    Unreadable(String),
    /// It was not run.
    Missing,
}

/// One column of a table on one dataset: a reading of an experiment.
#[derive(Clone, Copy)]
pub struct Series<'a> {
    /// Its place in the plan.
    pub id: ColumnId,
    /// The dataset.
    pub dataset: &'a DatasetRow,
    /// The method.
    pub method: &'a MethodRow,
    /// The column.
    pub column: &'a Column,
    /// Its repetitions.
    pub repetitions: &'a Repetitions<'a>,
}

impl<'a> Results<'a> {
    /// Reads a plan's trials and their scores by these metrics from the store.
    ///
    /// # Errors
    /// [`StoreError`] where the store cannot be read.
    pub fn collect(
        plan: &'a Plan,
        metrics: &[MetricId],
        store: &Store,
        pool: &ThreadPool,
    ) -> Result<Self, StoreError> {
        let end = |experiment: &Experiment, split: u64| -> Result<End, StoreError> {
            let key = experiment.key(split);
            let read = store.readable(&key, End::read(store, &key, metrics))?;
            Ok(read.unwrap_or_else(|Unreadable(why)| End::Unreadable(why)))
        };
        let gather = |experiment: &'a Experiment| -> Result<Repetitions<'a>, StoreError> {
            let splits: Vec<u64> = (0..experiment.splits).collect();
            let ends =
                splits.par_iter().map(|&split| end(experiment, split)).collect::<Result<_, _>>()?;
            Ok(Repetitions { experiment, ends })
        };
        let all = |experiments: &'a [Experiment]| {
            experiments.iter().map(gather).collect::<Result<Vec<_>, _>>()
        };
        let experiments = pool.install(|| all(&plan.experiments))?;
        let reseeded = pool.install(|| all(&plan.reseeded))?;
        let validation = pool.install(|| all(&plan.validation))?;
        Ok(Self { plan, experiments, reseeded, validation })
    }

    /// Takes each repetition that was not run from `other`: the results of the same plan in another
    /// store.
    pub fn fill(&mut self, other: Self) {
        let here = [&mut self.experiments, &mut self.reseeded, &mut self.validation];
        for (here, other) in
            here.into_iter().zip([other.experiments, other.reseeded, other.validation])
        {
            for (here, other) in here.iter_mut().zip(other) {
                for (here, other) in here.ends.iter_mut().zip(other.ends) {
                    if matches!(here, End::Missing) {
                        *here = other;
                    }
                }
            }
        }
    }

    /// Every column on every dataset, in the order of the table, without repetitions with other
    /// seeds.
    pub fn series(&self) -> Vec<Series<'_>> {
        let datasets = &self.plan.benchmark.datasets;
        let experiments = self.experiments.iter().enumerate();
        experiments
            .flat_map(|(experiment, repetitions)| {
                let Experiment { dataset, method, .. } = repetitions.experiment;
                let dataset = &datasets[*dataset];
                method.columns.iter().enumerate().map(move |(place, column)| {
                    let id = ColumnId { experiment, column: place };
                    Series { id, dataset, method, column, repetitions }
                })
            })
            .collect()
    }

    /// Number of finished and of expected trials, including those with other seeds and those of the
    /// validation.
    pub fn coverage(&self) -> (usize, usize) {
        let ends = || {
            self.experiments
                .iter()
                .chain(&self.reseeded)
                .chain(&self.validation)
                .flat_map(|r| &r.ends)
        };
        (ends().filter(|end| matches!(end, End::Finished { .. })).count(), ends().count())
    }

    /// The same column inside the training rows, if the benchmark validates.
    pub fn validation_of<'s>(&'s self, series: &Series<'s>) -> Option<Series<'s>> {
        // The plan has one validation experiment for each experiment, in the same order.
        self.validation
            .get(series.id.experiment)
            .map(|repetitions| Series { repetitions, ..*series })
    }

    /// Pairs of columns that differ only in the contrast's label: (test, reference).
    pub fn pairs(&self, contrast: &Contrast) -> Vec<(Series<'_>, Series<'_>)> {
        let series = self.series();
        let rest = |s: &Series| -> BTreeMap<String, String> {
            s.column
                .labels
                .iter()
                .filter(|(k, _)| **k != contrast.label)
                .map(|(k, v)| (k.clone(), v.clone()))
                .collect()
        };
        let is = |s: &Series, value: &String| s.column.labels.get(&contrast.label) == Some(value);
        let of_reference = |test: &Series| {
            series.iter().copied().find(|s| {
                is(s, &contrast.reference)
                    && s.dataset.key == test.dataset.key
                    && s.method.variant == test.method.variant
                    && s.column.x == test.column.x
                    && rest(s) == rest(test)
            })
        };
        series
            .iter()
            .filter(|s| is(s, &contrast.test))
            .filter_map(|t| of_reference(t).map(|r| (*t, r)))
            .collect()
    }
}

impl Series<'_> {
    /// The score of each repetition; `None` where it is undefined or the repetition did not finish.
    /// For a whole cross-validation it is the average over the folds, `None` where a fold has no
    /// score.
    pub fn values(&self, metric: &MetricId) -> Vec<Option<f64>> {
        let splits = self.split_values(metric);
        splits.chunks(self.folds()).map(|folds| average(folds, self.folds())).collect()
    }

    /// Number of repetitions that are expected to have a score.
    pub fn expected(&self) -> usize {
        self.repetitions.ends.len().div_ceil(self.folds())
    }

    /// Number of splits whose scores are averaged in one repetition.
    fn folds(&self) -> usize {
        let protocol = &self.repetitions.experiment.template.protocol;
        usize::try_from(protocol.kind().splits_a_repetition()).unwrap_or(usize::MAX)
    }

    /// The score of each split, folds of a cross-validation one by one.
    pub fn split_values(&self, metric: &MetricId) -> Vec<Option<f64>> {
        let of_end = |end: &End| match end {
            End::Finished { scores, .. } => scores.get(&self.column.reading, metric).flatten(),
            End::Failed(_) | End::Damaged | End::Unreadable(_) | End::Missing => None,
        };
        self.repetitions.ends.iter().map(of_end).collect()
    }

    /// The summary over the repetitions that have a score. Where one score is infinite, so is their
    /// mean, without a spread.
    pub fn summary(&self, metric: &MetricId) -> Option<Summary> {
        let values: Vec<f64> = self.values(metric).into_iter().flatten().collect();
        let mean: f64 = values.iter().sum();
        Summary::from_values(&values)
            .or_else(|| mean.is_infinite().then_some(Summary { mean, sd: None, n: values.len() }))
    }

    /// Mean number of test rows of the finished splits with predictions. The tolerance of a sum
    /// over a fold is stated per row.
    pub fn test_rows(&self) -> Option<f64> {
        let rows: Vec<f64> = self.finished().map(|result| result.test_rows as f64).collect();
        (!rows.is_empty()).then(|| rows.iter().sum::<f64>() / rows.len() as f64)
    }

    /// Why repetitions have no score: the words of their outcomes.
    pub fn why_none(&self) -> String {
        let mut words: Vec<&str> = self.repetitions.ends.iter().map(End::word).collect();
        words.sort_unstable();
        words.dedup();
        match words.as_slice() {
            ["ok"] => "score undefined".into(),
            words => {
                words.iter().filter(|word| **word != "ok").copied().collect::<Vec<_>>().join(", ")
            }
        }
    }

    /// The first reason why a repetition has no score.
    pub fn first_reason(&self) -> Option<String> {
        self.repetitions.first_reason()
    }

    /// Number of repetitions without predictions, by outcome.
    pub fn not_ok(&self) -> BTreeMap<&'static str, usize> {
        self.repetitions.not_ok()
    }

    /// The column's heading with its variant, if any.
    pub fn name(&self) -> String {
        match self.variant() {
            Some(variant) => format!("{} ({variant})", self.column.heading),
            None => self.column.heading.clone(),
        }
    }

    /// The variant of the dataset or method; `None` for the main reading of the paper.
    pub fn variant(&self) -> Option<&str> {
        self.dataset.variant.as_deref().or(self.method.variant.as_deref())
    }

    /// Its abscissa, where it is a point of a curve: the column's, or else the dataset's.
    pub fn x(&self) -> Option<f64> {
        self.column.x.or(self.dataset.x)
    }

    /// Whether the column carries all of these labels.
    pub fn has_labels(&self, labels: &BTreeMap<String, String>) -> bool {
        labels.iter().all(|(label, value)| self.column.labels.get(label) == Some(value))
    }

    /// Whether this is a main column with these labels on this dataset, or on any dataset for
    /// `None`.
    pub fn is_column(&self, labels: &BTreeMap<String, String>, dataset: Option<&str>) -> bool {
        self.variant().is_none()
            && self.has_labels(labels)
            && dataset.is_none_or(|key| self.dataset.key == key)
    }

    /// The first finished repetition.
    pub fn first_finished(&self) -> Option<&Arc<TrialResult>> {
        self.finished().next()
    }

    /// The finished repetitions with predictions.
    pub fn finished(&self) -> impl Iterator<Item = &Arc<TrialResult>> {
        self.repetitions.finished()
    }

    /// Whether any repetition has run, with or without predictions. What has no data did not run.
    pub fn has_run(&self) -> bool {
        let has_run = |end: &End| match end {
            End::Finished { .. } | End::Damaged | End::Unreadable(_) => true,
            End::Failed(attempt) => {
                !matches!(attempt.failure, Failure::Unavailable(_) | Failure::MethodUnavailable(_))
            }
            End::Missing => false,
        };
        self.repetitions.ends.iter().any(has_run)
    }
}

impl Repetitions<'_> {
    /// The first reason why a repetition has no score.
    pub fn first_reason(&self) -> Option<String> {
        self.ends.iter().find_map(|end| match end {
            End::Finished { result, .. } => result.outcome.reason().map(str::to_owned),
            // The sources that were tried depend on this machine and are not part of a report.
            End::Failed(Attempt { failure: Failure::Unavailable(_), .. }) => {
                Some("no source has its data".into())
            }
            End::Failed(attempt) => Some(attempt.failure.message()),
            End::Damaged => Some("its stored bytes are damaged".into()),
            // The path is that of this machine, and no part of a report.
            End::Unreadable(_) => Some("its stored files cannot be read".into()),
            End::Missing => None,
        })
    }

    /// Number of repetitions without predictions, by outcome.
    pub fn not_ok(&self) -> BTreeMap<&'static str, usize> {
        let mut counts = BTreeMap::new();
        for word in self.ends.iter().map(End::word).filter(|word| *word != "ok") {
            *counts.entry(word).or_default() += 1;
        }
        counts
    }

    /// The outcomes of the finished repetitions.
    pub fn outcomes(&self) -> impl Iterator<Item = &Outcome> {
        self.ends.iter().filter_map(|end| match end {
            End::Finished { result, .. } => Some(&result.outcome),
            _ => None,
        })
    }

    /// The finished repetitions with predictions.
    pub fn finished(&self) -> impl Iterator<Item = &Arc<TrialResult>> {
        self.ends.iter().filter_map(|end| match end {
            End::Finished { result, .. } if result.outcome == Outcome::Ok => Some(result),
            _ => None,
        })
    }
}

/// The average over all `folds` scores; `None` where one is missing.
fn average(scores: &[Option<f64>], folds: usize) -> Option<f64> {
    let scores: Vec<f64> = scores.iter().copied().collect::<Option<_>>()?;
    match scores.as_slice() {
        [one] if folds == 1 => Some(*one),
        all => (all.len() == folds).then(|| all.iter().sum::<f64>() / folds as f64),
    }
}

impl End {
    /// How a trial ended, by the store.
    fn read(store: &Store, key: &TrialKey, metrics: &[MetricId]) -> Result<Self, StoreError> {
        Ok(match store.find(key)? {
            Found::Finished(result) => match derived::scores(store, &result, metrics) {
                Ok(scores) => Self::Finished { result, scores },
                // Its checksums are right, but its rows are no predictions: a program before this
                // one stored them so.
                Err(StoreError::Damaged { key, message }) => {
                    store.note_damage(&key, &message);
                    Self::Damaged
                }
                Err(error) => return Err(error),
            },
            Found::Damaged(_) => Self::Damaged,
            Found::Absent => store.last_attempt(key)?.map_or(Self::Missing, Self::Failed),
        })
    }

    /// Whether the method failed: it diverged, refused, crashed, or took too much time or memory.
    /// What was not run, or has no data or no method, is no failure of a method.
    pub fn has_failed(&self) -> bool {
        match self {
            Self::Finished { result, .. } => result.outcome != Outcome::Ok,
            Self::Failed(attempt) => match attempt.failure {
                Failure::TimedOut | Failure::OutOfMemory | Failure::Crashed(_) => true,
                Failure::Unavailable(_)
                | Failure::MethodUnavailable(_)
                | Failure::BadData(_)
                | Failure::Cancelled
                | Failure::Lost(_) => false,
            },
            Self::Damaged | Self::Unreadable(_) | Self::Missing => false,
        }
    }

    /// The outcome in a word or two.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Finished { result, .. } => result.outcome.word(),
            Self::Failed(attempt) => attempt.failure.word(),
            Self::Damaged => "damaged",
            Self::Unreadable(_) => "unreadable",
            Self::Missing => "not in the store",
        }
    }
}

/// The smallest and largest number of repetitions with a score, over the columns that have any.
pub fn repetitions(series: &[Series], metric: &MetricId) -> Option<(usize, usize)> {
    let counts = || series.iter().filter_map(|s| s.summary(metric)).map(|summary| summary.n);
    counts().min().zip(counts().max())
}

#[cfg(test)]
mod tests {
    use super::average;

    #[test]
    fn a_cross_validation_scores_by_the_average_over_all_of_its_folds() {
        assert_eq!(average(&[Some(1.0), Some(2.0), Some(6.0)], 3), Some(3.0));
        assert_eq!(average(&[Some(1.0), None, Some(6.0)], 3), None, "a fold is missing");
        assert_eq!(average(&[Some(1.0), Some(2.0)], 3), None, "so is one that was not planned");
        assert_eq!([average(&[Some(0.1)], 1), average(&[None], 1)], [Some(0.1), None]);
    }
}
