//! Know pages that need not be rendered again, because nothing that they show has changed since they were written.
//!
//! A store keeps for each benchmark a stamp of all that its pages depend on: the bytes of this program, the benchmark and
//! the plan, the state of every trial and of what is derived from it. It keeps the hashes of the files that were written,
//! too, and what pages about several benchmarks show of this one. Where stamp and files are the same, so would the pages
//! be. Any doubt renders them again: a pack, a store that cannot be written, a damaged trial, a program whose file cannot
//! be read.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::brief::Brief;
use crate::data::sha256;
use crate::runner::plan::{Plan, trials};
use crate::runner::record::{seal, unseal};
use crate::runner::store::{Store, StoreError};
use crate::runner::tally::Standing;

/// Names of files below the folder of the report, each with the SHA-256 of its bytes.
pub type Files = Vec<(String, String)>;

/// What is known of a benchmark's pages as they were last written.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Known {
    stamp: String,
    /// Stamps of what is derived from the trials: rendering adds to it.
    derived: String,
    /// Its page, its CSV and its figures.
    pub files: Files,
    /// Its pages of the site.
    pub site: Files,
    /// What pages about several benchmarks show of it.
    pub brief: Brief,
    /// How its trials stand, in the order of the plan.
    pub standings: Vec<Standing>,
}

/// Of which folder's files a record is: with figures as PNG, or without.
fn name(plan: &Plan, png: bool) -> String {
    format!("{}-{}{}", plan.benchmark.id, plan.profile.as_str(), if png { "-png" } else { "" })
}

/// SHA-256 of the bytes of this program: two builds differ in it whatever their version says. `None` where they cannot be
/// read.
fn program() -> Option<&'static str> {
    static PROGRAM: OnceLock<Option<String>> = OnceLock::new();
    let bytes = || fs::read(std::env::current_exe().ok()?).ok();
    PROGRAM.get_or_init(|| bytes().map(|bytes| sha256(&bytes))).as_deref()
}

/// A hash of all that the pages of a plan depend on but what is derived from its trials. It is taken before they are
/// rendered. `None` where it cannot be told.
pub fn stamp(plan: &Plan, store: &Store) -> Option<String> {
    let mut text = format!("{} {:?} {:?}\n{:?}\n", program()?, plan.profile, plan.seeds, plan.benchmark);
    for experiment in plan.all_experiments() {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{} {} {:?}", experiment.dataset, experiment.splits, experiment.method);
    }
    let of_trials: Option<Vec<String>> = trials([plan]).par_iter().map(|trial| store.stamp(&trial.key)).collect();
    text += &of_trials?.concat();
    Some(sha256(text.as_bytes()))
}

fn derived_stamp(plan: &Plan, store: &Store) -> Option<String> {
    let all: Option<Vec<String>> = trials([plan]).par_iter().map(|trial| store.cache_stamp(&trial.key)).collect();
    Some(sha256(all?.join("\n").as_bytes()))
}

impl Known {
    /// What is known of the pages of a plan, if nothing has changed since they were written.
    pub fn read(plan: &Plan, store: &Store, png: bool) -> Option<Self> {
        let known: Self = unseal(&store.known_pages(&name(plan, png))?).ok()?;
        (stamp(plan, store)? == known.stamp && derived_stamp(plan, store)? == known.derived).then_some(known)
    }

    /// Whether all its files are in a folder as they were written. `site` has the hashes of those of the site, some of which
    /// are another benchmark's, without those that are about to be written.
    pub fn is_in(&self, folder: &Path, site: &BTreeMap<String, String>) -> bool {
        let is_there = |name: &str, hash: &str| fs::read(folder.join(name)).is_ok_and(|bytes| sha256(&bytes) == hash);
        self.files.iter().all(|(name, hash)| is_there(name, hash))
            && self.site.iter().all(|(name, _)| site.get(name).is_none_or(|hash| is_there(name, hash)))
    }
}

/// Pages that have just been written.
pub struct Fresh<'a> {
    /// What [`stamp`] was before they were rendered.
    pub stamp: Option<String>,
    /// Their page, CSV and figures.
    pub files: &'a Files,
    /// Their pages of the site.
    pub site: Files,
    /// What pages about several benchmarks show of them.
    pub brief: &'a Brief,
    /// How the trials stand, in the order of the plan.
    pub standings: &'a [Standing],
}

impl Fresh<'_> {
    /// Keeps what is known of these pages, if the store can be written.
    ///
    /// # Errors
    /// [`StoreError`], but for [`StoreError::Write`].
    pub fn keep(self, plan: &Plan, store: &Store, png: bool) -> Result<(), StoreError> {
        // A damaged trial has to be reported each time.
        let is_damaged = self.standings.iter().any(|standing| matches!(standing, Standing::Damaged(_)));
        let (Some(stamp), Some(derived), false) = (self.stamp, derived_stamp(plan, store), is_damaged) else {
            return Ok(());
        };
        let (files, brief, standings) = (self.files.clone(), self.brief.clone(), self.standings.to_vec());
        let Ok(sealed) = seal(&Known { stamp, derived, files, site: self.site, brief, standings }) else {
            return Ok(()); // the pages are written; next time they are rendered again
        };
        match store.keep_known_pages(&name(plan, png), sealed.as_bytes()) {
            Ok(()) | Err(StoreError::Write { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }
}
