//! `uqbench report --verify`: whether the files of a folder are what a store or pack renders.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::Path;

use rayon::ThreadPool;

use super::options::with_damage;
use super::{CliError, Ending, print};
use crate::report::brief::Brief;
use crate::report::document::Document;
use crate::report::grid::counted;
use crate::report::index::{machine_line, render_index, render_one};
use crate::runner::key::TrialKey;
use crate::runner::outdated::stale;
use crate::runner::plan::{Plan, trials};
use crate::runner::store::Store;
use crate::runner::tally::Standing;

/// What is compared with what.
pub struct Verify<'a> {
    /// A store or pack.
    pub store: &'a Store,
    /// Threads that render.
    pub pool: &'a ThreadPool,
    /// The folder of files.
    pub folder: &'a Path,
}

/// Which files were compared.
#[derive(Default)]
struct Compared {
    files: usize,
    differing: Vec<String>,
}

impl Verify<'_> {
    /// Compares every document of these plans with the file of its name, and prints what differs; the index too, where the
    /// plans are the `whole` of a profile.
    ///
    /// # Errors
    /// [`CliError`] where a file differs that no other version of the program explains.
    pub fn run(&self, plans: &[Plan], whole: bool) -> Result<Ending, CliError> {
        let outdated = self.outdated(plans)?;
        let mut compared = Compared::default();
        let mut briefs = Vec::new();
        for plan in plans {
            briefs.push(self.one(plan, &outdated, &mut compared)?);
        }
        self.end(plans, &briefs, whole && outdated.is_empty(), compared)
    }

    /// The same for the benchmarks that a pack was made for. It does not name them: they are those of which it has every
    /// trial. Of several that share all their trials, it may have been made for some.
    ///
    /// # Errors
    /// As [`Verify::run`], and where there is no such benchmark.
    pub fn packed(&self, plans: Vec<Plan>, whole: bool) -> Result<Ending, CliError> {
        let (all, pack) = (plans.len(), self.store.root().display());
        let mut held = Vec::new();
        for plan in plans {
            let keys = keys(&plan);
            let mut known = 0;
            for key in &keys {
                known += usize::from(Standing::of(self.store, key)? != Standing::NotRun);
            }
            match known {
                0 => {}
                known if known == keys.len() => held.push((plan, keys)),
                known => print(&format!(
                    "not verified: {}, of which {pack} has {known} of {} trials\n",
                    plan.benchmark.id,
                    keys.len()
                ))?,
            }
        }
        let whole = whole && held.len() == all;
        let outdated = self.outdated(held.iter().map(|(plan, _)| plan))?;
        let mut compared = Compared::default();
        let (mut verified, mut briefs, mut others) = (Vec::new(), Vec::new(), Vec::new());
        let mut shown: HashSet<TrialKey> = HashSet::new();
        for (plan, keys) in held {
            match self.one(&plan, &outdated, &mut compared) {
                Err(CliError::Report(error)) if error.is_not_packed() => others.push((plan, keys, error)),
                end => {
                    briefs.push(end?);
                    verified.push(plan);
                    shown.extend(keys);
                }
            }
        }
        // Its trials are there because those of a verified benchmark are; else the pack lacks what its own pages need.
        for (plan, keys, error) in others {
            if !keys.iter().all(|key| shown.contains(key)) {
                return Err(error.into());
            }
            print(&format!("not verified: {}: {pack} was made for other pages of its trials\n", plan.benchmark.id))?;
        }
        if verified.is_empty() {
            return Err(CliError::Other(format!(
                "{pack} has all trials of no benchmark in this profile: choose another --profile, or name benchmarks"
            )));
        }
        let ids: Vec<&str> = verified.iter().map(|plan| plan.benchmark.id.as_str()).collect();
        print(&format!("verified: {}\n", ids.join(", ")))?;
        let is_whole = whole && verified.len() == all && outdated.is_empty();
        self.end(&verified, &briefs, is_whole, compared)
    }

    /// Names the pages that another version of the program made, and returns their benchmarks.
    fn outdated<'p>(&self, plans: impl IntoIterator<Item = &'p Plan>) -> Result<BTreeSet<String>, CliError> {
        let stale = stale(plans, self.store)?;
        for (page, trials) in &stale {
            print(&format!("stale: {}.md: {} ({})\n", page.benchmark, page.reason, counted(*trials, "trial")))?;
        }
        Ok(stale.into_keys().map(|page| page.benchmark).collect())
    }

    /// Compares the pages of one benchmark, unless they are outdated.
    fn one(&self, plan: &Plan, outdated: &BTreeSet<String>, compared: &mut Compared) -> Result<Brief, CliError> {
        let rendered = render_one(plan, self.store, self.pool)?;
        if !outdated.contains(&plan.benchmark.id) {
            compared.add(&rendered.documents, self.folder);
        }
        Ok(rendered.brief)
    }

    /// Compares the index, which shows every page, where the plans are the whole of a profile; then says what differs.
    fn end(&self, plans: &[Plan], briefs: &[Brief], whole: bool, mut compared: Compared) -> Result<Ending, CliError> {
        if whole {
            compared.add(&render_index(plans, briefs, &machine_line(plans, self.store)?), self.folder);
        }
        let Compared { files, differing } = compared;
        let (files, folder, root) = (counted(files, "file"), self.folder.display(), self.store.root().display());
        if !differing.is_empty() {
            return Err(CliError::Other(format!(
                "{} of {files} in {folder} are not what {root} renders: {}; write them again by the same command without --verify",
                differing.len(),
                differing.join(", ")
            )));
        }
        print(&format!("{files} in {folder} are what {root} renders\n"))?;
        Ok(with_damage(Ending::Done, &[self.store]))
    }
}

impl Compared {
    fn add(&mut self, documents: &[Document], folder: &Path) {
        let same =
            |document: &&Document| fs::read(folder.join(&document.name)).is_ok_and(|bytes| bytes == document.bytes);
        self.files += documents.len();
        self.differing.extend(documents.iter().filter(|one| !same(one)).map(|one| one.name.clone()));
    }
}

/// The keys of a plan's trials.
fn keys(plan: &Plan) -> Vec<TrialKey> {
    trials([plan]).into_iter().map(|trial| trial.key).collect()
}
