//! Score what was brought, as a trial's predictions are scored.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::submission::Submission;
use super::{Brought, EntrantKind};
use crate::evidence::field::Score;
use crate::evidence::own_predictions::{Approximation, OwnForm, source};
use uq_core::metrics::MetricId;
use uq_core::predictive::Exactness;
use uqbench_run::league::{Board, Card, Kind, Part, Truth};

/// The scores of one split by each metric.
#[derive(Clone, Debug, PartialEq)]
pub struct SplitScores {
    /// The dataset's key.
    pub dataset: String,
    /// The split, from 0.
    pub split: u64,
    /// The scores by metric.
    pub scores: Vec<Score>,
}

impl Submission {
    /// The scores by these metrics of every split that has predictions or has failed, in the order
    /// of the board.
    pub fn scores<'a>(
        &'a self,
        card: &Card,
        board: &'a Board,
        truths: &[Vec<Truth>],
        metrics: &[MetricId],
    ) -> Vec<SplitScores> {
        let parts: Vec<(&Part, usize)> = self.parts().collect();
        let of_part = |&(part, first): &(&'a Part, usize)| {
            let truth = board
                .dataset(&part.dataset)
                .and_then(|(dataset, _)| truths.get(dataset)?.get(part.split as usize));
            let scores = match truth {
                Some(truth) => self.score(first, truth, metrics),
                None => vec![Score::Absent; metrics.len()],
            };
            ((part.dataset.as_str(), part.split), scores)
        };
        let mut known: BTreeMap<(&str, u64), Vec<Score>> = parts.par_iter().map(of_part).collect();
        let mut all = Vec::new();
        for dataset in &board.datasets {
            for split in 0..dataset.splits {
                let key = dataset.key.as_str();
                let failed =
                    || card.failure(key, split).map(|_| vec![Score::Failed; metrics.len()]);
                if let Some(scores) = known.remove(&(key, split)).or_else(failed) {
                    all.push(SplitScores { dataset: key.into(), split, scores });
                }
            }
        }
        all
    }

    /// What the scores by each of these metrics are approximated by: few quantiles.
    pub fn approximations(&self, metrics: &[MetricId]) -> Vec<Option<Approximation>> {
        let of_metric = |metric: &MetricId| {
            let form = &source(&self.predictive, self.point.as_ref(), metric).form;
            let approximation = Approximation::of(form, metric.properties().exactness(form));
            // What is not exact has no score there.
            approximation.filter(|_| self.form != OwnForm::Interval)
        };
        metrics.iter().map(of_metric).collect()
    }

    fn score(&self, first: usize, truth: &Truth, metrics: &[MetricId]) -> Vec<Score> {
        let rows: Vec<usize> = (first..first + truth.rows()).collect();
        let predictive = self.predictive.select(&rows);
        let point = self.point.as_ref().map(|point| point.select(&rows));
        let one = |metric: &MetricId| {
            let of = source(&predictive, point.as_ref(), metric);
            // Both ends of an interval say nothing of the distribution elsewhere.
            let exactness = metric.properties().exactness(&of.form);
            if self.form == OwnForm::Interval && exactness != Exactness::Exact {
                return Score::Undefined;
            }
            let score = metric.score(of, truth.outcomes.y.view(), &truth.outcomes.context);
            score.map_or(Score::Undefined, Score::Given)
        };
        metrics.iter().map(one).collect()
    }
}

impl Brought {
    /// An entry with these scores, none of which is approximated. A dataset of which a part of the splits is missing, as in an
    /// entry of a part of a board, is left out.
    pub fn new(card: &Card, key: &str, board: &Board, all: &[SplitScores]) -> Self {
        let of_dataset = |key: &str, splits: u64| {
            let of: Vec<&SplitScores> = all.iter().filter(|one| one.dataset == key).collect();
            let metrics = of.first().map_or(0, |one| one.scores.len());
            let by_metric = |metric: usize| of.iter().map(|one| one.scores[metric]).collect();
            (of.len() as u64 == splits).then(|| (0..metrics).map(by_metric).collect::<Vec<_>>())
        };
        let datasets = board.datasets.iter();
        Self {
            heading: card.heading(),
            key: key.into(),
            kind: match card.kind {
                Kind::Model => EntrantKind::Model,
                Kind::System => EntrantKind::System,
            },
            stated_seconds: card.seconds,
            scores: datasets
                .filter_map(|one| Some((one.key.clone(), of_dataset(&one.key, one.splits)?)))
                .collect(),
            approximations: Vec::new(),
        }
    }
}
