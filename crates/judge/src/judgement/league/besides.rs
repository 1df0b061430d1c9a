//! Gather what stands beside an entrant's skill: log score, interval score, coverage, processor
//! time and memory.

use super::ratios::mean;
use crate::evidence::efforts::Effort;
use crate::evidence::field::{Block, Field, Score};
use uq_core::math::special::student_t_quantile;
use uq_core::metrics::MetricId;
use uq_core::stats::corrected::Corrected;
use uq_core::stats::paired::ALPHA;

/// What stands beside an entrant's skill.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Besides {
    /// The mean over datasets of the gain in mean log score over a reference, in nat; may be minus
    /// infinity. The log score is the log density; of a discrete target, which has no density, the
    /// log probability of the cell that rounding makes of the outcome. `None` where it is undefined
    /// on a dataset.
    pub log_score: Option<f64>,
    /// Geometric mean over datasets of the mean interval score divided by that of the reference;
    /// `None` where it is undefined on a dataset.
    pub interval_score: Option<f64>,
    /// Coverage of central intervals; `None` where it is undefined on every dataset.
    pub coverage: Option<Coverage>,
    /// Geometric mean over datasets of the mean processor seconds of a trial.
    pub seconds: Option<f64>,
    /// Processor seconds of all fits, as the card of an entry states them.
    pub stated_seconds: Option<f64>,
    /// Largest memory of any trial, in bytes.
    pub memory: Option<u64>,
}

/// Coverage of central intervals.
#[derive(Clone, Debug, PartialEq)]
pub struct Coverage {
    /// Mean over datasets.
    pub mean: f64,
    /// Its 95 % interval on these datasets, had their rows been split otherwise; `None` where a
    /// dataset has fewer than two splits, or splits that are not random.
    pub interval: Option<(f64, f64)>,
    /// On the dataset where it misses its level by most.
    pub worst: WorstCoverage,
}

/// The coverage on the dataset where it misses its level by most.
#[derive(Clone, Debug, PartialEq)]
pub struct WorstCoverage {
    /// The coverage.
    pub coverage: f64,
    /// Heading of the dataset.
    pub dataset: String,
}

/// The metrics of a field that stand beside the skill, by index.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Indices {
    log_density: Option<usize>,
    log_probability: Option<usize>,
    interval_score: Option<usize>,
    /// The metric, and the level of its intervals.
    coverage: Option<(usize, f64)>,
}

impl Indices {
    pub fn of(metrics: &[MetricId]) -> Self {
        let find = |is: fn(&MetricId) -> bool| metrics.iter().position(is);
        Self {
            log_density: find(|metric| matches!(metric, MetricId::LogLikelihood(_))),
            log_probability: find(|metric| matches!(metric, MetricId::DiscretisedLogScore(_))),
            interval_score: find(|metric| matches!(metric, MetricId::IntervalScore(_))),
            coverage: metrics.iter().enumerate().find_map(|(at, metric)| match metric {
                MetricId::Picp(picp) => Some((at, picp.level)),
                _ => None,
            }),
        }
    }
}

/// What stands beside the skill of an entrant. `references` are those of the loss and of the log
/// score.
pub(super) fn besides(
    field: &Field,
    entrant: usize,
    (reference, log_reference): (usize, Option<usize>),
    efforts: &[Effort],
) -> Besides {
    let indices = Indices::of(&field.metrics);
    let is_own = field.entrants[entrant].brought.is_none();
    let heading = &field.entrants[entrant].heading;
    let own: Vec<&Effort> =
        efforts.iter().filter(|effort| is_own && effort.column == *heading).collect();
    let seconds = own.iter().filter_map(|effort| effort.seconds);
    Besides {
        log_score: log_reference.and_then(|other| log_score(field, entrant, other, indices)),
        interval_score: indices.interval_score.and_then(|metric| {
            let ratio = |block: &Block| {
                let pairs = pairs(block, metric, entrant, reference)?;
                let own = mean(pairs.iter().map(|(own, _)| *own))?;
                let other = mean(pairs.iter().map(|(_, other)| *other))?;
                Some((own / other).ln())
            };
            let all: Vec<f64> = field.blocks.iter().map(ratio).collect::<Option<_>>()?;
            mean(all).map(f64::exp)
        }),
        coverage: indices
            .coverage
            .and_then(|(metric, level)| coverage(field, entrant, metric, level)),
        seconds: mean(seconds.map(f64::ln)).map(f64::exp),
        stated_seconds: None,
        memory: own.iter().filter_map(|effort| effort.memory).max(),
    }
}

