//! Grade a trial that ran again beside the stored one of a pack.
//!
//! Compared is all that the pack states of a trial but where, when and how fast it ran: how it
//! ended, its counts and ranges, the bytes of its predictions and side tables by their hashes, its
//! scores bit by bit, and the side tables and reductions of predictions that the pack brings for
//! pages. The pack may state scores or tables that are not those of its own predictions, so that
//! equal bytes of predictions alone are not enough.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;
use serde_json::Value;

use crate::registry;
use crate::runner::cache::Cache;
use crate::runner::layout::{self, Decoded};
use crate::runner::numbers::numbers_sha256;
use crate::runner::outcome::Outcome;
use crate::runner::record::{Provenance, ROWS, SIDE_TABLES, TrialResult};
use crate::runner::scores::Scores;
use crate::runner::store::{Store, StoreError};
use uq_core::metrics::MetricId;
use uq_methods::side_tables::SideTable;
use uqbench_system::machine::fuses;

/// The largest relative difference on a processor without fused multiply-add: ten times the largest
/// one that was seen of a score or a side table in one trial of each of 40 methods on an emulated
/// one (docs/understand/determinism.md).
const UNFUSED: f64 = 1e-4;

/// A finished trial in a store or pack.
#[derive(Clone, Copy)]
pub struct Side<'a> {
    /// The store.
    pub store: &'a Store,
    /// The trial.
    pub result: &'a TrialResult,
}

/// How a trial that ran again compares with the stored one.
#[derive(Clone, Debug, PartialEq)]
pub enum Grade {
    /// All bytes are equal.
    EqualBytes,
    /// The bytes of a file differ, and all numbers in it are bit-equal.
    EqualNumbers(Basis),
    /// Numbers differ by no more than the method states.
    Within {
        /// The largest relative difference of a score.
        largest: f64,
        /// The largest one that the method states.
        tolerance: f64,
    },
    /// Something differs.
    Different(Vec<Difference>),
}

/// What shows that numbers are equal though bytes are not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// The hash of all numbers.
    Numbers,
    /// The scores alone: the pack has neither the predictions nor the hash of their numbers.
    Scores,
}

/// Something that differs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// What it is.
    pub what: String,
    /// As the pack states it.
    pub stored: String,
    /// As it is now.
    pub here: String,
    /// |here − stored| over the larger one of both; `None` where they are no finite numbers.
    pub relative: Option<f64>,
}

impl Difference {
    fn of_words(
        what: impl Into<String>,
        stored: impl fmt::Display,
        here: impl fmt::Display,
    ) -> Self {
        Self {
            what: what.into(),
            stored: stored.to_string(),
            here: here.to_string(),
            relative: None,
        }
    }

    fn of_numbers(what: impl Into<String>, stored: Option<f64>, here: Option<f64>) -> Self {
        let word =
            |number: Option<f64>| number.map_or("undefined".into(), |number| format!("{number:e}"));
        let finite = stored.zip(here).filter(|(a, b)| a.is_finite() && b.is_finite());
        let relative = finite.map(|(a, b)| (a - b).abs() / a.abs().max(b.abs()));
        Self { what: what.into(), stored: word(stored), here: word(here), relative }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, stored, here, relative } = self;
        write!(f, "{what}: {stored} in the pack, {here} here")?;
        relative.map_or(Ok(()), |relative| write!(f, " (relative difference {relative:.1e})"))
    }
}

impl Grade {
    /// In words.
    pub fn word(&self) -> &'static str {
        match self {
            Self::EqualBytes => "equal bytes",
            Self::EqualNumbers(Basis::Numbers) => "equal numbers",
            Self::EqualNumbers(Basis::Scores) => "equal scores",
            Self::Within { .. } => "within the tolerance",
            Self::Different(_) => "different",
        }
    }

    /// Whether the trial is confirmed.
    pub fn is_confirmed(&self) -> bool {
        !matches!(self, Self::Different(_))
    }
}

