//! `uqbench dev gc`: what no run will use again.

use clap::Args;

use crate::cli::options::{StorePlace, with_damage};
use crate::cli::{CliError, Ending, print};
use crate::pages::kept::is_name_of;
use uqbench_report::grid::counted;
use uqbench_run::benchmark::shipped;
use uqbench_run::runner::outdated::outdated;
use uqbench_run::runner::store::Store;

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
        let all = shipped()?;
        let has_pages = |name: &str| all.iter().any(|benchmark| is_name_of(name, &benchmark.id));
        let garbage = store.garbage(|result| outdated(&result.spec).is_some(), has_pages)?;
        let (trials, files) = (garbage.trials.len(), counted(garbage.files.len(), "file"));
        let (pages, steps) = (
            counted(garbage.pages.len(), "kept page"),
            counted(garbage.steps.len(), "finished trial"),
        );
        let size = garbage.bytes as f64 / 1e6;
        let all = counted(garbage.looked_at, "trial");
        let what = format!(
            "{trials} of {all} (those of other versions), {files} about absent or finished trials, \
             {pages} of benchmarks that do not come with this program and the steps of {steps}, \
             {size:.1} MB"
        );
        let kept = match garbage.unfinished {
            0 => String::new(),
            n => format!(
                "kept: the steps of {}, from which a run goes on\n",
                counted(n, "unfinished trial")
            ),
        };
        if self.remove {
            let place = store.root().to_path_buf();
            drop(store);
            let store = Store::open(place)?;
            store.collect(&garbage)?;
            print(&format!("removed {what}\n{kept}"))?;
            return Ok(with_damage(Ending::Done, &[&store]));
        }
        print(&format!("{what}; `--remove` removes them\n{kept}"))?;
        Ok(with_damage(Ending::Done, &[&store]))
    }
}
