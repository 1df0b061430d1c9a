//! Say what trials will cost, from a table of what such trials have cost.
//!
//! `benchmarks/costs.csv` belongs to the program. It has a row for each profile, benchmark, dataset
//! and row of methods that was measured. `uqbench dev costs STORE` writes it anew. A trial without a
//! row of its own gets the mean of the rows that are most like it: of the same method, and then of
//! the same heading, of the same dataset, of the same profile, of the same benchmark, in this order
//! of weight. A method without any row gets [`UNKNOWN_SECONDS`]. A method about another one, of which
//! no row has the trial's heading, gets at least the cost of the fits inside it.
//!
//! Rows of another profile are scaled first, because its settings and its numbers of rows are
//! others: their times are multiplied by the ratio of the two profiles' times. It is that of the
//! method, the geometric mean over all pairs of its rows that differ in the profile alone; where
//! there is no such pair, that over all methods; and 1 where no method has one. Memory is not
//! scaled.

mod ratios;

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use self::ratios::Ratios;
use super::plan::{Plan, Planned, trials};
use super::store::{Store, StoreError};
use crate::benchmark::Profile;
use crate::external;
use uqbench_system::carried::text;

/// Processor time of a trial whose method has no row in the table, in seconds.
pub const UNKNOWN_SECONDS: f64 = 10.0;

/// Processor time of a trial beside its fit and its predictions, for its data, its scores and the
/// store, in seconds.
const BESIDE: f64 = 0.02;

/// The table that the program carries.
const SHIPPED: &str = "benchmarks/costs.csv";

/// A row: what the trials of one row of methods on one dataset of a benchmark cost under a profile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CostRow {
    /// The profile.
    pub profile: Profile,
    /// The benchmark's name.
    pub benchmark: String,
    /// The dataset's key.
    pub dataset: String,
    /// The method's name in the registry.
    pub method: String,
    /// The heading of the method's first column, because a method's settings decide what it costs.
    pub heading: String,
    /// Number of trials that were measured.
    pub trials: usize,
    /// Mean processor time of a trial: its fit and its predictions, in seconds.
    pub seconds: f64,
    /// Largest processor time of a trial, in seconds.
    pub longest: f64,
    /// Largest resident memory of a trial's process in MiB, where one was measured.
    pub memory_mib: Option<u64>,
}

/// How the cost of a trial is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Known {
    /// Such trials were measured.
    Measured,
    /// Other trials of the method under the same profile were measured.
    Alike,
    /// Trials of the method were measured under another profile, and scaled to this one.
    Scaled,
    /// No trial of the method was measured.
    Unknown,
}

/// The expected cost of a trial.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// Expected processor time in seconds.
    pub seconds: f64,
    /// Largest processor time of such a trial, in seconds.
    pub longest: f64,
    /// Largest resident memory in MiB, where one was measured.
    pub memory_mib: Option<u64>,
    /// How it is known.
    pub known: Known,
}

/// A table of costs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Costs {
    by_method: BTreeMap<String, Vec<CostRow>>,
    ratios: Ratios,
}

/// The table cannot be read or written.
#[derive(Debug, Error)]
#[error("the table of costs: {0}")]
pub struct CostsError(String);

impl From<csv::Error> for CostsError {
    fn from(error: csv::Error) -> Self {
        Self(error.to_string())
    }
}

