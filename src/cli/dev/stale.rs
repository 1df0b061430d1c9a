//! `uqbench dev stale`: pages whose trials another version of the program made.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::options::{Selection, StorePlace, with_damage};
use crate::cli::{CliError, Ending, print};
use uqbench_report::grid::counted;
use uqbench_run::runner::outdated::{Listed, Stale, stale, stale_list};
use uqbench_run::runner::plan::Plan;
use uqbench_system::disk::{LARGEST, read_regular};

#[derive(Debug, Args)]
pub struct StalePages {
    /// Benchmarks, by name or as a TOML file; all by default.
    benchmarks: Vec<String>,
    #[command(flatten)]
    selection: Selection,
    #[command(flatten)]
    store: StorePlace,
    /// Folder of pages: judge those in it by the trials that each lists in its ID-trials.csv. No
    /// store is needed.
    #[arg(long, value_name = "DIR", conflicts_with = "store")]
    pages: Option<PathBuf>,
}

impl StalePages {
    /// Names the pages.
    pub fn run(&self) -> Result<Ending, CliError> {
        let plans = self.selection.plans(&self.benchmarks, &self.store)?;
        if let Some(folder) = &self.pages {
            return of_folder(&plans, folder);
        }
        let store = self.store.open_existing()?;
        let stale = stale(&plans, &store)?;
        let ending = print_stale(&stale, plans.len())?;
        Ok(with_damage(ending, &[&store]))
    }
}

/// Prints the stale pages, of `all` pages.
fn print_stale(stale: &BTreeMap<Stale, usize>, all: usize) -> Result<Ending, CliError> {
    for (page, trials) in stale {
        print(&format!(
            "{}.md: {} ({})\n",
            page.benchmark,
            page.reason,
            counted(*trials, "trial")
        ))?;
    }
    let pages = stale.keys().map(|page| &page.benchmark).collect::<BTreeSet<_>>().len();
    let verb = if pages == 1 { "is" } else { "are" };
    print(&format!("{pages} of {} {verb} stale\n", counted(all, "page")))?;
    Ok(if stale.is_empty() { Ending::Done } else { Ending::Incomplete })
}

/// Judges the pages in a folder by the trials that they list.
fn of_folder(plans: &[Plan], folder: &Path) -> Result<Ending, CliError> {
    let mut all = 0;
    let mut found = BTreeMap::new();
    for plan in plans {
        let id = &plan.benchmark.id;
        if !folder.join(format!("{id}.md")).is_file() {
            continue;
        }
        let list = folder.join(format!("{id}-trials.csv"));
        if !list.is_file() {
            print(&format!("not known: {id}.md, because there is no {}\n", list.display()))?;
            continue;
        }
        all += 1;
        found.extend(stale_list(plan, &read(&list)?));
    }
    print_stale(&found, all)
}

/// The trials of a list.
fn read(path: &Path) -> Result<Vec<Listed>, CliError> {
    let rows =
        |text: Vec<u8>| csv::Reader::from_reader(&text[..]).deserialize().collect::<Result<_, _>>();
    let rows = read_regular(path, LARGEST).map_err(csv::Error::from).and_then(rows);
    rows.map_err(|error| {
        CliError::Other(format!(
            "{} is no list of trials as `uqbench report` writes it: {error}; write its page again",
            path.display()
        ))
    })
}
