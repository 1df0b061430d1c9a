//! Pool a method's folds: scores over rows, spreads over folds.

use uq_core::stats::Summary;
use uq_core::stats::coverage::{Coverage, Kept};
use uqbench_run::runner::try_table::{Evaluation, FoldScores, Tried};

/// One method over all folds; `None` where a score is undefined in a fold.
pub(super) struct Summed<'a> {
    pub tried: &'a Tried,
    /// The folds that are pooled; none where the method failed.
    pub folds: Vec<&'a FoldScores>,
    pub coverage: Option<(Coverage, Kept)>,
    pub width: Option<f64>,
    /// Mean over rows.
    pub interval_score: Option<f64>,
    /// Mean over rows.
    crps_of_rows: Option<f64>,
    /// Over folds.
    pub crps: Option<Summary>,
    pub rmse: Option<f64>,
    pub log_score: Option<f64>,
}

impl Summed<'_> {
    /// Mean CRPS over all test rows.
    pub fn crps(&self) -> Option<f64> {
        self.crps_of_rows
    }

    pub fn is_too_low(&self) -> bool {
        matches!(self.coverage, Some((_, Kept::TooLow)))
    }
}

/// The measured wall time of a fold of each method that did not fail, in words; `None` where all
/// failed. It differs between runs, so that no page has it.
pub fn seconds(evaluation: &Evaluation) -> Option<String> {
    let mean = |folds: &[FoldScores]| {
        folds.iter().map(|fold| fold.seconds).sum::<f64>() / folds.len() as f64
    };
    let one =
        |tried: &Tried| Some(format!("{} {:.2}", tried.id, mean(tried.folds.as_deref().ok()?)));
    let each: Vec<String> = evaluation.methods.iter().filter_map(one).collect();
    (!each.is_empty()).then(|| each.join(", "))
}

/// All methods on all folds.
pub(super) fn summed(evaluation: &Evaluation) -> Vec<Summed<'_>> {
    let one =
        |tried| sum(tried, tried_folds(tried), evaluation.folding.repeats, evaluation.bounds.level);
    evaluation.methods.iter().map(one).collect()
}

/// These methods on folds that test each row once.
pub(super) fn summed_once(methods: &[Tried], level: f64) -> Vec<Summed<'_>> {
    methods.iter().map(|tried| sum(tried, tried_folds(tried), 1, level)).collect()
}

/// All methods on the folds of one division, but for one of them.
pub(super) fn summed_without(
    evaluation: &Evaluation,
    repeat: usize,
    fold: usize,
) -> Vec<Summed<'_>> {
    let folds = evaluation.folding.folds as usize;
    let one = |tried| {
        let of_repeat = tried_folds(tried).into_iter().skip(repeat * folds).take(folds);
        let others =
            of_repeat.enumerate().filter(|(i, _)| *i != fold).map(|(_, fold)| fold).collect();
        sum(tried, others, 1, evaluation.bounds.level)
    };
    evaluation.methods.iter().map(one).collect()
}

fn tried_folds(tried: &Tried) -> Vec<&FoldScores> {
    tried.folds.as_deref().unwrap_or_default().iter().collect()
}

/// Covered rows among those that were tested `repeats` times: on average over the repeats, each row
/// once.
pub(super) fn coverage(covered: usize, tested: usize, repeats: u64) -> Option<Coverage> {
    let share = |count: usize| (count as f64 / repeats as f64).round() as usize;
    (tested > 0).then(|| Coverage { covered: share(covered), rows: share(tested) })
}

fn sum<'a>(tried: &'a Tried, folds: Vec<&'a FoldScores>, repeats: u64, level: f64) -> Summed<'a> {
    let rows: usize = folds.iter().map(|fold| fold.test_rows).sum();
    let pooled = |score: fn(&FoldScores) -> Option<f64>| {
        let sum: f64 = folds
            .iter()
            .map(|fold| Some(score(fold)? * fold.test_rows as f64))
            .sum::<Option<f64>>()?;
        (rows > 0).then(|| sum / rows as f64)
    };
    let crps: Option<Vec<f64>> = folds.iter().map(|fold| fold.crps).collect();
    let covered = folds.iter().map(|fold| fold.covered).sum::<Option<usize>>();
    let coverage = covered.and_then(|covered| coverage(covered, rows, repeats));
    Summed {
        tried,
        coverage: coverage.map(|coverage| (coverage, coverage.against(level))),
        width: pooled(|fold| fold.width),
        interval_score: pooled(|fold| fold.interval_score),
        crps_of_rows: pooled(|fold| fold.crps),
        crps: crps.and_then(|crps| Summary::from_values(&crps)),
        rmse: pooled(|fold| fold.mse).map(f64::sqrt),
        log_score: pooled(|fold| fold.log_score),
        folds,
    }
}