impl Costs {
    /// The table of the program.
    ///
    /// # Errors
    /// [`CostsError`] for a row that is no row of costs; a test reads them all.
    pub fn shipped() -> Result<&'static Self, CostsError> {
        static TABLE: LazyLock<Result<Costs, String>> = LazyLock::new(|| {
            Costs::parse(text(SHIPPED).ok_or("this program carries no table of costs")?)
                .map_err(|CostsError(why)| why)
        });
        TABLE.as_ref().map_err(|why| CostsError(why.clone()))
    }

    /// Reads a table.
    ///
    /// # Errors
    /// [`CostsError`] naming the first line that is no row, and for a time that is negative or not
    /// finite.
    pub fn parse(text: &str) -> Result<Self, CostsError> {
        let rows: Vec<CostRow> =
            csv::Reader::from_reader(text.as_bytes()).deserialize().collect::<Result<_, _>>()?;
        let is_time = |seconds: f64| seconds.is_finite() && seconds >= 0.0;
        if let Some(row) = rows.iter().find(|row| !is_time(row.seconds) || !is_time(row.longest)) {
            return Err(CostsError(format!(
                "a time of {} on {} is negative or not finite",
                row.method, row.dataset
            )));
        }
        Ok(Self::of(rows))
    }

    fn of(rows: impl IntoIterator<Item = CostRow>) -> Self {
        let mut by_method: BTreeMap<String, Vec<CostRow>> = BTreeMap::new();
        rows.into_iter().for_each(|row| by_method.entry(row.method.clone()).or_default().push(row));
        let ratios = Ratios::of(&by_method);
        Self { by_method, ratios }
    }

    /// The table as text: the rows in the order of profile, benchmark, dataset, method and heading.
    ///
    /// # Errors
    /// [`CostsError`] where a row cannot be written.
    pub fn text(&self) -> Result<String, CostsError> {
        let mut rows: Vec<&CostRow> = self.by_method.values().flatten().collect();
        rows.sort_by_key(|row| {
            (row.profile, &row.benchmark, &row.dataset, &row.method, &row.heading)
        });
        let mut writer = csv::Writer::from_writer(Vec::new());
        rows.into_iter().try_for_each(|row| writer.serialize(row))?;
        let bytes = writer.into_inner().map_err(|error| CostsError(error.to_string()))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The expected cost of a trial. What a method about another one costs is decided by that one:
    /// where no row has the trial's heading, the cost is at least that of the fits inside it.
    pub fn of_trial(&self, trial: &Planned) -> Cost {
        let template = &trial.experiment.template;
        let heading = trial.experiment.method.heading();
        let has_row = |rows: &Vec<CostRow>| rows.iter().any(|row| row.heading == heading);
        let own = self.of_method(trial, &template.method, heading);
        if self.by_method.get(&template.method).is_some_and(has_row) {
            return own;
        }
        let parameters: &Value = &template.parameters;
        match self.of_inner(trial, parameters) {
            Some(inner) if inner.seconds > own.seconds || own.known == Known::Unknown => inner,
            _ => own,
        }
    }

    /// The cost of the fits of the method inside a method of these parameters; `None` where there is
    /// none inside.
    fn of_inner(&self, trial: &Planned, parameters: &Value) -> Option<Cost> {
        let inner = parameters.get("method")?;
        let id = inner.get("id")?.as_str()?;
        let deeper = inner.get("parameters").and_then(|inner| self.of_inner(trial, inner));
        let once = deeper.unwrap_or_else(|| self.of_method(trial, id, ""));
        let fits = fits_inside(parameters);
        Some(Cost {
            seconds: fits * once.seconds,
            longest: fits * once.longest,
            memory_mib: once.memory_mib,
            known: if once.known == Known::Measured { Known::Alike } else { once.known },
        })
    }

    /// The cost of a fit of this method under this heading, by the rows that are most like it.
    fn of_method(&self, trial: &Planned, method: &str, heading: &str) -> Cost {
        let template = &trial.experiment.template;
        let likeness = |row: &CostRow| {
            (
                row.heading == heading,
                row.dataset == template.dataset,
                row.profile == trial.plan.profile,
                row.benchmark == trial.plan.benchmark.id,
            )
        };
        let rows = self.by_method.get(method).map_or(&[][..], Vec::as_slice);
        let Some(most) = rows.iter().map(likeness).max() else {
            return Cost {
                seconds: UNKNOWN_SECONDS,
                longest: UNKNOWN_SECONDS,
                memory_mib: None,
                known: Known::Unknown,
            };
        };
        let alike: Vec<&CostRow> = rows.iter().filter(|row| likeness(row) == most).collect();
        let ratio =
            |row: &CostRow| self.ratios.ratio(&row.method, (row.profile, trial.plan.profile));
        Cost {
            seconds: BESIDE
                + alike.iter().map(|row| row.seconds * ratio(row)).sum::<f64>()
                    / alike.len() as f64,
            longest: BESIDE + alike.iter().map(|row| row.longest * ratio(row)).fold(0.0, f64::max),
            memory_mib: alike.iter().filter_map(|row| row.memory_mib).max(),
            known: match most {
                (true, true, true, true) => Known::Measured,
                (_, _, true, _) => Known::Alike,
                (_, _, false, _) => Known::Scaled,
            },
        }
    }

    /// Sorts trials by their expected time, the longest first, so that no long trial is left for
    /// the end. Trials of equal times keep their order.
    pub fn longest_first(&self, trials: &mut [Planned]) {
        trials.sort_by_cached_key(|trial| Reverse(microseconds(self.of_trial(trial).seconds)));
    }

    /// This table with the times that a store has of the plans' trials, in place of older rows.
    /// Trials of external methods are left out, because their programs are not part of this one.
    ///
    /// # Errors
    /// [`StoreError`] where the store cannot be read.
    pub fn renewed(&self, plans: &[Plan], store: &Store) -> Result<Self, StoreError> {
        let mut measured: BTreeMap<Group, CostRow> = BTreeMap::new();
        for plan in plans {
            for trial in trials([plan]) {
                let template = &trial.experiment.template;
                let Some(provenance) =
                    store.provenance(&trial.key)?.filter(|_| template.method != external::ID)
                else {
                    continue;
                };
                let steps = match template.protocol.kind().kept_steps() {
                    0 => Some(0.0),
                    _ => provenance.steps_cpu_seconds,
                };
                // A trial from before its steps were timed does not say what it cost.
                let Some(steps) = steps else { continue };
                let fit = provenance.fit_cpu_seconds.unwrap_or(provenance.fit_seconds);
                let seconds = fit + steps + provenance.predict_seconds;
                let row = CostRow {
                    profile: plan.profile,
                    benchmark: plan.benchmark.id.clone(),
                    dataset: template.dataset.clone(),
                    method: template.method.clone(),
                    heading: trial.experiment.method.heading().to_owned(),
                    trials: 1,
                    seconds,
                    longest: seconds,
                    memory_mib: provenance.peak_memory.map(|bytes| bytes.div_ceil(1 << 20)),
                };
                measured.entry(group(&row)).and_modify(|known| known.add(&row)).or_insert(row);
            }
        }
        measured.values_mut().for_each(CostRow::round);
        let older = self
            .by_method
            .values()
            .flatten()
            .filter(|row| !measured.contains_key(&group(row)))
            .cloned();
        Ok(Self::of(older.chain(measured.values().cloned()).collect::<Vec<_>>()))
    }
}

