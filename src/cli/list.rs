//! `uqbench list`: list benchmarks, methods, metrics or datasets.

use clap::{Args, ValueEnum};
use serde_json::Value;

use super::{CliError, Ending, print};
use uq_core::metrics::MetricId;
use uq_methods::Reading;
use uq_methods::anchors::ANCHORS;
use uqbench_data::{Manifest, objectives, simulated};
use uqbench_report::grid::Grid;
use uqbench_run::benchmark::{Benchmark, Profile, boards, shipped};
use uqbench_run::registry;

/// List benchmarks, methods, metrics or datasets.
#[derive(Debug, Args)]
#[command(after_help = "Example: uqbench list methods exact-gp")]
pub struct List {
    /// What to list.
    #[arg(value_enum, default_value = "benchmarks")]
    what: What,
    /// One of the methods, to list its parameters.
    name: Option<String>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum What {
    /// Published tables and figures, and the boards of the league.
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
        let text = match (self.what, &self.name) {
            (What::Methods, Some(name)) => method(name)?,
            (_, Some(name)) => {
                let message =
                    "only methods are listed one by one, as in `uqbench list methods NAME`";
                return Err(CliError::Usage(format!(
                    "`{name}` is one argument too many: {message}"
                )));
            }
            (What::Benchmarks, None) => {
                let boards = of_league()?.markdown();
                format!("{}\n## Boards of the league\n\n{boards}", benchmarks()?.markdown())
            }
            (What::Methods, None) => methods().markdown(),
            (What::Metrics, None) => metrics().markdown(),
            (What::Datasets, None) => datasets()?.markdown(),
        };
        print(&text)?;
        Ok(Ending::Done)
    }
}

fn benchmarks() -> Result<Grid, CliError> {
    let mut grid = Grid::new(&["Name", "Paper", "Artefact", "Title", "#Smoke", "#Quick", "#Full"]);
    grid.extend(shipped()?.iter().map(|benchmark| {
        let Benchmark { id, paper, artefact, title, .. } = benchmark;
        [id, paper, artefact, title].map(Clone::clone).into_iter().chain(splits(benchmark))
    }));
    Ok(grid)
}

/// The boards of the league, which run where they are named.
fn of_league() -> Result<Grid, CliError> {
    let mut grid =
        Grid::new(&["Name", "Title", "#Datasets", "#Methods", "#Smoke", "#Quick", "#Full"]);
    grid.extend(boards()?.iter().map(|board| {
        let own: usize = board.methods.iter().map(|method| method.columns.len()).sum();
        let anchors = if board.anchors { ANCHORS.len() } else { 0 };
        let counts = [board.datasets.len(), own + anchors].map(|count| count.to_string());
        [board.id.clone(), board.title.clone()].into_iter().chain(counts).chain(splits(board))
    }));
    Ok(grid)
}

/// The splits of each profile.
fn splits(benchmark: &Benchmark) -> [String; 3] {
    [Profile::Smoke, Profile::Quick, Profile::Full].map(|profile| {
        benchmark.profile(profile).map(|spec| spec.splits.to_string()).unwrap_or_default()
    })
}

fn methods() -> Grid {
    let mut grid = Grid::new(&["Name", "What it is"]);
    let shown = registry::methods()
        .iter()
        .copied()
        .filter(|entry| entry.id != "mock")
        .chain([registry::EXTERNAL]);
    grid.extend(shown.map(|entry| [entry.id, entry.title]));
    grid
}

/// What one method is, with its parameters.
fn method(name: &str) -> Result<String, CliError> {
    let entry = registry::entry(name)?;
    let mut text = format!("{name}: {}\n", entry.title);
    if entry.id != registry::EXTERNAL.id {
        let tried = entry.tried.as_ref().map_or(Value::Null, |tried| (tried.parameters)());
        let method = registry::build(name, &tried)?;
        let readings: Vec<String> = method.readings().iter().map(Reading::to_string).collect();
        text += &format!("version {}; readings: {}\n", method.version(), readings.join(", "));
    }
    text.push('\n');
    let mut grid = Grid::new(&["Name", "Default", "Range", "Meaning"]);
    grid.extend((entry.parameters)().into_iter().map(|parameter| {
        let default =
            parameter.value.map_or_else(|| "must be given".into(), |value| value.to_string());
        vec![parameter.name, default, parameter.expected, parameter.meaning.replace('`', "")]
    }));
    text += &if grid.rows.is_empty() { "It has no parameters.\n".into() } else { grid.markdown() };
    Ok(text)
}

fn metrics() -> Grid {
    let mut grid = Grid::new(&["Name", "What it is", "Unit", "Better", "Definition"]);
    grid.extend(MetricId::all().iter().map(|metric| {
        let unit = Some(metric.unit("unit of y")).filter(|unit| !unit.is_empty());
        vec![
            metric.to_string(),
            metric.label(),
            unit.unwrap_or_else(|| "–".into()),
            metric.direction().to_string(),
            metric.properties().definition.into(),
        ]
    }));
    grid
}

fn datasets() -> Result<Grid, CliError> {
    let mut grid = Grid::new(&["Key", "Title", "#Rows", "#Features", "Source", "Licence"]);
    let manifest = Manifest::shipped()?;
    for dataset in manifest.datasets().iter().chain(manifest.variants()) {
        grid.push(vec![
            dataset.key.clone(),
            dataset.title.clone(),
            dataset.rows.to_string(),
            dataset.features.len().to_string(),
            if dataset.bundled.is_some() { "bundled" } else { "to be fetched" }.into(),
            dataset.licence.clone(),
        ]);
    }
    for problem in simulated::ALL {
        grid.push(vec![
            format!("{}{}", simulated::PREFIX, problem.key),
            problem.title.into(),
            "–".into(),
            "–".into(),
            "simulated".into(),
            "–".into(),
        ]);
    }
    for objective in objectives::ALL {
        grid.push(vec![
            format!("{}{}", objectives::PREFIX, objective.key),
            objective.title.into(),
            "–".into(),
            objective.inputs.to_string(),
            "simulated".into(),
            "–".into(),
        ]);
    }
    Ok(grid)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_board_is_listed_with_its_datasets_and_methods() {
        let grid = of_league().unwrap();
        assert_eq!(grid.rows.len(), boards().unwrap().len());
        let standard = grid.rows.iter().find(|row| row[0] == "league-standard").unwrap();
        assert_eq!((standard[2].text.as_str(), standard[6].text.as_str()), ("9", "20"));
        assert!(benchmarks().unwrap().rows.iter().all(|row| !row[0].text.starts_with("league-")));
    }

    #[test]
    fn a_metric_is_listed_with_its_unit_and_definition() {
        let grid = metrics();
        let row = |name: &str| grid.rows.iter().find(|row| row[0] == name).unwrap();
        assert_eq!(row("mse")[2], "(unit of y)²");
        assert_eq!(row("sigma-coverage(k=1)")[2..4], ["–", "near 0.683"]);
        assert!(row("crps")[4].text.contains("Gneiting & Raftery"), "{:?}", row("crps"));
        assert!(grid.rows.iter().all(|row| row.iter().all(|cell| !cell.text.is_empty())));
    }
}
