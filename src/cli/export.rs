//! `uqbench export`: the long table of trials, or of their predictions, for other programs.

use std::path::PathBuf;

use clap::Args;

use super::options::{Running, Selection, StorePlace, with_damage};
use super::{CliError, Ending, print};
use crate::evidence::long_table::rows;
use crate::evidence::prediction_table::predictions;
use crate::report::index::ReportError;
use crate::report::long_table::LongTable;
use crate::runner::store::Store;
use crate::system::files::write_output;

/// Write a row for every trial, reading and metric as Parquet, Arrow or CSV, for pandas, polars, DuckDB or R; or a row for
/// every prediction.
#[derive(Debug, Args)]
#[command(after_help = "Example: uqbench export uqbench-store trials.parquet --profile full\n\n\
    docs/commands.md describes the columns.")]
pub struct Export {
    /// A store or a pack.
    store: PathBuf,
    /// The file to write: its ending is .parquet, .arrow or .csv. An existing file is replaced.
    file: PathBuf,
    /// Benchmarks, by name or as a TOML file; all by default.
    benchmarks: Vec<String>,
    /// Write a row for every prediction instead: mean, standard deviation and quantiles.
    #[arg(long)]
    predictions: bool,
    #[command(flatten)]
    selection: Selection,
}

impl Export {
    /// Writes the table, and prints its size.
    pub fn run(&self) -> Result<Ending, CliError> {
        let write = match self.file.extension().and_then(|ending| ending.to_str()) {
            Some("parquet") => LongTable::parquet,
            Some("arrow") => LongTable::arrow,
            Some("csv") => LongTable::csv,
            _ => {
                let name = self.file.display();
                return Err(CliError::Usage(format!("{name}: the name must end in .parquet, .arrow or .csv")));
            }
        };
        let plans = self.selection.plans(&self.benchmarks, &StorePlace { store: self.store.clone() })?;
        let store = Store::open_existing(&self.store)?;
        let pool = Running::default().pool()?;
        let table = match self.predictions {
            true => LongTable::of_predictions(&predictions(&plans, &store, &pool).map_err(ReportError::from)?),
            false => LongTable::of_scores(&rows(&plans, &store, &pool).map_err(ReportError::from)?),
        };
        let failed = |message: String| CliError::Other(format!("{} cannot be written: {message}", self.file.display()));
        let bytes = write(&table).map_err(failed)?;
        write_output(&self.file, &bytes).map_err(|error| failed(error.to_string()))?;
        print(&format!("wrote {}: {} rows\n", self.file.display(), table.rows()))?;
        Ok(with_damage(Ending::Done, &[&store]))
    }
}
