//! State a paper's sentence in a form that runs and printed numbers can be judged by.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::measured::Measured;
use crate::metrics::MetricId;

/// A sentence of a paper.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// Its name in the scorecard.
    pub id: String,
    /// The paper's words.
    pub text: String,
    /// How the words are read, where they leave that open.
    #[serde(default)]
    pub reading: String,
    /// What is judged.
    pub statement: Statement,
}

impl Claim {
    /// The metrics that it is judged by.
    pub fn metrics(&self) -> Vec<MetricId> {
        match &self.statement {
            Statement::Lower { terms, .. } => terms.iter().map(|term| term.metric).collect(),
            Statement::MinimumWithin { metric, .. }
            | Statement::Increasing { metric, .. }
            | Statement::AtLeast { metric, .. }
            | Statement::ExponentAtMost { metric, .. }
            | Statement::Better { metric, .. }
            | Statement::Unbeaten { metric, .. }
            | Statement::Within { metric, .. }
            | Statement::Flat { metric, .. }
            | Statement::Extreme { metric, .. } => vec![*metric],
            Statement::Ranked { metrics, .. } => metrics.clone(),
            Statement::Measured(measured) => measured.metric().into_iter().collect(),
            Statement::Recovered { .. } | Statement::EntropyBound { .. } => Vec::new(),
        }
    }
}

/// What is judged.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Statement {
    /// In so many of the comparisons, the contrast's test column has a lower sum of terms than its reference column.
    Lower {
        /// What is summed in each column.
        terms: Vec<Term>,
        /// Labels that select the comparisons; each must be among those listed.
        #[serde(default)]
        labels: BTreeMap<String, Vec<String>>,
        /// Smallest and largest `x` of the columns compared.
        x: Option<(f64, f64)>,
        /// Swaps test and reference.
        #[serde(default)]
        reversed: bool,
        /// In how many.
        quantifier: Quantifier,
    },
    /// A metric, as a function of `x`, has its minimum within an interval.
    MinimumWithin {
        /// The metric.
        metric: MetricId,
        /// Labels that select the curve.
        labels: BTreeMap<String, String>,
        /// The interval.
        within: (f64, f64),
    },
    /// A metric increases with `x`: from each point to the next.
    Increasing {
        /// The metric.
        metric: MetricId,
        /// Labels that select the curve.
        labels: BTreeMap<String, String>,
    },
    /// A metric of one column is at least so large.
    AtLeast {
        /// The metric.
        metric: MetricId,
        /// Labels that select the column.
        #[serde(default)]
        labels: BTreeMap<String, String>,
        /// Dataset key; the first dataset where absent.
        dataset: Option<String>,
        /// The bound.
        bound: f64,
    },
    /// A metric grows with `x` at most like this power of it.
    ExponentAtMost {
        /// The metric.
        metric: MetricId,
        /// Labels that select the curve.
        labels: BTreeMap<String, String>,
        /// Smallest and largest `x` that are looked at; both must be run.
        x: (f64, f64),
        /// The power.
        bound: f64,
    },
    /// In so many of the comparisons, each of one dataset and one reference, the column under test has the better score
    /// by the metric's own direction: a coverage that is nearer to its level.
    Better {
        /// The metric.
        metric: MetricId,
        /// Labels of the column under test.
        test: BTreeMap<String, String>,
        /// Labels of the columns that it is compared with; printed columns too.
        references: Vec<BTreeMap<String, String>>,
        /// Keys of the datasets; all main ones where empty.
        #[serde(default)]
        datasets: Vec<String>,
        /// In how many.
        quantifier: Quantifier,
    },
    /// On each dataset, no other point of a curve scores better than the recommended one, by the metric's own direction.
    ///
    /// Not to be told apart from the best is enough: this is what a recommendation of one setting for all datasets needs,
    /// and less than that it is best.
    Unbeaten {
        /// The metric.
        metric: MetricId,
        /// Labels that select the curve, on every dataset.
        labels: BTreeMap<String, String>,
        /// Dataset keys, and the recommended `x` on each.
        recommended: BTreeMap<String, f64>,
    },
    /// In so many of the cells, each of one dataset and one metric, the column under test has at most this rank among itself and
    /// its references. Scores that agree when rounded to `unit` share a rank, and the next distinct score has the next rank.
    Ranked {
        /// The metrics.
        metrics: Vec<MetricId>,
        /// Labels of the column under test.
        test: BTreeMap<String, String>,
        /// Labels of the columns that it is ranked among.
        references: Vec<BTreeMap<String, String>>,
        /// Largest rank; 1 is the best.
        rank: usize,
        /// One unit of the last printed digit.
        unit: f64,
        /// In how many cells.
        quantifier: Quantifier,
    },
    /// On a problem that was drawn from a Gaussian process, the logarithm of each learned hyper-function correlates with that of the
    /// true one by so much or more, in the mean over repetitions.
    Recovered {
        /// Labels that select the column.
        labels: BTreeMap<String, String>,
        /// Key of the dataset.
        dataset: String,
        /// The correlation.
        bound: f64,
    },
    /// At every point of a curve on one dataset the mean of a metric lies within an interval.
    Within {
        /// The metric.
        metric: MetricId,
        /// Labels that select the curve.
        labels: BTreeMap<String, String>,
        /// Key of the dataset.
        dataset: String,
        /// The interval; without an end where it is absent.
        low: Option<f64>,
        /// Its upper end.
        high: Option<f64>,
    },
    /// Between any two points of a curve on one dataset a positive metric changes by less than a factor, in the mean of its logarithm.
    Flat {
        /// The metric.
        metric: MetricId,
        /// Labels that select the curve.
        labels: BTreeMap<String, String>,
        /// Key of the dataset.
        dataset: String,
        /// The factor, above 1.
        factor: f64,
    },
    /// At every point of a curve a metric is larger on one dataset than on each other one, or smaller, in more than half of the pairs of
    /// repetitions, one of either dataset. The datasets are drawn independently of each other.
    Extreme {
        /// The metric.
        metric: MetricId,
        /// Labels that select the curve, on every dataset.
        labels: BTreeMap<String, String>,
        /// Key of the dataset.
        dataset: String,
        /// Which end it is.
        end: Extreme,
    },
    /// A number that each trial gives lies within bounds.
    Measured(Measured),
    /// A closed form bounds the entropy of every normal mixture: judged by integration over random mixtures, not by runs.
    EntropyBound {
        /// Which one.
        bound: EntropyBound,
    },
}

