//! Find which stored scores are made of few quantiles.

use ndarray::Array2;

use super::Block;
use crate::evidence::own_predictions::Approximation;
use uq_core::metrics::MetricId;
use uq_core::predictive::{Form, Quantiles};
use uq_methods::Reading;
use uqbench_run::runner::record::TrialResult;

impl Block {
    /// Notes what the scores of an entrant are made of, by the form of one of its trials.
    pub(super) fn approximate(
        &mut self,
        entrant: usize,
        metrics: &[MetricId],
        result: &TrialResult,
        reading: &Reading,
    ) {
        let Some(levels) = result.layout.levels_of(reading) else { return };
        let values = Array2::zeros((0, levels.len()));
        let form = Form::Quantiles(Quantiles { levels: levels.to_vec(), values });
        self.approximations.resize(metrics.len(), Vec::new());
        for (metric, of_metric) in metrics.iter().zip(&mut self.approximations) {
            of_metric.resize(of_metric.len().max(entrant + 1), None);
            of_metric[entrant] = Approximation::of(&form, metric.properties().exactness(&form));
        }
    }
}
