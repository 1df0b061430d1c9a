//! `uqbench cite`: BibTeX of what a run uses.

use clap::Args;

use super::options::{Selection, StorePlace};
use super::{CliError, Ending, print};
use uqbench_report::cite::bibtex;

/// Print BibTeX of the papers, methods, datasets and metrics that a run uses.
#[derive(Debug, Args)]
#[command(after_help = "Example: uqbench cite jcm-table-2 --profile full > uqbench.bib")]
pub struct Cite {
    /// Benchmarks, by name or as a TOML file; all by default.
    benchmarks: Vec<String>,
    #[command(flatten)]
    selection: Selection,
    #[command(flatten)]
    store: StorePlace,
}

impl Cite {
    /// Prints the entries of the chosen trials.
    pub fn run(&self) -> Result<Ending, CliError> {
        print(&bibtex(&self.selection.plans(&self.benchmarks, &self.store)?))?;
        Ok(Ending::Done)
    }
}