/// The scores of an entrant and of a reference on the splits of a dataset for which both have one;
/// that of the reference for both where the entrant failed. `None` where a score of the entrant is
/// undefined, and where there is no such split.
fn pairs(
    block: &Block,
    metric: usize,
    entrant: usize,
    reference: usize,
) -> Option<Vec<(f64, f64)>> {
    let scores = block.scores(metric);
    let mut found = Vec::new();
    for (own, other) in scores.get(entrant)?.iter().zip(scores.get(reference)?) {
        let Score::Given(other) = *other else { continue };
        match *own {
            Score::Given(own) => found.push((own, other)),
            Score::Failed => found.push((other, other)),
            Score::Undefined => return None,
            Score::Absent => {}
        }
    }
    (!found.is_empty()).then_some(found)
}

fn log_score(field: &Field, entrant: usize, reference: usize, indices: Indices) -> Option<f64> {
    let gain = |block: &Block| {
        let metric = if block.has_density { indices.log_density } else { indices.log_probability };
        let pairs = pairs(block, metric?, entrant, reference)?;
        mean(pairs.iter().map(|(own, other)| own - other)).filter(|gain| !gain.is_nan())
    };
    let all: Vec<f64> = field.blocks.iter().map(gain).collect::<Option<_>>()?;
    mean(all)
}

fn coverage(field: &Field, entrant: usize, metric: usize, level: f64) -> Option<Coverage> {
    let given = |block: &Block| -> Vec<f64> {
        let read_share = |score: &Score| match score {
            Score::Given(share) => Some(*share),
            Score::Undefined | Score::Failed | Score::Absent => None,
        };
        block
            .scores(metric)
            .get(entrant)
            .map_or(Vec::new(), |all| all.iter().filter_map(read_share).collect())
    };
    let of_block = |block: &Block| {
        let coverage = mean(given(block))?;
        Some(WorstCoverage { coverage, dataset: block.heading.clone() })
    };
    let all: Vec<WorstCoverage> = field.blocks.iter().filter_map(of_block).collect();
    let mean = mean(all.iter().map(|one| one.coverage))?;
    let errors: Option<Vec<Corrected>> = field
        .blocks
        .iter()
        .map(|block| (given(block), block))
        .filter(|(shares, _)| !shares.is_empty())
        .map(|(shares, block)| {
            Corrected::compare(&shares, block.test_to_train).filter(|_| block.random_splits)
        })
        .collect();
    let interval = errors.map(|errors| {
        let half = half_width(&errors);
        ((mean - half).max(0.0), (mean + half).min(1.0))
    });
    let miss = |one: &WorstCoverage| (one.coverage - level).abs();
    let worst = all.into_iter().reduce(|a, b| if miss(&b) > miss(&a) { b } else { a })?;
    Some(Coverage { mean, interval, worst })
}

/// Half width of the 95 % interval of the mean of independent means, with the degrees of freedom of
/// Satterthwaite (1946).
fn half_width(means: &[Corrected]) -> f64 {
    let variances = means.iter().map(|one| one.scale * one.scale);
    let total: f64 = variances.clone().sum();
    let squares =
        variances.zip(means).map(|(variance, one)| variance * variance / one.degrees as f64);
    let squares: f64 = squares.sum();
    if squares == 0.0 {
        return 0.0;
    }
    -student_t_quantile(0.5 * ALPHA, total * total / squares) * total.sqrt() / means.len() as f64
}