/// How many fits of the method inside it a method of these parameters makes: one for each setting of
/// a grid and each fold, and one of all rows.
fn fits_inside(parameters: &Value) -> f64 {
    let values = |axis: &Value| axis.get("values").unwrap_or(axis).as_array().map_or(1, Vec::len);
    let settings: usize = match parameters.get("grid") {
        Some(Value::Array(axes)) => axes.iter().map(values).product(),
        Some(Value::Object(axes)) => axes.values().map(values).product(),
        _ => 0,
    };
    let folds = parameters.get("folds").and_then(Value::as_u64).unwrap_or(1).max(1);
    let apart = match (settings, folds) {
        (0, 1) => 0.0,
        (settings, folds) => settings.max(1) as f64 * folds as f64,
    };
    1.0 + apart
}

/// What a row is about.
type Group = (Profile, String, String, String, String);

fn group(row: &CostRow) -> Group {
    (
        row.profile,
        row.benchmark.clone(),
        row.dataset.clone(),
        row.method.clone(),
        row.heading.clone(),
    )
}

impl CostRow {
    /// Adds the trials of another row of the same group.
    fn add(&mut self, other: &Self) {
        let (own, others) = (self.trials as f64, other.trials as f64);
        self.seconds = (self.seconds * own + other.seconds * others) / (own + others);
        self.longest = self.longest.max(other.longest);
        self.memory_mib = self.memory_mib.max(other.memory_mib);
        self.trials += other.trials;
    }

    /// Rounds times to milliseconds, because a committed table should not change in digits that are
    /// chance.
    fn round(&mut self) {
        let rounded = |seconds: f64| (seconds * 1e3).round() / 1e3;
        (self.seconds, self.longest) = (rounded(self.seconds), rounded(self.longest));
    }
}

/// Least share of the expected work that trials of the same profile have to tell, so that the work
/// is taken as known. Our choice: costs of other profiles may be far off.
const KNOWN_SHARE: f64 = 0.5;

/// Whether these costs tell how long the trials will take: every method was measured, and at least
/// half of the work is expected from trials of the same profile. No trials take no time, which is
/// known.
pub fn is_work_known(costs: &[Cost]) -> bool {
    let work = |is_counted: fn(Known) -> bool| {
        costs.iter().filter(|cost| is_counted(cost.known)).map(|cost| cost.seconds).sum::<f64>()
    };
    let same_profile = work(|known| matches!(known, Known::Measured | Known::Alike));
    costs.iter().all(|cost| cost.known != Known::Unknown)
        && same_profile >= KNOWN_SHARE * work(|_| true)
}

/// A time as a whole number, which has an order.
pub fn microseconds(seconds: f64) -> u64 {
    (seconds * 1e6) as u64
}

#[cfg(test)]
mod tests;
