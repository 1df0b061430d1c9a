//! List every number: a row for each method and metric, over all rows, in each test set, and in
//! each group of rows.

use crate::grid::Grid;
use uq_core::predictive::Exactness;
use uq_core::stats::digits::exact;
use uqbench_judge::evidence::own_predictions::{Evaluation, OwnPredictions, Part};

/// The table of all numbers. `low` and `high` are the ends of the 95 % interval; a cell is empty
/// where it is undefined.
pub fn grid(predictions: &OwnPredictions, evaluation: &Evaluation) -> Grid {
    let mut grid = Grid::new(&[
        "method",
        "split",
        "group",
        "metric",
        "#rows",
        "#score",
        "#low",
        "#high",
        "exactness",
    ]);
    for (predictor, method) in predictions.methods.iter().zip(&evaluation.methods) {
        let row =
            |[split, group]: [&str; 2], rows: usize, metric: usize, numbers: [Option<f64>; 3]| {
                let how = match method.scores[metric].exactness {
                    Exactness::Exact => "exact",
                    Exactness::Approximate(how) => how,
                    Exactness::Undefined => "undefined",
                };
                let name = evaluation.metrics[metric].to_string();
                let labels = [
                    predictor.method.clone(),
                    split.to_owned(),
                    group.to_owned(),
                    name,
                    rows.to_string(),
                ];
                labels
                    .into_iter()
                    .chain(numbers.map(exact))
                    .chain([how.to_owned()])
                    .collect::<Vec<String>>()
            };
        for (metric, scored) in method.scores.iter().enumerate() {
            let (low, high) = scored.interval().unzip();
            grid.push(row(["", ""], predictions.y.len(), metric, [scored.score, low, high]));
        }
        let parts = |parts: &[Part], scores: &[Vec<Option<f64>>], of_split: bool| {
            let mut rows = Vec::new();
            for (part, scores) in parts.iter().zip(scores) {
                let labels =
                    if of_split { [part.name.as_str(), ""] } else { ["", part.name.as_str()] };
                rows.extend(scores.iter().enumerate().map(|(metric, score)| {
                    row(labels, part.rows.len(), metric, [*score, None, None])
                }));
            }
            rows
        };
        let by_split = parts(&predictions.splits, &method.by_split, true);
        let by_group = parts(&predictions.groups, &method.by_group, false);
        grid.extend(by_split.into_iter().chain(by_group));
    }
    grid
}
