//! `uqbench status`: how much of each benchmark is in the store.

use std::collections::BTreeMap;

use clap::Args;

use super::options::{Places, Selection};
use super::{CliError, Ending, print};
use crate::report::markdown::Grid;
use crate::runner::plan::trials;
use crate::runner::store::Found;

/// Show how much of each benchmark is in the store.
#[derive(Debug, Args)]
#[command(after_help = "Example: uqbench status --profile full")]
pub struct Status {
    /// Benchmarks; all where none is named.
    benchmarks: Vec<String>,
    #[command(flatten)]
    selection: Selection,
    #[command(flatten)]
    places: Places,
}

impl Status {
    /// Verifies every expected trial and counts; incomplete where one is not there.
    pub fn run(&self) -> Result<Ending, CliError> {
        let plans = self.selection.plans(&self.benchmarks)?;
        let store = self.places.open()?;
        let mut grid = Grid::new(&["Benchmark", "#Expected", "#Finished", "Others"]);
        let mut complete = true;
        for plan in &plans {
            let planned = trials([plan]);
            let mut finished = 0;
            let mut others: BTreeMap<String, usize> = BTreeMap::new();
            for trial in &planned {
                match store.find(&trial.key)? {
                    Found::Finished(_) => finished += 1,
                    Found::Quarantined(damage) => *others.entry(format!("damaged: {damage}")).or_default() += 1,
                    Found::Absent => {
                        let word = store.failure(&trial.key).map_or("not run", |failure| failure.word());
                        *others.entry(word.into()).or_default() += 1;
                    }
                }
            }
            complete &= finished == planned.len();
            let others: Vec<String> = others.iter().map(|(word, count)| format!("{count} {word}")).collect();
            grid.rows.push(vec![
                plan.benchmark.id.clone(),
                planned.len().to_string(),
                finished.to_string(),
                others.join(", "),
            ]);
        }
        print(&grid.markdown())?;
        Ok(if complete { Ending::Done } else { Ending::Incomplete })
    }
}
