//! Divide the trials of a plan among machines: a fixed list, balanced by cost, in a file.
//!
//! A store that all machines reach is the only record of what is done: a shard runs those of its
//! trials that the store lacks, so that a shard that is started again continues. The file says
//! which trials there are, not which are done.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use super::costs::{Costs, microseconds};
use super::key::TrialKey;
use super::plan::{Plan, Planned, trials};
use super::record::{open_seal, sealed};
use crate::benchmark::Profile;
use uqbench_system::named_file::read_named;
use uqbench_system::program::Program;

/// The format that this program writes, and the newest one that it reads.
pub const SHARDS_FORMAT: u64 = 1;

/// Most bytes of a file.
const LARGEST_PLAN: u64 = 1 << 30;

/// Largest number of shards.
pub const MOST_SHARDS: usize = 10_000;

/// The choice of trials that a file of shards was made from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    /// Benchmarks, by name or as TOML files; none means all.
    pub benchmarks: Vec<String>,
    /// The profile.
    pub profile: Profile,
    /// Datasets by key; none means the profile's.
    pub datasets: Vec<String>,
    /// Methods by registry name; none means all.
    pub methods: Vec<String>,
    /// Number of splits; absent means the profile's.
    pub splits: Option<u64>,
}

/// A trial of a shard: its key, and its expected processor time in seconds.
pub type Assigned = (TrialKey, f64);

/// A fixed list of trials, divided into shards.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shards {
    /// Version of this file's format.
    pub format: u64,
    /// The program that wrote it.
    pub program: String,
    /// The choice of trials.
    pub choice: Choice,
    /// The trials of each shard, the longest first.
    pub shards: Vec<Vec<Assigned>>,
}

/// Why a file of shards cannot be used.
#[derive(Debug, Error)]
pub enum ShardsError {
    /// It cannot be read, or is none.
    #[error("{path}: {why}")]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// A newer program wrote it.
    #[error(
        "{path} has format {found}, and this program reads formats up to {SHARDS_FORMAT}; use the \
         program that wrote it"
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: u64,
    },
    /// This program plans other trials.
    #[error(
        "{path} was written by {program}, and this program ({here}) plans other trials for it: \
         {lacking} of {count} trials of the file do not exist here, and {added} others do. A \
         method, a dataset or a benchmark file has changed since. Use the program and the files \
         that the plan was made with, or write a new plan"
    )]
    Other {
        /// The file.
        path: PathBuf,
        /// The program that wrote it.
        program: String,
        /// This program.
        here: Program,
        /// Trials of the file that this program does not plan.
        lacking: usize,
        /// Trials of the file.
        count: usize,
        /// Trials that this program plans and the file lacks.
        added: usize,
    },
}

/// Divides `costs` among `count` shards, in the order of the list: each goes to the shard with the
/// least work so far, of equals to the one with the fewest trials, of these to the first. With the
/// longest first, no shard has more than 4/3 − 1/(3 `count`) of the work of the largest one in the
/// best division (R. L. Graham, 1969: Bounds on multiprocessing timing anomalies).
fn balance(costs: impl IntoIterator<Item = u64>, count: usize) -> Vec<usize> {
    let mut free: BinaryHeap<Reverse<(u64, usize, usize)>> =
        (0..count).map(|shard| Reverse((0, 0, shard))).collect();
    let assign = |cost: u64| {
        let Reverse((work, trials, shard)) = free.pop().unwrap_or(Reverse((0, 0, 0)));
        free.push(Reverse((work.saturating_add(cost), trials + 1, shard)));
        shard
    };
    costs.into_iter().map(assign).collect()
}

impl Shards {
    /// Divides the trials of the plans among `count` shards, at least one. Trials in `stored` cost
    /// nothing any more.
    pub fn new(
        choice: Choice,
        plans: &[Plan],
        costs: &Costs,
        stored: &HashSet<TrialKey>,
        count: usize,
    ) -> Self {
        let mut all = trials(plans);
        costs.longest_first(&mut all);
        // Trials that have yet to run come first, so that those in the store fill the gaps in the
        // numbers.
        all.sort_by_key(|trial| stored.contains(&trial.key));
        let seconds: Vec<f64> = all.iter().map(|trial| costs.of_trial(trial).seconds).collect();
        let left = |(trial, seconds): (&Planned, &f64)| {
            if stored.contains(&trial.key) { 0 } else { microseconds(*seconds) }
        };
        let count = count.max(1);
        let places = balance(all.iter().zip(&seconds).map(left), count);
        let mut shards = vec![Vec::new(); count];
        for ((trial, seconds), place) in all.iter().zip(seconds).zip(places) {
            // Milliseconds are more than a cost is known to.
            shards[place].push((trial.key.clone(), (seconds * 1e3).round() / 1e3));
        }
        Self { format: SHARDS_FORMAT, program: Program::this().to_string(), choice, shards }
    }

    /// The bytes of the file, with a checksum.
    ///
    /// # Errors
    /// A message where they have no JSON form.
    pub fn bytes(&self) -> Result<Vec<u8>, String> {
        serde_json::to_vec(self).map(|body| sealed(&body)).map_err(|error| error.to_string())
    }

