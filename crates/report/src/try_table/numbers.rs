//! List every number of a comparison: a row for each method, fold and score.

use crate::grid::Grid;
use uq_core::metrics::{Crps, MetricId, Mse};
use uqbench_run::runner::try_table::{Evaluation, FoldScores, interval_metrics};

/// The table of all numbers. Times are left out, so that it is the same on every machine; a cell is
/// empty where a score is undefined.
pub fn numbers(evaluation: &Evaluation) -> Grid {
    let mut grid =
        Grid::new(&["method", "#repeat", "#fold", "#train_rows", "#test_rows", "score", "#value"]);
    for method in &evaluation.methods {
        for (index, fold) in method.folds.iter().flatten().enumerate() {
            let [repeat, number] = evaluation.folding.place(index);
            let place = [repeat, number, fold.train_rows, fold.test_rows];
            for (score, value) in scores(fold, evaluation) {
                let value = value.map(|value| value.to_string()).unwrap_or_default();
                let numbers = place.map(|number| number.to_string());
                let row = [method.id.to_string()].into_iter().chain(numbers).chain([score, value]);
                grid.push(row);
            }
        }
    }
    grid
}

/// The scores of a fold by the names of `uqbench list metrics`.
fn scores(fold: &FoldScores, evaluation: &Evaluation) -> Vec<(String, Option<f64>)> {
    let [coverage, width, interval_score] = interval_metrics(evaluation.bounds);
    let all = [
        (coverage, fold.covered.map(|covered| covered as f64 / fold.test_rows as f64)),
        (width, fold.width),
        (interval_score, fold.interval_score),
        (MetricId::Crps(Crps), fold.crps),
        (MetricId::Mse(Mse), fold.mse),
    ];
    let log_score = evaluation.log_score.map(|metric| (metric, fold.log_score));
    all.into_iter().chain(log_score).map(|(metric, score)| (metric.to_string(), score)).collect()
}
