//! Hold what was judged: a typed line a printed number and a claim.

use super::claims::ClaimResult;
use super::remark::Remark;
use super::verdict::{Judgement, Verdict};
use crate::benchmark::{Cell, Claim, MetricRow};
use crate::runner::key::TrialKey;
use crate::runner::plan::{ColumnId, Plan};
use crate::stats::Summary;

/// A printed number, and what is said of it.
#[derive(Clone, Debug, PartialEq)]
pub struct NumberLine<'a> {
    /// Our column; `None` where this profile does not run it, or its method does not exist here yet.
    pub column: Option<ColumnId>,
    /// The metric.
    pub metric: &'a MetricRow,
    /// The printed number.
    pub printed: Cell,
    /// Our repetitions, where they have a number.
    pub own: Option<Summary>,
    /// The verdict, and the widths that it rests on where two numbers are compared.
    pub verdict: Verdict,
    /// Half width h and tolerance δ.
    pub judgement: Option<Judgement>,
    /// What else must be said, in this order.
    pub remarks: Vec<Remark>,
    /// The first finished trial behind it.
    pub first_trial: Option<TrialKey>,
}

/// A claim, and what became of it.
#[derive(Clone, Debug, PartialEq)]
pub struct ClaimLine<'a> {
    /// The claim.
    pub claim: &'a Claim,
    /// What became of it.
    pub result: ClaimResult,
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
    /// How many printed numbers of the main reading are reproduced or close.
    pub passed: usize,
    /// How many were judged.
    pub judged: usize,
    /// How many would pass if the printed numbers of each row were dealt to its columns at random.
    pub by_chance: f64,
}

impl NumberLine<'_> {
    /// What makes it no main reading of the paper, if anything does.
    pub fn variant<'p>(&self, plan: &'p Plan) -> Option<&'p str> {
        let (dataset, method, _) = plan.column(self.column?);
        dataset.variant.as_deref().or(method.variant.as_deref())
    }
}
