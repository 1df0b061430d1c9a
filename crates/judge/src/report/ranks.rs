//! Write in JSON how methods rank over datasets, by each metric.

use serde::{Serialize, Serializer};

use super::real;
use crate::evidence::imputation::Imputation;
use crate::evidence::losses::Losses;
use crate::evidence::ranked::RankedField;
use crate::judgement::ranking::{PairTest, Ranking, ranking};
use uq_core::metrics::MetricId;

/// The ranking by one metric.
#[derive(Serialize)]
struct RankedMetric<'a> {
    metric: MetricId,
    /// What becomes of failed repetitions.
    failures: &'static str,
    /// Datasets on which every ranked method has a score.
    datasets: Vec<&'a str>,
    /// Datasets that some ranked method has no score on.
    left_out: Vec<&'a str>,
    methods: Vec<RankedMethod<'a>>,
    /// P-value of Iman and Davenport's test that all methods rank alike.
    #[serde(serialize_with = "real::option::serialize")]
    p: Option<f64>,
    /// Nemenyi's critical difference of mean ranks.
    #[serde(serialize_with = "real::option::serialize")]
    critical_difference: Option<f64>,
    pairs: Vec<RankedPair<'a>>,
}

#[derive(Serialize)]
struct RankedMethod<'a> {
    method: &'a str,
    /// `None` where there are fewer than two methods or datasets.
    #[serde(serialize_with = "real::option::serialize")]
    mean_rank: Option<f64>,
}

/// The signed-rank test of two methods.
#[derive(Serialize)]
struct RankedPair<'a> {
    method: &'a str,
    reference: &'a str,
    /// Numbers of datasets on which the method is better, and worse.
    better: usize,
    worse: usize,
    /// Holm-adjusted p-value.
    #[serde(serialize_with = "real::option::serialize")]
    p: Option<f64>,
}

pub(super) fn serialize<S: Serializer>(
    ranked: &Option<RankedField>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let by_metric: Vec<Losses> = ranked.iter().flat_map(losses).collect();
    serializer.collect_seq(ranked.iter().flat_map(|RankedField { rule, .. }| {
        by_metric.iter().map(move |losses| rank(losses, rule))
    }))
}

fn losses(ranked: &RankedField) -> impl Iterator<Item = Losses<'_>> {
    let RankedField { all, field, rule, .. } = ranked;
    (0..field.metrics.len()).map(move |metric| Losses::new(field, all, metric, rule))
}

fn rank<'a>(losses: &Losses<'a>, rule: &Imputation) -> RankedMetric<'a> {
    let Ranking { entrants, complete, incomplete, tests, .. } = ranking(losses);
    let heading = |at: usize| losses.field.entrants[entrants[at]].heading.as_str();
    let tests = tests.as_ref();
    let methods = (0..entrants.len()).map(|at| RankedMethod {
        method: heading(at),
        mean_rank: tests.map(|tests| tests.friedman.mean_ranks[at]),
    });
    let pair = |&PairTest { a, b, better, worse, adjusted, .. }: &PairTest| RankedPair {
        method: heading(a),
        reference: heading(b),
        better,
        worse,
        p: adjusted,
    };
    RankedMetric {
        metric: losses.metric,
        failures: if *rule == Imputation::Worst { "worst" } else { "drop" },
        methods: methods.collect(),
        p: tests.map(|tests| tests.friedman.p_f),
        critical_difference: tests.map(|tests| tests.critical_difference),
        pairs: tests.iter().flat_map(|tests| tests.pairs.iter().map(pair)).collect(),
        datasets: complete,
        left_out: incomplete,
    }
}
