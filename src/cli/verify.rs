//! `uqbench report --verify`: whether the files of a folder are what a store or pack renders.

use std::collections::{BTreeSet, HashSet};

use rayon::ThreadPool;

use super::options::with_damage;
use super::{CliError, Ending, print};
use crate::pages::{render_one, run_line};
use uqbench_report::brief::Brief;
use uqbench_report::document::Document;
use uqbench_report::grid::counted;
use uqbench_report::index::{Rendered, render_index};
use uqbench_report::write::Output;
use uqbench_run::runner::key::TrialKey;
use uqbench_run::runner::outdated::stale;
use uqbench_run::runner::plan::{Plan, trials};
use uqbench_run::runner::store::{Found, Store, StoreError};
use uqbench_system::disk::read_regular;

/// What is compared with what.
pub struct Verify<'a> {
    /// A store or pack.
    pub store: &'a Store,
    /// Threads that render.
    pub pool: &'a ThreadPool,
    /// The folder of files, and their formats.
    pub output: &'a Output,
}

/// Which files were compared.
#[derive(Default)]
struct Compared {
    files: usize,
    differing: Vec<String>,
}

impl<'a> Verify<'a> {
    /// Compares every document of these plans with the file of its name, and prints what differs;
    /// the index too, where the plans are the `whole` of a profile.
    ///
    /// # Errors
    /// [`CliError`] where a file differs that no other version of the program explains.
    pub fn run(&self, plans: &'a [Plan], whole: bool) -> Result<Ending, CliError> {
        let outdated = self.outdated(plans)?;
        let mut compared = Compared::default();
        let mut briefs = Vec::new();
        // Of pages that another version made, a pack may lack what this one reads of their trials.
        for plan in plans.iter().filter(|plan| !outdated.contains(&plan.benchmark.id)) {
            briefs.push(self.one(plan, &mut compared)?);
        }
        // The index shows every page.
        if whole && outdated.is_empty() {
            self.index(plans, &briefs, &mut compared)?;
        }
        self.end(&compared)
    }

    /// The same for the benchmarks that a pack was made for. It does not name them: they are those
    /// of which it has every trial. Of several that share all their trials, it may have been made
    /// for some.
    ///
    /// # Errors
    /// As [`Verify::run`], and where there is no such benchmark.
    pub fn packed(&self, plans: &'a [Plan], whole: bool) -> Result<Ending, CliError> {
        let pack = self.store.root().display();
        let held = self.held(plans)?;
        let outdated = self.outdated(held.iter().copied())?;
        let mut compared = Compared::default();
        let (mut verified, mut briefs, mut others) = (Vec::new(), Vec::new(), Vec::new());
        for plan in held.into_iter().filter(|plan| !outdated.contains(&plan.benchmark.id)) {
            match self.one(plan, &mut compared) {
                Err(CliError::Report(error)) if error.is_not_packed() => others.push((plan, error)),
                end => {
                    briefs.push(end?);
                    verified.push(plan);
                }
            }
        }
        // Its trials are there because those of a verified benchmark are; else the pack lacks what
        // its own pages need.
        let shown: HashSet<TrialKey> =
            trials(verified.iter().copied()).into_iter().map(|trial| trial.key).collect();
        for (plan, error) in others {
            if !trials([plan]).iter().all(|trial| shown.contains(&trial.key)) {
                return Err(error.into());
            }
            print(&format!(
                "not verified: {}: {pack} was made for other pages of its trials\n",
                plan.benchmark.id
            ))?;
        }
        if verified.is_empty() {
            return Err(CliError::Other(format!(
                "{pack} has all trials of no benchmark in this profile: choose another --profile, \
                 or name benchmarks"
            )));
        }
        let ids: Vec<&str> = verified.iter().map(|plan| plan.benchmark.id.as_str()).collect();
        print(&format!("verified: {}\n", ids.join(", ")))?;
        if whole && verified.len() == plans.len() && outdated.is_empty() {
            self.index(plans, &briefs, &mut compared)?;
        }
        self.end(&compared)
    }

    /// The plans of which the pack has every trial; those of which it has some are named.
    fn held(&self, plans: &'a [Plan]) -> Result<Vec<&'a Plan>, CliError> {
        let is_known = |key: &TrialKey| {
            Ok::<bool, StoreError>(
                self.store.find(key)? != Found::Absent || self.store.failure(key)?.is_some(),
            )
        };
        let mut held = Vec::new();
        for plan in plans {
            let keys = trials([plan]);
            let mut known = 0;
            for trial in &keys {
                known += usize::from(is_known(&trial.key)?);
            }
            match known {
                0 => {}
                known if known == keys.len() => held.push(plan),
                known => print(&format!(
                    "not verified: {}, of which {} has {known} of {} trials\n",
                    plan.benchmark.id,
                    self.store.root().display(),
                    keys.len()
                ))?,
            }
        }
        Ok(held)
    }

    /// Names the pages that another version of the program made, and returns their benchmarks.
    fn outdated<'p>(
        &self,
        plans: impl IntoIterator<Item = &'p Plan>,
    ) -> Result<BTreeSet<String>, CliError> {
        let stale = stale(plans, self.store)?;
        for (page, trials) in &stale {
            print(&format!(
                "stale: {}.md: {} ({})\n",
                page.benchmark,
                page.reason,
                counted(*trials, "trial")
            ))?;
        }
        Ok(stale.into_keys().map(|page| page.benchmark).collect())
    }

    /// Compares the pages of one benchmark.
    fn one(&self, plan: &Plan, compared: &mut Compared) -> Result<Brief, CliError> {
        let Rendered { documents, brief, .. } = render_one(plan, self.store, self.pool)?;
        compared.add(&documents, self.output);
        Ok(brief)
    }

    /// Compares the index of these plans.
    fn index(
        &self,
        plans: &[Plan],
        briefs: &[Brief],
        compared: &mut Compared,
    ) -> Result<(), CliError> {
        let briefs: Vec<&Brief> = briefs.iter().collect();
        compared.add(&render_index(plans, &briefs, &run_line(plans, self.store)?), self.output);
        Ok(())
    }

    /// Says what differs.
    fn end(&self, Compared { files, differing }: &Compared) -> Result<Ending, CliError> {
        let (files, folder, root) =
            (counted(*files, "file"), self.output.folder.display(), self.store.root().display());
        if !differing.is_empty() {
            return Err(CliError::Other(format!(
                "{} of {files} in {folder} are not what {root} renders: {}; write them again by \
                 the same command without --verify",
                differing.len(),
                differing.join(", ")
            )));
        }
        print(&format!("{files} in {folder} are what {root} renders\n"))?;
        Ok(with_damage(Ending::Done, &[self.store]))
    }
}

impl Compared {
    fn add(&mut self, documents: &[Document], output: &Output) {
        let path = |document: &Document| output.folder.join(&document.name);
        let same = |document: &&Document| {
            let bytes = read_regular(&path(document), document.bytes.len() as u64);
            bytes.is_ok_and(|bytes| bytes == document.bytes)
        };
        let written: Vec<&Document> =
            documents.iter().filter(|document| output.has(&document.name)).collect();
        self.files += written.len();
        self.differing.extend(written.iter().filter(|one| !same(one)).map(|one| one.name.clone()));
    }
}
