//! Find and remove what no run will use again: trials of other versions, and files about trials
//! that are not there.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::PathBuf;

use super::error::{reading, writing};
use super::format::{SCORES, STEPS};
use super::sweep::remove_trial;
use super::{Found, Store, StoreError, held};
use crate::runner::key::TrialKey;
use crate::runner::record::{RESULT, TrialResult};

/// What can be removed from a store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Garbage {
    /// Number of stored trials.
    pub looked_at: usize,
    /// Finished trials that no run will use again.
    pub trials: Vec<TrialKey>,
    /// Scores and failures of trials that are not in the store, and failures of finished ones.
    pub files: Vec<PathBuf>,
    /// Kept pages that no report of a known benchmark reads.
    pub pages: Vec<PathBuf>,
    /// Finished trials that have left steps behind.
    pub steps: Vec<TrialKey>,
    /// Bytes of all of them.
    pub bytes: u64,
    /// Unfinished trials with steps, from which a run goes on. They are kept, because only a run
    /// knows whether it wants them.
    pub unfinished: usize,
}

impl Store {
    /// What can be removed: the finished trials that `is_garbage`, files about trials that are not
    /// there, and kept pages whose name is not of those that `has_pages`. Damaged trials stay.
    /// Nothing is changed.
    ///
    /// # Errors
    /// [`StoreError::Read`].
    pub fn garbage(
        &self,
        is_garbage: impl Fn(&TrialResult) -> bool,
        has_pages: impl Fn(&str) -> bool,
    ) -> Result<Garbage, StoreError> {
        let mut garbage = Garbage::default();
        let (mut kept, mut unfinished) = (BTreeSet::new(), BTreeSet::new());
        for key in self.keys()? {
            garbage.looked_at += 1;
            match self.find(&key)? {
                Found::Finished(result) if is_garbage(&result) => {
                    let files = result.files.values().map(|stamp| stamp.bytes).sum::<u64>();
                    garbage.bytes += files + self.length(self.folder(&key).join(RESULT))?;
                    garbage.trials.push(key);
                }
                Found::Finished(_) => _ = kept.insert(key),
                Found::Damaged(_) => _ = unfinished.insert(key),
                Found::Absent => {} // another program has moved it meanwhile
            }
        }
        let scores = self.root.join(SCORES);
        let mut candidates = Vec::new();
        for part in self.names(&scores)? {
            let folder = scores.join(part);
            candidates.extend(
                self.names(&folder)?.into_iter().map(|name| (folder.join(&name), name, true)),
            );
        }
        let failures = self.failure_folder();
        candidates.extend(
            self.names(&failures)?.into_iter().map(|name| (failures.join(&name), name, false)),
        );
        for (path, name, is_score) in candidates {
            let Some(key) =
                name.to_str().and_then(|name| TrialKey::parse(name.strip_suffix(".json")?))
            else {
                continue;
            };
            let is_finished = kept.contains(&key);
            let is_useless =
                if is_score { !is_finished && !unfinished.contains(&key) } else { is_finished };
            if is_useless {
                garbage.bytes += self.length(path.clone())?;
                garbage.files.push(path);
            }
        }
        let pages = self.pages_folder();
        for name in self.names(&pages)? {
            if !name.to_str().is_some_and(&has_pages) {
                garbage.bytes += self.length(pages.join(&name))?;
                garbage.pages.push(pages.join(name));
            }
        }
        let steps = self.root.join(STEPS);
        for name in self.names(&steps)? {
            let Some(key) = name.to_str().and_then(TrialKey::parse) else { continue };
            if !kept.contains(&key) && !garbage.trials.contains(&key) {
                garbage.unfinished += 1;
                continue;
            }
            let folder = steps.join(&name);
            for file in self.names(&folder)? {
                garbage.bytes += self.length(folder.join(file))?;
            }
            garbage.steps.push(key);
        }
        Ok(garbage)
    }

    fn length(&self, path: PathBuf) -> Result<u64, StoreError> {
        match self.disk.length(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(0),
            length => length.map_err(reading(&path)),
        }
    }

    /// Removes garbage. What another program has removed meanwhile is no error.
    ///
    /// # Errors
    /// [`StoreError::Write`]; what comes before it is then removed.
    pub fn collect(&self, garbage: &Garbage) -> Result<(), StoreError> {
        self.ensure_marked()?;
        for key in &garbage.trials {
            let folder = self.folder(key);
            remove_trial(self.disk.as_ref(), &folder).map_err(writing(&folder))?;
            held(&self.verified).remove(key);
        }
        for key in &garbage.steps {
            self.remove_steps(key)?;
        }
        for path in garbage.files.iter().chain(&garbage.pages) {
            match self.disk.remove_file(path) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(writing(path)(error));
                }
                _ => {}
            }
        }
        Ok(())
    }
}
