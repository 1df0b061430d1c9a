//! `uqbench store pack`: one sealed file with what pages need, or with the whole store.

use std::path::PathBuf;

use clap::Args;

use super::say_steps;
use crate::cli::options::{Running, StorePlace, with_damage};
use crate::cli::part::{Choice, left_out, reasons};
use crate::cli::{CliError, Ending, print};
use crate::pages::pack::pack;
use uqbench_report::grid::counted;
use uqbench_run::runner::key::TrialKey;
use uqbench_run::runner::plan::{Plan, trials};
use uqbench_run::runner::store::Store;
use uqbench_system::files::write_output;

#[derive(Debug, Args)]
pub struct Pack {
    /// The store.
    store: PathBuf,
    /// The file to write; an existing one is replaced.
    file: PathBuf,
    /// Benchmarks, by name or as a TOML file. Without benchmarks and options of choice the pack
    /// holds the whole store.
    benchmarks: Vec<String>,
    /// Keep everything, also predictions and side tables: for one part of a run on several
    /// machines.
    #[arg(long)]
    whole: bool,
    #[command(flatten)]
    choice: Choice,
}

impl Pack {
    /// Writes the pack, and counts what a choice leaves out. The exit code is then 3.
    pub fn run(&self) -> Result<Ending, CliError> {
        let store = Store::open_existing(&self.store)?;
        if self.benchmarks.is_empty() && !self.choice.is_stated {
            let (bytes, packed) = store.pack_everything()?;
            self.write(&bytes, packed)?;
            say_steps(Store::with_steps(std::slice::from_ref(&store))?);
            return Ok(with_damage(Ending::Done, &[&store]));
        }
        let place = StorePlace { store: self.store.clone() };
        let plans = self.choice.selection.plans(&self.benchmarks, &place)?;
        // Listed before the pack is made: what another program adds later was not there to be
        // packed.
        let left = left_out(&store, &plans)?;
        self.write(&self.chosen(&plans, &store)?, left.stored - left.total())?;
        for reason in reasons(&left) {
            print(&format!("{reason}\n"))?;
        }
        let ending = if left.total() > 0 { Ending::Incomplete } else { Ending::Done };
        Ok(with_damage(ending, &[&store]))
    }

    /// A pack of the chosen trials; unless it is whole, if the pages from the store and from the
    /// pack are the same.
    fn chosen(&self, plans: &[Plan], store: &Store) -> Result<Vec<u8>, CliError> {
        if self.whole {
            let keys: Vec<TrialKey> = trials(plans).into_iter().map(|trial| trial.key).collect();
            store.freeze(&keys)?;
            return Ok(store.pack_whole(&keys)?);
        }
        let (bytes, differing) = pack(plans, store, &Running::default().pool()?, &self.file)?;
        match differing.is_empty() {
            true => Ok(bytes),
            false => Err(CliError::Other(format!(
                "the pack would render other pages than the store: {}; nothing was written. This \
                 is a fault of the program",
                differing.join(", ")
            ))),
        }
    }

    fn write(&self, bytes: &[u8], packed: usize) -> Result<(), CliError> {
        write_output(&self.file, bytes).map_err(|error| {
            CliError::Other(format!(
                "{} cannot be written: {error}; name another file",
                self.file.display()
            ))
        })?;
        let (trials, size) = (counted(packed, "trial"), bytes.len() as f64 / 1e6);
        print(&format!("wrote {}: {trials}, {size:.2} MB\n", self.file.display()))
    }
}
