//! `uqbench store pack`: one sealed file with what pages need.

use std::path::PathBuf;

use clap::Args;

use crate::cli::options::{Running, Selection, StorePlace, with_damage};
use crate::cli::{CliError, Ending, print};
use crate::report::pack::pack;
use crate::runner::key::TrialKey;
use crate::runner::plan::trials;
use crate::runner::store::Store;
use crate::system::files::write_output;

#[derive(Debug, Args)]
pub struct Pack {
    /// The store.
    store: PathBuf,
    /// The file to write; an existing one is replaced.
    file: PathBuf,
    /// Benchmarks, by name or as a TOML file; all by default.
    benchmarks: Vec<String>,
    /// All predictions and side tables too, for a store of one shard: its pages do not show yet what those of all shards need.
    #[arg(long)]
    whole: bool,
    #[command(flatten)]
    selection: Selection,
}

impl Pack {
    /// Writes the pack; unless it is whole, if the pages from the store and from the pack are the same.
    pub fn run(&self) -> Result<Ending, CliError> {
        let plans = self.selection.plans(&self.benchmarks, &StorePlace { store: self.store.clone() })?;
        let store = Store::open_existing(&self.store)?;
        let pool = Running::default().pool()?;
        let (bytes, differing) = if self.whole {
            let keys: Vec<TrialKey> = trials(&plans).into_iter().map(|trial| trial.key).collect();
            store.freeze(&keys)?;
            (store.pack_whole(&keys)?, Vec::new())
        } else {
            pack(&plans, &store, &pool, &self.file)?
        };
        if !differing.is_empty() {
            return Err(CliError::Other(format!(
                "the pack would render other pages than the store: {}; nothing was written. This is a fault of the program",
                differing.join(", ")
            )));
        }
        write_output(&self.file, &bytes).map_err(|error| {
            CliError::Other(format!("{} cannot be written: {error}; name another file", self.file.display()))
        })?;
        print(&format!("wrote {}: {:.2} MB\n", self.file.display(), bytes.len() as f64 / 1e6))?;
        Ok(with_damage(Ending::Done, &[&store]))
    }
}
