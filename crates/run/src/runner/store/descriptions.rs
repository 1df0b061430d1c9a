//! Keep what external methods said of themselves, so that their trials are found without running
//! anything.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::json;

use super::error::writing;
use super::format::{DESCRIPTIONS, LARGEST_RECORD};
use super::{Found, Store, StoreError};
use crate::external::contract::Description;
use crate::external::given::Given;
use crate::external::{self, ExternalParameters, Identities};
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

    /// The method that is stated so, with what it last said of itself. A pack has it in its trials
    /// only.
    ///
    /// `files` are the hashes of its files. Where these cannot be read it is the method of the
    /// newest trial with its name, command, names of files and settings, so that trials are found
    /// after their method has gone.
    ///
    /// # Errors
    /// [`StoreError::Read`] where a file cannot be read; [`StoreError::Descriptions`] where it is
    /// damaged.
    pub fn external(
        &self,
        given: &Given,
        files: Option<BTreeMap<String, String>>,
    ) -> Result<Option<ExternalParameters>, StoreError> {
        let mut all = self.descriptions()?;
        let Some(files) = files else {
            let names: BTreeSet<&String> = given.files.iter().collect();
            let is_same = |of: &ExternalParameters| {
                of.settings == given.settings && of.files.keys().eq(names.clone())
            };
            return Ok(self.in_trials(given)?.into_iter().find(is_same));
        };
        let with = |description: Description| given.clone().with(files.clone(), description);
        let Identities { exact, loose } = given.identities(&files);
        if let Some(description) = all.remove(&exact) {
            return Ok(Some(with(description)));
        }
        // A store of an earlier version has only the last description of each name and command.
        let trials = self.in_trials(given)?;
        let same = trials.iter().find(|of| of.files == files && of.settings == given.settings);
        let last = || all.remove(&loose);
        let newest = || trials.first().map(|of| of.description.clone());
        Ok(same.map(|of| of.description.clone()).or_else(last).or_else(newest).map(with))
    }

    /// The methods of its finished trials that are stated so, with every description and other
    /// hashes of files, each once; the newest one first, by the start of its last trial. `files`
    /// are as in [`Store::external`]: where they are known, only methods with these files count.
    ///
    /// # Errors
    /// As [`Store::external`].
    pub fn external_versions(
        &self,
        given: &Given,
        files: Option<&BTreeMap<String, String>>,
    ) -> Result<Vec<ExternalParameters>, StoreError> {
        let names: BTreeSet<&String> = given.files.iter().collect();
        let has_files = |of: &ExternalParameters| match files {
            Some(files) => of.files == *files,
            None => of.files.keys().eq(names.iter().copied()),
        };
        let mut all: Vec<ExternalParameters> = Vec::new();
        for found in self
            .in_trials(given)?
            .into_iter()
            .filter(|of| of.settings == given.settings && has_files(of))
        {
            if !all.contains(&found) {
                all.push(found);
            }
        }
        Ok(all)
    }

    /// What external methods said of themselves, by the identity of each.
    ///
    /// # Errors
    /// As [`Store::external`].
    pub(super) fn descriptions(&self) -> Result<BTreeMap<String, Description>, StoreError> {
        let Some(text) = self.present(&self.root, DESCRIPTIONS, LARGEST_RECORD)? else {
            return Ok(BTreeMap::new());
        };
        unseal(&text)
            .map_err(|why| StoreError::Descriptions { path: self.root.join(DESCRIPTIONS), why })
    }

    /// The methods with this name and command in all trials, that of the newest one first.
    fn in_trials(&self, given: &Given) -> Result<Vec<ExternalParameters>, StoreError> {
        let mut all = Vec::new();
        for key in self.keys()? {
            let Some(Found::Finished(result)) = self.find_readable(&key)? else { continue };
            if result.spec.method != external::ID {
                continue;
            }
            let parameters = ExternalParameters::deserialize(&*result.spec.parameters);
            let Some(parameters) = parameters.ok().filter(|parameters| given.is_like(parameters))
            else {
                continue;
            };
            let provenance = self.readable(&key, self.provenance(&key))?.ok().flatten();
            let started = provenance.map_or(0, |provenance| provenance.started);
            all.push((started, parameters));
        }
        // Of trials that began in one second the order is that of what they state, so that it is
        // the same in every store.
        all.sort_by_cached_key(|(started, parameters)| {
            Reverse((*started, json!(parameters).to_string()))
        });
        Ok(all.into_iter().map(|(_, parameters)| parameters).collect())
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
            BTreeMap::from([(
                format!("identity of {name}"),
                serde_json::from_str::<Description>(&json).unwrap(),
            )])
        };
        let sources: Vec<Store> = ["one", "two"]
            .iter()
            .map(|name| Store::open(folder.path().join(name)).unwrap())
            .collect();
        sources[0].keep_descriptions(&described("one")).unwrap();
        sources[1].keep_descriptions(&described("two")).unwrap();
        let into = folder.path().join("both");
        Store::merge(&sources, &into).unwrap();
        let both = Store::open_existing(&into).unwrap();
        for name in ["one", "two"] {
            assert_eq!(both.descriptions().unwrap()[&format!("identity of {name}")].name, name);
        }
    }

    #[test]
    fn methods_of_one_name_and_command_are_told_apart_by_files_and_settings() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let given = |depth: u64| {
            let settings = serde_json::Map::from_iter([("depth".to_owned(), depth.into())]);
            Given {
                name: "mine".into(),
                command: vec!["a".into()],
                files: vec!["m".into()],
                settings,
            }
        };
        let files = |hash: &str| BTreeMap::from([("m".to_owned(), hash.to_owned())]);
        let described = |version: &str| -> Description {
            let json =
                format!(r#"{{"contract": 1, "name": "mine", "versions": {{"m": "{version}"}}}}"#);
            serde_json::from_str(&json).unwrap()
        };
        let all = [(1, "x", "1"), (1, "y", "2"), (2, "y", "3")];
        for (depth, hash, version) in all {
            let Identities { exact, loose } =
                given(depth).with(files(hash), described(version)).identities();
            let new = BTreeMap::from([exact, loose].map(|identity| (identity, described(version))));
            store.keep_descriptions(&new).unwrap();
        }
        let found = |depth: u64, hash: &str| {
            store.external(&given(depth), Some(files(hash))).unwrap().unwrap()
        };
        for (depth, hash, version) in all {
            assert_eq!(found(depth, hash), given(depth).with(files(hash), described(version)));
        }
        assert_eq!(
            found(1, "z").description,
            described("3"),
            "the last one of the name and the command"
        );
        assert_eq!(
            store.external(&given(1), None).unwrap(),
            None,
            "without files and without trials"
        );
    }
}
