//! `uqbench list`: what there is.

use clap::{Args, ValueEnum};

use super::{CliError, Ending, print};
use crate::benchmark::{Profile, shipped};
use crate::data::{Manifest, simulated};
use crate::methods::registry;
use crate::metrics::MetricId;
use crate::report::grid::Grid;

/// List benchmarks, methods, metrics or datasets.
#[derive(Debug, Args)]
#[command(after_help = "Example: uqbench list methods")]
pub struct List {
    /// What to list.
    #[arg(value_enum, default_value = "benchmarks")]
    what: What,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum What {
    /// Published tables and figures.
    Benchmarks,
    /// Methods and anchors.
    Methods,
    /// Scores.
    Metrics,
    /// Pinned and simulated datasets.
    Datasets,
}

impl List {
    /// Prints one table.
    pub fn run(&self) -> Result<Ending, CliError> {
        let grid = match self.what {
            What::Benchmarks => benchmarks()?,
            What::Methods => methods(),
            What::Metrics => metrics(),
            What::Datasets => datasets()?,
        };
        print(&grid.markdown())?;
        Ok(Ending::Done)
    }
}

fn benchmarks() -> Result<Grid, CliError> {
    let mut grid = Grid::new(&["Name", "Paper", "Artefact", "Title", "#Smoke", "#Quick", "#Full"]);
    for benchmark in shipped()? {
        let splits = |profile| benchmark.profile(profile).map(|spec| spec.splits.to_string()).unwrap_or_default();
        grid.rows.push(vec![
            benchmark.id.clone(),
            benchmark.paper.clone(),
            benchmark.artefact.clone(),
            benchmark.title.clone(),
            splits(Profile::Smoke),
            splits(Profile::Quick),
            splits(Profile::Full),
        ]);
    }
    Ok(grid)
}

fn methods() -> Grid {
    let mut grid = Grid::new(&["Name", "What it is"]);
    let shown = registry::METHODS.iter().filter(|entry| entry.id != "mock");
    grid.rows.extend(shown.map(|entry| vec![entry.id.into(), entry.title.into()]));
    grid
}

fn metrics() -> Grid {
    let mut grid = Grid::new(&["Name", "What it is", "Unit", "Better", "Definition"]);
    grid.rows.extend(MetricId::all().iter().map(|metric| {
        let unit = Some(metric.unit("unit of y")).filter(|unit| !unit.is_empty());
        vec![
            metric.to_string(),
            metric.label(),
            unit.unwrap_or_else(|| "–".into()),
            metric.direction().to_string(),
            metric.definition().into(),
        ]
    }));
    grid
}

fn datasets() -> Result<Grid, CliError> {
    let mut grid = Grid::new(&["Key", "Title", "#Rows", "#Features"]);
    let manifest = Manifest::shipped()?;
    for dataset in manifest.datasets().iter().chain(manifest.variants()) {
        grid.rows.push(vec![
            dataset.key.clone(),
            dataset.title.clone(),
            dataset.rows.to_string(),
            dataset.features.len().to_string(),
        ]);
    }
    for problem in simulated::ALL {
        grid.rows.push(vec![
            format!("{}{}", simulated::PREFIX, problem.key),
            problem.title.into(),
            "–".into(),
            "–".into(),
        ]);
    }
    Ok(grid)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_metric_is_listed_with_its_unit_and_definition() {
        let grid = metrics();
        let row = |name: &str| grid.rows.iter().find(|row| row[0] == name).unwrap();
        assert_eq!(row("mse")[2], "(unit of y)²");
        assert_eq!(row("sigma-coverage(k=1)")[2..4], ["–", "near 0.683"]);
        assert!(row("crps")[4].contains("Gneiting & Raftery"), "{:?}", row("crps"));
        assert!(grid.rows.iter().all(|row| row.iter().all(|cell| !cell.is_empty())));
    }
}
