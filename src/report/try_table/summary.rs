//! Pool a method's folds: scores over rows, spreads over folds.

use crate::runner::try_table::{Evaluation, FoldScores, Tried};
use crate::stats::Summary;
use crate::stats::coverage::{Coverage, Judged, judge};

/// One method over all folds; `None` where a score is undefined in a fold.
pub(super) struct Summed<'a> {
    pub tried: &'a Tried,
    pub coverage: Option<(Coverage, Judged)>,
    pub width: Option<f64>,
    /// Mean over rows.
    crps_of_rows: Option<f64>,
    /// Over folds.
    pub crps: Option<Summary>,
    pub rmse: Option<f64>,
    pub log_score: Option<f64>,
    /// Mean wall time of a fold.
    pub seconds: Option<f64>,
}

impl Summed<'_> {
    /// Mean CRPS over all test rows.
    pub fn crps(&self) -> Option<f64> {
        self.crps_of_rows
    }

    pub fn is_too_low(&self) -> bool {
        matches!(self.coverage, Some((_, Judged::TooLow)))
    }
}

/// All methods; their coverages are judged together.
pub(super) fn summed(evaluation: &Evaluation) -> Vec<Summed<'_>> {
    let coverages: Vec<Option<Coverage>> = evaluation.methods.iter().map(coverage).collect();
    let known: Vec<Coverage> = coverages.iter().copied().flatten().collect();
    let mut judged = judge(&known, evaluation.level).into_iter();
    let one = |(tried, coverage): (_, Option<Coverage>)| {
        let judged = coverage.and_then(|coverage| Some((coverage, judged.next()?)));
        sum(tried, judged)
    };
    evaluation.methods.iter().zip(coverages).map(one).collect()
}

fn coverage(tried: &Tried) -> Option<Coverage> {
    let folds = tried.folds.as_ref().ok()?;
    let covered = folds.iter().map(|fold| fold.covered).sum::<Option<usize>>()?;
    let rows = folds.iter().map(|fold| fold.test_rows).sum();
    (rows > 0).then_some(Coverage { covered, rows })
}

fn sum(tried: &Tried, coverage: Option<(Coverage, Judged)>) -> Summed<'_> {
    let folds = tried.folds.as_deref().unwrap_or_default();
    let rows: usize = folds.iter().map(|fold| fold.test_rows).sum();
    let pooled = |score: fn(&FoldScores) -> Option<f64>| {
        let sum: f64 = folds.iter().map(|fold| Some(score(fold)? * fold.test_rows as f64)).sum::<Option<f64>>()?;
        (rows > 0).then(|| sum / rows as f64)
    };
    let crps: Option<Vec<f64>> = folds.iter().map(|fold| fold.crps).collect();
    Summed {
        tried,
        coverage,
        width: pooled(|fold| fold.width),
        crps_of_rows: pooled(|fold| fold.crps),
        crps: crps.and_then(|crps| Summary::of(&crps)),
        rmse: pooled(|fold| fold.mse).map(f64::sqrt),
        log_score: pooled(|fold| fold.log_score),
        seconds: (!folds.is_empty()).then(|| folds.iter().map(|fold| fold.seconds).sum::<f64>() / folds.len() as f64),
    }
}
