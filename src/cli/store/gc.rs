//! `uqbench store gc`: what no run will use again.

use clap::Args;

use crate::cli::options::{StorePlace, with_damage};
use crate::cli::{CliError, Ending, print};
use crate::report::grid::counted;
use crate::runner::outdated::outdated;
use crate::runner::store::Store;

#[derive(Debug, Args)]
pub struct Gc {
    #[command(flatten)]
    store: StorePlace,
    /// Remove them. Without it nothing is changed.
    #[arg(long)]
    remove: bool,
}

impl Gc {
    /// Counts the garbage, and removes it on request.
    pub fn run(&self) -> Result<Ending, CliError> {
        let store = self.store.open_existing()?;
        let garbage = store.garbage(|result| outdated(&result.spec).is_some())?;
        let (trials, files) = (counted(garbage.trials.len(), "trial"), counted(garbage.files.len(), "file"));
        let size = garbage.bytes as f64 / 1e6;
        let what = format!("{trials} of other versions and {files} about absent or finished trials, {size:.1} MB");
        if self.remove {
            let place = store.root().to_path_buf();
            drop(store);
            let store = Store::open(place)?;
            store.collect(&garbage)?;
            print(&format!("removed {what}\n"))?;
            return Ok(with_damage(Ending::Done, &[&store]));
        }
        print(&format!("{what}; `--remove` removes them\n"))?;
        Ok(with_damage(Ending::Done, &[&store]))
    }
}
