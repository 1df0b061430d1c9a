//! Take scores of predictions that were made elsewhere.

use super::{Block, Entrant, Field, Score};
use crate::evidence::own_predictions::Approximation;
use uq_core::metrics::MetricId;

impl Field {
    /// The scores of methods on one dataset, by metric, method and repetition: of predictions that
    /// were made elsewhere. The repetitions are independent but for training sets of
    /// `test_to_train` test rows for each training row. `approximations` are by metric and method.
    pub fn of_scores(
        heading: &str,
        methods: &[String],
        metrics: &[MetricId],
        scores: Vec<Vec<Vec<Option<f64>>>>,
        approximations: Vec<Vec<Option<Approximation>>>,
        test_to_train: f64,
    ) -> Self {
        let entrant = |heading: &String| Entrant {
            heading: heading.clone(),
            id: heading.clone(),
            aliases: Vec::new(),
            identities: Vec::new(),
            benchmarks: Vec::new(),
            brought: None,
        };
        let given = |scores: Vec<Option<f64>>| {
            scores.into_iter().map(|score| score.map_or(Score::Undefined, Score::Given)).collect()
        };
        let of_metric = |methods: Vec<Vec<Option<f64>>>| methods.into_iter().map(given).collect();
        let block = Block {
            key: heading.into(),
            heading: heading.into(),
            setting: Default::default(),
            random_splits: true,
            test_to_train,
            has_density: true,
            identities: vec![None; methods.len()],
            first_trials: vec![None; methods.len()],
            numbers: None,
            same_as: None,
            scores: scores.into_iter().map(of_metric).collect(),
            approximations,
        };
        Self {
            metrics: metrics.to_vec(),
            entrants: methods.iter().map(entrant).collect(),
            blocks: vec![block],
            ..Self::default()
        }
    }
}

#[cfg(test)]
impl Block {
    /// Makes every repetition of a method a failure, by every metric.
    pub fn fail(&mut self, entrant: usize) {
        for of_metric in &mut self.scores {
            of_metric[entrant].fill(Score::Failed);
        }
    }
}
