//! Hold what a store has of some trials at one moment, while other programs add to it.

use std::collections::HashMap;

use super::{Found, Store, StoreError, held};
use crate::runner::key::TrialKey;

/// What the store had. Finished trials do not change, so that their keys are enough:
/// [`Store::find`] knows them.
#[derive(Debug)]
pub(super) struct Frozen {
    /// The files of last attempts that did not finish.
    failures: HashMap<TrialKey, Vec<u8>>,
}

impl Store {
    /// From now on this store has of other trials nothing, and of these what it has now, whatever
    /// other programs write.
    ///
    /// # Errors
    /// As [`Store::find`].
    pub fn freeze(&self, keys: &[TrialKey]) -> Result<(), StoreError> {
        let mut failures = HashMap::new();
        for key in keys {
            if !matches!(self.find(key)?, Found::Finished(_)) {
                failures.extend(self.failure_file(key)?.map(|bytes| (key.clone(), bytes)));
            }
        }
        *held(&self.frozen) = Some(Frozen { failures });
        Ok(())
    }

    /// The last attempt that did not finish, sealed; `None` where there is none.
    pub(super) fn failure_file(&self, key: &TrialKey) -> Result<Option<Vec<u8>>, StoreError> {
        if let Some(frozen) = held(&self.frozen).as_ref() {
            return Ok(frozen.failures.get(key).cloned());
        }
        self.dispensable(&self.failure_folder(), &format!("{key}.json"))
    }

    /// Whether a trial that no one has verified yet counts as absent.
    pub(super) fn is_frozen(&self) -> bool {
        held(&self.frozen).is_some()
    }
}
