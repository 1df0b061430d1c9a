//! Find which method has the best mean rank over the datasets.

use serde::{Deserialize, Serialize};

use super::News;
use crate::evidence::field::Field;
use crate::evidence::imputation::Imputation;
use crate::evidence::losses::Losses;
use crate::judgement::ranking::ranking;
use crate::metrics::MetricId;

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
    /// Friedman's p-value that all methods rank alike.
    pub p: f64,
    /// Number of methods whose mean rank differs from the best one by less than the critical difference, with the best.
    pub tied: usize,
}

impl Ranked {
    /// Whether the ranking speaks for the paper's own method: it is the best, or is significantly behind the best.
    pub fn news(&self) -> News {
        match &self.own {
            Some((own, _)) if *own == self.best => News::Good,
            Some((_, rank)) if rank - self.best_rank >= self.critical_difference => News::Bad,
            _ => News::Neutral,
        }
    }
}

/// The ranking of each metric under which three methods or more have a score on two datasets or more. Methods that did not
/// run on every dataset are left out.
pub fn ranked(field: &Field, own: &[String]) -> impl Iterator<Item = Ranked> {
    // Without datasets that nobody ran on.
    let field = field.only(&(0..field.entrants.len()).collect::<Vec<_>>());
    // A method that ran on some of the datasets only would leave few datasets on which all methods have a score.
    let on_all = |&entrant: &usize| {
        let own = field.only(&[entrant]);
        field.blocks.iter().all(|block| own.blocks.iter().any(|other| other.is_run_as(block)))
    };
    let field = field.only(&(0..field.entrants.len()).filter(on_all).collect::<Vec<_>>());
    let all: Vec<Ranked> = (0..field.metrics.len()).filter_map(|metric| one(&field, metric, own)).collect();
    all.into_iter()
}

fn one(field: &Field, metric: usize, own: &[String]) -> Option<Ranked> {
    let losses = Losses::new(field, field, metric, &Imputation::Drop);
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
        own: of_own.min_by(|&a, &b| ranks[a].total_cmp(&ranks[b])).map(|at| (heading(at).clone(), ranks[at])),
        methods: ranks.len(),
        datasets: tests.friedman.blocks,
        critical_difference: tests.critical_difference,
        p: tests.friedman.p_f,
        tied: ranks.iter().filter(|&&rank| rank - ranks[best] < tests.critical_difference).count(),
    })
}
