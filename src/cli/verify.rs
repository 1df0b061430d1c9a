//! `uqbench report --verify`: whether the files of a folder are what a store or pack renders.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use rayon::ThreadPool;

use super::options::with_damage;
use super::{CliError, Ending, print};
use crate::report::document::Document;
use crate::report::grid::counted;
use crate::report::index::{machine_line, render_index, render_one};
use crate::runner::outdated::stale;
use crate::runner::plan::Plan;
use crate::runner::store::Store;

/// Compares every document of these plans with the file of its name, and prints what differs; the index too, where the plans
/// are the `whole` of a profile.
///
/// # Errors
/// [`CliError`] where a file differs that no other version of the program explains.
pub fn verify(
    plans: &[Plan],
    store: &Store,
    pool: &ThreadPool,
    folder: &Path,
    whole: bool,
) -> Result<Ending, CliError> {
    let stale = stale(plans, store)?;
    let outdated: BTreeSet<&str> = stale.keys().map(|page| page.benchmark.as_str()).collect();
    for (page, trials) in &stale {
        print(&format!("stale: {}.md: {} ({})\n", page.benchmark, page.reason, counted(*trials, "trial")))?;
    }
    let same = |document: &&Document| fs::read(folder.join(&document.name)).is_ok_and(|bytes| bytes == document.bytes);
    let (mut compared, mut differing) = (0, Vec::new());
    let mut compare = |documents: &[Document]| {
        compared += documents.len();
        differing.extend(documents.iter().filter(|document| !same(document)).map(|document| document.name.clone()));
    };
    let mut briefs = Vec::new();
    for plan in plans {
        let one = render_one(plan, store, pool)?;
        if !outdated.contains(plan.benchmark.id.as_str()) {
            compare(&one.documents);
        }
        briefs.push(one.brief);
    }
    // The index shows every page.
    if whole && outdated.is_empty() {
        compare(&render_index(plans, &briefs, &machine_line(plans, store)?));
    }
    if !differing.is_empty() {
        return Err(CliError::Other(format!(
            "{} of {} in {} are not what {} renders: {}; write them again by the same command without --verify",
            differing.len(),
            counted(compared, "file"),
            folder.display(),
            store.root().display(),
            differing.join(", ")
        )));
    }
    print(&format!(
        "{} in {} are what {} renders\n",
        counted(compared, "file"),
        folder.display(),
        store.root().display()
    ))?;
    Ok(with_damage(Ending::Done, &[store]))
}
