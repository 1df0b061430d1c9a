//! Hold what was judged: a typed line a printed number and a claim.

use super::claims::{ClaimResult, Notes, Wording};
use super::originals::Originals;
use super::remark::Remark;
use super::shipped::Shares;
use super::verdict::{Judgement, Verdict};
use uq_core::stats::Summary;
use uqbench_run::benchmark::{Cell, Claim, MethodRow, MetricRow, label_text};
use uqbench_run::runner::key::TrialKey;
use uqbench_run::runner::plan::{ColumnId, Plan};

/// A printed number and its verdict.
#[derive(Clone, Debug, PartialEq)]
pub struct NumberLine<'a> {
    /// Our column; `None` where this profile does not run it, or its method does not exist here
    /// yet.
    pub column: Option<ColumnId>,
    /// The metric.
    pub metric: &'a MetricRow,
    /// The printed number.
    pub printed: Cell,
    /// Summary of our repetitions that have a score.
    pub own: Option<Summary>,
    /// The verdict.
    pub verdict: Verdict,
    /// Half width h and tolerance δ, where two numbers are compared.
    pub judgement: Option<Judgement>,
    /// Further remarks, in this order.
    pub remarks: Vec<Remark>,
    /// The first finished trial of the column.
    pub first_trial: Option<TrialKey>,
}

/// A claim and its result.
#[derive(Clone, Debug, PartialEq)]
pub struct ClaimLine<'a> {
    /// The claim.
    pub claim: &'a Claim,
    /// Its result.
    pub result: ClaimResult,
    /// What decides it.
    pub notes: Notes,
    /// The first finished trial of its columns.
    pub first_trial: Option<TrialKey>,
}

/// The scorecard of one benchmark.
#[derive(Clone)]
pub struct Scorecard<'a> {
    /// The plan whose trials were judged.
    pub plan: &'a Plan,
    /// Printed numbers: those of planned columns first.
    pub numbers: Vec<NumberLine<'a>>,
    /// Claims, in the order of the benchmark.
    pub claims: Vec<ClaimLine<'a>>,
    /// How JSON and findings write the notes of claims.
    pub wording: Wording,
    /// Number of printed numbers of the main reading that are reproduced or close.
    pub passed: usize,
    /// Number of printed numbers that were judged.
    pub judged: usize,
    /// Expected number that would pass if the printed numbers of each row were dealt at random to
    /// the columns of this row that print a number.
    pub by_chance: f64,
    /// Baselines beside their own papers, where the benchmark asks for it.
    pub originals: Option<Originals<'a>>,
    /// How much of the shipped run of each printed number this run has, too.
    pub shares: Shares,
}

impl NumberLine<'_> {
    /// The variant of the dataset or method; `None` for the main reading of the paper.
    pub fn variant<'p>(&self, plan: &'p Plan) -> Option<&'p str> {
        let Some(id) = self.column else { return self.variant_of_unplanned(plan) };
        let (dataset, method, _) = plan.column(id);
        dataset.variant.as_deref().or(method.variant.as_deref())
    }

    /// The variant of the first row that this profile does not run and that has the printed column,
    /// where all of these are variants.
    fn variant_of_unplanned<'p>(&self, plan: &'p Plan) -> Option<&'p str> {
        let has_column = |row: &&'p MethodRow| {
            row.columns.iter().any(|column| column.labels == self.printed.labels)
        };
        let mut variants =
            plan.benchmark.methods.iter().filter(has_column).map(|row| row.variant.as_deref());
        let first = variants.next()??;
        variants.all(|variant| variant.is_some()).then_some(first)
    }

    /// Headings of a printed number's dataset and column: ours, or those of a column that is only
    /// printed.
    pub fn headings(&self, plan: &Plan) -> [String; 2] {
        if let Some((dataset, _, column)) = self.column.map(|id| plan.column(id)) {
            return [dataset.heading.clone(), column.heading.clone()];
        }
        let (benchmark, cell) = (&plan.benchmark, &self.printed);
        let dataset = benchmark.datasets.iter().find(|row| row.printed_name() == cell.dataset);
        let columns = benchmark.columns().map(|column| (&column.labels, &column.heading));
        let mut columns = columns.chain(
            benchmark.printed_columns.iter().map(|column| (&column.labels, &column.heading)),
        );
        let column =
            columns.find(|(labels, _)| **labels == cell.labels).map(|(_, heading)| heading.clone());
        [
            dataset.map_or(cell.dataset.clone(), |row| row.heading.clone()),
            column.unwrap_or_else(|| label_text(&cell.labels)),
        ]
    }
}
