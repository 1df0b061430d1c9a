//! Cache what is derived from a stored trial: its scores, and what pages show of its predictions.
//!
//! A cache contains the trial's key and the hash of the rows that it was derived from. A cache with
//! another key or hash is made again. A pack of a store has the caches of its trials instead of
//! their predictions.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::cache::Cache;
use super::layout::{self, Decoded};
use super::outcome::Outcome;
use super::record::{ROWS, TrialRecord, TrialResult};
use super::scores::Scores;
use super::store::{Store, StoreError};
use uq_core::metrics::MetricId;

/// The cache of a trial; an empty one where it is damaged, absent or of another trial, or where a
/// pack brings scores that are not those of the predictions beside them: this is said once. What
/// pages show of predictions is made from these where a pack has them.
fn read(store: &Store, result: &TrialResult) -> Result<Cache, StoreError> {
    let found = store.derived(&result.key)?.and_then(|sealed| Cache::of(result, &sealed));
    let Some(mut found) = found else { return Ok(Cache::none(result)) };
    if !store.is_pack() {
        return Ok(found);
    }
    if store.contradiction(result)?.is_some() {
        return Ok(Cache::none(result));
    }
    if store.has(&result.key, ROWS)? {
        found.reduced.clear();
    }
    Ok(found)
}

fn sealed(cache: &Cache) -> Result<Vec<u8>, StoreError> {
    let unwritable = |error: serde_json::Error| StoreError::Unwritable {
        key: cache.trial().clone(),
        message: error.to_string(),
    };
    cache.sealed().map_err(unwritable)
}

fn keep(cache: &Cache, store: &Store) -> Result<(), StoreError> {
    store.keep_derived(cache.trial(), &sealed(cache)?)
}

/// Adds to the cache if the store can be written. A store that cannot gives the same, derived again
/// each time.
fn keep_if_writable(
    store: &Store,
    result: &TrialResult,
    add: impl FnOnce(&mut Cache),
) -> Result<(), StoreError> {
    let _alone = store.derive_alone();
    let mut newest = read(store, result)?;
    add(&mut newest);
    match keep(&newest, store) {
        Ok(()) | Err(StoreError::Write { .. }) => Ok(()),
        Err(error) => Err(error),
    }
}

fn damaged(result: &TrialResult) -> impl Fn(String) -> StoreError + '_ {
    |message| StoreError::Damaged { key: result.key.clone(), message }
}

/// The scores of a finished trial: from the cache, or derived from its rows, and then cached if the
/// store can be written.
///
/// # Errors
/// [`StoreError::Read`] where the cache or the rows cannot be read.
pub fn scores(
    store: &Store,
    result: &TrialResult,
    metrics: &[MetricId],
) -> Result<Scores, StoreError> {
    if result.outcome != Outcome::Ok {
        return Ok(Scores::default());
    }
    let mut scores = read(store, result)?.scores;
    if !scores.cover(result, metrics) {
        let (rows, provenance) = (store.stamped(result, ROWS)?, store.provenance(&result.key)?);
        scores.extend(result, &rows, provenance.as_ref(), metrics).map_err(damaged(result))?;
        keep_if_writable(store, result, |newest| newest.scores = scores.clone())?;
    }
    Ok(scores)
}

/// Whether the scores of a finished trial by these metrics are known without its predictions.
///
/// # Errors
/// [`StoreError::Read`] where the cache cannot be read.
pub fn has_scores(
    store: &Store,
    result: &TrialResult,
    metrics: &[MetricId],
) -> Result<bool, StoreError> {
    Ok(result.outcome != Outcome::Ok || read(store, result)?.scores.cover(result, metrics))
}

/// The scores of a trial that has just finished; cached.
///
/// # Errors
/// [`StoreError::Write`] where the cache cannot be written.
pub fn keep_scores(
    store: &Store,
    record: &TrialRecord,
    metrics: &[MetricId],
) -> Result<(), StoreError> {
    let (result, Some(rows)) = (&record.result, record.files.get(ROWS)) else { return Ok(()) };
    let mut derived = Cache::none(result);
    derived
        .scores
        .extend(result, rows, Some(&record.provenance), metrics)
        .map_err(damaged(result))?;
    keep(&derived, store)
}

/// What pages show of a finished trial's predictions: from the cache, or derived from its rows, and
/// then cached if the store can be written. The names tell everything that the results depend on,
/// with a version. The results are in the order of the names.
///
/// # Errors
/// What `derive` returns, which gets the decoded rows and the place of the name;
/// [`StoreError::NotPacked`] where a pack has neither the result nor the predictions;
/// [`StoreError::Read`] and [`StoreError::Damaged`].
pub fn reduced<T: Serialize + DeserializeOwned, E: From<StoreError>>(
    store: &Store,
    result: &TrialResult,
    names: &[String],
    derive: impl Fn(&Decoded, usize) -> Result<T, E>,
) -> Result<Vec<T>, E> {
    let known = read(store, result)?.reduced;
    let mut decoded: Option<Decoded> = None;
    let (mut found, mut new) = (Vec::new(), BTreeMap::new());
    for (place, name) in names.iter().enumerate() {
        let cached =
            known.get(name).and_then(|value| Some((T::deserialize(value).ok()?, value.clone())));
        let (one, value) = match cached {
            Some(cached) => cached,
            None => {
                if decoded.is_none() {
                    decoded = Some(rows(store, result)?);
                }
                let Some(decoded) = &decoded else { continue };
                let one = derive(decoded, place)?;
                let value = serde_json::to_value(&one).map_err(|error| StoreError::Unwritable {
                    key: result.key.clone(),
                    message: error.to_string(),
                })?;
                new.insert(name.clone(), value.clone());
                (one, value)
            }
        };
        store.note_reduced(&result.key, name, value);
        found.push(one);
    }
    if !new.is_empty() {
        keep_if_writable(store, result, |newest| newest.reduced.extend(new))?;
    }
    Ok(found)
}

/// The decoded rows of a trial, for what is kept in the cache.
fn rows(store: &Store, result: &TrialResult) -> Result<Decoded, StoreError> {
    let decoded = layout::decode(&result.layout, &store.stamped(result, ROWS)?);
    decoded.and_then(|decoded| decoded.checked(result.test_rows)).map_err(damaged(result))
}

/// A cache of a finished trial for a pack: its scores by these metrics, and the reductions that
/// pages have used since the store was opened.
///
/// # Errors
/// As [`scores`].
pub fn for_pack(
    store: &Store,
    result: &TrialResult,
    metrics: &[MetricId],
) -> Result<Vec<u8>, StoreError> {
    let mut scores = scores(store, result, metrics)?;
    scores.retain(metrics);
    let mut cache = Cache::none(result);
    (cache.scores, cache.reduced) = (scores, store.used_reductions(&result.key));
    sealed(&cache)
}
