//! Find where our version of a method is farthest from what its own paper prints.

use serde::{Deserialize, Serialize};

use crate::judgement::fidelity::Fidelity;
use crate::judgement::originals::{OriginalLine, Originals};
use uq_core::metrics::{Direction, MetricId};
use uqbench_run::runner::plan::Plan;

/// The number of a baseline that misses its own paper by most margins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Unfaithful {
    /// The metric.
    pub metric: MetricId,
    /// Heading of the dataset.
    pub dataset: String,
    /// Heading of our column.
    pub column: String,
    /// The paper, as the benchmark names it.
    pub paper: String,
    /// The printed loss less ours: negative where ours is worse.
    pub gain: f64,
    /// Half width of its interval, at Holm's level; the widest one where the printed spread has
    /// several readings.
    pub half_width: f64,
    /// The gain as a share of the printed loss; in units of the score where higher scores are
    /// better.
    pub relative: f64,
    /// Whether `relative` is a share.
    pub is_share: bool,
    /// Whether the metric ranks predictions of this dataset.
    pub ranks: bool,
    /// How far numbers may differ and be faithful.
    pub margin: f64,
    /// Number of our repetitions.
    pub n: usize,
    /// The experiments that separate the causes, in words.
    pub cause: String,
    /// Number of printed numbers of main columns of each word, with the word; none is 0.
    pub words: Vec<(String, usize)>,
}

/// The one that is farthest from its paper in margins, among main columns that are not met: first
/// those by metrics that rank something there. `None` where all are met or open.
pub fn unfaithful(plan: &Plan, originals: &Originals) -> Option<Unfaithful> {
    let is_main = |line: &&OriginalLine| {
        let (dataset, method, _) = plan.column(line.column);
        dataset.variant.is_none() && method.variant.is_none()
    };
    let main: Vec<&OriginalLine> = originals.lines.iter().filter(is_main).collect();
    let missed = main.iter().filter(|line| line.word.needs_cause());
    let order =
        |line: &OriginalLine| (line.word != Fidelity::Differs, line.gain.abs() / line.margin);
    let farthest = missed.max_by(|a, b| {
        let ((ranks, margins), (other_ranks, other_margins)) = (order(a), order(b));
        ranks.cmp(&other_ranks).then(margins.total_cmp(&other_margins))
    })?;
    let count = |word: Fidelity| main.iter().filter(|line| line.word == word).count();
    let words = Fidelity::ALL.map(|word| (word.as_str().to_owned(), count(word)));
    let (dataset, _, column) = plan.column(farthest.column);
    let printed = farthest.printed.number()?.abs();
    let is_share = farthest.metric.id.direction() == Direction::Lower && printed > 0.0;
    Some(Unfaithful {
        metric: farthest.metric.id,
        dataset: dataset.heading.clone(),
        column: column.heading.clone(),
        paper: farthest.paper.clone(),
        gain: farthest.gain,
        half_width: farthest.readings.iter().map(|reading| reading.half_width).fold(0.0, f64::max),
        relative: if is_share { farthest.gain / printed } else { farthest.gain },
        is_share,
        ranks: farthest.word != Fidelity::Differs,
        margin: farthest.margin,
        n: farthest.n,
        cause: farthest.cause.clone(),
        words: words.into_iter().filter(|(_, count)| *count > 0).collect(),
    })
}
