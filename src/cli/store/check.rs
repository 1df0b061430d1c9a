//! `uqbench store check`: verify every trial, and repair.

use clap::Args;

use crate::cli::options::StorePlace;
use crate::cli::{CliError, Ending, print};
use uqbench_run::runner::store::{Checked, Store};

#[derive(Debug, Args)]
pub struct Check {
    #[command(flatten)]
    store: StorePlace,
    /// Move damaged trials to quarantine, so that they run again, and restore undamaged ones from
    /// there.
    #[arg(long)]
    repair: bool,
}

impl Check {
    /// Lists the findings and the repairs.
    pub fn run(&self) -> Result<Ending, CliError> {
        if !self.repair {
            let found = self.store.open_existing()?.check()?;
            print(&listed(&found, ["damaged", "intact in quarantine", "not a file of the store"]))?;
            let advice = "`--repair` moves damaged trials to quarantine and restores the intact \
                          ones in quarantine\n";
            if !found.damaged.is_empty()
                || !found.recoverable.is_empty()
                || !found.strange.is_empty()
            {
                print(advice)?;
            }
            return Ok(ending(found.damaged.len() + found.unreadable.len() + found.strange.len()));
        }
        // Opening for writing would create a store where there is none.
        let place = self.store.open_existing()?.root().to_path_buf();
        let store = Store::open(place)?;
        let found = store.check()?;
        store.repair(&found)?;
        print(&listed(&found, ["moved to quarantine", "restored", "moved to quarantine"]))?;
        Ok(ending(found.unreadable.len()))
    }
}

fn ending(left: usize) -> Ending {
    if left > 0 { Ending::Incomplete } else { Ending::Done }
}

/// One line for each trial that is not in order, then a line with the counts.
fn listed(found: &Checked, [damaged, recoverable, strange]: [&str; 3]) -> String {
    let mut text = String::new();
    for (key, damage) in &found.damaged {
        text += &format!("{damaged}: trial {key}: {damage}\n");
    }
    for (key, _) in &found.recoverable {
        text += &format!("{recoverable}: trial {key}\n");
    }
    for (path, why) in &found.strange {
        text += &format!("{strange}: {}: {why}\n", path.display());
    }
    for error in &found.unreadable {
        text += &format!("not read: {error}\n");
    }
    text + &format!(
        "{} intact, {} {damaged}, {} {recoverable}, {} damaged in quarantine, {} not read\n",
        found.whole,
        found.damaged.len(),
        found.recoverable.len(),
        found.quarantined,
        found.unreadable.len()
    )
}
