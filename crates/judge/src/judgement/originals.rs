//! Hold what was judged of baselines by their own papers.

use super::fidelity::{Fidelity, Reading};
use crate::evidence::row_order::RowOrder;
use uq_core::stats::Summary;
use uqbench_run::benchmark::{Cell, MetricRow};
use uqbench_run::runner::plan::ColumnId;

/// All baselines of a benchmark beside their own papers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Originals<'a> {
    /// The columns whose authors published scores of splits, and whether they are paired; the first
    /// one of each column.
    pub row_orders: Vec<(ColumnId, RowOrder)>,
    /// One line for each printed number with repetitions of ours.
    pub lines: Vec<OriginalLine<'a>>,
    /// How many printed numbers have fewer than two repetitions of ours.
    pub not_run: usize,
    /// Numbers that judge nothing, beside ours.
    pub hints: Vec<Hint<'a>>,
}

/// A number that judges nothing, beside ours.
#[derive(Clone, Debug, PartialEq)]
pub struct Hint<'a> {
    /// Our column.
    pub column: ColumnId,
    /// The metric.
    pub metric: &'a MetricRow,
    /// The number.
    pub cell: Cell,
    /// Ours.
    pub own: Summary,
}

/// A printed number of a baseline's own paper.
#[derive(Clone, Debug, PartialEq)]
pub struct OriginalLine<'a> {
    /// Our column.
    pub column: ColumnId,
    /// The paper, as the benchmark's label names it.
    pub paper: String,
    /// The metric.
    pub metric: &'a MetricRow,
    /// The printed number.
    pub printed: Cell,
    /// Whether scores are paired by split.
    pub paired: bool,
    /// Number of our repetitions that are compared.
    pub n: usize,
    /// The gain g: the printed loss less ours.
    pub gain: f64,
    /// The margin m.
    pub margin: f64,
    /// The judged readings of the printed spread; none of too few repetitions.
    pub readings: Vec<Reading>,
    /// The word.
    pub word: Fidelity,
    /// The experiments that separate the causes, in words; `unexplained` where there is none, empty
    /// where none is needed.
    pub cause: String,
}
