//! `uqbench export`: the long table of trials, or of their predictions, for other programs.

use std::path::PathBuf;

use clap::Args;

use super::options::{Running, Selection, StorePlace, table_format, with_damage};
use super::part::say_part;
use super::refill::{Refill, has_predictions};
use super::room::prepare;
use super::versions::say_versions;
use super::{CliError, Ending, print};
use uqbench_judge::evidence::long_table::rows;
use uqbench_judge::evidence::prediction_table::predictions;
use uqbench_report::long_table::LongTable;
use uqbench_system::files::write_output;

/// Write a row for every trial, reading and metric as Parquet, Arrow or CSV, for pandas, polars,
/// DuckDB or R; or a row for every prediction.
#[derive(Debug, Args)]
#[command(after_help = "Example: uqbench export uqbench-store trials.parquet --profile full\n\n\
    docs/look-up/files.md describes the columns.")]
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
    #[command(flatten)]
    refill: Refill,
}

impl Export {
    /// Writes the table, and prints its size.
    pub fn run(&self) -> Result<Ending, CliError> {
        let format = table_format(&self.file)?;
        let place = StorePlace { store: self.store.clone() };
        let plans = self.selection.plans(&self.benchmarks, &place)?;
        prepare(&self.file)?;
        if self.predictions
            && let Some(ended) = self.refill.complete(&plans, &place, has_predictions)?
        {
            return Ok(ended);
        }
        let store = place.open_existing()?;
        let pool = Running::default().pool()?;
        let table = match self.predictions {
            true => LongTable::of_predictions(&predictions(&plans, &store, &pool)?),
            false => LongTable::of_scores(&rows(&plans, &store, &pool)?),
        };
        let failed = |message: String| {
            CliError::Other(format!("{} cannot be written: {message}", self.file.display()))
        };
        let bytes = table.bytes(format).map_err(failed)?;
        write_output(&self.file, &bytes).map_err(|error| failed(error.to_string()))?;
        print(&format!("wrote {}: {} rows\n", self.file.display(), table.rows()))?;
        say_versions(&plans, &store)?;
        say_part(&store, &plans)?;
        Ok(with_damage(Ending::Done, &[&store]))
    }
}
