//! List the trials of a benchmark, one row each, so that every number leads to its trials.

use super::grid::Grid;
use uqbench_judge::report::TrialLine;
use uqbench_run::benchmark::Benchmark;
use uqbench_run::benchmark::report_files::Beside;

/// Name of the file that lists the trials of a benchmark.
pub fn file(benchmark: &Benchmark) -> String {
    format!("{}.csv", Beside::Trials.name(&benchmark.id))
}

/// One row for each planned trial: its key, what it is, and how it ended.
pub fn trials_grid(trials: &[TrialLine]) -> Grid {
    let mut grid = Grid::new(&[
        "trial", "part", "dataset", "method", "columns", "variant", "#split", "#seed", "outcome",
        "reason",
    ]);
    grid.extend(trials.iter().map(|line| {
        [
            line.trial.to_string(),
            line.part.into(),
            line.dataset.clone(),
            line.method.clone(),
            line.columns.clone(),
            line.variant.clone(),
            line.split.to_string(),
            line.seed.to_string(),
            line.outcome.into(),
            line.reason.clone(),
        ]
    }));
    grid
}
