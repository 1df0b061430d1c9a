//! List the trials of a benchmark, one row each, so that every number leads to its trials.

use super::grid::Grid;
use uqbench_judge::evidence::results::Repetitions;
use uqbench_judge::evidence::{End, Results};
use uqbench_run::benchmark::report_files::Beside;
use uqbench_run::benchmark::{ACQUISITION, Benchmark, Column};
use uqbench_run::runner::attempt::Attempt;
use uqbench_run::runner::outcome::Failure;
use uqbench_run::runner::plan::Plan;

/// Name of the file that lists the trials of a benchmark.
pub fn file(benchmark: &Benchmark) -> String {
    format!("{}.csv", Beside::Trials.name(&benchmark.id))
}

/// One row for each planned trial: its key, what it is, and how it ended.
pub fn trials_grid(results: &Results) -> Grid {
    let mut grid = Grid::new(&[
        "trial", "part", "dataset", "method", "columns", "variant", "#split", "#seed", "outcome", "reason",
    ]);
    let parts =
        [("main", &results.experiments), ("other seed", &results.reseeded), ("validation", &results.validation)];
    for (part, all) in parts {
        grid.extend(all.iter().flat_map(|repetitions| rows(results.plan, part, repetitions)));
    }
    grid
}

fn rows(plan: &Plan, part: &str, repetitions: &Repetitions) -> Vec<Vec<String>> {
    let experiment = repetitions.experiment;
    let dataset = &plan.benchmark.datasets[experiment.dataset];
    let columns = columns(&experiment.method.columns);
    let variant = dataset.variant.as_ref().or(experiment.method.variant.as_ref());
    let row = |(split, end): (u64, &End)| {
        let reason = match end {
            End::Finished { result, .. } => result.outcome.reason().unwrap_or_default().to_owned(),
            // Other failures depend on this machine.
            End::Failed(Attempt { failure: Failure::MethodUnavailable(why), .. }) => why.clone(),
            _ => String::new(),
        };
        vec![
            experiment.key(split).to_string(),
            part.into(),
            dataset.key.clone(),
            experiment.method.id.clone(),
            columns.clone(),
            variant.cloned().unwrap_or_default(),
            split.to_string(),
            experiment.template.seed.to_string(),
            end.word().into(),
            reason,
        ]
    };
    (0..).zip(&repetitions.ends).map(row).collect()
}

/// The headings of the columns; the steps of an acquisition, which are a column each, in one.
fn columns(all: &[Column]) -> String {
    let of_one_curve = |a: &Column, b: &Column| {
        a.labels.contains_key(ACQUISITION) && a.labels == b.labels && a.x.is_some() && b.x.is_some()
    };
    let heading = |columns: &[Column]| match columns {
        [first, .., last] => {
            let (curve, _) = first.heading.rsplit_once(", ").unwrap_or((&first.heading, ""));
            format!("{curve}, {} to {} added", first.x.unwrap_or_default(), last.x.unwrap_or_default())
        }
        one => one.iter().map(|column| column.heading.clone()).collect(),
    };
    all.chunk_by(of_one_curve).map(heading).collect::<Vec<_>>().join("; ")
}
