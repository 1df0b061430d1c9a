//! Check that what a trial's files say can be used: right checksums do not tell.

use std::io::ErrorKind;

use super::error::reading;
use super::{Found, Store, StoreError, held};
use crate::runner::cache::Cache;
use crate::runner::key::TrialKey;
use crate::runner::layout::{self, Decoded};
use crate::runner::outcome::Outcome;
use crate::runner::record::{ROWS, TrialResult};
use uqbench_system::notice::say;

impl Store {
    /// The predictions of a finished trial; `None` where it has none, or its pack lacks them.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] where they are no predictions of its test rows;
    /// [`StoreError::Read`].
    fn content(&self, result: &TrialResult) -> Result<Option<Decoded>, StoreError> {
        if result.outcome != Outcome::Ok {
            return Ok(None);
        }
        let rows = match self.stamped(result, ROWS) {
            Err(StoreError::NotPacked { .. }) => return Ok(None),
            rows => rows?,
        };
        let decoded = layout::decode(&result.layout, &rows)
            .and_then(|decoded| decoded.checked(result.test_rows));
        let damaged = |message| StoreError::Damaged { key: result.key.clone(), message };
        decoded.map(Some).map_err(damaged)
    }

    /// Whether the folder of a trial has a file of this name.
    ///
    /// # Errors
    /// [`StoreError::Read`].
    pub fn has(&self, key: &TrialKey, name: &str) -> Result<bool, StoreError> {
        let path = self.folder(key).join(name);
        match self.disk.kind(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            kind => kind.map(|_| true).map_err(reading(&path)),
        }
    }

    /// Checks the predictions of a finished trial, and in a pack the scores that it brings with
    /// them. In a folder scores are a cache, which says nothing against the trial: a repair must
    /// not move it.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] where they cannot be used, or scores are others than those of the
    /// predictions; [`StoreError::Read`].
    pub(super) fn check_content(&self, result: &TrialResult) -> Result<(), StoreError> {
        let Some(decoded) = self.content(result)? else { return Ok(()) };
        let sealed = if self.is_pack { self.derived(&result.key)? } else { None };
        let Some(cache) = sealed.and_then(|sealed| Cache::of(result, &sealed)) else {
            return Ok(());
        };
        let provenance = self.provenance(&result.key)?;
        match cache.contradiction(result, decoded, provenance.as_ref()) {
            None => Ok(()),
            Some(message) => Err(StoreError::Damaged { key: result.key.clone(), message }),
        }
    }

    /// The first score that a pack brings with predictions and that is not theirs, in words; `None`
    /// where all are, or the pack has no predictions. Told once for each trial.
    ///
    /// # Errors
    /// [`StoreError::Read`].
    pub fn contradiction(&self, result: &TrialResult) -> Result<Option<String>, StoreError> {
        if !self.is_pack {
            return Ok(None);
        }
        if let Some(known) = held(&self.contradictions).get(&result.key) {
            return Ok(known.clone());
        }
        let found = match self.check_content(result) {
            Err(StoreError::Damaged { message, .. }) => Some(message),
            end => end.map(|()| None)?,
        };
        if let Some(message) = &found {
            let (key, pack) = (&result.key, self.root.display());
            say(format!("warning: {pack}: trial {key}: {message}"));
        }
        held(&self.contradictions).insert(result.key.clone(), found.clone());
        Ok(found)
    }

    /// Whether what has the place of a trial has to make way for a new one: its bytes, or what they
    /// say, cannot be used.
    pub(super) fn is_useless(&self, key: &TrialKey) -> Result<bool, StoreError> {
        Ok(match self.verify(key, &self.folder(key))? {
            Found::Absent => false,
            Found::Damaged(_) => true,
            Found::Finished(result) => match self.content(&result) {
                Err(StoreError::Damaged { .. }) => true,
                content => content.map(|_| false)?,
            },
        })
    }

    /// As [`Store::find`], with the predictions of a trial that nobody has scored yet checked, too:
    /// a program before this one stored predictions that cannot be used.
    ///
    /// # Errors
    /// As [`Store::find`].
    pub fn find_usable(&self, key: &TrialKey) -> Result<Found, StoreError> {
        let found = self.find(key)?;
        let Found::Finished(result) = &found else { return Ok(found) };
        if self.is_derived(key) {
            return Ok(found);
        }
        match self.content(result) {
            Err(StoreError::Damaged { message, .. }) => {
                self.note_damage(key, &message);
                Ok(Found::Damaged(message))
            }
            content => content.map(|_| found),
        }
    }

    /// Reads these finished trials again, and counts those as damaged whose bytes have changed
    /// since they were found, or cannot be read any more.
    pub fn read_again(&self, keys: &[TrialKey]) {
        for key in keys {
            let was_finished = held(&self.verified).contains_key(key);
            let damage = match self.verify(key, &self.folder(key)) {
                Ok(Found::Damaged(damage)) => damage,
                Ok(Found::Absent) if was_finished => "its folder has gone".into(),
                Ok(_) => continue,
                Err(error) => error.to_string(),
            };
            held(&self.verified).remove(key);
            held(&self.damaged).insert(key.clone(), damage);
        }
    }

    /// Counts a trial as damaged whose checksums are right, but whose content cannot be used.
    pub fn note_damage(&self, key: &TrialKey, damage: &str) {
        held(&self.verified).remove(key);
        held(&self.useless).insert(key.clone(), damage.to_owned());
        held(&self.damaged).insert(key.clone(), damage.to_owned());
    }
}