/// An end of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Extreme {
    /// Above all others.
    Highest,
    /// Below all others.
    Lowest,
}

/// A bound of the entropy of a normal mixture (JCM, Theorem 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EntropyBound {
    /// Eq. (19), from below.
    Pairwise,
    /// Eq. (20), from above.
    ComponentAverage,
}

/// One summand of a comparison.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Term {
    /// The metric.
    pub metric: MetricId,
    /// Benchmark whose printed numbers hold this metric, where it is not this one.
    pub published_in: Option<String>,
    /// Takes the logarithm, so that relative changes are compared.
    #[serde(default)]
    pub log: bool,
}

/// In how many comparisons a statement must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Quantifier {
    /// In every one.
    All,
    /// In all but an eighth, rounded up, and in more than half: seven of eight, ten of twelve, three of four.
    NearlyAll,
    /// In more than half.
    Most,
}

impl Quantifier {
    /// The smallest number of comparisons that satisfies it, of `total`.
    pub fn needed(self, total: usize) -> usize {
        match self {
            Self::All => total,
            Self::NearlyAll => (total - total.div_ceil(8).min(total)).max(Self::Most.needed(total)),
            Self::Most => total / 2 + 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantifiers_count() {
        let needed = |q: Quantifier| [12, 8, 4, 2, 1].map(|n| q.needed(n));
        assert_eq!(needed(Quantifier::All), [12, 8, 4, 2, 1]);
        assert_eq!(needed(Quantifier::NearlyAll), [10, 7, 3, 2, 1]);
        assert_eq!(needed(Quantifier::Most), [7, 5, 3, 2, 1]);
    }
}
