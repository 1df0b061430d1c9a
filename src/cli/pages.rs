//! Write the pages of benchmarks, and leave those of which nothing has changed.

use std::collections::{BTreeMap, BTreeSet};

use rayon::ThreadPool;
use rayon::prelude::*;

use super::CliError;
use crate::data::sha256;
use crate::report::brief::Brief;
use crate::report::document::Document;
use crate::report::index::{Rendered, render_one};
use crate::report::unchanged::{Files, Fresh, Known, stamp};
use crate::report::write::Output;
use crate::runner::plan::{Plan, trials};
use crate::runner::store::Store;
use crate::runner::tally::Standing;
use crate::system::notice::say;

/// The pages of one benchmark in the folder of the report.
pub struct Written {
    /// What pages about several benchmarks show of it.
    pub brief: Brief,
    /// Its page, its CSV and its figures.
    pub files: Files,
    /// How its trials stand, in the order of the plan.
    pub standings: Vec<Standing>,
}

/// A benchmark whose page is written, and whose pages of the site are not.
pub struct New {
    written: Written,
    site: Vec<Document>,
    stamp: Option<String>,
}

/// Where pages come from and go to.
#[derive(Clone, Copy)]
pub struct Press<'a> {
    /// Their trials.
    pub store: &'a Store,
    /// Threads that render.
    pub pool: &'a ThreadPool,
    /// The folder of the report.
    pub out: &'a Output,
}

/// How one benchmark stands, while a report is written.
enum State {
    New(New),
    Known(Known),
}

impl Press<'_> {
    /// Renders one benchmark, writes its page and tells where it is.
    pub fn print(&self, plan: &Plan, tell: impl Fn(&str)) -> Result<New, CliError> {
        let stamp = self.pool.install(|| stamp(plan, self.store));
        let Rendered { documents, site, brief } = render_one(plan, self.store, self.pool)?;
        let files = self.out.write(&documents)?;
        let standings =
            trials([plan]).iter().map(|trial| Standing::of(self.store, &trial.key)).collect::<Result<_, _>>()?;
        let page = self.out.folder.join(format!("{}.md", plan.benchmark.id));
        tell(&format!("{}: wrote {}", plan.benchmark.id, page.display()));
        Ok(New { written: Written { brief, files, standings }, site, stamp })
    }

    /// Renders the plans that are not rendered yet and whose pages are not in the folder as they would be written, and writes
    /// all that is missing of their sites.
    pub fn print_rest(&self, plans: &[Plan], new: Vec<Option<New>>) -> Result<Vec<Written>, CliError> {
        let render = |plan: &Plan| self.print(plan, |line: &str| say(line)).map(State::New);
        let first = |(plan, new): (&Plan, Option<New>)| match new {
            Some(new) => Ok(State::New(new)),
            None => Known::read(plan, self.store, self.out.png)
                .map_or_else(|| render(plan), |known| Ok(State::Known(known))),
        };
        let states: Vec<State> =
            self.pool.install(|| plans.par_iter().zip(new).map(first).collect::<Result<_, _>>())?;
        let (_, of_site) = sites(&states);
        let on_disk =
            of_site.into_iter().filter(|(_, (_, is_new))| !is_new).map(|(name, (hash, _))| (name, hash)).collect();
        let second = |(plan, state): (&Plan, State)| match state {
            State::Known(known) if !known.is_in(&self.out.folder, &on_disk) => render(plan),
            state => Ok(state),
        };
        let states: Vec<State> =
            self.pool.install(|| plans.par_iter().zip(states).map(second).collect::<Result<_, _>>())?;
        let (sites, of_site) = sites(&states);
        let mut written_of_site = BTreeSet::new();
        let mut all = Vec::new();
        let mut unchanged = 0;
        for ((plan, state), site_files) in plans.iter().zip(states).zip(sites) {
            match state {
                State::Known(Known { brief, files, standings, .. }) => {
                    unchanged += 1;
                    all.push(Written { brief, files, standings });
                }
                State::New(New { written, site, stamp }) => {
                    for document in &site {
                        let is_first =
                            of_site.get(&document.name).is_none_or(|(hash, _)| *hash == sha256(&document.bytes));
                        if is_first && written_of_site.insert(document.name.clone()) {
                            self.out.write(std::slice::from_ref(document))?;
                        }
                    }
                    all.push(written);
                    let Some(Written { brief, files, standings }) = all.last() else { continue };
                    let fresh = Fresh { stamp, files, site: site_files, brief, standings };
                    fresh.keep(plan, self.store, self.out.png)?;
                }
            }
        }
        if unchanged > 0 {
            say(format!("{unchanged} of {} benchmarks: nothing has changed, their pages stay", plans.len()));
        }
        Ok(all)
    }
}

/// The files of each benchmark's site; and of every file the hash that it has in the folder, and whether it is still to be written.
/// One trial may belong to several tables. Its page is the same but for the way back, which is that of the first one.
fn sites(states: &[State]) -> (Vec<Files>, BTreeMap<String, (String, bool)>) {
    let sites: Vec<Files> = states.iter().map(State::site).collect();
    let mut first = BTreeMap::new();
    for (state, files) in states.iter().zip(&sites) {
        for (name, hash) in files {
            first.entry(name.clone()).or_insert_with(|| (hash.clone(), matches!(state, State::New(_))));
        }
    }
    (sites, first)
}

impl State {
    /// The files of its site.
    fn site(&self) -> Files {
        match self {
            Self::Known(known) => known.site.clone(),
            Self::New(new) => new.site.iter().map(|page| (page.name.clone(), sha256(&page.bytes))).collect(),
        }
    }
}
