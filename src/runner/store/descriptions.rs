//! Keep what external methods said of themselves, so that their trials are found without running anything.

use std::collections::BTreeMap;

use super::error::writing;
use super::format::DESCRIPTIONS;
use super::{Found, Store, StoreError};
use crate::methods::external::contract::Description;
use crate::methods::external::{self, ExternalParameters};
use crate::runner::record::{seal, unseal};

impl Store {
    /// Adds descriptions by the identity of their methods, in place of older ones.
    ///
    /// # Errors
    /// [`StoreError::Write`], [`StoreError::Read`].
    pub fn keep_descriptions(&self, new: &BTreeMap<String, Description>) -> Result<(), StoreError> {
        // Descriptions that cannot be read can be asked for again.
        let mut all = self.descriptions().unwrap_or_default();
        if new.iter().all(|(identity, description)| all.get(identity) == Some(description)) {
            return Ok(());
        }
        all.extend(new.clone());
        let path = self.root.join(DESCRIPTIONS);
        let sealed = seal(&all).map_err(|error| writing(&path)(error.into()))?;
        self.replace(&path, sealed.as_bytes())
    }

    /// The last description of the method with this identity. A pack has it in its trials only.
    ///
    /// # Errors
    /// [`StoreError::Read`] where a file cannot be read; [`StoreError::Descriptions`] where it is damaged.
    pub fn description(&self, identity: &str) -> Result<Option<Description>, StoreError> {
        match self.descriptions()?.remove(identity) {
            None => self.description_in_trials(identity),
            found => Ok(found),
        }
    }

    /// What external methods said of themselves, by the identity of each.
    ///
    /// # Errors
    /// As [`Store::description`].
    pub(super) fn descriptions(&self) -> Result<BTreeMap<String, Description>, StoreError> {
        let Some(text) = self.present(&self.root, DESCRIPTIONS)? else { return Ok(BTreeMap::new()) };
        unseal(&text).map_err(|why| StoreError::Descriptions { path: self.root.join(DESCRIPTIONS), why })
    }

    /// The description in the newest trial of the method.
    fn description_in_trials(&self, identity: &str) -> Result<Option<Description>, StoreError> {
        let mut newest: Option<(u64, Description)> = None;
        for key in self.keys()? {
            let Found::Finished(result) = self.find(&key)? else { continue };
            if result.spec.method != external::ID {
                continue;
            }
            let parameters = serde_json::from_value::<ExternalParameters>(result.spec.parameters.clone());
            let Some(parameters) = parameters.ok().filter(|parameters| parameters.identity() == identity) else {
                continue;
            };
            let started = self.provenance(&key)?.map_or(0, |provenance| provenance.started);
            if newest.as_ref().is_none_or(|(latest, _)| *latest <= started) {
                newest = Some((started, parameters.description));
            }
        }
        Ok(newest.map(|(_, description)| description))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stores_that_are_joined_keep_the_descriptions_of_methods_without_a_finished_trial() {
        let folder = tempfile::tempdir().unwrap();
        let described = |name: &str| {
            let json = format!(r#"{{"contract": 1, "name": "{name}"}}"#);
            BTreeMap::from([(format!("identity of {name}"), serde_json::from_str::<Description>(&json).unwrap())])
        };
        let sources: Vec<Store> =
            ["one", "two"].iter().map(|name| Store::open(folder.path().join(name)).unwrap()).collect();
        sources[0].keep_descriptions(&described("one")).unwrap();
        sources[1].keep_descriptions(&described("two")).unwrap();
        let into = folder.path().join("both");
        Store::merge(&sources, &into).unwrap();
        let both = Store::open_existing(&into).unwrap();
        for name in ["one", "two"] {
            assert_eq!(both.description(&format!("identity of {name}")).unwrap().unwrap().name, name);
        }
    }
}
