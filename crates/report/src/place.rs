//! Name the place of an experiment's fits in a table.

use uqbench_run::runner::plan::Plan;

/// Dataset, headings of its columns, and variant of an experiment of the plan.
pub fn place(plan: &Plan, experiment: usize) -> [String; 3] {
    let experiment = &plan.experiments[experiment];
    let dataset = &plan.benchmark.datasets[experiment.dataset];
    let headings: Vec<&str> = experiment.method.columns.iter().map(|column| column.heading.as_str()).collect();
    let variant = dataset.variant.as_deref().or(experiment.method.variant.as_deref()).unwrap_or_default();
    [dataset.heading.clone(), headings.join(", "), variant.into()]
}