/// Grades a trial that ran `here` beside the `stored` one of a pack.
///
/// # Errors
/// [`StoreError`] where one of both cannot be read.
pub fn compare(stored: Side, here: Side) -> Result<Grade, StoreError> {
    if stored.result.outcome.word() != here.result.outcome.word() {
        let [before, now] = [stored, here].map(|side| words(&side.result.outcome));
        return Ok(Grade::Different(vec![Difference::of_words("how it ended", before, now)]));
    }
    let mut found = of_results(stored.result, here.result);
    found.extend(of_tables(stored, here)?);
    let (known, of_caches) = of_caches(stored, here)?;
    found.extend(of_caches);
    let changed: Vec<&String> = stored
        .result
        .files
        .iter()
        .filter(|(n, s)| here.result.files.get(*n) != Some(s))
        .map(|(n, _)| n)
        .collect();
    if found.is_empty()
        && changed.is_empty()
        && stored.result.files.len() == here.result.files.len()
    {
        return Ok(Grade::EqualBytes);
    }
    if found.is_empty() {
        let of_stored = numbers(stored)?;
        match (&of_stored, numbers(here)?) {
            (Some(before), Some(now)) if *before == now => {
                return Ok(Grade::EqualNumbers(Basis::Numbers));
            }
            (None, _) if known > 0 && changed.iter().all(|name| *name == ROWS) => {
                return Ok(Grade::EqualNumbers(Basis::Scores));
            }
            _ => {}
        }
        let names = changed.into_iter().map(String::as_str).collect::<Vec<_>>().join(", ");
        found.push(Difference::of_words(format!("numbers of {names}"), "others", "others"));
    }
    let method = registry::build(&here.result.spec.method, &here.result.spec.parameters).ok();
    let tolerance = tolerance(method.and_then(|method| method.facts().tolerance), fuses());
    let largest = found.iter().map(|one| one.relative).collect::<Option<Vec<f64>>>();
    let largest = largest.map(|all| all.into_iter().fold(0.0, f64::max));
    Ok(match largest.zip(tolerance) {
        Some((largest, tolerance)) if largest <= tolerance => Grade::Within { largest, tolerance },
        _ => Grade::Different(found),
    })
}

/// The largest relative difference that is not called one: of a method that promises no bits the
/// one that it states, and of all methods where products of matrices round otherwise than in the
/// pack.
fn tolerance(of_method: Option<f64>, fuses: bool) -> Option<f64> {
    let of_processor = (!fuses).then_some(UNFUSED);
    of_method.into_iter().chain(of_processor).reduce(f64::max)
}

/// How it ended, with the reason.
fn words(outcome: &Outcome) -> String {
    outcome
        .reason()
        .map_or_else(|| outcome.word().into(), |why| format!("{}: {why}", outcome.word()))
}

/// What differs in the records besides the hashes of files.
fn of_results(stored: &TrialResult, here: &TrialResult) -> Vec<Difference> {
    let mut found = Vec::new();
    let range = |result: &TrialResult, high: bool| {
        result.target_range.map(|(a, b)| if high { b } else { a })
    };
    for (what, before, now) in [
        ("smallest target", range(stored, false), range(here, false)),
        ("largest target", range(stored, true), range(here, true)),
        ("distance between neighbouring targets", stored.target_resolution, here.target_resolution),
        ("training rows", Some(stored.train_rows as f64), Some(here.train_rows as f64)),
        ("test rows", Some(stored.test_rows as f64), Some(here.test_rows as f64)),
    ] {
        if before.map(f64::to_bits) != now.map(f64::to_bits) {
            found.push(Difference::of_numbers(what, before, now));
        }
    }
    if stored.layout != here.layout {
        found.push(Difference::of_words("form of the predictions", "another", "another"));
    }
    found
}

/// What differs in the side tables that the pack has.
fn of_tables(stored: Side, here: Side) -> Result<Vec<Difference>, StoreError> {
    let before = stored.store.tables_at_hand(stored.result)?;
    if before.is_empty() {
        return Ok(Vec::new());
    }
    let now = here.store.tables_at_hand(here.result)?;
    Ok(before
        .iter()
        .filter_map(|table| of_table(table, now.iter().find(|other| other.name == table.name)))
        .collect())
}

fn of_table(stored: &SideTable, here: Option<&SideTable>) -> Option<Difference> {
    let name = &stored.name;
    let Some(here) = here else {
        return Some(Difference::of_words(format!("side table `{name}`"), "there", "absent"));
    };
    let shape = |table: &SideTable| {
        table.columns.iter().map(|(name, all)| (name.clone(), all.len())).collect::<Vec<_>>()
    };
    if shape(stored) != shape(here) {
        return Some(Difference::of_words(
            format!("columns of the side table `{name}`"),
            "others",
            "others",
        ));
    }
    let numbers = stored.columns.iter().zip(&here.columns).flat_map(|((column, a), (_, b))| {
        a.iter().zip(b).enumerate().map(move |(row, (a, b))| (column, row, *a, *b))
    });
    // What is not finite is stored as null.
    let differs = |a: f64, b: f64| a.to_bits() != b.to_bits() && (a.is_finite() || b.is_finite());
    let mut differing = numbers.filter(|&(_, _, a, b)| differs(a, b));
    differing.next().map(|(column, row, a, b)| {
        Difference::of_numbers(
            format!("side table `{name}`, column {column}, row {}", row + 1),
            Some(a),
            Some(b),
        )
    })
}

