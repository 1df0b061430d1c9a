//! Turn the scores of one metric into losses that can be compared: lower is better, failures
//! imputed by the rule.

use super::field::{Block, Field};
use super::imputation::{Imputation, Imputed};
use uq_core::metrics::{Direction, LogLikelihood, MetricId};
use uq_core::stats::rounding::{difference, level_ties};

/// One metric of a field, with the rule for failed repetitions.
#[derive(Clone, Debug)]
pub struct Losses<'a> {
    /// The field.
    pub field: &'a Field,
    /// The metric.
    pub metric: MetricId,
    /// Scores of each block that the metric can rank, after imputation.
    pub blocks: Vec<(&'a Block, Imputed)>,
    /// Blocks that it cannot rank: their target has no density.
    pub without_density: Vec<&'a Block>,
}

impl<'a> Losses<'a> {
    /// The scores of one metric. Replacements of failures are taken from `all`, which may have more
    /// entrants than the field.
    pub fn new(field: &'a Field, all: &Field, metric: usize, rule: &Imputation) -> Self {
        let id = field.metrics[metric];
        let needs_density = id == MetricId::LogLikelihood(LogLikelihood);
        let (kept, without_density) =
            field.blocks.iter().partition(|block| block.has_density || !needs_density);
        let stand_in = if let Imputation::Method(name) = rule { all.position(name) } else { None };
        let with_scores = |block: &'a Block| {
            // A failed fit has no time and no memory.
            let pool =
                all.blocks.iter().find(|other| other.is_run_as(block)).filter(|_| !id.is_cost());
            let pool = pool.map(|pool| pool.scores(metric)).unwrap_or_default();
            (
                block,
                Imputed::new(
                    &block.scores(metric),
                    &rule.stand_ins(&pool, stand_in, id.direction()),
                ),
            )
        };
        let blocks = Vec::into_iter(kept).map(with_scores).collect();
        Self { field, metric: id, blocks, without_density }
    }

    /// The loss of a score: lower is better.
    pub fn loss(&self, score: f64) -> f64 {
        self.metric.direction().loss(score)
    }

    /// Whether two entrants' scores on a block are of one kind: a score that is approximated from a
    /// few quantiles is not that of the distribution.
    pub fn is_alike(&self, block: &Block, a: usize, b: usize) -> bool {
        let metric = self.field.metrics.iter().position(|metric| *metric == self.metric);
        metric.is_none_or(|metric| block.is_alike(metric, a, b))
    }

    /// Whether an entrant's scores on some block are approximated, and those of another entrant
    /// there are not so.
    pub fn is_approximated(&self, entrant: usize) -> bool {
        let Some(metric) = self.field.metrics.iter().position(|metric| *metric == self.metric)
        else {
            return false;
        };
        let others = 0..self.field.entrants.len();
        self.blocks.iter().any(|(block, _)| {
            block.is_approximated(metric, entrant)
                && others.clone().any(|other| !block.is_alike(metric, entrant, other))
        })
    }

    /// Gains of one entrant over another on a block, over the repetitions that both have: positive
    /// where the first is better, 0 where the scores differ by no more than rounding.
    pub fn gains(&self, scores: &Imputed, entrant: usize, reference: usize) -> Vec<f64> {
        let (a, b) = (&scores.scores[entrant], &scores.scores[reference]);
        let gain = |a: f64, b: f64| difference(self.metric.direction(), self.loss(b), self.loss(a));
        a.iter().zip(b).filter_map(|(a, b)| Some(gain((*a)?, (*b)?))).collect()
    }

    /// Half width of the region of practical equivalence around no gain over a reference: a share
    /// `rope` of the reference's mean loss; for log scores `rope` nat, for coverages `rope` itself.
    pub fn region(&self, scores: &Imputed, reference: usize, rope: f64) -> f64 {
        let all: Vec<f64> = scores.scores[reference].iter().flatten().copied().collect();
        match self.metric.direction() {
            Direction::Lower => rope * (all.iter().sum::<f64>() / all.len().max(1) as f64).abs(),
            Direction::Higher | Direction::Target(_) => rope,
        }
    }

    /// Entrants with a score on any block. The form of the others does not define the score.
    pub fn defined(&self) -> Vec<usize> {
        let has = |entrant: usize| {
            self.blocks.iter().any(|(_, scores)| scores.scores[entrant].iter().any(Option::is_some))
        };
        (0..self.field.entrants.len()).filter(|&entrant| has(entrant)).collect()
    }

    /// The repetitions of one block that all of these entrants have.
    pub fn common(&self, scores: &Imputed, entrants: &[usize]) -> Vec<usize> {
        let repetitions = scores.scores.first().map_or(0, Vec::len);
        let is_whole =
            |r: &usize| entrants.iter().all(|&entrant| scores.scores[entrant][*r].is_some());
        (0..repetitions).filter(is_whole).collect()
    }

    /// Mean losses of these entrants on one block, over the repetitions that all of them have;
    /// `None` for none. Those that differ by no more than rounding are equal.
    pub fn common_means(&self, scores: &Imputed, entrants: &[usize]) -> Option<Vec<f64>> {
        let common = self.common(scores, entrants);
        let mean = |entrant: &usize| {
            let losses = common
                .iter()
                .filter_map(|&r| scores.scores[*entrant][r])
                .map(|score| self.loss(score));
            losses.sum::<f64>() / common.len() as f64
        };
        let mut means: Vec<f64> = entrants.iter().map(mean).collect();
        level_ties(self.metric.direction(), &mut means);
        (!common.is_empty()).then_some(means)
    }
}
