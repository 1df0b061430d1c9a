//! Find where the column under test gains or loses most against its reference.

use serde::{Deserialize, Serialize};

use crate::evidence::Evidence;
use crate::evidence::differences::{Difference, differences};
use uq_core::metrics::Direction;
use uqbench_run::benchmark::MetricRow;

/// A paired difference of a benchmark's contrast on one dataset.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Contrasted {
    /// Heading of the metric.
    pub metric: String,
    /// Heading of the dataset.
    pub dataset: String,
    /// Heading of the column under test.
    pub test: String,
    /// Heading of the reference.
    pub reference: String,
    /// Mean loss of the reference less that of the column under test, in units of the score.
    pub gain: f64,
    /// Half width of its interval, at Holm's level.
    pub half_width: f64,
    /// The gain as a share of the reference's mean loss; in units of the score where higher scores
    /// are better.
    pub relative: f64,
    /// Whether `relative` is a share.
    pub is_share: bool,
    /// Whether the interval excludes zero.
    pub significant: bool,
    /// Number of repetitions.
    pub n: usize,
    /// Number of comparisons in which the column under test is significantly better.
    pub better: usize,
    /// Number of comparisons in which it is significantly worse.
    pub worse: usize,
    /// Number of comparisons that are corrected together.
    pub family: usize,
}

/// The largest significant gain and the largest significant loss under a metric; the largest
/// difference where none is significant.
pub fn contrasted(evidence: &Evidence, metric: &MetricRow) -> Vec<Contrasted> {
    let all = differences(&evidence.results, &metric.id);
    let (better, worse) = (signs(&all, metric, 1.0), signs(&all, metric, -1.0));
    let found: Vec<Contrasted> =
        all.iter().filter_map(|one| describe(one, metric, [better, worse, all.len()])).collect();
    let significant =
        |sign: f64| found.iter().filter(move |one| one.significant && one.gain * sign > 0.0);
    let largest = |a: &&Contrasted, b: &&Contrasted| a.relative.abs().total_cmp(&b.relative.abs());
    let mut kept: Vec<Contrasted> =
        [1.0, -1.0].iter().filter_map(|&sign| significant(sign).max_by(largest).cloned()).collect();
    if kept.is_empty() {
        kept.extend(found.iter().max_by(largest).cloned());
    }
    kept
}

/// Number of significant differences of this sign of the gain.
fn signs(all: &[Difference], metric: &MetricRow, sign: f64) -> usize {
    all.iter().filter(|one| one.comparison.significant && gain(one, metric) * sign > 0.0).count()
}

fn gain(one: &Difference, metric: &MetricRow) -> f64 {
    let difference = one.comparison.summary.mean;
    if metric.id.direction() == Direction::Higher { difference } else { -difference }
}

/// `None` where the reference has no mean, or its mean loss is 0 and a share of it means nothing.
fn describe(
    one: &Difference,
    metric: &MetricRow,
    [better, worse, family]: [usize; 3],
) -> Option<Contrasted> {
    let Difference { test, reference, comparison } = one;
    let (gain, is_share) = (gain(one, metric), metric.id.direction() == Direction::Lower);
    let relative = if is_share { gain / reference.summary(&metric.id)?.mean.abs() } else { gain };
    relative.is_finite().then(|| Contrasted {
        metric: metric.heading.clone(),
        dataset: test.dataset.heading.clone(),
        test: test.column.heading.clone(),
        reference: reference.column.heading.clone(),
        gain,
        half_width: comparison.summary.half_width(comparison.alpha).unwrap_or(f64::INFINITY),
        relative,
        is_share,
        significant: comparison.significant,
        n: comparison.summary.n,
        better,
        worse,
        family,
    })
}
