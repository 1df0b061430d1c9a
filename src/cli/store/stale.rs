//! `uqbench store stale`: pages whose trials another version of the program made.

use std::collections::BTreeSet;

use clap::Args;

use crate::cli::options::{Selection, StorePlace, with_damage};
use crate::cli::{CliError, Ending, print};
use crate::report::grid::counted;
use crate::runner::outdated::stale;

#[derive(Debug, Args)]
pub struct StalePages {
    /// Benchmarks, by name or as a TOML file; all by default.
    benchmarks: Vec<String>,
    #[command(flatten)]
    selection: Selection,
    #[command(flatten)]
    store: StorePlace,
}

impl StalePages {
    /// Names the pages.
    pub fn run(&self) -> Result<Ending, CliError> {
        let plans = self.selection.plans(&self.benchmarks, &self.store)?;
        let store = self.store.open_existing()?;
        let stale = stale(&plans, &store)?;
        for (page, trials) in &stale {
            print(&format!("{}.md: {} ({})\n", page.benchmark, page.reason, counted(*trials, "trial")))?;
        }
        let pages = stale.keys().map(|page| &page.benchmark).collect::<BTreeSet<_>>().len();
        let verb = if pages == 1 { "is" } else { "are" };
        print(&format!("{pages} of {} {verb} stale\n", counted(plans.len(), "page")))?;
        let ending = if stale.is_empty() { Ending::Done } else { Ending::Incomplete };
        Ok(with_damage(ending, &[&store]))
    }
}
