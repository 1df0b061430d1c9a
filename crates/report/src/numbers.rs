//! List every number of a benchmark, one row for each column, dataset and metric.

use super::grid::Grid;
use uq_core::stats::digits::exact;
use uqbench_judge::report::ColumnScore;

/// One row for each score; the number of fits that had not converged is empty where fits do not
/// report it.
pub fn long_grid(scores: &[ColumnScore]) -> Grid {
    let mut grid = Grid::new(&[
        "dataset",
        "method",
        "column",
        "variant",
        "#x",
        "metric",
        "#published",
        "#mean",
        "#sd",
        "#n",
        "#expected",
        "#unconverged",
        "note",
        "repetitions",
    ]);
    grid.extend(scores.iter().map(|score| {
        let summary = score.summary;
        [
            score.dataset.clone(),
            score.method.clone(),
            score.column.clone(),
            score.variant.clone(),
            exact(score.x),
            score.metric.to_string(),
            score.printed.clone(),
            exact(summary.map(|s| s.mean)),
            exact(summary.and_then(|s| s.sd)),
            summary.map_or(0, |s| s.n).to_string(),
            score.repetitions.len().to_string(),
            score.unconverged.map(|count| count.to_string()).unwrap_or_default(),
            score.note.clone(),
            score.repetitions.iter().map(|v| exact(*v)).collect::<Vec<_>>().join(" "),
        ]
    }));
    grid
}
