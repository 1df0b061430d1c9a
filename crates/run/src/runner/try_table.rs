//! Try methods on a table of one's own: cross-validation in parallel, nothing stored; then predict
//! new rows.
//!
//! [`Division`] says how rows are divided, [`Folding`] into how many folds and how often,
//! [`plan()`] what is tried, [`evaluate()`] tries it, and [`Stop`] ends it early.

mod blocks;
mod chosen;
mod comparison;
mod cost;
mod division;
mod evaluate;
mod folding;
mod held_out;
mod learners;
mod plan;
mod pooled;
mod request;
mod slab;
mod stop;
mod whole;

use std::borrow::Cow;

use uq_core::Table;
use uq_core::metrics::{
    BoundCoverage, BoundDistance, IntervalScore, MetricId, Mpiw, Picp, Pinball,
};
use uq_core::predictive::{Bounds, IntervalOutcome};
use uq_core::stats::order::Order;
use uq_methods::Guarantee;
use uqbench_data::own::{RowGroup, RowLabels};

pub use chosen::{ChosenSetting, settings_of};
pub use cost::{Expected, expected, expected_alone, seconds_of_one};
pub use division::{Division, DivisionError, fewest_training_rows, training_rows};
pub use evaluate::evaluate;
pub use folding::{FOLDS, Folding};
pub use plan::{LeftOut, Plan, is_affordable_inside, plan};
pub use slab::{Slab, SlabPlace, worst_slab};
pub use stop::{Aborted, Cause, Failure, Stop, Unfinished};
pub use whole::{Question, fit, predict, restore};

/// A table and the settings of the comparison.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'a> {
    /// All rows.
    pub table: &'a Table,
    /// How they are divided.
    pub division: Division,
    /// Into how many folds, and how often.
    pub folding: Folding,
    /// Whether the target is discrete, so that a density of it is meaningless.
    pub discrete: bool,
    /// The intervals that are asked for.
    pub bounds: Bounds,
    /// Root of all random streams.
    pub seed: u64,
    /// Rows of each category, of which the coverage is of interest.
    pub categories: &'a [RowGroup],
    /// The column that says which rows depend on each other, if it is stated.
    pub stated: Option<&'a RowLabels>,
}

/// The results of all methods on all folds.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// The intervals that were asked for.
    pub bounds: Bounds,
    /// How the rows were divided.
    pub division: Division,
    /// Into how many folds, and how often.
    pub folding: Folding,
    /// The log score of this target: of a density, of rounded values, or none.
    pub log_score: Option<MetricId>,
    /// Smallest target.
    pub smallest: f64,
    /// Whether the target depends on the order of the rows.
    pub order: Option<Order>,
    /// Rows of which the coverage is of interest: those of each category, and of each region of
    /// feature space.
    pub kinds: Vec<RowGroup>,
    /// The column that says which rows depend on each other, if it is stated.
    pub stated: Option<RowLabels>,
    /// For each row the cluster whose rows depend on each other: a group, or rows of equal
    /// features.
    pub clusters: Vec<usize>,
    /// For each fold of the first division the methods on its training rows alone; none where they
    /// were not compared on these.
    pub inside: Vec<Vec<Tried>>,
    /// What the budget has left out, so that it was not tried.
    pub left_out: Vec<LeftOut>,
    /// The column in each value of which methods are calibrated apart, if one was named.
    pub calibrated_by: Option<String>,
    /// Where the recommended method covers rows most rarely, if that was looked for.
    pub slab: Option<Slab>,
    /// What was left undone, where the run was stopped before its last fit.
    pub aborted: Option<Aborted>,
    /// One entry for each method that has finished every fold or has failed, in the order of
    /// simplicity.
    pub methods: Vec<Tried>,
}

/// The result of one method.
#[derive(Clone, Debug, PartialEq)]
pub struct Tried {
    /// Its name.
    pub id: Cow<'static, str>,
    /// A description of its parameters.
    pub settings: Cow<'static, str>,
    /// The coverage of its intervals that a theorem guarantees, if there is one.
    pub guaranteed: Option<Guarantee>,
    /// Scores of each fold, one repeat after the other, or the reason of its first failure.
    pub folds: Result<Vec<FoldScores>, String>,
}

/// A test row's interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TestedRow {
    /// Its place in the table, from 0.
    pub row: usize,
    /// The outcome, in the target's unit.
    pub outcome: f64,
    /// The predicted mean, if it is defined.
    pub mean: Option<f64>,
    /// Lower end; −∞ where there is an upper bound alone.
    pub lower: f64,
    /// Upper end; ∞ where there is a lower bound alone.
    pub upper: f64,
    /// Its width; of one bound the distance from the predicted mean, where that is defined.
    pub width: Option<f64>,
    /// The outcome less the predicted mean, if that is defined.
    pub error: Option<f64>,
    /// Whether the outcome lies between them.
    pub covered: bool,
}

impl TestedRow {
    /// Its interval and outcome.
    pub fn interval_outcome(&self) -> IntervalOutcome {
        IntervalOutcome { lower: self.lower, upper: self.upper, outcome: self.outcome }
    }
}

impl Tried {
    /// The test rows of the first division, each once; none where the method failed or has no
    /// intervals.
    pub fn tested_rows(&self, folding: Folding) -> impl Iterator<Item = &TestedRow> {
        let folds = self.folds.iter().flatten().take(folding.folds as usize);
        folds.flat_map(|fold| &fold.rows)
    }
}

/// Scores of one fold's test rows, in the target's units; `None` where undefined.
#[derive(Clone, Debug, PartialEq)]
pub struct FoldScores {
    /// Number of training rows.
    pub train_rows: usize,
    /// Number of test rows.
    pub test_rows: usize,
    /// Test rows whose outcome lies in its interval.
    pub covered: Option<usize>,
    /// Mean width of the interval; of one bound its mean distance from the predicted mean.
    pub width: Option<f64>,
    /// Mean interval score at the level; of one bound the mean pinball loss of its quantile.
    pub interval_score: Option<f64>,
    /// Mean continuous ranked probability score.
    pub crps: Option<f64>,
    /// Mean squared error of the predictive mean.
    pub mse: Option<f64>,
    /// The log score.
    pub log_score: Option<f64>,
    /// Test rows whose log score is −∞, because their outcome has density or probability 0; counted
    /// where they decide the mean.
    pub impossible: usize,
    /// F(y−) and F(y) at the outcome of each test row.
    pub pit: Option<Vec<(f64, f64)>>,
    /// The test rows; none where an interval is undefined.
    pub rows: Vec<TestedRow>,
    /// What the fit has chosen inside its training rows.
    pub settings: Vec<ChosenSetting>,
    /// Wall time of fit and prediction.
    pub seconds: f64,
}

/// The metrics of coverage, width and score of intervals. The score is proper: the interval score,
/// or of one bound the pinball loss of its quantile, which the interval score is made of.
pub fn interval_metrics(bounds: Bounds) -> [MetricId; 3] {
    let Bounds { level, side } = bounds;
    match bounds.quantile_level() {
        None => [
            MetricId::Picp(Picp { level }),
            MetricId::Mpiw(Mpiw { level }),
            MetricId::IntervalScore(IntervalScore { level }),
        ],
        Some(of_bound) => [
            MetricId::BoundCoverage(BoundCoverage { level, side }),
            MetricId::BoundDistance(BoundDistance { level, side }),
            MetricId::Pinball(Pinball { level: of_bound }),
        ],
    }
}

#[cfg(test)]
mod tests;