/// The number of scores that the pack states, and what differs in these and in its reductions of
/// predictions.
fn of_caches(stored: Side, here: Side) -> Result<(usize, Vec<Difference>), StoreError> {
    let cache = |side: Side| {
        let sealed = side.store.derived(&side.result.key)?;
        Ok::<_, StoreError>(sealed.and_then(|sealed| Cache::of_trial(side.result, &sealed)))
    };
    let Some(before) = cache(stored)?.filter(|_| stored.result.outcome == Outcome::Ok) else {
        return Ok((0, Vec::new()));
    };
    let metrics: Vec<MetricId> =
        before.scores.metrics().into_iter().filter(|metric| !metric.is_cost()).collect();
    let provenance: Option<Provenance> = here.store.provenance(&here.result.key)?;
    let mut now = Scores::default();
    now.extend_decoded(here.result, decoded(here)?, provenance.as_ref(), &metrics);
    let (mut known, mut found) = (0, Vec::new());
    for reading in here.result.layout.readings() {
        for metric in &metrics {
            let (Some(a), Some(b)) = (before.scores.get(reading, metric), now.get(reading, metric))
            else {
                continue;
            };
            known += 1;
            if a.map(f64::to_bits) != b.map(f64::to_bits) && !was_undefined(metric, a) {
                found.push(Difference::of_numbers(format!("{metric} of {reading}"), a, b));
            }
        }
    }
    let reduced: BTreeMap<String, Value> =
        cache(here)?.map(|cache| cache.reduced).unwrap_or_default();
    for (name, a) in &before.reduced {
        if reduced.get(name).is_some_and(|b| a != b) {
            found.push(Difference::of_words(
                format!("what pages show of its predictions, `{name}`"),
                "others",
                "others",
            ));
        }
    }
    Ok((known, found))
}

/// Programs before this one called a log-likelihood undefined wherever a component had the variance
/// 0.
fn was_undefined(metric: &MetricId, stored: Option<f64>) -> bool {
    stored.is_none() && matches!(metric, MetricId::LogLikelihood(_) | MetricId::Nlpd(_))
}

/// The predictions of a trial that ran here.
fn decoded(side: Side) -> Result<Decoded, StoreError> {
    let damaged = |message| StoreError::Damaged { key: side.result.key.clone(), message };
    let rows = side.store.stamped(side.result, ROWS)?;
    layout::decode(&side.result.layout, &rows)
        .and_then(|decoded| decoded.checked(side.result.test_rows))
        .map_err(damaged)
}

/// The hash of a trial's numbers: recorded, or computed where its files are at hand; `None` where
/// neither is.
fn numbers(side: Side) -> Result<Option<String>, StoreError> {
    let recorded =
        side.store.provenance(&side.result.key)?.and_then(|provenance| provenance.numbers_sha256);
    if recorded.is_some() {
        return Ok(recorded);
    }
    let mut files = BTreeMap::new();
    for name in [ROWS, SIDE_TABLES].iter().filter(|name| side.result.files.contains_key(**name)) {
        match side.store.stamped(side.result, name) {
            Ok(bytes) => files.insert((*name).to_owned(), bytes),
            Err(StoreError::NotPacked { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
    }
    let damaged = |message| StoreError::Damaged { key: side.result.key.clone(), message };
    numbers_sha256(side.result, &files).map(Some).map_err(damaged)
}

#[cfg(test)]
mod tests {
    use super::{UNFUSED, tolerance};

    #[test]
    fn numbers_may_differ_where_the_method_says_so_or_the_processor_rounds_twice() {
        assert_eq!(tolerance(None, true), None);
        assert_eq!(tolerance(Some(0.01), true), Some(0.01));
        assert_eq!(tolerance(None, false), Some(UNFUSED));
        assert_eq!(
            (tolerance(Some(0.01), false), tolerance(Some(0.0), false)),
            (Some(0.01), Some(UNFUSED))
        );
    }
}