    /// Reads a file.
    ///
    /// # Errors
    /// [`ShardsError::Foreign`] for a file that is no plan or is damaged, [`ShardsError::Newer`]
    /// for one of a newer program.
    pub fn read(path: &Path) -> Result<Self, ShardsError> {
        let foreign = |why: String| ShardsError::Foreign { path: path.into(), why };
        let bytes = read_named(path, LARGEST_PLAN)
            .map_err(|error| foreign(format!("it cannot be read: {error}")))?;
        let body = open_seal(&bytes)
            .map_err(|why| foreign(format!("it is no plan, or is damaged: {why}")))?;
        let stated: Value = serde_json::from_slice(body)
            .map_err(|error| foreign(format!("it is no plan: {error}")))?;
        match stated["format"].as_u64() {
            Some(found) if found > SHARDS_FORMAT => {
                return Err(ShardsError::Newer { path: path.into(), found });
            }
            Some(SHARDS_FORMAT) => {}
            _ => return Err(foreign("it is no plan: it states no format".into())),
        }
        let shards: Self = serde_json::from_value(stated)
            .map_err(|error| foreign(format!("it is no plan: {error}")))?;
        let mut seen = HashSet::new();
        if let Some((twice, _)) = shards.shards.iter().flatten().find(|(key, _)| !seen.insert(key))
        {
            return Err(foreign(format!("it is no plan: it has trial {twice} twice")));
        }
        if shards.shards.is_empty() || shards.shards.len() > MOST_SHARDS {
            return Err(foreign(format!("it is no plan: it has {} shards", shards.shards.len())));
        }
        Ok(shards)
    }

    /// The trials of each shard, as the plans have them.
    ///
    /// # Errors
    /// [`ShardsError::Other`] unless the plans have exactly the trials of the file, which was read
    /// from `path`.
    pub fn find<'a>(
        &self,
        plans: &'a [Plan],
        path: &Path,
    ) -> Result<Vec<Vec<Planned<'a>>>, ShardsError> {
        let mut planned: HashMap<TrialKey, Planned> =
            trials(plans).into_iter().map(|trial| (trial.key.clone(), trial)).collect();
        let (count, known) = (self.shards.iter().map(Vec::len).sum::<usize>(), planned.len());
        let mut find = |shard: &Vec<Assigned>| {
            shard.iter().filter_map(|(key, _)| planned.remove(key)).collect()
        };
        let found: Vec<Vec<Planned>> = self.shards.iter().map(&mut find).collect();
        let matched = found.iter().map(Vec::len).sum::<usize>();
        if (matched, matched) == (count, known) {
            return Ok(found);
        }
        let (path, program) = (path.into(), self.program.clone());
        let (lacking, added) = (count - matched, known - matched);
        Err(ShardsError::Other { path, program, here: Program::this(), lacking, count, added })
    }
}

/// Variables in which schedulers tell a task of an array its number: Slurm, Grid Engine, PBS
/// Professional, Torque, LSF.
pub const TASK_VARIABLES: [&str; 5] =
    ["SLURM_ARRAY_TASK_ID", "SGE_TASK_ID", "PBS_ARRAY_INDEX", "PBS_ARRAYID", "LSB_JOBINDEX"];

/// Why it is not known which shard is meant.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ShardNumberError {
    /// The given one is none of them.
    #[error(
        "the shard {given}: the plan has {count} shards, expected 1/{count} to {count}/{count}"
    )]
    Given {
        /// What was given.
        given: String,
        /// Number of shards.
        count: usize,
    },
    /// The number of the scheduler's task is none of them.
    #[error(
        "{variable} is {text}, and the plan has {count} shards: submit an array of tasks from 1 to \
         {count}"
    )]
    Task {
        /// The variable of the scheduler.
        variable: &'static str,
        /// Its text.
        text: String,
        /// Number of shards.
        count: usize,
    },
    /// Nothing says which one.
    #[error("which shard? The plan has {count}, and no scheduler sets one of {}", TASK_VARIABLES.join(", "))]
    Unstated {
        /// Number of shards.
        count: usize,
    },
}

/// The number of a shard among `count`, from 1: the given one as `I/N`, or that of the scheduler's
/// task.
///
/// # Errors
/// [`ShardNumberError`]: there is neither, or it is no number from 1 to `count`.
pub fn shard_number(
    given: Option<&str>,
    variable: impl Fn(&str) -> Option<String>,
    count: usize,
) -> Result<usize, ShardNumberError> {
    let in_range =
        |text: &str| text.parse::<usize>().ok().filter(|number| (1..=count).contains(number));
    if let Some(given) = given {
        let number = given
            .split_once('/')
            .filter(|(_, of)| of.parse() == Ok(count))
            .and_then(|(i, _)| in_range(i));
        return number.ok_or_else(|| ShardNumberError::Given { given: given.into(), count });
    }
    // Grid Engine and LSF state a task that belongs to no array as `undefined` and 0.
    let set = TASK_VARIABLES.iter().filter_map(|name| Some((*name, variable(name)?)));
    let is_task = |(name, text): &(&str, String)| {
        (*name, text.as_str()) != ("SGE_TASK_ID", "undefined")
            && (*name, text.as_str()) != ("LSB_JOBINDEX", "0")
    };
    match set.into_iter().find(is_task) {
        Some((variable, text)) => in_range(&text).ok_or_else(|| ShardNumberError::Task {
            variable,
            text: text.clone(),
            count,
        }),
        None if count == 1 => Ok(1),
        None => Err(ShardNumberError::Unstated { count }),
    }
}

#[cfg(test)]
mod tests;
