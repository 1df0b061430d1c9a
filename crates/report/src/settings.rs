//! Say which methods of the program ran for the columns of a benchmark, and with which settings.

use serde_json::Value;

use super::grid::Grid;
use super::section::{Block, Place, Section};
use super::words::settings as words;
use uqbench_run::benchmark::{Benchmark, MethodRow};

/// Most rows of a table that a page shows whole.
const MOST: usize = 12;

/// A row for each method of the benchmark file; `None` where it names none.
pub fn block(benchmark: &Benchmark) -> Option<Block> {
    let has_variants = benchmark.methods.iter().any(|method| method.variant.is_some());
    let mut head = vec!["Column", "Datasets", "Method", "Settings"];
    if has_variants {
        head.insert(1, Grid::VARIANT);
    }
    let mut grid = Grid::new(&head);
    for method in &benchmark.methods {
        let mut cells = vec![
            columns(method),
            datasets(benchmark, method),
            method.id.clone(),
            settings(&method.parameters),
        ];
        if has_variants {
            cells.insert(1, method.variant.clone().unwrap_or_default());
        }
        grid.push(cells);
    }
    let has_printed = !benchmark.printed.cells.is_empty();
    let place = if grid.rows.len() > MOST { Place::Folded } else { Place::Diagnosis };
    let section = Section { title: words::TITLE.into(), grid, note: words::note(has_printed) };
    (!section.grid.rows.is_empty()).then_some(Block::Table(place, section))
}

/// The headings of a method's columns.
fn columns(method: &MethodRow) -> String {
    let headings: Vec<&str> = method.columns.iter().map(|column| column.heading.as_str()).collect();
    headings.join("; ")
}

/// The headings of the datasets that a method runs on.
fn datasets(benchmark: &Benchmark, method: &MethodRow) -> String {
    let Some(keys) = &method.datasets else { return words::ALL.into() };
    let heading = |key: &String| {
        let row = benchmark.datasets.iter().find(|row| row.key == *key);
        row.map_or_else(|| key.clone(), |row| row.heading.clone())
    };
    keys.iter().map(heading).collect::<Vec<_>>().join(", ")
}

/// The settings that a benchmark file states, by their dotted names.
fn settings(parameters: &Value) -> String {
    let mut all = Vec::new();
    flatten("", parameters, &mut all);
    if all.is_empty() { words::DEFAULTS.into() } else { all.join(", ") }
}

fn flatten(name: &str, value: &Value, to: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                let name = if name.is_empty() { key.clone() } else { format!("{name}.{key}") };
                flatten(&name, value, to);
            }
        }
        Value::Null => {}
        Value::String(text) => to.push(format!("{name} = {text}")),
        other => to.push(format!("{name} = {other}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uqbench_run::benchmark::find;

    #[test]
    fn settings_have_dotted_names_and_no_settings_are_the_defaults() {
        let parameters = serde_json::json!({
            "rates": [0.05, 0.1],
            "training": { "epochs": 400, "schedule": "constant" },
        });
        let found = settings(&parameters);
        insta::assert_snapshot!(found, @"rates = [0.05,0.1], training.epochs = 400, training.schedule = constant");
        assert_eq!(settings(&Value::Null), words::DEFAULTS);
    }

    #[test]
    fn every_method_of_a_benchmark_has_a_row() {
        let benchmark = find("kompa-rmse").unwrap();
        let Some(Block::Table(_, section)) = block(&benchmark) else { unreachable!() };
        assert_eq!(section.grid.rows.len(), benchmark.methods.len());
        let cell = |row: usize, column: usize| section.grid.rows[row][column].text.as_str();
        assert!((0..section.grid.rows.len()).any(|row| cell(row, 0) == "GP"));
        assert!((0..section.grid.rows.len()).all(|row| !cell(row, 3).is_empty()));
    }
}
