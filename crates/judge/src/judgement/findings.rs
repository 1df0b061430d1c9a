//! Find what a reader of a benchmark should know first: the best and the worst news about the
//! paper's own method, which method did best, and which sentences of the paper hold.
//!
//! A finding is a number that was computed from scores, with its interval and its number of
//! repetitions. Every search looks at all columns and keeps the extreme one; the finding says among
//! how many. The report puts findings into words.

mod against_all;
mod coverage;
mod decomposed;
mod pairs;
mod ranks;
mod sentences;
mod unfaithful;

pub use against_all::{Beaten, Pairs, beaten};
pub use coverage::{Covered, coverage};
pub use decomposed::{Decomposed, decomposed};
pub use pairs::{Contrasted, contrasted};
pub use ranks::{Ranked, ranked};
pub use sentences::{Claimed, claimed};
pub use unfaithful::{Unfaithful, unfaithful};

use serde::{Deserialize, Serialize};

use super::Scorecard;
use crate::evidence::decomposition::Column;
use crate::evidence::field::Field;
use crate::evidence::ranked::RankedField;
use crate::evidence::{Evidence, Series};
use uq_core::metrics::Direction;
use uqbench_run::benchmark::MetricRow;

/// One finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Finding {
    /// A column against its reference, on one dataset.
    Contrasted(Contrasted),
    /// The paper's own method against another method, on one dataset.
    Beaten(Beaten),
    /// The coverage of the intervals of the own method, or of one that the paper prints, on one
    /// dataset.
    Covered(Covered),
    /// The order of all methods over the datasets.
    Ranked(Ranked),
    /// A sentence of the paper on our runs.
    Claimed(Claimed),
    /// A part of the own method's variance against the truth, on one dataset.
    Decomposed(Decomposed),
    /// Our version of a method against its own paper, on one dataset.
    Unfaithful(Unfaithful),
}

/// Whether a finding speaks for the paper's own method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News {
    /// It does.
    Good,
    /// It speaks against it, or against our version of a method.
    Bad,
    /// It does neither.
    Neutral,
}

impl Finding {
    /// Whether it speaks for the paper's own method.
    pub fn news(&self) -> News {
        match self {
            Self::Contrasted(found) if !found.significant => News::Neutral,
            Self::Contrasted(found) if found.gain > 0.0 => News::Good,
            Self::Contrasted(_) | Self::Beaten(_) => News::Bad,
            Self::Covered(found) if found.is_low() && found.is_papers_own => News::Bad,
            Self::Covered(_) => News::Neutral,
            Self::Ranked(found) => found.news(),
            Self::Claimed(found) if found.holds => News::Good,
            Self::Decomposed(found) if !found.is_papers_own => News::Neutral,
            Self::Unfaithful(found) if !found.ranks => News::Neutral,
            Self::Claimed(_) | Self::Decomposed(_) | Self::Unfaithful(_) => News::Bad,
        }
    }

    /// How large it is, to choose among findings of one kind: nat of a loss or a log score, or a
    /// distance from a level. A claim that hangs on a threshold of ours is smaller than one that
    /// does not.
    pub fn size(&self) -> f64 {
        match self {
            Self::Contrasted(found) => nat(found.relative, found.is_share),
            Self::Beaten(found) => nat(found.relative, found.is_share),
            Self::Unfaithful(found) => nat(found.relative, found.is_share),
            Self::Covered(found) => found.level - found.mean,
            Self::Ranked(found) => found.datasets as f64,
            Self::Claimed(found) => f64::from(u8::from(!found.our_threshold)),
            Self::Decomposed(found) => found.level.abs(),
        }
    }
}

/// A gain in nat, so that shares of losses and log scores have one unit. A loss that is the factor
/// 1 − s of its reference has the log ratio −ln(1 − s). So much does the mean log density of normal
/// errors change when their scale changes by this factor.
fn nat(relative: f64, is_share: bool) -> f64 {
    if is_share { (-relative).ln_1p().abs() } else { relative.abs() }
}

/// The findings on one benchmark; empty where it compares nothing. `columns` are those whose parts
/// of the variance are compared with the truth.
pub fn findings(evidence: &Evidence, card: &Scorecard, columns: &[Column]) -> Vec<Finding> {
    let benchmark = &evidence.results.plan.benchmark;
    let mut found = Vec::new();
    for metric in benchmark.metrics.iter().filter(|metric| ranks(metric)) {
        found.extend(contrasted(evidence, metric).into_iter().map(Finding::Contrasted));
    }
    let metrics: Vec<_> =
        benchmark.metrics.iter().filter(|metric| ranks(metric)).map(|metric| metric.id).collect();
    let field = Field::gather(std::slice::from_ref(&evidence.results), &metrics);
    let own = own(evidence);
    found.extend(beaten(&field, &own).map(Finding::Beaten));
    let methods = RankedField::by_rule(&evidence.results);
    let methods =
        methods.unwrap_or_else(|| RankedField::on_all_datasets(&evidence.results, &metrics));
    found.extend(ranked(&methods, &own).into_iter().map(Finding::Ranked));
    found.extend(coverage(evidence).map(Finding::Covered));
    found.extend(claimed(card).into_iter().map(Finding::Claimed));
    found.extend(decomposed(evidence, columns).map(Finding::Decomposed));
    found.extend(
        card.originals
            .iter()
            .filter_map(|originals| unfaithful(card.plan, originals))
            .map(Finding::Unfaithful),
    );
    found
}

/// Whether a metric orders methods by itself: a width does not without its coverage, and a coverage
/// aims at its level.
fn ranks(metric: &MetricRow) -> bool {
    let aims = matches!(metric.id.direction(), Direction::Target(_));
    !aims && metric.id.width_of().is_none() && !metric.id.is_cost()
}

/// The main columns of the paper's own method, where the benchmark says which they are.
fn own_series<'a>(evidence: &'a Evidence) -> Vec<Series<'a>> {
    let benchmark = &evidence.results.plan.benchmark;
    let is_own = |series: &Series| {
        let labels = &series.column.labels;
        series.variant().is_none() && benchmark.own.is_stated() && !benchmark.own.leave_out(labels)
    };
    evidence.results.series().into_iter().filter(is_own).collect()
}

/// Headings of the columns of the paper's own method, each once.
fn own(evidence: &Evidence) -> Vec<String> {
    let mut headings: Vec<String> = Vec::new();
    for series in own_series(evidence) {
        if !headings.contains(&series.column.heading) {
            headings.push(series.column.heading.clone());
        }
    }
    headings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_losses_and_log_scores_have_one_unit() {
        // Half the loss, twice the loss, and ln 2 nat are equally large.
        let ln_2 = std::f64::consts::LN_2;
        for (relative, is_share) in [(0.5, true), (-1.0, true), (ln_2, false), (-ln_2, false)] {
            assert!((nat(relative, is_share) - ln_2).abs() < 1e-15, "{relative}");
        }
        assert_eq!(nat(0.0, true), 0.0);
    }
}
