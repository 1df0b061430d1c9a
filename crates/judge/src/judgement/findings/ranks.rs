//! Find which method has the best mean rank over the datasets.

use serde::{Deserialize, Serialize};

use super::News;
use crate::evidence::imputation::Imputation;
use crate::evidence::losses::Losses;
use crate::evidence::ranked::RankedField;
use crate::judgement::ranking::ranking;
use uq_core::metrics::MetricId;
use uq_core::stats::paired::ALPHA;

/// The mean ranks of all methods under a metric.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ranked {
    /// The metric.
    pub metric: MetricId,
    /// Heading of the method with the best mean rank.
    pub best: String,
    /// Its mean rank; 1 is best.
    pub best_rank: f64,
    /// Heading and mean rank of the paper's own method, where it is ranked.
    pub own: Option<(String, f64)>,
    /// Number of methods.
    pub methods: usize,
    /// Number of datasets.
    pub datasets: usize,
    /// Mean ranks that differ by less are not significantly different (Nemenyi).
    pub critical_difference: f64,
    /// The p-value, by Iman and Davenport's F, that all methods rank alike. Where it is not small,
    /// none is told apart.
    pub p: f64,
    /// Number of methods whose mean rank is not significantly behind the best one, with the best.
    pub tied: usize,
    /// Whether failed repetitions have the worst score of any method, instead of being dropped.
    pub failures_are_worst: bool,
}

impl Ranked {
    /// Whether the ranking speaks for the paper's own method: it is the best, or is significantly
    /// behind the best. It does neither where the test over all methods does not reject that they
    /// rank alike.
    pub fn news(&self) -> News {
        match &self.own {
            _ if self.p >= ALPHA => News::Neutral,
            Some((own, _)) if *own == self.best => News::Good,
            Some((_, rank)) if rank - self.best_rank >= self.critical_difference => News::Bad,
            _ => News::Neutral,
        }
    }
}

/// The ranking of each metric under which three methods or more have a score on two datasets or
/// more.
pub fn ranked(methods: &RankedField, own: &[String]) -> Vec<Ranked> {
    (0..methods.field.metrics.len()).filter_map(|metric| one(methods, metric, own)).collect()
}

fn one(
    RankedField { all, field, rule, .. }: &RankedField,
    metric: usize,
    own: &[String],
) -> Option<Ranked> {
    let losses = Losses::new(field, all, metric, rule);
    let ranking = ranking(&losses);
    let tests = ranking.tests.as_ref().filter(|_| ranking.entrants.len() > 2)?;
    let heading = |at: usize| &field.entrants[ranking.entrants[at]].heading;
    let ranks = &tests.friedman.mean_ranks;
    let best = (0..ranks.len()).min_by(|&a, &b| ranks[a].total_cmp(&ranks[b]))?;
    let of_own = (0..ranks.len()).filter(|&at| own.contains(heading(at)));
    Some(Ranked {
        metric: losses.metric,
        best: heading(best).clone(),
        best_rank: ranks[best],
        own: of_own
            .min_by(|&a, &b| ranks[a].total_cmp(&ranks[b]))
            .map(|at| (heading(at).clone(), ranks[at])),
        methods: ranks.len(),
        datasets: tests.friedman.blocks,
        critical_difference: tests.critical_difference,
        p: tests.friedman.p_f,
        tied: ranks.iter().filter(|&&rank| !tests.separates(rank, ranks[best])).count(),
        failures_are_worst: *rule == Imputation::Worst,
    })
}
