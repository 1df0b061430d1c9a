//! Hold the tables of a report, and what each is about.

use serde::Serialize;

use super::cell::Cell;
use uq_core::metrics::{MetricId, VariancePart};
use uqbench_run::benchmark::{Seeds, Validation};

/// A table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Table {
    /// What it is about, with the facts that its title and its note state.
    pub about: About,
    /// Headings of the columns.
    pub head: Vec<Heading>,
    /// Rows, each with a cell for each column.
    pub rows: Vec<Vec<Cell>>,
}

/// The heading of a column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Heading {
    /// Its words.
    pub text: String,
    /// Whether the column holds numbers.
    pub numeric: bool,
    /// Its place among the columns by mean rank over the rows, from 1; `None` where the table ranks
    /// no columns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<usize>,
}

/// What a table is about.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "about", rename_all = "kebab-case")]
pub enum About {
    /// Scores by one metric: datasets by methods, as the paper has them.
    Scores {
        /// Heading of the metric.
        metric: String,
        /// The smallest and the largest number of repetitions behind a number; `None` where there
        /// is no number.
        repetitions: Option<(usize, usize)>,
        /// Whether the paper prints numbers.
        has_printed: bool,
        /// Whether it prints any for which the benchmark file has no method.
        has_unbuilt: bool,
        /// How many differences from the reference column are significant, of all; `None` without a
        /// reference.
        significant: Option<(usize, usize)>,
        /// When a column's coverage of validation rows counts as missed.
        validation: Option<Validation>,
    },
    /// Means over the splits that all columns have.
    CommonSplits {
        /// The metric.
        metric: MetricId,
    },
    /// Scores by one metric against what the benchmark varies.
    Curves {
        /// Heading of the metric.
        metric: String,
        /// Heading of the dataset, where the benchmark has several.
        dataset: Option<String>,
        /// Whether they are those of variants.
        of_variants: bool,
        /// The smallest and the largest number of repetitions behind a number; `None` where there
        /// is no number.
        repetitions: Option<(usize, usize)>,
        /// One point of this many is in the table.
        every: usize,
    },
    /// Scores of variants by a metric that the paper does not print.
    Variants {
        /// Heading of the metric.
        metric: String,
    },
    /// Coverage of validation rows.
    Validation {
        /// The rule.
        validation: Validation,
        /// Whether a column chooses its settings by coverage itself.
        has_own_choice: bool,
    },
    /// The settings that searches inside the training rows chose.
    Settings,
    /// Quantiles in the wrong order.
    Crossings,
    /// Noise that Gaussian processes learned.
    LearnedNoise,
    /// How long fits of a noisy bound were trained.
    Training,
    /// What else ran on the machine.
    Quiet,
    /// Variance over splits and over seeds.
    Variance {
        /// How many splits have how many seeds.
        seeds: Seeds,
    },
    /// Columns of which a repetition gave no predictions.
    Incomplete,
    /// Whether the parts of the variance are true, a row for each method.
    Parts,
    /// One score of a part of the variance: datasets by methods.
    Part {
        /// The part.
        part: VariancePart,
        /// The score.
        score: PartScore,
    },
    /// Error of the mean, and the share of the bias.
    ErrorParts,
    /// What each acquisition gains over random rows, and what could be found.
    Gains {
        /// Heading of the metric.
        metric: String,
    },
    /// The area of each method's learning curve.
    Area {
        /// Heading of the metric.
        metric: String,
    },
    /// How diverse batches are.
    Batches,
    /// The areas of all learning curves, with their gains.
    Areas {
        /// Heading of the metric.
        metric: String,
    },
    /// What optimisations have found at their end.
    Optimised {
        /// Whether it is about variants.
        of_variants: bool,
        /// Starting points.
        start: usize,
        /// Evaluations.
        evaluations: usize,
    },
}

/// A score of a part of the variance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PartScore {
    /// Skill against the best constant.
    Skill,
    /// ln of the mean stated by the mean true variance.
    Level,
    /// Mean over regions of |ln(stated / true)|.
    Unevenness,
    /// Spearman's correlation of stated and true variance over regions.
    Rank,
}

impl Table {
    /// A table with these headings and no row yet; a heading that starts with `#` is that of a
    /// column of numbers.
    pub fn new<H: AsRef<str>>(about: About, head: impl IntoIterator<Item = H>) -> Self {
        let heading = |words: H| match words.as_ref().strip_prefix('#') {
            Some(text) => Heading { text: text.to_owned(), numeric: true, place: None },
            None => Heading { text: words.as_ref().to_owned(), numeric: false, place: None },
        };
        Self { about, head: head.into_iter().map(heading).collect(), rows: Vec::new() }
    }

    /// Adds a row.
    pub fn push(&mut self, row: impl IntoIterator<Item = Cell>) {
        self.rows.push(row.into_iter().collect());
    }

    /// The table; `None` without a row.
    pub fn filled(self) -> Option<Self> {
        Some(self).filter(|table| !table.rows.is_empty())
    }
}
